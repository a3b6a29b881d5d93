/** Steps from FRR's running configuration and the kernel's routes to those wanted. Pure. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { familyOf } from "#drivers/address.ts";
import { followersOf } from "#drivers/central.ts";
import { phases, type Step } from "#drivers/driver.ts";
import type { Rank } from "#drivers/paths/choice.ts";
import type { FrrMode } from "./daemons.ts";
import { siteExitsOf, withExits } from "./exits.ts";
import type { ConfigLine } from "./lines.ts";
import { configText, type RoutingPart, renderRouting } from "./render.ts";
import type { Route } from "./running.ts";
import type { SiteRouters } from "./site.ts";

export interface RoutingFound {
  /** `whole`: every daemon runs, in the mode that is wanted; `none`: nothing runs. */
  readonly daemons: "whole" | "part" | "none";
  readonly runsOspf: boolean;
  readonly config: readonly ConfigLine[];
  /** Namespaces that zebra knows; false: it cannot use it. */
  readonly vrfs: ReadonlyMap<string, boolean>;
  /** Namespaces of spaces that exist. */
  readonly netns: readonly string[];
  /** FRR believes them to be in the kernel, where they are not. */
  readonly missing: readonly Route[];
  /** In the kernel in FRR's name, which does not know them. */
  readonly stale: readonly Route[];
  /** Links that were put behind others when the configuration was read; absent: as the part has them. */
  readonly ranks?: RoutingPart["ranks"];
}

export type RoutingStep = Step &
  (
    | ({ readonly kind: "start" } & FrrMode)
    | { readonly kind: "stop" | "stopOspf" }
    | {
        readonly kind: "configure";
        readonly lines: readonly ConfigLine[];
        readonly vrfs: readonly string[];
      }
    | { readonly kind: "withdraw"; readonly text: string }
    | { readonly kind: "restore" | "purge"; readonly route: Route }
    | { readonly kind: "forget"; readonly netns: string }
  );

/**
 * @param open opens a secret of a state; null: it cannot be opened
 * @param ranks links that are put behind others, where the state asks for a choice by quality
 * @param backsUp the device stands by, if the state says that it is one of two
 */
export const pickRouting = (
  state: DesiredState | null,
  open: OpenSecret = () => null,
  ranks: ReadonlyMap<number, Rank> = new Map(),
  backsUp = false,
): RoutingPart => ({
  ranks: state?.paths ? Object.fromEntries(ranks) : null,
  routerId: state?.node.routerId ?? "0.0.0.0",
  spaces: state?.node.kind === "pop",
  followsDefault: state !== null && followersOf(state).length > 0,
  statics: state?.static.routes ?? [],
  instances: state?.routings ?? [],
  site: siteOf(state, open),
  segments: withExits(state),
  exits: siteExitsOf(state),
  backsUp: backsUp && state?.standby !== undefined,
});

/**
 * Routers in LANs, with what they may bring: exactly what the site announces, and so the other end of each link takes
 * from it. Its own LANs are not behind another router, and no default route comes by one.
 */
type OpenSecret = (sealed: string) => string | null;

const siteOf = (state: DesiredState | null, open: OpenSecret): SiteRouters | null => {
  const instance = state?.routings.find(({ netns, reflector }) => netns === null && !reflector);
  if (!state?.site || !instance) return null;
  const lanNetworks = new Set(
    state.underlay.lans.flatMap(({ addresses }) => addresses.map(networkOf)),
  );
  const accept = instance.announce
    .map(networkOf)
    .filter((text) => familyOf(text) === 4 && !text.endsWith("/0") && !lanNetworks.has(text));
  const neighbors = state.site.neighbors.flatMap((neighbor) => {
    const { password: sealed } = neighbor;
    const password = sealed === undefined ? null : open(sealed);
    // Not without its password: everyone in the LAN could be that neighbour.
    return sealed !== undefined && password === null ? [] : [{ ...neighbor, password }];
  });
  const opened = new Set(neighbors.map(({ address }) => address));
  const unopened = state.site.neighbors.flatMap(({ address }) =>
    opened.has(address) ? [] : [address],
  );
  return {
    ...state.site,
    neighbors,
    unopened,
    spaceId: instance.spaceId,
    accept,
    lans: [...lanNetworks],
  };
};

/** True when there is anything to route by FRR. */
export const isWanted = (part: RoutingPart): boolean =>
  part.statics.length > 0 || part.instances.length > 0;

export const usesOspf = ({ site }: RoutingPart): boolean => (site?.interfaces ?? []).length > 0;

