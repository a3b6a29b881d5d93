import { rename, writeFile } from "node:fs/promises";
import { uptime } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { VlanInterface } from "@weft/contract/device/v1/underlay.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { familyOf } from "#drivers/address.ts";
import { movedBy } from "#drivers/central.ts";
import { type Device, ownProtocol } from "#drivers/device.ts";
import type { Driver, Ipv6LineReport } from "#drivers/driver.ts";
import { succeeds } from "#drivers/exec.ts";
import { type IpLink, ipJson } from "#drivers/ip-json.ts";
import { lineTable } from "#drivers/policy-paths.ts";
import { reasonOf } from "#edge/log.ts";
import type { MtuChange } from "./cards.ts";
import {
  hurryIpv6Clients,
  ipv6ClientsOf,
  isIpv6ClientAlive,
  keepLinkLocal,
  readIpv6Lease,
  readIpv6Leases,
  startIpv6Client,
  stopIpv6Client,
  withoutTimes,
} from "./ipv6-client.ts";
import { addressOfLease, ipv6Lines, ipv6Reports, lifetimeArgs } from "./ipv6-lines.ts";
import type { Ipv6Leases } from "./ipv6-state.ts";
import { setKernelSetting } from "./kernel-settings.ts";
import {
  clientOutput,
  clientsOf,
  hurryClients,
  isClientAlive,
  type Rebinding,
  readLease,
  readLeases,
  rebindUnanswered,
  startClient,
  stopClient,
  type Waiting,
} from "./lease.ts";
import type { Silence } from "./line-health.ts";
import { LineProbes } from "./line-probes.ts";
import {
  Controllers,
  mtusFile,
  observeUnderlay,
  readForeign,
  readInterfaces,
  readMtus,
  readOwnVlans,
  readTaken,
  takenFile,
  writeOwnVlans,
} from "./observe.ts";
import {
  delegationOf,
  leftOf,
  ownOf,
  pickUnderlay,
  planUnderlay,
  targetsOf,
  type UnderlayFound,
  type UnderlayPart,
  type UnderlayStep,
} from "./plan.ts";
import { type OwnRoute, type OwnRule, routeArgs, routeText } from "./render.ts";

export interface Underlay extends Driver<UnderlayPart, UnderlayFound, UnderlayStep> {
  /** Addresses of the controllers, as far as they are known. */
  controllers(): Promise<readonly string[]>;
  /** Follows leases and lines that lead nowhere, and starts DHCP clients that died. */
  tend(): Promise<void>;
  /** Lines that lead nowhere although they are plugged. */
  silentLines(): readonly Silence[];
  /** Calls back when these became others, until the returned is called. */
  watchSilent(notify: () => void): () => void;
  /** Tables of the lines that hosts no longer leave by. */
  leftTables(): ReadonlySet<string>;
  /** Carrier or address of a line may have changed. */
  linesChanged(): void;
  /** IPv6 of the lines that are to have it, as their interfaces show it. @param now ms since 1970 */
  ipv6Lines(now: number): Promise<Ipv6LineReport[]>;
  /** Ends what asks by the lines. */
  stop(): Promise<void>;
}

interface UnderlayWatch {
  /** Whether links answer, by id; those that are not known are left out. */
  readonly links: () => ReadonlyMap<number, boolean>;
  /** `leftTables` became others, and the routes with them. */
  readonly left: () => void;
}

const writeWhole = async (file: string, content: object): Promise<void> => {
  await writeFile(`${file}.new`, JSON.stringify(content));
  await rename(`${file}.new`, file);
};

const writeTaken = (device: Device, taken: UnderlayFound["taken"]): Promise<void> =>
  writeWhole(takenFile(device), taken);

/** What it had is on the disk before it has another, and until it has it again. */
const changeMtu = async (
  device: Device,
  { interfaceName, mtu, before }: MtuChange,
): Promise<void> => {
  const { [interfaceName]: _was, ...others } = await readMtus(device);
  if (before !== null) await writeWhole(mtusFile(device), { ...others, [interfaceName]: before });
  await device.run(["ip", "link", "set", "dev", interfaceName, "mtu", `${mtu}`]);
  if (before === null) await writeWhole(mtusFile(device), others);
};

/** Its name is on the disk before there is the interface: what is not known to be its own the device never removes. */
const addVlan = async (
  device: Device,
  { interfaceName, parent, tag }: VlanInterface,
): Promise<void> => {
  const own = await readOwnVlans(device);
  if (!own.includes(interfaceName)) await writeOwnVlans(device, [...own, interfaceName]);
  const named = ["link", parent, "name", interfaceName];
  await device.run(["ip", "link", "add", ...named, "type", "vlan", "id", `${tag}`]);
};

