/**
 * Rules of a site's ACL, and which flows they are still to be asked about. Pure.
 *
 * A flow is evaluated once by each generation of the rules; the mark of its connection says which one let it
 * through, so that its packets cost one comparison however many rules there are. A change of the rules is a
 * new generation: the next packet of every flow, also of one that is established or never gets an answer, is
 * evaluated again.
 */

import { isDeepStrictEqual } from "node:util";
import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import { hitCounter } from "@weft/contract/device/v1/hit-counter.ts";
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
import { chain } from "./nft.ts";

/** Generations are 1 to this; then they begin again. */
const maxGeneration = 7;

const passed = (generation: number): string =>
  markText(markValue("generation", generation) + markValue("evaluated", 1));
const bits = markText(markMask("generation") + markMask("evaluated"));
const rest = markText(2 ** 32 - 1 - markMask("generation") - markMask("evaluated"));
const variable = "evaluated";
const defined = (generation: number): string => `define ${variable} = ${passed(generation)}`;
const setPassed = `ct mark set ct mark & ${rest} | $${variable}`;
/** No generation has let the flow through: hits of it are not counted yet. */
export const isUncounted = `ct mark & ${markText(markMask("generation"))} == 0x0`;
/** It is a new one, also where it never gets an answer. */
const isFirst = `ct state new ${isUncounted}`;

/** The same rules, of another generation. */
export const inGeneration = (text: string, generation: number): string =>
  text.replace(defined(1), defined(generation));

/** What of rules decides whether flows are evaluated again: with classes and denials their groups as well. */
const evaluatedBy = (text: string): string => {
  const chains = text.match(/^ {2}chain c_(?:acl|pipe|deny)\w* \{$.*?^ {2}\}$/gms) ?? [];
  const isGrouped = chains.some((one) => /chain c_(?:pipe|deny) /.test(one));
  const groups = isGrouped ? (text.match(/^ {2}set s_(?:ip[46]|app)_\d+ .*$/gm) ?? []) : [];
  return [...chains, ...groups].join("\n");
};

/** Rules as they were loaded, as far as their generation depends on it. */
interface Loaded {
  readonly text: string;
  /** Ids of the time groups that are active; absent: none. */
  readonly active?: readonly number[] | undefined;
  /** Absent: loaded by an edge that knew none. */
  readonly generation?: number | undefined;
}

/**
 * The generation in which rules are loaded, 1 to 7: another one when they decide differently, and after others
 * changed the rules by hand, for these have let flows through that the document's would not.
 * @param loaded what was loaded last; null: not known
 */
export const generationAfter = (
  loaded: Loaded | null,
  { text, active }: Required<Omit<Loaded, "generation">>,
  isDamaged: boolean,
): number => {
  const before = loaded?.generation ?? 0;
  const isSame =
    !isDamaged &&
    loaded !== null &&
    evaluatedBy(loaded.text) === evaluatedBy(text) &&
    isDeepStrictEqual(loaded.active ?? [], active ?? []);
  return isSame && before > 0 ? before : (before % maxGeneration) + 1;
};

const quoted = (value: string): string => value.replace(/[^0-9a-zA-Z.:/-]/g, "");

/** Ends of packets as nft names them, of those that go the way of the flow and of its answers. */
const ways = {
  there: { source: "saddr", target: "daddr", sourcePort: "sport", targetPort: "dport" },
  back: { source: "daddr", target: "saddr", sourcePort: "dport", targetPort: "sport" },
} as const;
type Way = keyof typeof ways;

/** What of a rule packets show that go this way. */
const matchOf = (rule: AclRuleState, way: Way): string[] => {
  const { source, target, protocol, sourcePort, targetPort, mac } = rule;
  const ends = ways[way];
  const family = (source ?? target)?.includes(":") ? "ip6" : "ip";
  const ported = sourcePort !== null || targetPort !== null;
  return [
    ...(mac && way === "there" ? [`ether saddr ${quoted(mac)}`] : []),
    ...(source ? [`${family} ${ends.source} ${quoted(source)}`] : []),
    ...(target ? [`${family} ${ends.target} ${quoted(target)}`] : []),
    ...(protocol === "icmp" ? ["meta l4proto { icmp, ipv6-icmp }"] : []),
    ...((protocol === "tcp" || protocol === "udp") && !ported ? [`meta l4proto ${protocol}`] : []),
    ...(sourcePort ? [`${protocol} ${ends.sourcePort} ${quoted(sourcePort)}`] : []),
    ...(targetPort ? [`${protocol} ${ends.targetPort} ${quoted(targetPort)}`] : []),
  ];
};

/**
 * One rule as nft says it, of packets that go this way; null: it stops none of them. Answers do not show the
 * hardware address of the end that began the flow: they are taken for those of a flow that is allowed.
 */