const keyOf = ({ path, line }: ConfigLine): string => [...path, line].join("\n");

const singles = [
  /^(set local-preference|set weight|set ipv6 next-hop global|set table|transmit-interval|receive-interval|detect-multiplier|bgp router-id|bgp route-map delay-timer|match ip address|match ipv6 address|ospf router-id|ip ospf (?:area|cost|hello-interval|dead-interval)) /,
  /^(neighbor \S+ (?:remote-as|local-as|timers connect|password|timers(?= \d)|bfd profile)) /,
  /^((?:ip|ipv6) prefix-list \S+ seq \d+) /,
];

/** What a line sets, where a second one replaces the first; null when lines add up. */
const slotOf = ({ path, line }: ConfigLine): string | null => {
  const map = /^(neighbor \S+ route-map) \S+ (in|out)$/.exec(line);
  const slot = map
    ? `${map[1]} ${map[2]}`
    : singles.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
  return slot === undefined ? null : [...path, slot].join("\n");
};

const neighborOf = (line: string): string | null => /^neighbor (\S+) /.exec(line)?.[1] ?? null;

const undone = (line: string): string => (line.startsWith("no ") ? line.slice(3) : `no ${line}`);

/** Users of a filter go before the filter. */
const rank = ({ path, line }: ConfigLine): number => {
  const head = path[0] ?? line;
  if (/^(no )?router bgp/.test(head)) return 0;
  // Before the filter of what it brings.
  if (/^(no )?(router ospf|interface )/.test(head)) return 0;
  if (/^(no )?(ip protocol|vrf )/.test(head)) return 0.5;
  if (/^(no )?route-map/.test(head)) return 1;
  return 2;
};

/** The commands that take lines away, given all lines that are to stay. */
const removal = (
  removed: readonly ConfigLine[],
  wanted: readonly ConfigLine[],
  added: readonly ConfigLine[],
): ConfigLine[] => {
  const gone = new Set(removed.map(keyOf));
  const replaced = new Set(added.map(slotOf));
  const kept = new Set(wanted.map(({ path, line }) => `${path[0]}\n${neighborOf(line) ?? ""}`));
  const commands = new Map<string, ConfigLine>();
  for (const configLine of removed) {
    const { path, line } = configLine;
    const goesWithBlock = path.some((header, depth) =>
      gone.has(keyOf({ path: path.slice(0, depth), line: header })),
    );
    const slot = slotOf(configLine);
    if (goesWithBlock || (slot !== null && replaced.has(slot))) continue;
    const neighbor = neighborOf(line);
    const command =
      neighbor !== null && !kept.has(`${path[0]}\n${neighbor}`)
        ? { path: path.slice(0, 1), line: `no neighbor ${neighbor}` }
        : { path, line: undone(line) };
    commands.set(keyOf(command), command);
  }
  return [...commands.values()].sort((a, b) => rank(a) - rank(b));
};

const vrfOf = (header: string): string | null =>
  /^router bgp \d+(?: vrf (\S+))?$/
    .exec(header)
    ?.slice(1)
    .map((v) => v ?? "")[0] ?? null;

export interface ConfigChange {
  readonly add: readonly ConfigLine[];
  readonly remove: readonly ConfigLine[];
}

/** Summaries are logged and reported. */
export const withoutSecrets = (text: string): string =>
  text.replaceAll(/( password) \S+/g, "$1 ***");

/** Lines to add and commands that remove, between what runs and what is wanted. */
export const diffConfig = (
  running: readonly ConfigLine[],
  wanted: readonly ConfigLine[],
): ConfigChange => {
  const has = new Set(running.map(keyOf));
  const wants = new Set(wanted.map(keyOf));
  const add = wanted.filter((line) => !has.has(keyOf(line)));
  const removed = running.filter((line) => !wants.has(keyOf(line)));
  const remove = removal(removed, wanted, add);
  // A namespace has one BGP: with another AS the old one has to go first.
  const created = new Set(add.flatMap(({ line }) => vrfOf(line) ?? []));
  const first = remove.filter(({ line }) => {
    const vrf = vrfOf(line.replace(/^no /, ""));
    return line.startsWith("no ") && vrf !== null && created.has(vrf);
  });
  return { add: [...first, ...add], remove: remove.filter((line) => !first.includes(line)) };
};

/** Lines of those to add that FRR does not show; commands that take a block away first are none. */
export const missingFrom = (
  running: readonly ConfigLine[],
  lines: readonly ConfigLine[],
): ConfigLine[] => {
  const has = new Set(running.map(keyOf));
  return lines.filter(
    (line) => !has.has(keyOf(line)) && !(line.path.length === 0 && line.line.startsWith("no ")),
  );
};