/** It may have gone with its card. */
const deleteVlan = async (device: Device, interfaceName: string): Promise<void> => {
  const argv = ["ip", "link", "del", interfaceName, "type", "vlan"] as const;
  await device.run(argv).catch((error: unknown) => {
    if (!reasonOf(error).includes("Cannot find device")) throw error;
  });
  const others = (await readOwnVlans(device)).filter((name) => name !== interfaceName);
  await writeOwnVlans(device, others);
};

const changeRoute = async (
  device: Device,
  verb: "replace" | "del",
  route: OwnRoute,
  own: boolean,
) => {
  const argv = ["ip", `-${route.family}`, "route", verb, ...routeArgs(route)] as const;
  if (own) await device.run([...argv, "proto", ownProtocol]);
  else {
    const [program, ...args] = argv;
    const plain = [program, ...args.filter((arg) => arg !== "onlink")] as const;
    // Its interface may not reach the gateway by an address any more.
    if (!(await succeeds(device.run, plain))) await device.run(argv);
  }
};

const ruleArgv = (verb: "add" | "del", rule: OwnRule) =>
  [
    "ip",
    `-${rule.family}`,
    "rule",
    verb,
    "priority",
    `${rule.priority}`,
    ...rule.text.split(" "),
    "protocol",
    ownProtocol,
  ] as const;

/** A lease mostly comes within a second; a line without one must not hold up the others. */
const leaseWaitMs = 2_000;

const startDhcp = async (device: Device, interfaceName: string): Promise<void> => {
  await startClient(device, interfaceName);
  const until = performance.now() + leaseWaitMs;
  while (!readLease(device, interfaceName) && performance.now() < until) {
    if (!isClientAlive(device, interfaceName))
      throw new Error(
        `the DHCP client ended on ${interfaceName}: ${clientOutput(device, interfaceName)}`,
      );
    await sleep(50);
  }
};

/** What routers and servers give comes within a second or two, and must not hold up the others either. */
const startIpv6 = async (device: Device, name: string, settings: string): Promise<void> => {
  await startIpv6Client(device, name, settings);
  const until = performance.now() + leaseWaitMs;
  const lacks = settings.includes("ia_pd") ? ("prefix" as const) : ("address" as const);
  while (readIpv6Lease(device, name)?.[lacks] == null && performance.now() < until) {
    if (!isIpv6ClientAlive(device, name)) throw new Error(`the client of IPv6 ended on ${name}`);
    await sleep(50);
  }
};

/** An address of a lease ends by itself when its time is over, whatever becomes of the edge. */
const addAddress = async (
  device: Device,
  name: string,
  address: string,
  part: UnderlayPart,
): Promise<void> => {
  const found = heldAddresses(part, readIpv6Leases(device)).find(
    (heldAddress) => heldAddress.name === name && heldAddress.held.value === address,
  );
  const times = lifetimeArgs(found?.held, uptime());
  await device.run(["ip", "addr", "replace", address, "dev", name, ...times]);
};

/** Addresses that end, of lines and of networks of their prefixes in LANs. */
const heldAddresses = (part: UnderlayPart, leases: Ipv6Leases) => [
  ...part.lines.flatMap(({ interfaceName, ipv6 }) => {
    const held = ipv6 === undefined ? null : addressOfLease(ipv6, leases[interfaceName]);
    return held === null ? [] : [{ name: interfaceName, held }];
  }),
  ...delegationOf(part, leases).lans.map(({ interfaceName, address }) => ({
    name: interfaceName,
    held: address,
  })),
];

/** Gives addresses that hold on the times that were advertised since. */
const renewAddresses = async (
  device: Device,
  part: UnderlayPart,
  leases: Ipv6Leases,
): Promise<void> => {
  const interfaces = await readInterfaces(device);
  for (const { name, held } of heldAddresses(part, leases))
    if (interfaces[name]?.addresses.includes(held.value))
      await addAddress(device, name, held.value, part);
};

