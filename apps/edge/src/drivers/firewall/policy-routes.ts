/**
 * Policy routes: which WAN link new flows of the LANs take that would leave by one anyway, or that a static route of
 * the site leads into a LAN. The link is written into the mark of the flow, where it stays: its packets keep their
 * address translation, and routing follows the mark (rules of the underlay for marked packets). Pure.
 */
import { markText } from "@weft/contract/device/v1/mark.ts";
import { familyOf } from "#drivers/address.ts";
import { learnedSet } from "#drivers/learned-sets.ts";
import { leadsElsewhere, type PathKind, pathValue, policyPaths } from "#drivers/policy-paths.ts";
import { outermost } from "#drivers/prefixes.ts";
import type { AccelerationParts } from "./acceleration.ts";
import { keyword, setName } from "./address-sets.ts";
import { appMatches } from "./apps.ts";
import { destinationParts } from "./destinations.ts";
import type { HopAnswers } from "./errors.ts";
import { coneParts } from "./full-cone.ts";
import type { PolicyRules } from "./names.ts";
import { chain, set } from "./nft.ts";
import {
  chainOf,
  counterOf,
  downSet,
  exitChoice,
  hopBits,
  keepChain,
  keepsLine,
  keptChains,
  keptIn,
  kindOf,
  type Line,
  leaveChain,
  pathBits,
  type UsableRoute,
} from "./route-exits.ts";
import { families, type NamedSet, namedSet } from "./sources.ts";
import { timeMatch } from "./times.ts";
import { ttlChains } from "./ttl.ts";

export interface PolicyRouteContext {
  readonly lines: readonly Line[];
  /** What hosts send that may leave by the WAN links, as matches of nft. */
  readonly hosts: readonly string[];
  /** What comes out of the space may leave by the WAN links; absent: it may not. */
  readonly exits?: boolean;
  /** Interfaces of the LANs. */
  readonly lans: readonly string[];
  /** What stays the device's own at a line, as matches of nft. */
  readonly reserved: readonly string[];
  /** Networks that keep the way that routing gives them; null: not known which. */
  readonly kept: readonly string[] | null;
  /** What is asked before policy routes; absent: nothing is accelerated. */
  readonly accelerated?: AccelerationParts;
}

export interface PolicyRouteParts {
  readonly sets: readonly NamedSet[];
  /** Counters of the routes. */
  readonly declared: readonly string[];
  readonly chains: readonly string[];
  /** In the order of the forward chain: what goes to a next hop in a LAN, and its answers. */
  readonly forward: readonly string[];
  /** Before all other rules of the chain that translates sources. */
  readonly nat: readonly string[];
  /** Answers that come by a LAN, and by links. */
  readonly answers: readonly HopAnswers[];
}

/** One rule for each family that its groups and its next hop have, and for each match of its applications. */
const ruleOf = (route: UsableRoute): string[] => {
  const { id, sources, targets, app, time, path, applications, deny } = route;
  // It is refused where it is forwarded (denials.ts), and no route after this one has it.
  const then = deny ? "accept" : `counter name "${counterOf(route)}" goto ${chainOf(route)}`;
  if (route.isLearned)
    return families.map((family) => {
      const learned = learnedSet(id, family);
      const match = `${keyword(family)} daddr`;
      // What is in use is kept: an answer that is known already is not added again.
      return `${match} @${learned} update @${learned} { ${match} } ${then}`;
    });
  const line = (...parts: string[]): string =>
    [...timeMatch(time), ...parts, then].filter((part) => part !== "").join(" ");
  const isGrouped = sources !== null || targets !== null;
  return appMatches(applications, app, "original").flatMap(({ family: only, text }) => {
    if (!isGrouped && !path) return [line(text)];
    const target = path?.hop?.address ?? path?.destination;
    const targetFamily = target ? familyOf(target) : null;
    return families
      .filter((family) =>
        [targetFamily, only].every((restriction) => restriction === null || restriction === family),
      )
      .map((family) =>
        line(
          isGrouped ? "" : `meta nfproto ipv${family}`,
          sources === null ? "" : `${keyword(family)} saddr @${setName(sources, family)}`,
          targets === null ? "" : `${keyword(family)} daddr @${setName(targets, family)}`,
          text,
        ),
      );
  });
};

interface Near {
  readonly sets: readonly NamedSet[];
  /** One for each family; none: not known which. */
  readonly matches: readonly string[];
}

