import { readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { canonicalAddress } from "#drivers/address.ts";
import { waitUntil } from "#drivers/daemon.ts";
import type { Device } from "#drivers/device.ts";
import type { Driver } from "#drivers/driver.ts";
import { succeeds } from "#drivers/exec.ts";
import { readRanks } from "#drivers/paths/apply.ts";
import type { Rank } from "#drivers/paths/choice.ts";
import { openSecret } from "#drivers/sealed.ts";
import { reasonOf } from "#edge/log.ts";
import { untag } from "./backup.ts";
import {
  deadDaemons,
  frrDir,
  frrPrograms,
  startFrr,
  stopFrr,
  stopOspf,
  vtysh,
  wasStarted,
} from "./daemons.ts";
import type { ConfigLine } from "./lines.ts";
import { observeRouting } from "./observe.ts";
import {
  diffConfig,
  isWanted,
  missingFrom,
  pickRouting,
  planRouting,
  type RoutingFound,
  type RoutingStep,
  rootsOf,
  withoutSecrets,
} from "./plan.ts";
import {
  type Blamed,
  blamed,
  parseRefused,
  type RefusedLines,
  throwRefused,
} from "./refused-lines.ts";
import {
  configText,
  inMap,
  numberedText,
  outMap,
  type RoutingPart,
  renderRouting,
} from "./render.ts";
import { parseRunning, parseVrfs, type Route } from "./running.ts";
import { sessionCommands, silentOf } from "./sessions.ts";

export interface Routing extends Driver<RoutingPart, RoutingFound, RoutingStep> {
  /** Starts again what died of FRR and gives it its configuration back. */
  tend(): Promise<void>;
  /** Puts links behind others, without a change of the state. */
  prefer(ranks: ReadonlyMap<number, Rank>): Promise<void>;
  /** Routers of the site that had no session in two checks: addresses, and interfaces with OSPF. */
  silentRouters(): ReadonlySet<string>;
}

/** vtysh shows the lines that it refuses, and failures are logged and reported. */
const failWithoutSecrets = (error: unknown): never => {
  throw new Error(withoutSecrets(reasonOf(error)));
};

/** Its status says too little: it may be 0 although lines were refused. */
const status = "vtysh ended with ";

/**
 * Runs `vtysh -f` on a text.
 * @returns what it prints of lines that it or a daemon refuses, without secrets; the other lines act
 */
const loadText = async (
  device: Device,
  file: string,
  text: string,
  options: readonly string[],
): Promise<RefusedLines> => {
  await writeFile(file, text, { mode: 0o600 });
  const script = `vtysh "$@" 2>&1 || echo "${status}$?"`;
  const argv = ["sh", "-c", script, "sh", ...options, "-f", file] as const;
  const output = withoutSecrets(
    await device.run(argv, { timeoutMs: 60_000 }).catch(failWithoutSecrets),
  );
  const refused = parseRefused(output);
  const isSilent = refused.lines.size + refused.groups.size === 0;
  if (isSilent && output.includes(status)) throw new Error(output.trim().slice(0, 800));
  return refused;
};

const loadConfig = (device: Device, text: string): Promise<RefusedLines> =>
  loadText(device, join(device.runDir, "frr-change.conf"), text, ["--vty_socket", frrDir(device)]);

const shownConfig = async (device: Device): Promise<ConfigLine[]> =>
  parseRunning(await vtysh(device, ["show running-config"]));

/** What was taken is shown at once, but by a daemon that is busy. */
const showsMs = 3_000;

/** Of commands that are refused together the wrong ones, found by halves: the others act then. */
const wrongOf = async (device: Device, lines: readonly ConfigLine[]): Promise<Blamed> => {
  const { text, sources } = numberedText(lines);
  const refused = await loadConfig(device, text);
  if (refused.groups.size === 0) return blamed(refused, sources);
  const [only, ...others] = lines;
  if (only && others.length === 0) return new Map([[only, [...refused.groups.values()][0] ?? ""]]);
  const middle = lines.length >> 1;
  return new Map([
    ...(await wrongOf(device, lines.slice(0, middle))),
    ...(await wrongOf(device, lines.slice(middle))),
  ]);
};

/** Gives FRR lines. @throws ObjectsRefused when it does not take some of them: all others act */
const addLines = async (device: Device, lines: readonly ConfigLine[]): Promise<void> => {
  if (lines.length === 0) return;
  const { text, sources } = numberedText(lines);
  const refused = await loadConfig(device, text);
  const reasons = blamed(refused, sources);
  let missing: ConfigLine[] = [];
  const isShown = async (): Promise<boolean> => {
    missing = missingFrom(await shownConfig(device), lines);
    return missing.every((line) => reasons.has(line));
  };
  await waitUntil("FRR's configuration", isShown, showsMs).catch(isShown);
  if (missing.length === 0) return;
  const died = deadDaemons(device);
  if (died.length > 0) throw new Error(`${died.join(", ")} ended`);
  if (refused.groups.size > 0) {
    const commands = new Set(refused.groups.keys());
    throwRefused(
      await wrongOf(
        device,
        missing.filter(({ line }) => commands.has(line)),
      ),
    );
    return;
  }
  const unsaid = ({ line }: ConfigLine) => `FRR does not take: ${withoutSecrets(line)}`;
  throwRefused(new Map(rootsOf(missing).map((line) => [line, reasons.get(line) ?? unsaid(line)])));
};

const checkConfig = async (device: Device, part: RoutingPart): Promise<void> => {
  if (!isWanted(part)) return;
  if (frrPrograms() === null) throw new Error("FRR is not installed");
  const file = join(device.runDir, "frr-check.conf");
  const { text, sources } = numberedText(renderRouting(part));
  try {
    const reasons = blamed(await loadText(device, file, text, ["-C"]), sources);
    throwRefused(
      new Map(rootsOf([...reasons.keys()]).map((line) => [line, reasons.get(line) ?? ""])),
    );
  } finally {
    await rm(file, { force: true });
  }
};

/** What zebra would install; its own deletion finds the route by prefix, protocol and metric. */
const metric = "20";

const hopArgs = (route: Route): string[] => {
  const hops = route.hops.map((hop) => {
    const [gateway = "", dev = ""] = hop.split(" ");
    return ["via", gateway, "dev", dev, "onlink"];
  });
  const [only, ...more] = hops;
  return more.length === 0 ? (only ?? []) : hops.flatMap((hop) => ["nexthop", ...hop]);
};

const family = (prefix: string): string => (prefix.includes(":") ? "-6" : "-4");

const restore = async (device: Device, route: Route): Promise<void> => {
  const { netns, prefix, protocol } = route;
  const tail = ["proto", protocol, "metric", metric, ...hopArgs(route)];
  // One that its neighbour takes back at this moment, or whose link falls, is refused: what stays missing is found again.
  await succeeds(device.run, ["ip", family(prefix), "route", "replace", prefix, ...tail], {
    netns,
  });
};

const purge = async (device: Device, { netns, prefix, protocol }: Route): Promise<void> => {
  // It may be gone by now.
  await succeeds(device.run, ["ip", family(prefix), "route", "del", prefix, "proto", protocol], {
    netns,
  });
};

const vrfsOf = async (device: Device) => parseVrfs(await vtysh(device, ["show vrf"]));

/** zebra looks for new namespaces once a second. */
const awaitVrfs = async (device: Device, wanted: readonly string[]): Promise<void> => {
  if (wanted.length === 0) return;
  const known = async () => {
    const vrfs = await vrfsOf(device);
    return wanted.every((netns) => vrfs.get(netns) === true);
  };
  await waitUntil(`FRR serves ${wanted.join(", ")}`, known, 5_000, 50);
};

const forget = async (device: Device, netns: string): Promise<void> => {
  await waitUntil(
    `FRR releases ${netns}`,
    async () => !(await vrfsOf(device)).get(netns),
    5_000,
    50,
  );
  if ((await vrfsOf(device)).has(netns))
    await vtysh(device, ["configure terminal", `no vrf ${netns}`]);
};

const runStep = async (device: Device, step: RoutingStep): Promise<void> => {
  switch (step.kind) {
    case "start":
      return startFrr(device, step);
    case "stopOspf":
      return stopOspf(device);
    case "stop":
      return stopFrr(device);
    case "configure":
      await awaitVrfs(device, step.vrfs);
      return addLines(device, step.lines);
    case "withdraw":
      // What is refused because it is gone is no fault, and what stays is found again.
      await loadConfig(device, step.text);
      return;
    case "restore":
      return restore(device, step.route);
    case "purge":
      return purge(device, step.route);
    case "forget":
      return forget(device, step.netns);
  }
};

const partFile = (device: Device): string => join(device.runDir, "routing.json");

const readPart = async (device: Device): Promise<RoutingPart | null> => {
  try {
    const part = JSON.parse(await readFile(partFile(device), "utf8")) as RoutingPart;
    // Written by an edge that knew no routers of sites, no ranks, no segment routes, no exits or no second device.
    const {
      site = null,
      ranks = null,
      segments = [],
      exits = [],
      backsUp = false,
    } = part as Partial<RoutingPart>;
    return { ...part, site, ranks, segments, exits, backsUp };
  } catch {
    return null;
  }
};

/** Gives restarted daemons the configuration that was last applied. */
const revive = async (device: Device): Promise<void> => {
  const part = await readPart(device);
  if (!part) return;
  for (let round = 0; round < 2; round += 1) {
    const steps = planRouting(part, await observeRouting(device, part));
    for (const step of steps.sort((a, b) => a.phase - b.phase)) await runStep(device, step);
  }
};

/** Rounds of the watch between two checks of sessions: 10 s. */
const checkRounds = 40;

/** Sessions come and go with their routers: what is silent once is not worth a report. */
const watchSessions = (device: Device) => {
  let rounds = 0;
  let before: readonly string[] = [];
  let silent: ReadonlySet<string> = new Set();
  const check = async (): Promise<void> => {
    const part = await readPart(device);
    if (!part?.site) {
      [before, silent] = [[], new Set()];
      return;
    }
    const { bgp, ospf } = sessionCommands(part);
    const now = silentOf(part, {
      bgp: bgp && (await vtysh(device, [bgp])),
      ospf: ospf && (await vtysh(device, [ospf])),
    });
    silent = new Set(now.filter((text) => before.includes(text)));
    before = now;
  };
  return {
    silent: () => silent,
    tend: async (): Promise<void> => {
      rounds += 1;
      if (rounds % checkRounds === 0) await check();
    },
  };
};

/** Commands that prefer links otherwise immediately: by themselves, changed filters act a second later. */
const reorder = (part: RoutingPart, ranks: RoutingPart["ranks"]): string[] => {
  const { add } = diffConfig(renderRouting(part), renderRouting({ ...part, ranks }));
  if (add.length === 0) return [];
  const maps = new Set(add.map(({ path: [header = ""] }) => header.split(" ")[1]));
  const clear = part.instances.flatMap(({ netns, neighbors }) =>
    neighbors
      .filter(({ interfaceName }) => maps.has(inMap(interfaceName)))
      .flatMap(({ address4 }) =>
        ["ipv4", "ipv6"].map(
          (family) =>
            `clear bgp ${netns ? `vrf ${netns} ` : ""}${family} unicast ${canonicalAddress(address4)} soft in`,
        ),
      ),
  );
  const lines = configText(add).trim().split("\n");
  return ["configure terminal", ...lines, "end", ...clear];
};

const prefer = async (device: Device, ranks: RoutingPart["ranks"]): Promise<void> => {
  const part = await readPart(device);
  if (!part || part.ranks === null || !wasStarted(device)) return;
  const commands = reorder(part, ranks);
  if (commands.length === 0) return;
  await vtysh(device, commands);
  await writeFile(partFile(device), JSON.stringify({ ...part, ranks }), { mode: 0o600 });
};

/** As the part says that was last applied; of a device that was never one of two it does not matter. */
const backedUp = (device: Device): boolean => {
  try {
    return (JSON.parse(readFileSync(partFile(device), "utf8")) as RoutingPart).backsUp !== false;
  } catch {
    return true;
  }
};

/** Announces the site's networks as what is preferred, or no longer; true: the daemons do so now. */
const announceAs = async (device: Device, backsUp: boolean): Promise<boolean> => {
  const part = await readPart(device);
  if (!part || !wasStarted(device) || deadDaemons(device).length > 0) return false;
  const instances = part.instances.filter(({ reflector }) => !reflector);
  const wanted = renderRouting({ ...part, backsUp });
  const commands = instances.flatMap(({ spaceId }) =>
    wanted.flatMap(({ path, line: header }) => {
      if (path.length > 0 || !header.startsWith(`route-map ${outMap(spaceId)} permit `)) return [];
      const tag = wanted.find(
        ({ path: [block], line }) => block === header && line.startsWith("set community "),
      );
      return [header, tag?.line ?? untag, "exit"];
    }),
  );
  if (commands.length > 0)
    await vtysh(device, [
      "configure terminal",
      ...commands,
      "end",
      ...["ipv4", "ipv6"].map((family) => `clear bgp ${family} unicast * soft out`),
    ]);
  await writeFile(partFile(device), JSON.stringify({ ...part, backsUp }), { mode: 0o600 });
  return true;
};

/**
 * FRR: static routes, BGP and BFD (dataplane section 3).
 * @param standsBy whether another device of the site has its gateways; null: there is none
 */
export const createRouting = (device: Device, standsBy: () => boolean | null): Routing => {
  let failed = 0;
  let backsUp = backedUp(device);
  let ranks: ReadonlyMap<number, Rank> = readRanks(device);
  const sessions = watchSessions(device);
  return {
    name: "routing",
    silentRouters: sessions.silent,
    pick: (state) =>
      pickRouting(state, (sealed) => openSecret(sealed, device.tunnelPrivateKey), ranks, backsUp),
    validate: (part) => checkConfig(device, part),
    observe: async (part) => ({
      ...(await observeRouting(device, part)),
      ranks: Object.fromEntries(ranks),
    }),
    plan: planRouting,
    prefer: async (wanted) => {
      await prefer(device, Object.fromEntries(wanted));
      ranks = wanted;
    },
    run: async (step, wanted) => {
      const part = wanted.ranks && { ...wanted, ranks: Object.fromEntries(ranks) };
      await writeFile(partFile(device), JSON.stringify(part ?? wanted), { mode: 0o600 });
      await runStep(device, step);
    },
    tend: async () => {
      if (!wasStarted(device) || deadDaemons(device).length === 0) {
        failed = 0;
        if (wasStarted(device)) await sessions.tend();
        const wanted = standsBy();
        if (wanted !== null && wanted !== backsUp && (await announceAs(device, wanted)))
          backsUp = wanted;
        return;
      }
      failed += 1;
      const tries = failed - 1;
      if ((tries & (tries - 1)) !== 0) return;
      const died = deadDaemons(device);
      device.log.warn({ died }, "part of FRR died");
      const note = () => {
        for (const name of died) device.repairs.add("routing", name);
      };
      await revive(device).then(note, (error: unknown) =>
        device.log.error({ why: reasonOf(error) }, "FRR could not be restarted"),
      );
    },
  };
};