const runStep = async (device: Device, step: UnderlayStep, part: UnderlayPart): Promise<void> => {
  switch (step.kind) {
    case "take":
      return writeTaken(device, {
        ...(await readTaken(device)),
        [step.interfaceName]: step.factory,
      });
    case "give-back": {
      const { [step.interfaceName]: _given, ...rest } = await readTaken(device);
      const { kept } = step;
      return writeTaken(device, kept === null ? rest : { ...rest, [step.interfaceName]: kept });
    }
    case "sysctl":
      return setKernelSetting(device, step.key, step.value);
    // Whoever runs a step follows its part.
    case "follow":
      return;
    case "up":
    case "down":
      await device.run(["ip", "link", "set", "dev", step.interfaceName, step.kind]);
      return;
    case "mtu":
      return changeMtu(device, step);
    case "add-vlan":
      return addVlan(device, step);
    case "del-vlan":
      return deleteVlan(device, step.interfaceName);
    case "start-dhcp":
      return startDhcp(device, step.interfaceName);
    case "stop-dhcp":
      return stopClient(device, step.interfaceName);
    case "start-ipv6":
      return startIpv6(device, step.interfaceName, step.settings);
    case "stop-ipv6":
      return stopIpv6Client(device, step.interfaceName);
    case "add-address":
      return addAddress(device, step.interfaceName, step.address, part);
    case "del-address":
      return deleteAddress(device, step.interfaceName, step.address);
    default:
      return runRouteStep(device, step);
  }
};

const deleteAddress = async (
  device: Device,
  interfaceName: string,
  address: string,
): Promise<void> => {
  const addressesOf = async () => (await readInterfaces(device))[interfaceName]?.addresses ?? [];
  if (!(await addressesOf()).includes(address)) return;
  await device.run(["ip", "addr", "del", address, "dev", interfaceName]);
  const network = networkOf(address);
  if (familyOf(address) !== 6) return;
  if ((await addressesOf()).some((other) => networkOf(other) === network)) return;
  // Of an address whose time is limited the kernel keeps the route until that time is over: whoever has the prefix by
  // then could not be reached.
  const connected = [network, "dev", interfaceName, "proto", "kernel"];
  await succeeds(device.run, ["ip", "-6", "route", "del", ...connected]);
};

/** Flows of hosts that have another way out from here on; there may be none, and status 1 says so. */
const endMoved = async (device: Device, rule: OwnRule): Promise<void> => {
  const hosts = movedBy(rule);
  if (hosts === null) return;
  await succeeds(device.run, ["conntrack", "-D", "-f", `ipv${rule.family}`, "-s", hosts]);
};

const isThere = async (device: Device, route: OwnRoute): Promise<boolean> =>
  (await readForeign(device)).some((ownRoute) => routeText(ownRoute) === routeText(route));

const runRouteStep = async (
  device: Device,
  step: Extract<UnderlayStep, { kind: "add-route" | "del-route" | "add-rule" | "del-rule" }>,
): Promise<void> => {
  switch (step.kind) {
    case "add-route":
      return changeRoute(device, "replace", step.route, step.own);
    case "del-route":
      // Metric 0 stands for any metric when the kernel looks for a route to delete: a step that
      // runs a second time would take our own default in its place.
      if (!step.own && !(await isThere(device, step.route))) return;
      // It may have gone with its address.
      return changeRoute(device, "del", step.route, step.own).catch((error: unknown) => {
        if (!reasonOf(error).includes("No such process")) throw error;
      });
    case "add-rule":
      // A rule may exist twice, so one that is there is removed first.
      await succeeds(device.run, ruleArgv("del", step.rule));
      await device.run(ruleArgv("add", step.rule));
      return endMoved(device, step.rule);
    case "del-rule":
      // A lease that came with a step before may have taken it away.
      await device.run(ruleArgv("del", step.rule)).catch((error: unknown) => {
        if (!reasonOf(error).includes("No such file or directory")) throw error;
      });
      return endMoved(device, step.rule);
  }
};

