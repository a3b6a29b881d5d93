/**
 * Classes of packets for the shaper (drivers/shaping): the policy of a flow is written into the mark of its
 * connection once, and its packets get the class as their priority where they leave. Pure.
 */

import type { FirewallSection } from "@weft/contract/device/v1/firewall.ts";
import { hitCounter } from "@weft/contract/device/v1/hit-counter.ts";
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
import type {
  AppGroupState,
  BandwidthRule,
  PolicySection,
} from "@weft/contract/device/v1/policy.ts";
import {
  classId,
  leafClass,
  leafOf,
  ownClass,
  restClass,
  type ShapedDirection,
  type ShapedTree,
  type ShapedTrees,
  smallBytes,
  spaceTreeOf,
  treeMajor,
} from "@weft/contract/device/v1/shaping.ts";
import { isUncounted } from "./acl.ts";
import { keyword, setName } from "./address-sets.ts";
import { appMatches } from "./apps.ts";
import { type CircuitParts, type CircuitRules, circuitParts, noCircuits } from "./circuits.ts";
import { anyLink, chain, set, spaceLinks } from "./nft.ts";
import { families, type NamedSet } from "./sources.ts";
import { timeMatch } from "./times.ts";

/** What of a state decides about classes. */
export interface Shaped {
  readonly trees: ShapedTrees;
  /** A WAN link has a rate of its own. */
  readonly ratesLines: boolean;
  /** Interfaces of WAN links and of the links over them, with the slot. */
  readonly bySlot: readonly { readonly slot: number; readonly interfaceName: string }[];
  /** Of the main namespace; absent: none. */
  readonly circuits?: CircuitRules;
  /** What it carries is inside tunnels that end in other namespaces. */
  readonly carriesTunnels: boolean;
}

interface ClassContext extends Shaped {
  readonly lans: readonly string[];
  readonly wan: readonly string[];
}

export interface ClassParts {
  readonly sets: readonly NamedSet[];
  readonly declared: readonly string[];
  readonly chains: readonly string[];
  /** For flows that are evaluated, before anything is denied. */
  readonly evaluate: readonly string[];
}

const pipeBits = markText(markMask("pipe"));
const others = markText(2 ** 32 - 1 - markMask("pipe"));
const pipeMark = (leaf: number): string => markText(markValue("pipe", leaf));
const outer = markText(markMask("outer"));
const control = markText(markMask("control"));

const counterOf = (id: number): string => hitCounter("routerBwpolicy", id);

interface PipeContext {
  readonly lans: string;
  readonly applications: readonly AppGroupState[];
  readonly leafBy: (id: number) => number;
}

const flowWays = ["original", "reply"] as const;

const chainOf = (id: number): string => `c_pipe_${id}`;

/** Counts a flow once: another generation of the rules asks about it once more. */
const ruleChain = ({ id, tunnel }: BandwidthRule, { leafBy }: PipeContext): string =>
  chain(chainOf(id), [
    `${isUncounted} counter name "${counterOf(id)}"`,
    `ct mark set ct mark & ${others} | ${pipeMark(leafBy(tunnel))}`,
  ]);

/** One rule for each family that its group has, for each end that the host can be, and each way of packets. */
const ruleOf = (rule: BandwidthRule, { lans, applications }: PipeContext): string[] => {
  const { id, hosts, app, time } = rule;
  const then = `goto ${chainOf(id)}`;
  const line = (...parts: string[]): string =>
    [...timeMatch(time), ...parts, then].filter((part) => part !== "").join(" ");
  const ends = [
    ["iifname", "saddr"],
    ["oifname", "daddr"],
  ] as const;
  return ends.flatMap(([end, address]) =>
    (app === null ? [null] : flowWays).flatMap((way) =>
      appMatches(applications, app, way ?? "original").flatMap(({ family, text }) => {
        const direction = way === null ? "" : `ct direction ${way}`;
        if (hosts === null) return [line(`${end} ${lans}`, direction, text)];
        return families
          .filter((candidate) => family === null || family === candidate)
          .map((family) => {
            const from = `${keyword(family)} ${address} @${setName(hosts, family)}`;
            return line(`${end} ${lans}`, from, direction, text);
          });
      }),
    ),
  );
};

/** What of a tree leaves by this direction's interfaces: its class by the mark of the flow, else the rest. */
const classChain = (
  direction: ShapedDirection,
  { leaves }: ShapedTree,
  bySlot: ClassContext["bySlot"],
  circuits: readonly string[],
): string => {
  const major = treeMajor[direction];
  const everywhere = leaves.filter(({ slot }) => slot === null);
  const map = everywhere.map(
    ({ leaf }) => `${pipeMark(leaf)} : ${classId(major, leafClass(leaf))}`,
  );
  const way = direction === "up" ? "oifname" : "iifname";
  const ofLines = leaves.flatMap(({ leaf, slot }) => {
    const names = bySlot.filter((line) => line.slot === slot).map((line) => line.interfaceName);
    const match = `ct mark & ${pipeBits} == ${pipeMark(leaf)} ${way} ${set(names)}`;
    return slot === null || names.length === 0
      ? []
      : [`${match} meta priority set ${classId(major, leafClass(leaf))}`];
  });
  return chain(`c_class_${direction}`, [
    `meta priority set ${classId(major, restClass)}`,
    ...(map.length > 0
      ? [`meta priority set ct mark & ${pipeBits} map { ${map.join(", ")} }`]
      : []),
    ...ofLines,
    ...circuits,
  ]);
};

