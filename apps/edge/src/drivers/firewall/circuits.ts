/**
 * Circuits in the rules: packets get the class of their circuit as priority where they leave. One look-up however
 * many circuits there are; a set for each that ends has an element until then, as with time groups. Pure.
 */
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
import {
  circuitRest,
  circuitsOn,
  classId,
  innerClass,
  type PlacedCircuit,
  type ShapedCircuit,
  type ShapedTree,
  type ShapingSection,
  treeMajor,
} from "@weft/contract/device/v1/shaping.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { spansWithout } from "#drivers/prefixes.ts";
import { keyword } from "./address-sets.ts";
import { chain, set } from "./nft.ts";
import { families, type NamedSet, namedSet } from "./sources.ts";

/** A circuit with the interfaces that it may leave by. */
export interface CircuitRule extends PlacedCircuit {
  readonly interfaceNames: readonly string[];
}

/** Circuits of a namespace, and the networks of its space. */
export interface CircuitRules {
  readonly circuits: readonly CircuitRule[];
  readonly networks: readonly string[];
}

export const noCircuits: CircuitRules = { circuits: [], networks: [] };

/** Interfaces of WAN links and of the links over them, with the slot. */
type BySlot = readonly { readonly slot: number; readonly interfaceName: string }[];

export interface CircuitParts {
  readonly sets: readonly NamedSet[];
  readonly chains: readonly string[];
  /** For packets of the tree, whose class is that of no circuit yet. */
  readonly rules: readonly string[];
}

const none: CircuitParts = { sets: [], chains: [], rules: [] };
const chainOf = (id: number): string => `c_circuit_${id}`;
const runningSet = (id: number): string => `s_circuit_${id}`;
const pipeBits = markText(markMask("pipe"));

/** When a circuit ends, ms since 1970. */
export interface CircuitEnd {
  readonly id: number;
  readonly until: number;
}

export const circuitEnds = (shaping: ShapingSection | undefined): CircuitEnd[] =>
  (shaping?.circuits ?? []).flatMap(({ id, until }) => (until === null ? [] : { id, until }));

/** Ids of those whose end has not come. */
export const runningAt = (ends: readonly CircuitEnd[], now: number): number[] =>
  ends.filter(({ until }) => until > now).map(({ id }) => id);

/** Fills the sets in the transaction that makes them. */
export const whileRunning = (ids: readonly number[], table: string): string =>
  ids.map((id) => `add element inet ${table} ${runningSet(id)} { 0x0 }\n`).join("");

/** @param netns null: the main namespace */
export const circuitRulesOf = (state: DesiredState, netns: string | null): CircuitRules => {
  const links = state.tunnels.flatMap((tunnel) => (tunnel.netns === netns ? tunnel.links : []));
  const names = new Map(links.map(({ id, interfaceName }) => [id, interfaceName]));
  return {
    circuits: circuitsOn(state.shaping, new Set(names.keys())).map((circuit) => ({
      ...circuit,
      interfaceNames: circuit.links.flatMap((link) => names.get(link) ?? []),
    })),
    networks: (state.spaces ?? []).flatMap((space) =>
      space.netns === netns ? space.networks : [],
    ),
  };
};

/** The class of what is in the circuit: of the tunnel that its flow goes through, else of the rest. */
const classes = (shaped: ShapedCircuit, bySlot: BySlot): string[] => {
  const of = (minor: number): string => classId(treeMajor.up, minor);
  const everywhere = shaped.leaves.flatMap(({ leaf, slot }, at) =>
    slot === null
      ? [`${markText(markValue("pipe", leaf))} : ${of(innerClass(shaped, at + 1))}`]
      : [],
  );
  const ofLines = shaped.leaves.flatMap(({ leaf, slot }, at) => {
    const names = bySlot.filter((line) => line.slot === slot).map((line) => line.interfaceName);
    const match = `ct mark & ${pipeBits} == ${markText(markValue("pipe", leaf))}`;
    return slot === null || names.length === 0
      ? []
      : [`${match} oifname ${set(names)} meta priority set ${of(innerClass(shaped, at + 1))}`];
  });
  return [
    `meta priority set ${of(circuitRest(shaped))}`,
    ...(everywhere.length > 0
      ? [`meta priority set ct mark & ${pipeBits} map { ${everywhere.join(", ")} }`]
      : []),
    ...ofLines,
  ];
};

const circuitChain = (
  { id, until, interfaceNames, networks }: CircuitRule,
  shaped: ShapedCircuit,
  bySlot: BySlot,
): string =>
  chain(chainOf(id), [
    ...(until === null ? [] : [`meta mark & 0x0 != @${runningSet(id)} return`]),
    ...(networks === null ? [] : [`oifname != ${set(interfaceNames)} return`]),
    ...classes(shaped, bySlot),
  ]);

/** Networks that decide which circuit a packet is of: the longest around its destination, as in routing. */
const byNetwork = (
  circuits: readonly CircuitRule[],
  networks: readonly string[],
  family: 4 | 6,
): string[] =>
  circuits.flatMap((circuit) => {
    if (circuit.networks === null) return [];
    const ofCircuit = new Set(circuit.networks);
    const others = [...networks, ...circuits.flatMap((other) => other.networks ?? [])];
    const beside = others.filter((network) => !ofCircuit.has(network));
    return spansWithout(circuit.networks, beside, family).map(
      (span) => `${span} : jump ${chainOf(circuit.id)}`,
    );
  });

/** @param tree of the namespace with all circuits, also those that have ended meanwhile */
export function circuitParts(
  { circuits, networks }: CircuitRules,
  tree: ShapedTree | null,
  bySlot: BySlot = [],
): CircuitParts {
  const shaped = new Map(tree?.circuits.map((circuit) => [circuit.place, circuit]));
  const placed = circuits.flatMap((rule) => {
    const shapedCircuit = shaped.get(rule.place);
    return shapedCircuit ? [{ rule, found: shapedCircuit }] : [];
  });
  if (placed.length === 0) return none;
  const byLink = placed.flatMap(({ rule }) =>
    rule.networks === null
      ? rule.interfaceNames.map((name) => `"${name}" : jump ${chainOf(rule.id)}`)
      : [],
  );
  const rules = placed.map(({ rule }) => rule);
  return {
    sets: rules.flatMap(({ id, until }) =>
      until === null ? [] : [namedSet(runningSet(id), "type mark;", [])],
    ),
    chains: placed.map(({ rule, found }) => circuitChain(rule, found, bySlot)),
    rules: [
      ...(byLink.length > 0 ? [`oifname vmap { ${byLink.join(", ")} }`] : []),
      // What is for a network is of no other circuit by its link.
      ...families.flatMap((family) => {
        const spans = byNetwork(rules, networks, family);
        return spans.length > 0 ? [`${keyword(family)} daddr vmap { ${spans.join(", ")} }`] : [];
      }),
    ],
  };
}

/** What a kernel must take for them. */
export const circuitSample = `
  set a { type mark; }
  chain c {
    meta mark & 0x0 != @a return
    oifname != { "t0" } return
    meta priority set 1:1001
  }
  chain d {
    type filter hook postrouting priority mangle;
    oifname vmap { "t0" : jump c }
    ip6 daddr vmap { 2001:db8::-2001:db8::ff : jump c }
  }`;