/** Lines and LANs (dataplane section 1 and 4). */
export const createUnderlay = (device: Device, watch: UnderlayWatch): Underlay => {
  const controllers = new Controllers();
  const probes = new LineProbes(device, watch.links);
  let last: UnderlayPart | null = null;
  // Leases as they were taken up. One that comes in the middle of an apply waits for the next turn,
  // or the state would seem not to have taken effect.
  let leases: UnderlayFound["leases"] | null = null;
  let ipv6Leases: Ipv6Leases | null = null;
  /** Likewise of lines that lead nowhere. */
  let silent: readonly Silence[] | null = null;
  let controllerAddresses: readonly string[] = [];
  const waiting: Waiting = new Map();
  const waitingForIpv6: Waiting = new Map();
  const rebinding: Rebinding = new Map();
  // Whether a lease changed what is wanted since the steps were planned.
  let isOutdated = false;
  const look = async (part: UnderlayPart): Promise<UnderlayFound> => {
    const taken = { leases: leases ?? {}, ipv6Leases: ipv6Leases ?? {}, silent: silent ?? [] };
    const observed = await observeUnderlay(device, controllers, taken, part);
    controllerAddresses = observed.controllers;
    return { ...observed, ...(last && { followed: last }) };
  };
  const observe = (part: UnderlayPart) => {
    isOutdated = false;
    // A restarted edge finds nothing to run, and has to follow leases all the same.
    last ??= part;
    leases ??= readLeases(device);
    ipv6Leases ??= readIpv6Leases(device);
    silent ??= probes.silent;
    return look(part);
  };
  const takeUp = async (part: UnderlayPart): Promise<void> => {
    leases = readLeases(device);
    ipv6Leases = readIpv6Leases(device);
    silent = probes.silent;
    const steps = planUnderlay(part, await observe(part));
    const failures: unknown[] = [];
    for (const step of steps.sort((a, b) => a.phase - b.phase)) {
      // A line without a client, or with a lease that the kernel refuses, must not hold up the others.
      if (step.about === undefined) await runStep(device, step, part);
      else await runStep(device, step, part).catch((error: unknown) => failures.push(error));
    }
    isOutdated = true;
    if (failures.length > 0) throw failures[0];
  };
  /** True: what is set of IPv6 is to become another; else its times at most. */
  const followAdvertisements = async (): Promise<boolean> => {
    const now = readIpv6Leases(device);
    const before = ipv6Leases ?? {};
    if (JSON.stringify(withoutTimes(now)) !== JSON.stringify(withoutTimes(before))) return true;
    if (JSON.stringify(now) === JSON.stringify(before)) return false;
    ipv6Leases = now;
    if (last !== null) await renewAddresses(device, last, now);
    return false;
  };
  /**
   * A lease may have the very address, route or rule that the line before it had to give up, and lead to the
   * internet where the factory's route was to do so.
   */
  const isStillDue = async (step: UnderlayStep, part: UnderlayPart): Promise<boolean> => {
    const isGivenBack = step.kind === "add-route" && !step.own;
    if (!isOutdated || !(isGivenBack || step.kind.startsWith("del-"))) return true;
    return planUnderlay(part, await look(part)).some(({ summary }) => summary === step.summary);
  };
  return {
    name: "underlay",
    pick: pickUnderlay,
    // What an interface cannot be is left out of the state before (supported-state.ts).
    validate: async () => {},
    observe,
    plan: planUnderlay,
    run: async (step, part) => {
      last = part;
      if (await isStillDue(step, part)) await runStep(device, step, part);
      // What a lease means was not known when the steps were planned.
      if (step.kind.startsWith("start-") || step.kind.startsWith("stop-")) await takeUp(part);
    },
    controllers: () => controllers.addresses(device.controllers),
    tend: async () => {
      // Nothing is wanted of lines, or not known to be.
      if (last === null) return;
      probes.tend(targetsOf(last, leases ?? {}, controllerAddresses));
      if (last.lines.length === 0) return;
      await hurryClients(device, waiting);
      rebindUnanswered(device, rebinding);
      keepLinkLocal(device);
      await hurryIpv6Clients(device, waitingForIpv6);
      const dead = [
        ...clientsOf(device).filter((name) => !isClientAlive(device, name)),
        ...ipv6ClientsOf(device).filter((name) => !isIpv6ClientAlive(device, name)),
      ];
      const isFallen = JSON.stringify(probes.silent) !== JSON.stringify(silent);
      const isLeased = JSON.stringify(readLeases(device)) !== JSON.stringify(leases);
      const isAdvertised = await followAdvertisements();
      if (dead.length === 0 && !isLeased && !isAdvertised && !isFallen) return;
      device.log.info({ leases: readLeases(device), silent: probes.silent }, "WAN links changed");
      await takeUp(last);
      if (isFallen) watch.left();
      for (const name of dead) device.repairs.add("dhcp", name);
    },
    silentLines: () => probes.silent,
    watchSilent: (notify) => probes.watch(notify),
    leftTables: () =>
      new Set(
        last === null
          ? []
          : leftOf(last, {
              leases: leases ?? {},
              ipv6Leases: ipv6Leases ?? {},
              silent: silent ?? [],
            }).map(({ slot }) => `${lineTable(slot)}`),
      ),
    linesChanged: () => probes.linesChanged(),
    ipv6Lines: async (now) =>
      last === null || !last.lines.some(({ ipv6 }) => ipv6 !== undefined)
        ? []
        : ipv6Reports(
            last.lines,
            ipv6Lines(last.lines, ipv6Leases ?? {}, ownOf(last)),
            ipv6Leases ?? {},
            { interfaces: await ipJson<IpLink>(device.run, ["addr"]), now, uptime: uptime() },
          ),
    stop: () => probes.stop(),
  };
};