const aclRule = (rule: AclRuleState, way: Way): string | null => {
  const { mac, action, object } = rule;
  const isHidden = mac !== null && way === "back";
  if (isHidden && action === "drop") return null;
  const isCounted = object !== undefined && !isHidden;
  const parts = matchOf(rule, way);
  // What is allowed here still has to be allowed by the site's LANs and space.
  if (action === "accept")
    return [...parts, isCounted ? `goto ${allowedBy(object)}` : "return"].join(" ");
  const counter = isCounted ? [`counter name "${hitCounter(object.family, object.id)}"`] : [];
  return [...parts, ...counter, "drop"].join(" ");
};

type Counted = NonNullable<AclRuleState["object"]>;
const allowedBy = ({ family, id }: Counted): string => `c_hit_${family}_${id}`;

/** Counts each flow that objects allow once: another generation of the rules asks about it once more. */
const countingChains = (rules: readonly AclRuleState[]): string[] => {
  const objects = rules.flatMap(({ action, object }) =>
    action === "accept" && object ? [object] : [],
  );
  const unique = new Map(objects.map((one) => [allowedBy(one), one]));
  return [...unique].map(([name, { family, id }]) =>
    chain(name, [`${isUncounted} counter name "${hitCounter(family, id)}"`]),
  );
};

export interface Evaluation {
  /** Before everything else of the text. */
  readonly head: readonly string[];
  /** Counters of the objects that rules are of. */
  readonly declared: readonly string[];
  readonly chains: readonly string[];
  /** In the order of the forward chain. */
  readonly forward: readonly string[];
}

const aclChains = (rules: readonly AclRuleState[]): string[] => {
  const of = (way: Way) => rules.flatMap((rule) => aclRule(rule, way) ?? []);
  return [
    ...countingChains(rules),
    chain("c_acl", of("there")),
    chain("c_acl_back", of("back")),
    chain("c_evaluate_back", [
      "jump c_acl_back",
      // Where hardware addresses count, only the flow's own packets decide.
      ...(rules.some(({ mac }) => mac) ? [] : [setPassed]),
    ]),
  ];
};

const isBlock = ({ mac, action, protocol, source, target }: AclRuleState): boolean =>
  mac !== null && action === "drop" && protocol === "any" && source === null && target === null;

/** Hardware addresses that nothing may come from, before a rule that lets something through. */
const blockedBy = (rules: readonly AclRuleState[]): readonly AclRuleState[] => {
  const accepts = rules.findIndex(({ action }) => action === "accept");
  return rules.slice(0, accepts < 0 ? rules.length : accepts).filter(isBlock);
};

/** They are denied by every packet: the flow that lets its first packet through may be the other end's. */
const blocks = (blocked: readonly AclRuleState[]): string[] => {
  // A map takes an address once: as the first entry says.
  const named = new Map(
    blocked
      .toReversed()
      .map(({ mac, object }) => [
        quoted(mac ?? ""),
        object ? hitCounter(object.family, object.id) : null,
      ]),
  );
  const counted = [...named].flatMap(([mac, name]) => (name ? [`${mac} : "${name}"`] : []));
  const others = [...named].flatMap(([mac, name]) => (name ? [] : [mac]));
  return [
    ...(counted.length > 0 ? [`counter name ether saddr map { ${counted.join(", ")} } drop`] : []),
    ...(others.length > 0 ? [`ether saddr { ${others.join(", ")} } drop`] : []),
  ];
};

/** Flows are let through once by each generation. */
const onceEach = (
  rules: readonly AclRuleState[],
  limits: readonly string[],
  classify: readonly string[],
): string[] => [
  `ct mark & ${bits} == $${variable} return`,
  // Errors about flows, which the rules say nothing about.
  "ct state related return",
  ...classify,
  // Before the ACL: a scan does not buy a pass through its rules.
  ...limits.map((jump) => `${isFirst} ${jump}`),
  ...(rules.length > 0 ? ["ct direction reply goto c_evaluate_back", "jump c_acl"] : []),
  setPassed,
];

/**
 * @param limits jumps to the limits of new flows; those that exist are not limited
 * @param all rules of the ACL, the first that fits decides
 * @param classify jumps to what gives flows their class for the shaper
 */
export function evaluation(
  all: readonly AclRuleState[],
  limits: readonly string[],
  classify: readonly string[] = [],
): Evaluation {
  const blocked = blockedBy(all);
  const moved = new Set(blocked);
  const rules = all.filter((rule) => !moved.has(rule));
  const isOnce = rules.length + limits.length + classify.length > 0;
  if (!isOnce && blocked.length === 0) return { head: [], declared: [], chains: [], forward: [] };
  const objects = all.flatMap(({ object }) =>
    object ? [hitCounter(object.family, object.id)] : [],
  );
  const evaluate = [...blocks(blocked), ...(isOnce ? onceEach(rules, limits, classify) : [])];
  return {
    head: isOnce ? [defined(1)] : [],
    declared: [...new Set(objects)].map((name) => `counter ${name} { }`),
    chains: [...(rules.length > 0 ? aclChains(rules) : []), chain("c_evaluate", evaluate)],
    forward: ["jump c_evaluate"],
  };
}