/** Networks that no policy route is about, whatever leads to them: a foreign route as well. */
const nearOf = (isNeeded: boolean, { kept }: PolicyRouteContext): Near => {
  if (!isNeeded || kept === null) return { sets: [], matches: [] };
  const sets = families.map((family) =>
    namedSet(
      `s_near${family}`,
      `type ipv${family}_addr; flags interval;`,
      outermost(kept.filter((text) => familyOf(text) === family)),
    ),
  );
  return {
    sets,
    matches: families.map((family) => `${keyword(family)} daddr @s_near${family}`),
  };
};

/**
 * What routing leads into a LAN: only routes with targets are about it. What a tunnel leads to, and what leads
 * nowhere because no tunnel does, is of no interface that is named here.
 */
const elsewhere = (
  routes: readonly UsableRoute[],
  { lans, hosts, kept }: PolicyRouteContext,
): Pick<PolicyRouteParts, "chains"> & { readonly path: readonly string[] } => {
  const aimed = routes.filter(({ targets }) => targets !== null);
  if (aimed.length === 0 || kept === null) return { chains: [], path: [] };
  return {
    chains: [
      chain("c_routes_aimed", aimed.flatMap(ruleOf)),
      chain("c_elsewhere", [...hosts.map((match) => `${match}jump c_routes_aimed`), "accept"]),
    ],
    path: [`fib daddr oifname ${set(lans)} goto c_elsewhere`],
  };
};

const asks = (accelerated: AccelerationParts | undefined): boolean =>
  (accelerated?.path ?? []).length > 0;

/** Which link a packet takes: asked of new flows, and written down for the others. */
const path = (
  routes: readonly UsableRoute[],
  { lines, hosts, accelerated }: PolicyRouteContext,
  { matches }: Near,
  first: readonly string[],
): string =>
  chain(
    "c_path",
    [
      "ct direction reply accept",
      `ct mark & ${pathBits} != 0x0 goto c_kept`,
      ...(routes.length > 0 || asks(accelerated)
        ? [
            // Where answers go to the host directly, only one way of a flow is seen, and it is no valid one.
            routes.some(
              ({ path: policyPath, nat }) => policyPath && leadsElsewhere(policyPath) && !nat,
            )
              ? "ct state { established, related } accept"
              : "ct state != new accept",
            ...matches.map((match) => `${match} accept`),
            ...first,
            // What has a route of its own, in the site or in the space, keeps it.
            `fib daddr oifname != ${set(lines.map((line) => line.interfaceName))} accept`,
            // The more special object first.
            ...(accelerated?.path ?? []),
            ...hosts.map((match) => `${match}jump c_routes`),
          ]
        : []),
    ],
    "type filter hook prerouting priority mangle - 5; policy accept;",
  );

/** A next hop in a LAN is no part of the site: hosts that may leave by a line may leave by it. */
const toLans = (
  routes: readonly UsableRoute[],
  { lans, hosts }: PolicyRouteContext,
): Pick<PolicyRouteParts, "forward" | "nat" | "answers"> => {
  const paths = routes.flatMap(({ path: policyPath }) =>
    policyPath?.hop && lans.includes(policyPath.hop.interfaceName)
      ? { number: policyPath.number, ...policyPath.hop }
      : [],
  );
  if (paths.length === 0) return { forward: [], nat: [], answers: [] };
  const numbers = [...new Set(paths.map(({ number }) => number))].sort((a, b) => a - b);
  const marks = `${hopBits} == { ${numbers.map((number) => markText(pathValue(number, "nat"))).join(", ")} }`;
  const interfaceNames = [...new Set(paths.map(({ interfaceName }) => interfaceName))].sort();
  const translated = numbers
    .flatMap((number) =>
      (["nat", "cone"] as const).map((kind) => markText(pathValue(number, kind))),
    )
    .join(", ");
  return {
    forward: [
      ...hosts.map((match) => `${match}oifname ${set(interfaceNames)} meta mark & ${marks} accept`),
      `iifname ${set(interfaceNames)} oifname ${set(lans)} ct direction reply ct mark & ${marks} accept`,
    ],
    nat: [`oifname ${set(interfaceNames)} ct mark & ${pathBits} == { ${translated} } masquerade`],
    answers: [{ interfaceNames, match: `ct mark & ${marks}` }],
  };
};

/** Matches the flows of routes of a kind; null: there are none. */
const flowsOf = (routes: readonly UsableRoute[], kind: PathKind): string | null => {
  const usableRoutes = routes.filter((route) => kindOf(route) === kind);
  const marks = usableRoutes.map(({ path: policyPath }) =>
    markText(pathValue(policyPath?.number ?? 0, kind)),
  );
  return marks.length === 0
    ? null
    : `ct mark & ${pathBits} == { ${[...new Set(marks)].sort().join(", ")} }`;
};

