/** Which links a space has. Pure: rows in, links to add and to remove out. */
import { topology as topologies } from "@weft/contract/domains/devices/enums.ts";
import { type ExistingLink, type Placement, placeLinks, type WantedLink } from "./place-links.ts";

export interface MemberLine {
  readonly slot: number;
  /** Name that lines of one carrier share; empty: none. */
  readonly isp: string;
  /** Others can call this line: its address is known and there is no NAT in front of it. */
  readonly callable: boolean;
}

export interface MemberNode {
  readonly id: number;
  readonly kind: "cpe" | "pop";
  /** Enabled, and not expired if it is a CPE. */
  readonly active: boolean;
  /** WireGuard public key in use; null: the device has not reported one. */
  readonly tunnelKey: string | null;
  readonly lines: readonly MemberLine[];
}

/** Settings of an operator for the link between two lines, whose order has no meaning. */
export interface LinkSettings {
  readonly ends: readonly [LineAt, LineAt];
  /** True: wanted although the space would not link these two lines. */
  readonly made: boolean;
  /** False: these two lines are not linked, whatever the space says. */
  readonly enabled: boolean;
}

interface LineAt {
  readonly node: number;
  readonly slot: number;
}

export interface SpaceView {
  readonly topology: number;
  readonly members: readonly MemberNode[];
  readonly links: readonly ExistingLink[];
  readonly settings: readonly LinkSettings[];
  /** Ports that links of other spaces take, by node. */
  readonly otherPorts: ReadonlyMap<number, ReadonlySet<number>>;
}

/** A member that should have links and can have none. */
export interface UnlinkedNode {
  readonly node: number;
  /** `noLine`: it has no WAN link. `noCallable`: none of a POP's can be called. `noPeer`: none of the others' can. */
  readonly reason: "noLine" | "noCallable" | "noPeer";
}

export interface LinkChanges extends Placement {
  readonly unlinked: readonly UnlinkedNode[];
}

type Linkable = MemberNode & { readonly tunnelKey: string };
const isLinkable = (one: MemberNode): one is Linkable => one.active && one.tunnelKey !== null;

type LinePair = readonly [caller: MemberLine, called: MemberLine];

const bySlot = (one: MemberLine, other: MemberLine): number => one.slot - other.slot;
const callable = (node: MemberNode): MemberLine[] =>
  node.lines.filter((line) => line.callable).sort(bySlot);
const isSameIsp = (one: MemberLine, other: MemberLine): boolean =>
  one.isp !== "" && one.isp === other.isp;

/** Every line of the caller with the called line of the same carrier, else with one by its slot. */
function pairLines(caller: MemberNode, called: MemberNode): LinePair[] {
  const targets = callable(called);
  return [...caller.lines].sort(bySlot).flatMap((line): LinePair[] => {
    const same = targets.filter((target) => isSameIsp(line, target));
    const from = same.length > 0 ? same : targets;
    const target = from[(line.slot - 1) % from.length];
    return target ? [[line, target]] : [];
  });
}

/** Between POPs: one pair a common carrier; lines that share none pair by equal slot. */
function pairPopLines(caller: MemberNode, called: MemberNode): LinePair[] {
  const targets = callable(called);
  const lines = [...caller.lines].sort(bySlot);
  const taken = new Set<string>();
  const common = lines.flatMap((line): LinePair[] => {
    const target = taken.has(line.isp) ? undefined : targets.find((one) => isSameIsp(line, one));
    if (!target) return [];
    taken.add(line.isp);
    return [[line, target]];
  });
  const free = lines.filter((line) => !taken.has(line.isp));
  const rest = free.flatMap((line): LinePair[] => {
    const target = targets.find((one) => one.slot === line.slot && !taken.has(one.isp));
    return target ? [[line, target]] : [];
  });
  const pairs = [...common, ...rest];
  const [line, target] = [lines[0], targets[0]];
  return pairs.length > 0 || !line || !target ? pairs : [[line, target]];
}

/** Of two equals the lower id calls, unless only it can be called. */
function inCallOrder(one: Linkable, other: Linkable): [caller: Linkable, called: Linkable] {
  const [low, high] = one.id < other.id ? [one, other] : [other, one];
  return callable(high).length > 0 ? [low, high] : [high, low];
}

const toLinks = (a: Linkable, b: Linkable, pairs: readonly LinePair[]): WantedLink[] =>
  pairs.map(([from, to]) => ({
    a: { node: a.id, slot: from.slot, key: a.tunnelKey },
    b: { node: b.id, slot: to.slot, key: b.tunnelKey },
  }));

function pairsOf<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((one, at) => items.slice(at + 1).map((other): [Item, Item] => [one, other]));
}

/** The first link of each list, then the second of each: all have one before any has two. */
function byTurns(lists: readonly (readonly WantedLink[])[]): WantedLink[][] {
  const turns = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: turns }, (_, turn) => lists.flatMap((list) => list[turn] ?? []));
}

/**
 * The links that the members should have, the most important first: POPs among themselves, every CPE line
 * to every POP (first lines before second ones), and in a full mesh CPEs directly where one end can be
 * called (the others meet through a POP).
 */