/** What the device forwards between LANs and WAN links. */
const forwarded = (
  { trees, lans, wan, bySlot }: ClassContext,
  circuits: CircuitParts,
): string[] => {
  if (wan.length === 0) return [];
  const [inside, lines] = [set([...lans, ...wan]), set(wan)];
  const up = trees.up && [
    `iifname ${inside} oifname ${lines} jump c_class_up`,
    ...(lans.length > 0 ? [`iifname ${set(lans)} oifname ${anyLink} jump c_class_up`] : []),
    `iifname ${anyLink} oifname ${lines} jump c_class_up`,
  ];
  const down = trees.down &&
    lans.length > 0 && [
      `oifname ${set(lans)} iifname ${lines} jump c_class_down`,
      `oifname ${set(lans)} iifname ${anyLink} jump c_class_down`,
    ];
  if (!up && !down) return [];
  return [
    ...circuits.chains,
    ...(trees.up ? [classChain("up", trees.up, bySlot, circuits.rules)] : []),
    ...(trees.down ? [classChain("down", trees.down, bySlot, [])] : []),
    chain(
      "c_class",
      [...(up || []), ...(down || [])],
      "type filter hook postrouting priority mangle; policy accept;",
    ),
  ];
};

/** What the device sends itself: before all else, so that no load and no rate cuts it off. */
const ownPackets = ({ trees, wan, carriesTunnels }: ClassContext): string[] => {
  const first = `meta priority set ${classId(treeMajor.up, ownClass)}`;
  const rest = `meta priority set ${classId(treeMajor.up, restClass)}`;
  const ofTunnels = carriesTunnels && trees.up !== null;
  return [
    chain("c_outer", ofTunnels ? [rest, `meta length <= ${smallBytes} ${first}`] : []),
    chain("c_control", [`meta mark set meta mark | ${control}`, ...(trees.up ? [first] : [])]),
    chain(
      "c_own",
      [
        `meta mark & ${outer} != 0x0 goto c_outer`,
        `oifname ${set(wan)} jump c_control`,
        `oifname ${anyLink} jump c_control`,
      ],
      "type filter hook output priority mangle; policy accept;",
    ),
  ];
};

interface ClassedRules extends Pick<FirewallSection, "wan"> {
  readonly lan: readonly { readonly interfaceName: string }[];
  readonly policy?: PolicySection | undefined;
  readonly shaped?: Shaped | undefined;
}

const none: ClassParts = { sets: [], declared: [], chains: [], evaluate: [] };

/** What circuits of a space need in its namespace on a POP, where the device's own packets pass by their tree. */
export const spaceClasses = (
  rules: CircuitRules | undefined,
  entrances: readonly string[],
): Pick<ClassParts, "sets" | "chains"> => {
  if (!rules) return none;
  const { sets, chains, rules: circuits } = circuitParts(rules, spaceTreeOf(rules.circuits));
  if (chains.length === 0) return none;
  const forwardedOnly = entrances.map(
    (name) => `iifname ${name} oifname ${spaceLinks} jump c_class_up`,
  );
  return {
    sets,
    chains: [
      ...chains,
      chain("c_class_up", circuits),
      chain(
        "c_class",
        forwardedOnly,
        "type filter hook postrouting priority mangle; policy accept;",
      ),
    ],
  };
};

/** What the shaper needs of the table; nothing where the device shapes nothing. */
export function classParts({ wan, lan, policy, shaped }: ClassedRules): ClassParts {
  const isShaped = shaped && (shaped.trees.up || shaped.trees.down || shaped.ratesLines);
  if (!isShaped || wan.length === 0) return none;
  const lans = [...new Set(lan.map(({ interfaceName }) => interfaceName))];
  const context = { ...shaped, lans, wan };
  const { tunnels = [], bandwidths = [], applications = [] } = policy ?? {};
  const leafBy = (id: number): number => leafOf(tunnels, id);
  const rules = lans.length > 0 ? bandwidths.filter(({ tunnel }) => leafBy(tunnel) > 0) : [];
  const pipes = { lans: set(lans), applications, leafBy };
  const classify = chain("c_pipe", [
    `ct mark set ct mark & ${others}`,
    ...rules.flatMap((rule) => ruleOf(rule, pipes)),
  ]);
  const isClassified = rules.length > 0;
  const circuits = circuitParts(context.circuits ?? noCircuits, context.trees.up, context.bySlot);
  return {
    sets: circuits.sets,
    declared: rules.map(({ id }) => `counter ${counterOf(id)} { }`),
    chains: [
      ...(isClassified ? [...rules.map((rule) => ruleChain(rule, pipes)), classify] : []),
      ...forwarded(context, circuits),
      ...ownPackets(context),
    ],
    evaluate: isClassified ? ["jump c_pipe"] : [],
  };
}