/** Flows that keep their own address, or get a port by chance. */
const translations = (
  routes: readonly UsableRoute[],
  { lines, lans }: PolicyRouteContext,
): string[] => {
  const [plain, symmetric] = [flowsOf(routes, "plain"), flowsOf(routes, "symmetric")];
  const out = set([...lines.map((line) => line.interfaceName), ...lans]);
  return [
    ...(plain ? [`${plain} accept`] : []),
    ...(symmetric ? [`oifname ${out} ${symmetric} masquerade fully-random`] : []),
  ];
};

/** Routes that have an exit on this device, or deny any. */
const usableOf = (
  { routes: all = [], applications = [], controls = [] }: Partial<PolicyRules>,
  { lines, lans }: PolicyRouteContext,
): readonly UsableRoute[] => {
  const learned = controls.flatMap(({ id, slot, routes }): UsableRoute[] =>
    routes && lines.some((line) => line.slot === slot)
      ? [
          {
            id,
            sources: null,
            targets: null,
            time: null,
            slots: [slot ?? 0],
            nat: true,
            path: null,
            applications: [],
            isLearned: true,
          },
        ]
      : [],
  );
  const paths = policyPaths(all);
  const interfaces = [...lans, ...lines.map(({ interfaceName }) => interfaceName)];
  const ofPolicy = all.flatMap((route): UsableRoute[] => {
    const slots = route.slots.filter((slot) => lines.some((line) => line.slot === slot));
    const policyPath = paths.get(route.id) ?? null;
    const isThere = policyPath?.hop
      ? interfaces.includes(policyPath.hop.interfaceName)
      : policyPath !== null;
    // Without its WAN links the flows of one with another destination would go where routing leads.
    const isUsable = route.slots.length > 0 ? slots.length > 0 : isThere;
    return isUsable || route.deny ? [{ ...route, slots, path: policyPath, applications }] : [];
  });
  // A name is the most special target.
  return [...learned, ...ofPolicy];
};

const none: PolicyRouteParts = {
  sets: [],
  declared: [],
  chains: [],
  forward: [],
  nat: [],
  answers: [],
};

/** What the policy routes of a device put into its table. */
export function policyRouteParts(
  policy: PolicyRules | undefined,
  context: PolicyRouteContext,
): PolicyRouteParts {
  const { lines, hosts } = context;
  if (lines.length === 0 || (hosts.length === 0 && !context.exits)) return none;
  const all = hosts.length === 0 ? [] : usableOf(policy ?? {}, context);
  const usable = all.filter(({ deny }) => !deny);
  const { accelerated } = context;
  const isNeeded = usable.length > 0 || asks(accelerated);
  // With one link there is none that an earlier flow could keep.
  if (!isNeeded && lines.length < 2) return none;
  const aimed = elsewhere(usable.length > 0 ? all : [], context);
  const near = nearOf(isNeeded, context);
  const inLans = toLans(usable, context);
  const paths = new Map(
    usable.flatMap(({ path: policyPath }) => (policyPath ? [[policyPath.number, policyPath]] : [])),
  );
  const cone = flowsOf(usable, "cone");
  const cones = cone ? coneParts(cone, context) : { declared: [], chains: [], forward: [] };
  const keeps = new Map(
    usable
      .filter(({ slots }) => slots.length > 0)
      .map((usableRoute) => [keptIn(usableRoute), keepChain(usableRoute, lines)]),
  );
  const names = lines.map(({ interfaceName }) => interfaceName);
  const moved = destinationParts(
    [...paths.values()].flatMap(({ mark, destination }) =>
      destination === null ? [] : [{ mark, destination }],
    ),
    context,
  );
  return {
    sets: [...near.sets, ...(accelerated?.sets ?? [])],
    declared: [
      `set ${downSet} { type mark; }`,
      ...cones.declared,
      ...usable.map((route) => `counter ${counterOf(route)} { }`),
      ...(accelerated?.declared ?? []),
    ],
    chains: [
      ...keeps.values(),
      ...usable.map(exitChoice),
      ...keptChains(
        lines,
        [...[...paths.values()].filter(leadsElsewhere), ...(accelerated?.kept ?? [])],
        near.matches,
      ),
      ...(keepsLine(lines) ? [leaveChain(lines)] : []),
      chain("c_routes", all.flatMap(ruleOf)),
      ...aimed.chains,
      ...(accelerated?.chains ?? []),
      path(usable, context, near, aimed.path),
      ...cones.chains,
      ...moved.chains,
      ...ttlChains([...paths.values()], { lines: names, lans: context.lans }),
    ],
    forward: [...inLans.forward, ...moved.forward, ...cones.forward],
    nat: [...moved.nat, ...translations(usable, context), ...inLans.nat],
    answers: [...inLans.answers, ...(accelerated?.answers ?? [])],
  };
}
