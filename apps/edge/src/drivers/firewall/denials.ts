/**
 * Policy routes that deny: flows that hosts of the LANs open are refused, wherever they lead. As the ACL's rules, they
 * are asked once by each generation of the rules, so that running flows end as well. Pure.
 */
import { hitCounter } from "@weft/contract/device/v1/hit-counter.ts";
import { markMask, markText } from "@weft/contract/device/v1/mark.ts";
import type { AppGroupState, PolicyRoute, PolicySection } from "@weft/contract/device/v1/policy.ts";
import { familyOf } from "#drivers/address.ts";
import { type PolicyPath, pathMask, policyPaths } from "#drivers/policy-paths.ts";
import { keyword, setName } from "./address-sets.ts";
import { appMatches } from "./apps.ts";
import { chain, set } from "./nft.ts";
import { families } from "./sources.ts";
import { timeMatch } from "./times.ts";

const counterOf = (id: number): string => hitCounter("routerPolicyroute", id);

interface DenialContext {
  readonly lans: readonly string[];
  /** Matches answers of hosts that ports are mapped to; absent: none. */
  readonly mappedAnswers?: readonly string[];
  /** Interfaces of the WAN links. */
  readonly wan: readonly string[];
  /** Marks of flows that leave at exits of acceleration in place of a WAN link; absent: none do. */
  readonly exits?: readonly number[];
}

interface DenialInput extends DenialContext {
  readonly applications: readonly AppGroupState[];
  readonly paths: ReadonlyMap<number, PolicyPath>;
}

type Field = (ip: string) => string;
/** As the first packet of the flow had them. */
const asSent: Readonly<Record<"source" | "target", Field>> = {
  source: (ip) => `ct original ${ip} saddr`,
  target: (ip) => `ct original ${ip} daddr`,
};
/** As the host had them that the first packet went to. */
const asAnswered: typeof asSent = {
  source: (ip) => `ct reply ${ip} saddr`,
  target: (ip) => `ct original ${ip} saddr`,
};
/** As the packet has them. */
const asShown: typeof asSent = {
  source: (ip) => `${ip} saddr`,
  target: (ip) => `${ip} daddr`,
};
const ofFlow = { mark: "ct mark", end: "goto c_denied" } as const;
/**
 * Packets that go the way of their flow, that come back, and that belong to no flow. Of flows that were under way when
 * they were seen first, also those that a host of the LANs may have opened although they began with an answer.
 */
const ways = {
  there: { app: "sent", by: "oifname", ends: asSent, ...ofFlow },
  back: { app: "answered", by: "iifname", ends: asSent, ...ofFlow },
  thereReversed: { app: "sentBack", by: "oifname", ends: asAnswered, ...ofFlow },
  backReversed: { app: "answeredBack", by: "iifname", ends: asAnswered, ...ofFlow },
  // A reset would end a flow that it is not of by its sequence.
  alone: {
    app: "original",
    by: "oifname",
    ends: asShown,
    mark: "meta mark",
    end: "drop",
  },
} as const;
type Way = keyof typeof ways;

/** Up to the last one that denies: one before it that sends the flow somewhere decides first. */
const decisive = (routes: readonly PolicyRoute[]): readonly PolicyRoute[] =>
  routes.slice(0, routes.findLastIndex(({ deny }) => deny) + 1);

/**
 * What shows that a route has sent the flow somewhere, beyond its match: it leaves by a WAN link or at an exit of
 * acceleration, is on its way to the next hop, or its destination was changed. What goes into the space or to a LAN is not about such a route.
 */
const sentBy = (
  { id, destination }: PolicyRoute,
  { paths, wan, exits = [] }: DenialInput,
  way: Way,
): string[] => {
  const path = paths.get(id);
  const isMarked = `${ways[way].mark} & ${markText(pathMask)} ==`;
  const marked = path ? [`${isMarked} ${markText(path.mark)}`] : [];
  const outside = exits.length > 0 ? [`${isMarked} { ${exits.map(markText).join(", ")} }`] : [];
  // The mark alone is had as well by a flow that began before the route.
  if (destination !== undefined)
    return way === "alone" ? [] : marked.map((match) => `ct status dnat ${match}`);
  return [...(wan.length > 0 ? [`${ways[way].by} ${set(wan)}`] : []), ...outside, ...marked];
};

