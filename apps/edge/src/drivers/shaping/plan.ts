/** Queues that a state asks for, compared with those that are there. Pure. */
import {
  circuitsAt,
  circuitsOn,
  type ShapedDirection,
  spaceTreeOf,
  treesOf,
} from "@weft/contract/device/v1/shaping.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { phases, type Step } from "#drivers/driver.ts";
import type { ObjectName } from "#drivers/refusals.ts";
import { bandwidthName, circuitName, rateName } from "#drivers/without-refused.ts";
import { lineQueues, type Queues, type Redirect, type TreeNames, treeQueues } from "./render.ts";

/** Queues of a namespace; null is the main one. */
export interface ShapedPlace {
  readonly netns: string | null;
  /** Trees on interfaces of their own. */
  readonly trees: readonly Queues[];
  readonly lines: readonly Queues[];
  readonly redirects: readonly Redirect[];
}

/** Places with queues; none: nothing is shaped. */
export type ShapingPart = readonly ShapedPlace[];

/** What a state asks for: circuits end by the device's own clock. */
export interface WantedShaping {
  /** When something ends, ms since 1970. */
  readonly ends: readonly number[];
  readonly at: (now: number) => ShapingPart;
}

export interface ShapingFound {
  /** What was set last, and the kernel's listing after it; null: not known. */
  readonly loaded: { readonly part: string; readonly listing: string } | null;
  /** The kernel's listing of what concerns the part now. */
  readonly listing: string;
  /** Something of ours is on the machine. */
  readonly isThere: boolean;
  /** Ms since 1970 on the device's clock. */
  readonly now: number;
}

export interface ShapingStep extends Step {
  readonly driver: "shaping";
  readonly kind: "shape" | "end";
}

const to = (
  { device, about }: Pick<Queues, "device" | "about">,
  names: readonly string[],
  sparesTunnels = false,
): Redirect[] =>
  [...new Set(names)].map((name) => ({ device: name, to: device, about, sparesTunnels }));

/** What is in a tree of the state. @param direction of the device's rate; null: it has none there */
const namesOf = (
  { shaping, policy }: DesiredState,
  direction: ShapedDirection | null,
): TreeNames => {
  const hasRate = direction !== null && typeof shaping?.[direction] === "number";
  const nameAt = <Item extends { readonly id: number }>(
    items: readonly Item[] | undefined,
    place: number,
    nameOf: (id: number) => ObjectName,
  ) => {
    const item = items?.[place - 1];
    return item ? [nameOf(item.id)] : [];
  };
  return {
    rate: hasRate ? [rateName(direction)] : [],
    ofLeaf: (leaf) => nameAt(policy?.tunnels, leaf, bandwidthName),
    ofCircuit: (place) => nameAt(shaping?.circuits, place, circuitName),
  };
};

const linksIn = ({ tunnels }: DesiredState, netns: string | null) =>
  tunnels.flatMap((tunnel) => (tunnel.netns === netns ? tunnel.links : []));

const circuitsIn = (state: DesiredState, netns: string | null, now: number) =>
  circuitsAt(circuitsOn(state.shaping, new Set(linksIn(state, netns).map(({ id }) => id))), now);

const mainPlace = (state: DesiredState, isFair: boolean, now: number): ShapedPlace => {
  const { shaping, policy, underlay, node } = state;
  const trees = treesOf(shaping, policy, circuitsIn(state, null, now));
  const isSite = node.kind === "cpe";
  const of = isSite ? "site" : "pop";
  const up = trees.up && treeQueues("up", trees.up, isFair, namesOf(state, "up"), of);
  const down = trees.down && treeQueues("down", trees.down, isFair, namesOf(state, "down"), of);
  const wan = underlay.lines.map(({ interfaceName }) => interfaceName);
  const links = linksIn(state, null).map(({ interfaceName }) => interfaceName);
  const lans = underlay.lans.flatMap((lan) => (lan.vlan === 0 ? [lan.interfaceName] : []));
  return {
    netns: null,
    trees: [...(up ? [up] : []), ...(down ? [down] : [])],
    lines: (shaping?.lines ?? []).flatMap(({ slot, up: rate }) =>
      underlay.lines
        .filter((line) => line.slot === slot)
        .map(({ interfaceName }) => lineQueues(interfaceName, rate, isFair, of)),
    ),
    redirects: [
      // What a POP sends is tunnels: they are what its rate is about.
      ...(up ? to(up, wan, isSite) : []),
      ...(up && isSite ? to(up, links) : []),
      ...(down ? to(down, lans) : []),
    ],
  };
};

/** On a POP: only links by which circuits leave are redirected, for nothing else is in the tree. */
const spacePlace = (
  state: DesiredState,
  netns: string,
  isFair: boolean,
  now: number,
): ShapedPlace => {
  const circuits = circuitsIn(state, netns, now);
  const shaped = spaceTreeOf(circuits);
  const tree = shaped && treeQueues("up", shaped, isFair, namesOf(state, null), "site");
  const used = new Set(circuits.flatMap(({ links }) => links));
  const names = linksIn(state, netns).flatMap((link) =>
    used.has(link.id) ? link.interfaceName : [],
  );
  return {
    netns,
    lines: [],
    redirects: tree ? to(tree, names) : [],
    trees: tree ? [tree] : [],
  };
};

const isUsed = ({ trees, lines }: ShapedPlace): boolean => trees.length + lines.length > 0;

const nothing: WantedShaping = { ends: [], at: () => [] };

/** @param isFair the kernel has fq_codel */
export const pickShaping = (state: DesiredState | null, isFair: boolean): WantedShaping => {
  if (state === null) return nothing;
  const spaces = new Set(state.tunnels.flatMap(({ netns }) => netns ?? []));
  return {
    ends: (state.shaping?.circuits ?? []).flatMap(({ until }) => until ?? []),
    at: (now) =>
      [
        mainPlace(state, isFair, now),
        ...[...spaces].map((netns) => spacePlace(state, netns, isFair, now)),
      ].filter(isUsed),
  };
};

export const planShaping = (wanted: WantedShaping, observed: ShapingFound): ShapingStep[] => {
  const step = (kind: ShapingStep["kind"], summary: string): ShapingStep => ({
    driver: "shaping",
    kind,
    phase: phases.shaping,
    summary,
  });
  const part = wanted.at(observed.now);
  if (part.length === 0)
    return observed.isThere ? [step("end", "end the queues of the device")] : [];
  const isSet =
    observed.loaded?.part === JSON.stringify(part) && observed.loaded.listing === observed.listing;
  return isSet ? [] : [step("shape", "set rates and bandwidth tunnels")];
};
