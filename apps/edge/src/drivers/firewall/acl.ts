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
import { spanOf } from "@weft/contract/rules/address.ts";
import { chain } from "./nft.ts";
import { divide, type Leaf, rangeText, type Spanned } from "./ranges.ts";

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
  const isGrouped = chains.some((text) => /chain c_(?:pipe|deny) /.test(text));
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
  const unique = new Map(objects.map((object) => [allowedBy(object), object]));
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

/** One rule as it is written, with the ends of packets by which it is found. */
interface Line {
  readonly text: string;
  readonly rule: AclRuleState;
}

/** Ends that a run of rules is found by. */
type End = "source" | "target";
const endNames = ["source", "target"] as const satisfies readonly End[];

/** Shorter runs are searched as quickly as a map. */
const shortest = { denied: 4, found: 64 } as const;
/**
 * Rules of one chain that hold for a part of its addresses, and how many times a rule may stand in chains on the average: with
 * four times nft(8) takes 600 MB to list what a site may have, with twice half of that.
 */
const perChain = 16;
const maxCopies = 2;

const families = [4, 6] as const;
const familyText = { 4: "ip", 6: "ip6" } as const;

const spansOf = <Item>(
  items: readonly Item[],
  family: 4 | 6,
  addressOf: (item: Item) => string | null,
): Spanned<Item>[] =>
  items.flatMap((item) => {
    const span = spanOf(addressOf(item) ?? "");
    return span?.family === family ? [{ first: span.first, last: span.last, item }] : [];
  });

/** The end of which the rule denies all addresses, whatever else a packet is; null: it is not such a rule. */
const deniedEnd = ({ rule }: Line): End | null => {
  const { action, protocol, source, target, mac } = rule;
  const isPlain = action === "drop" && protocol === "any" && mac === null;
  if (!isPlain || (source === null) === (target === null)) return null;
  return source === null ? "target" : "source";
};

/** A run of rules that deny addresses: a look into one map for each end and family. */
function deniedAddresses(lines: readonly Line[], way: Way): string[] {
  return endNames.flatMap((end) =>
    families.flatMap((family) => {
      const ended = lines.filter((line) => deniedEnd(line) === end);
      // Of several that deny an address the first one counts.
      const leaves = divide(
        spansOf(ended, family, ({ rule }) => rule[end]),
        0,
      );
      const field = `${familyText[family]} ${ways[way][end]}`;
      const counted: string[] = [];
      const others: string[] = [];
      for (const leaf of leaves) {
        const object = leaf.items[0]?.rule.object;
        const range = rangeText(family, leaf);
        if (object) counted.push(`${range} : "${hitCounter(object.family, object.id)}"`);
        else others.push(range);
      }
      return [
        ...(counted.length > 0 ? [`counter name ${field} map { ${counted.join(", ")} } drop`] : []),
        ...(others.length > 0 ? [`${field} { ${others.join(", ")} } drop`] : []),
      ];
    }),
  );
}

/** Runs of rules that deny addresses, which a map finds. */
function deniedRuns(lines: readonly Line[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let from = 0;
  for (let at = 0; at <= lines.length; at += 1) {
    const line = lines[at];
    if (line && deniedEnd(line) !== null) continue;
    if (at - from >= shortest.denied) runs.push({ from, to: at });
    from = at + 1;
  }
  return runs;
}

/** The longest run in which every line has an address at this end and is in no map. */
function longestRun(lines: readonly Line[], end: End): { from: number; to: number } {
  const mapped = new Set(deniedRuns(lines).flatMap(({ from, to }) => lines.slice(from, to)));
  let best = { from: 0, to: 0 };
  let from = 0;
  for (let at = 0; at <= lines.length; at += 1) {
    const line = lines[at];
    if (line && line.rule[end] !== null && !mapped.has(line)) continue;
    if (at - from > best.to - best.from) best = { from, to: at };
    from = at + 1;
  }
  return best;
}

/** Ranges of a run, of as many rules each as copies allow. */
function leavesOf(spans: readonly Spanned<Line>[]): Leaf<Line>[] {
  for (let maxItems = perChain; ; maxItems *= 2) {
    const leaves = divide(spans, maxItems);
    const written = leaves.reduce((sum, { items }) => sum + items.length, 0);
    if (written <= maxCopies * spans.length || leaves.length === 1) return leaves;
  }
}

/**
 * The rules in their order, as chains of which the first one has this name. The longest run of rules that name an address at one end
 * is found by it: a packet is evaluated by the rules of its range alone and then by those behind the run. There is one such
 * run, because the kernel examines each chain again for each way to it (nft_chain_validate of Linux).
 */
function ruleChains(name: string, lines: readonly Line[], way: Way): string[] {
  const texts = (some: readonly Line[]): string[] => some.map(({ text }) => text);
  const runs = endNames.map((end) => ({ end, ...longestRun(lines, end) }));
  const [run] = runs.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  if (!run || run.to - run.from < shortest.found) return [chain(name, writtenLines(lines, way))];
  const rest = `${name}_rest`;
  const behind = lines.slice(run.to);
  const goOn = behind.length > 0 ? [`goto ${rest}`] : [];
  const chains: string[] = [];
  const maps: string[] = [];
  for (const family of families) {
    const ofRun = lines.slice(run.from, run.to);
    const leaves = leavesOf(spansOf(ofRun, family, ({ rule }) => rule[run.end]));
    const elements = leaves.map((leaf, at) => {
      const chainName = `${name}_${family}_${at}`;
      chains.push(chain(chainName, [...texts(leaf.items), ...goOn]));
      return `${rangeText(family, leaf)} : goto ${chainName}`;
    });
    const field = `${familyText[family]} ${ways[way][run.end]}`;
    if (elements.length > 0) maps.push(`${field} vmap { ${elements.join(", ")} }`);
  }
  return [
    ...(behind.length > 0 ? [chain(rest, writtenLines(behind, way))] : []),
    ...chains,
    chain(name, [...writtenLines(lines.slice(0, run.from), way), ...maps, ...goOn]),
  ];
}

/** Lines in their order, runs that deny addresses as maps. */
function writtenLines(lines: readonly Line[], way: Way): string[] {
  const written: string[] = [];
  let at = 0;
  for (const { from, to } of deniedRuns(lines)) {
    written.push(...lines.slice(at, from).map(({ text }) => text));
    written.push(...deniedAddresses(lines.slice(from, to), way));
    at = to;
  }
  return [...written, ...lines.slice(at).map(({ text }) => text)];
}

const aclChains = (rules: readonly AclRuleState[]): string[] => {
  const of = (way: Way): Line[] =>
    rules.flatMap((rule) => {
      const text = aclRule(rule, way);
      return text === null ? [] : [{ text, rule }];
    });
  return [
    ...countingChains(rules),
    ...ruleChains("c_acl", of("there"), "there"),
    ...ruleChains("c_acl_back", of("back"), "back"),
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