/** For packets of a way. Ends are those that the first packet of the flow had. */
const rulesOf = (route: PolicyRoute, input: DenialInput, way: Way): string[] => {
  const { id, sources, targets, app, time, deny } = route;
  const then = deny ? `counter name "${counterOf(id)}" ${ways[way].end}` : "return";
  const where = deny ? [""] : sentBy(route, input, way);
  const lines = (...parts: string[]): string[] =>
    where.map((match) =>
      [...timeMatch(time), ...parts, match, then].filter((part) => part !== "").join(" "),
    );
  const { source, target } = ways[way].ends;
  const ends = (family: 4 | 6): string[] => [
    sources === null ? "" : `${source(keyword(family))} @${setName(sources, family)}`,
    targets === null ? "" : `${target(keyword(family))} @${setName(targets, family)}`,
  ];
  const to = route.hop?.address ?? route.destination;
  const hopFamily = to === undefined ? null : familyOf(to);
  return appMatches(input.applications, app, ways[way].app).flatMap(({ family: only, text }) => {
    if (sources === null && targets === null && hopFamily === null) return lines(text);
    return families
      .filter((family) =>
        [hopFamily, only].every((restriction) => restriction === null || restriction === family),
      )
      .flatMap((family) => lines(`meta nfproto ipv${family}`, ...ends(family), text));
  });
};

const underway = markText(markMask("underway"));
/** Matches its packets. */
export const isUnderway = `ct mark & ${underway} != 0x0`;

/**
 * Remembers flows of TCP that do not begin with their first packet: after a loss of the tables the first one that is
 * seen may be an answer. Also where nothing is denied: what is denied later ends them. Other protocols do not show
 * who began.
 */
export const underwayRule = `ct state new meta l4proto tcp tcp flags & (fin | syn | rst | ack) != syn ct mark set ct mark | ${underway}`;

export interface DenialParts {
  readonly declared: readonly string[];
  readonly chains: readonly string[];
  /** For flows that are evaluated. */
  readonly evaluate: readonly string[];
}

/** What policy routes that deny put into a device's table. */
export function denialParts(
  { routes = [], applications = [] }: Pick<PolicySection, "routes" | "applications">,
  context: DenialContext,
): DenialParts {
  const all = decisive(routes);
  if (all.length === 0 || context.lans.length === 0)
    return { declared: [], chains: [], evaluate: [] };
  const lans = set([...new Set(context.lans)]);
  const input: DenialInput = { ...context, applications, paths: policyPaths(routes) };
  const ofWay = (name: string, way: Way): string =>
    chain(
      name,
      all.flatMap((route) => rulesOf(route, input, way)),
    );
  return {
    declared: all.filter(({ deny }) => deny).map(({ id }) => `counter ${counterOf(id)} { }`),
    chains: [
      chain("c_denied", [
        // Of a mapped flow whose entry was lost: a reset would end it, and its next packet in makes the right entry.
        ...(context.mappedAnswers ?? []).map((match) => `ct state new ${isUnderway} ${match} drop`),
        "meta l4proto tcp reject with tcp reset",
        "reject with icmpx type admin-prohibited",
      ]),
      ofWay("c_deny", "there"),
      ofWay("c_deny_back", "back"),
      chain("c_deny_underway", [
        // A port mapping leads it in: the other end has opened it.
        "ct status dnat return",
        `ct direction reply iifname ${lans} jump c_deny_reversed`,
        `ct direction original oifname ${lans} jump c_deny_back_reversed`,
      ]),
      ofWay("c_deny_reversed", "thereReversed"),
      ofWay("c_deny_back_reversed", "backReversed"),
      ofWay("c_deny_alone", "alone"),
    ],
    // What others open towards a host of the site is not about these routes.
    evaluate: [
      `ct direction original iifname ${lans} jump c_deny`,
      `ct direction reply oifname ${lans} jump c_deny_back`,
      `${isUnderway} jump c_deny_underway`,
      `ct state invalid iifname ${lans} jump c_deny_alone`,
    ],
  };
}