/**
 * The lines that others are missing for: a block without its header, or a neighbour that was not made, has nothing of what
 * belongs to it.
 */
export const rootsOf = (missing: readonly ConfigLine[]): ConfigLine[] => {
  const byKey = new Map(missing.map((line) => [keyOf(line), line]));
  const peers = new Map(
    missing.flatMap((line) =>
      / remote-as /.test(line.line) ? [[`${line.path[0]} ${neighborOf(line.line)}`, line]] : [],
    ),
  );
  const rootOf = (line: ConfigLine): ConfigLine => {
    const header = line.path.findIndex((text, depth) =>
      byKey.has(keyOf({ path: line.path.slice(0, depth), line: text })),
    );
    const block = { path: line.path.slice(0, header), line: line.path[header] ?? "" };
    if (header >= 0) return byKey.get(keyOf(block)) ?? line;
    return peers.get(`${line.path[0]} ${neighborOf(line.line)}`) ?? line;
  };
  return [...new Set(missing.map(rootOf))];
};

const shown = (lines: readonly ConfigLine[]): string => {
  const named = lines.slice(0, 3).map(({ line }) => withoutSecrets(line));
  return lines.length > 3 ? `${named.join("; ")} and ${lines.length - 3} more` : named.join("; ");
};

const configure = (part: RoutingPart, observed: RoutingFound): RoutingStep[] => {
  const { add, remove } = diffConfig(observed.config, renderRouting(part));
  const vrfs = part.instances.flatMap(({ netns }) =>
    netns !== null && (!observed.netns.includes(netns) || observed.vrfs.get(netns) !== true)
      ? [netns]
      : [],
  );
  const steps: RoutingStep[] = [];
  if (add.length > 0 || vrfs.length > 0) {
    const summary = add.length > 0 ? shown(add) : `serve ${vrfs.join(", ")}`;
    const phase = phases.addRouting;
    steps.push({
      driver: "routing",
      kind: "configure",
      phase,
      summary,
      lines: add,
      vrfs,
    });
  }
  if (remove.length > 0) {
    const text = configText(remove);
    const phase = phases.removeRouting;
    steps.push({ driver: "routing", kind: "withdraw", phase, summary: shown(remove), text });
  }
  return steps;
};

const where = ({ netns, prefix }: Route): string => (netns ? `${prefix} in ${netns}` : prefix);

const kernelSteps = ({ missing, stale }: RoutingFound): RoutingStep[] => [
  ...missing.map((route): RoutingStep => {
    const summary = `put route ${where(route)} back into the kernel`;
    return { driver: "routing", kind: "restore", phase: phases.addRouting, summary, route };
  }),
  ...stale.map((route): RoutingStep => {
    const summary = `take stale route ${where(route)} out of the kernel`;
    return { driver: "routing", kind: "purge", phase: phases.removeRouting, summary, route };
  }),
];

export const planRouting = (picked: RoutingPart, observed: RoutingFound): RoutingStep[] => {
  const part =
    picked.ranks === null || !observed.ranks ? picked : { ...picked, ranks: observed.ranks };
  const wantsFrr = isWanted(part);
  if (!wantsFrr && observed.daemons === "none") return [];
  if (!wantsFrr) {
    const summary = "stop FRR";
    return [{ driver: "routing", kind: "stop", phase: phases.removeRouting, summary }];
  }
  const wanted = new Set(part.instances.map(({ netns }) => netns));
  const forget = [...observed.vrfs.keys()]
    .filter((netns) => netns.startsWith("weft-s") && !wanted.has(netns))
    .map((netns): RoutingStep => {
      const summary = `forget namespace ${netns}`;
      return { driver: "routing", kind: "forget", phase: phases.removeUnderlay, summary, netns };
    });
  const start: RoutingStep[] =
    observed.daemons === "whole"
      ? []
      : [
          {
            driver: "routing",
            kind: "start",
            phase: phases.addRouting,
            summary: observed.daemons === "none" ? "start FRR" : "start what is missing of FRR",
            spaces: part.spaces,
            ospf: usesOspf(part),
          },
        ];
  const end: RoutingStep[] =
    observed.runsOspf && !usesOspf(part)
      ? [
          {
            driver: "routing",
            kind: "stopOspf",
            phase: phases.removeRouting,
            summary: "stop OSPF",
          },
        ]
      : [];
  return [...start, ...configure(part, observed), ...end, ...kernelSteps(observed), ...forget];
};