function rankedLinks({ topology, members }: Pick<SpaceView, "topology" | "members">) {
  const linkable = members.filter(isLinkable).sort((one, other) => one.id - other.id);
  const pops = linkable.filter(({ kind }) => kind === "pop");
  const cpes = linkable.filter(({ kind }) => kind === "cpe");
  const spokes = byTurns(
    cpes.flatMap((cpe) => pops.map((pop) => toLinks(cpe, pop, pairLines(cpe, pop)))),
  );
  const backbone = pairsOf(pops).flatMap(([one, other]) => {
    const [a, b] = inCallOrder(one, other);
    return toLinks(a, b, pairPopLines(a, b));
  });
  const direct = topology === topologies.fullMesh ? directLinks(cpes) : [];
  return [backbone, ...spokes, ...direct];
}

/** Most CPEs cannot be called: pairs are only made where one of the two can. */
function directLinks(cpes: readonly Linkable[]): WantedLink[][] {
  const called = new Set(cpes.filter((cpe) => callable(cpe).length > 0).map(({ id }) => id));
  const lists = cpes
    .filter(({ id }) => called.has(id))
    .flatMap((target) =>
      cpes
        .filter(({ id }) => id !== target.id && (!called.has(id) || id < target.id))
        .map((caller) => toLinks(caller, target, pairLines(caller, target))),
    );
  return byTurns(lists);
}

/** The links that the members should have, where no operator says otherwise. */
export const wantedLinks = (view: Pick<SpaceView, "topology" | "members">): WantedLink[] =>
  rankedLinks(view).flat();

/** Members that no link can be made to, with the reason; one alone in its space lacks none. */
function unlinkedNodes(
  members: readonly MemberNode[],
  wanted: readonly WantedLink[],
): UnlinkedNode[] {
  if (members.length < 2) return [];
  const linked = new Set(wanted.flatMap(({ a, b }) => [a.node, b.node]));
  return members.filter(isLinkable).flatMap((one): UnlinkedNode[] => {
    // A POP that can only call others carries no site, whether it has a link or not.
    if (one.kind === "pop" && one.lines.length > 0 && callable(one).length === 0) {
      return [{ node: one.id, reason: "noCallable" }];
    }
    if (linked.has(one.id)) return [];
    if (one.lines.length === 0) return [{ node: one.id, reason: "noLine" }];
    return one.kind === "cpe" ? [{ node: one.id, reason: "noPeer" }] : [];
  });
}

const atText = ({ node, slot }: LineAt): string => `${node} ${slot}`;
/** A pair of lines, whichever of them calls. */
const pairText = (one: LineAt, other: LineAt): string =>
  [atText(one), atText(other)].sort().join(" - ");

/** A pair of lines that an operator wants linked; null while neither can be called. */
function addedLink(
  { ends: [one, other] }: LinkSettings,
  nodes: ReadonlyMap<number, Linkable>,
): WantedLink | null {
  const at = ({ node, slot }: LineAt) => {
    const found = nodes.get(node);
    const line = found?.lines.find((each) => each.slot === slot);
    return found && line ? { found, line } : null;
  };
  const [low, high] = [at(one), at(other)];
  if (!low || !high) return null;
  // As everywhere: a CPE calls a POP, and of two equals the lower id calls.
  const inOrder = low.found.kind === "pop" && high.found.kind === "cpe" ? [high, low] : [low, high];
  const [a, b] = inOrder[1]?.line.callable ? inOrder : inOrder.toReversed();
  if (!a || !b?.line.callable) return null;
  return {
    a: { node: a.found.id, slot: a.line.slot, key: a.found.tunnelKey },
    b: { node: b.found.id, slot: b.line.slot, key: b.found.tunnelKey },
  };
}

/** Ranks of the topology's links without those that operators disabled, behind those that they added. */
function withSettings(
  ranked: readonly (readonly WantedLink[])[],
  { settings, members }: Pick<SpaceView, "settings" | "members">,
): (readonly WantedLink[])[] {
  if (settings.length === 0) return [...ranked];
  const closed = new Set(
    settings.filter(({ enabled }) => !enabled).map(({ ends }) => pairText(...ends)),
  );
  const nodes = new Map(members.filter(isLinkable).map((one) => [one.id, one]));
  const open = ranked.map((rank) => rank.filter(({ a, b }) => !closed.has(pairText(a, b))));
  const there = new Set(open.flat().map(({ a, b }) => pairText(a, b)));
  const made = settings
    .filter((one) => one.made && one.enabled && !there.has(pairText(...one.ends)))
    .flatMap((one) => addedLink(one, nodes) ?? []);
  return [made, ...open];
}

/** What to add and to remove so that the space has the wanted links, and what it cannot have and why. */
export function computeAdjacencies(view: SpaceView): LinkChanges {
  const ranked = rankedLinks(view);
  const wanted = withSettings(ranked, view);
  // Who has no link because an operator disabled it lacks none.
  const unlinked = unlinkedNodes(view.members, [...ranked.flat(), ...wanted.flat()]);
  return { ...placeLinks(wanted, view.links, view.otherPorts), unlinked };
}
