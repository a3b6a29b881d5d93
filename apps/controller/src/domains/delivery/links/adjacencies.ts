/** Which links a space has. Pure: rows in, links to add and to remove out. */
import { topology as topologies } from "@weft/contract/domains/devices/enums.ts";
import type { Spot } from "./nearness.ts";
import { type Choice, type Place, type PlacedAt, placeSites } from "./place.ts";
import {
  type ExistingLink,
  identityOf,
  type Placement,
  placeLinks,
  type WantedLink,
} from "./place-links.ts";

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
  /** Whom it belongs to; absent: someone who chose no POP strategy. */
  readonly enterprise?: number;
  /** Absent: not known. */
  readonly spot?: Spot;
  /** A POP past its time gets no new links and keeps those that it has; absent: no. */
  readonly isExpired?: boolean;
  /** kbit/s of a POP; absent or null: not known. */
  readonly bandwidth?: number | null;
}

/** Settings of an operator for the link between two lines, whose order has no meaning. */
export interface LinkSettings {
  readonly ends: readonly [LineAt, LineAt];
  /** True: wanted although the space would not link these two lines. */
  readonly made: boolean;
  /** False: these two lines are never linked. */
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
  /** POP strategies by the enterprise that chose them; absent: none did. */
  readonly choices?: ReadonlyMap<number, Choice>;
  /** Sites of other spaces that prefer a POP, by POP; absent: none. */
  readonly loads?: ReadonlyMap<number, number>;
  /** Ids of links that are leaving and may go now; absent: none. */
  readonly mayGo?: ReadonlySet<number>;
}

/** A member that should have links and can have none. */
export interface UnlinkedNode {
  readonly node: number;
  /**
   * `noLine`: it has no WAN link. `noCallable`: none of a POP's can be called. `noPeer`: none of the
   * others' can. `noPop`: the space has no POP of its enterprise's strategy that can. `popExpired`: one
   * that it would be linked with takes no new links.
   */
  readonly reason: "noLine" | "noCallable" | "noPeer" | "noPop" | "popExpired";
  /** The POP that the reason is about; absent: the node itself. */
  readonly pop?: number;
  /** Name of the strategy that decides; absent: none does. */
  readonly strategy?: string;
}

/** A link that stays, with another place or because its site leaves the POP. */
export interface ChangedLink {
  readonly link: ExistingLink;
  readonly place: Place;
  readonly isLeaving: boolean;
}

export interface LinkChanges extends Placement {
  readonly unlinked: readonly UnlinkedNode[];
  readonly change: readonly ChangedLink[];
}

type Linkable = MemberNode & { readonly tunnelKey: string };
const isLinkable = (memberNode: MemberNode): memberNode is Linkable =>
  memberNode.active && memberNode.tunnelKey !== null;

type LinePair = readonly [caller: MemberLine, called: MemberLine];

const bySlot = (memberLine: MemberLine, other: MemberLine): number => memberLine.slot - other.slot;
const callable = (node: MemberNode): MemberLine[] =>
  node.lines.filter((line) => line.callable).sort(bySlot);
const isSameIsp = (memberLine: MemberLine, other: MemberLine): boolean =>
  memberLine.isp !== "" && memberLine.isp === other.isp;

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
    const target = taken.has(line.isp)
      ? undefined
      : targets.find((memberLine) => isSameIsp(line, memberLine));
    if (!target) return [];
    taken.add(line.isp);
    return [[line, target]];
  });
  const free = lines.filter((line) => !taken.has(line.isp));
  const rest = free.flatMap((line): LinePair[] => {
    const target = targets.find(
      (memberLine) => memberLine.slot === line.slot && !taken.has(memberLine.isp),
    );
    return target ? [[line, target]] : [];
  });
  const pairs = [...common, ...rest];
  const [line, target] = [lines[0], targets[0]];
  return pairs.length > 0 || !line || !target ? pairs : [[line, target]];
}

/** Of two equals the lower id calls, unless only it can be called. */
function inCallOrder(linkable: Linkable, other: Linkable): [caller: Linkable, called: Linkable] {
  const [low, high] = linkable.id < other.id ? [linkable, other] : [other, linkable];
  return callable(high).length > 0 ? [low, high] : [high, low];
}

const toLinks = (a: Linkable, b: Linkable, pairs: readonly LinePair[]): WantedLink[] =>
  pairs.map(([from, to]) => ({
    a: { node: a.id, slot: from.slot, key: a.tunnelKey },
    b: { node: b.id, slot: to.slot, key: b.tunnelKey },
  }));

function pairsOf<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((item, at) =>
    items.slice(at + 1).map((other): [Item, Item] => [item, other]),
  );
}

/** The first link of each list, then the second of each: all have one before any has two. */
function byTurns(lists: readonly (readonly WantedLink[])[]): WantedLink[][] {
  const turns = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: turns }, (_, turn) => lists.flatMap((list) => list[turn] ?? []));
}

type TopologyView = Pick<SpaceView, "topology" | "members" | "choices" | "loads"> & {
  readonly links?: readonly ExistingLink[];
};

const linkableOf = (members: readonly MemberNode[], kind: "cpe" | "pop"): Linkable[] =>
  members
    .filter(isLinkable)
    .filter((member) => member.kind === kind)
    .sort((a, b) => a.id - b.id);

const nowhere: Spot = { longitude: null, latitude: null, regions: [] };

/** POPs that each CPE has links with which are to stay, with their places. */
function heldPlaces(links: readonly ExistingLink[]): Map<number, Map<number, Place>> {
  const held = new Map<number, Map<number, Place>>();
  for (const { a, b, place = null, isLeaving = false } of links) {
    if (isLeaving) continue;
    held.set(a.node, (held.get(a.node) ?? new Map<number, Place>()).set(b.node, place));
  }
  return held;
}

/** Which POPs each CPE is linked with; those that cannot be called are not among them. */
function placesOf({ members, links = [], choices, loads }: TopologyView): Map<number, PlacedAt> {
  const held = heldPlaces(links);
  const pops = linkableOf(members, "pop").filter((pop) => callable(pop).length > 0);
  const ids = new Set(pops.map(({ id }) => id));
  return placeSites({
    sites: linkableOf(members, "cpe").map(({ id, enterprise = 0, spot = nowhere }) => ({
      id,
      enterprise,
      spot,
      has: new Map([...(held.get(id) ?? [])].filter(([pop]) => ids.has(pop))),
    })),
    pops: pops.map(({ id, spot = nowhere, bandwidth = null, isExpired = false }) => ({
      id,
      spot,
      bandwidth,
      isOpen: !isExpired,
      load: loads?.get(id) ?? 0,
    })),
    choices: choices ?? new Map(),
  });
}

/**
 * The links that the members should have, the most important first: POPs among themselves, every CPE line
 * to every POP of its places (first lines before second ones), and in a full mesh CPEs directly where one
 * end can be called (the others meet through a POP).
 */
function rankedLinks(
  { topology, members }: Pick<SpaceView, "topology" | "members">,
  places: ReadonlyMap<number, PlacedAt>,
) {
  const pops = linkableOf(members, "pop");
  const cpes = linkableOf(members, "cpe");
  const spokes = byTurns(
    cpes.flatMap((cpe) =>
      pops
        .filter(({ id }) => places.get(cpe.id)?.places.has(id))
        .map((pop) => toLinks(cpe, pop, pairLines(cpe, pop))),
    ),
  );
  const backbone = pairsOf(pops).flatMap(([linkable, other]) => {
    const [a, b] = inCallOrder(linkable, other);
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
export const wantedLinks = (view: TopologyView): WantedLink[] =>
  rankedLinks(view, placesOf(view)).flat();

/** Members that no link can be made to, with the reason; one alone in its space lacks none. */
function unlinkedNodes(
  { members, choices }: Pick<SpaceView, "members" | "choices">,
  wanted: readonly WantedLink[],
  places: ReadonlyMap<number, PlacedAt>,
): UnlinkedNode[] {
  if (members.length < 2) return [];
  const linked = new Set(wanted.flatMap(({ a, b }) => [a.node, b.node]));
  return members.filter(isLinkable).flatMap((member): UnlinkedNode[] => {
    // A POP that can only call others carries no site, whether it has a link or not.
    if (member.kind === "pop" && member.lines.length > 0 && callable(member).length === 0) {
      return [{ node: member.id, reason: "noCallable" }];
    }
    const { places: at, closed = [] } = places.get(member.id) ?? {};
    const expired = closed.map((pop) => ({ node: member.id, reason: "popExpired", pop }) as const);
    const strategy =
      member.kind === "cpe" ? choices?.get(member.enterprise ?? 0)?.strategy : undefined;
    // Also where it meets others directly: what its enterprise chose is not there.
    if (
      strategy !== undefined &&
      member.lines.length > 0 &&
      at?.size === 0 &&
      expired.length === 0
    ) {
      return [{ node: member.id, reason: "noPop", strategy }];
    }
    if (linked.has(member.id) || expired.length > 0) return expired;
    if (member.lines.length === 0) return [{ node: member.id, reason: "noLine" }];
    return member.kind === "cpe" ? [{ node: member.id, reason: "noPeer" }] : [];
  });
}

const atText = ({ node, slot }: LineAt): string => `${node} ${slot}`;
/** A pair of lines, whichever of them calls. */
const pairText = (lineAt: LineAt, other: LineAt): string =>
  [atText(lineAt), atText(other)].sort().join(" - ");

const closedPairs = (settings: readonly LinkSettings[]): Set<string> =>
  new Set(settings.filter(({ enabled }) => !enabled).map(({ ends }) => pairText(...ends)));

/** A pair of lines that an operator wants linked; null while neither can be called. */
function addedLink(
  { ends: [lineAt, other] }: LinkSettings,
  nodes: ReadonlyMap<number, Linkable>,
): WantedLink | null {
  const at = ({ node, slot }: LineAt) => {
    const linkable = nodes.get(node);
    const line = linkable?.lines.find((each) => each.slot === slot);
    return linkable && line ? { found: linkable, line } : null;
  };
  const [low, high] = [at(lineAt), at(other)];
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
  const closed = closedPairs(settings);
  const nodes = new Map(members.filter(isLinkable).map((member) => [member.id, member]));
  const open = ranked.map((rank) => rank.filter(({ a, b }) => !closed.has(pairText(a, b))));
  const there = new Set(open.flat().map(({ a, b }) => pairText(a, b)));
  const made = settings
    .filter((setting) => setting.made && setting.enabled && !there.has(pairText(...setting.ends)))
    .flatMap((setting) => addedLink(setting, nodes) ?? []);
  return [made, ...open];
}

/**
 * Links with POPs that their site is to leave: those that there would be if it might use all POPs, unless
 * an operator disabled them. They stay until another one carries.
 */
function leavingLinks(view: SpaceView, wanted: readonly WantedLink[]): ExistingLink[] {
  const isWanted = new Set(wanted.map(identityOf));
  const closed = closedPairs(view.settings);
  const pops = linkableOf(view.members, "pop");
  const cpes = new Map(linkableOf(view.members, "cpe").map((cpe) => [cpe.id, cpe]));
  return view.links.filter((link) => {
    const [cpe, pop] = [cpes.get(link.a.node), pops.find(({ id }) => id === link.b.node)];
    if (!cpe || !pop || isWanted.has(identityOf(link)) || view.mayGo?.has(link.id)) return false;
    if (closed.has(pairText(link.a, link.b))) return false;
    const possible = toLinks(cpe, pop, pairLines(cpe, pop)).map(identityOf);
    return possible.includes(identityOf(link));
  });
}

/** What to add, to change and to remove so that the space has the wanted links, and what it cannot have and why. */
export function computeAdjacencies(view: SpaceView): LinkChanges {
  const places = placesOf(view);
  const ranked = rankedLinks(view, places);
  const wanted = withSettings(ranked, view);
  const leaving = leavingLinks(view, wanted.flat());
  // Who has no link because an operator disabled it lacks none.
  const unlinked = unlinkedNodes(view, [...ranked.flat(), ...wanted.flat()], places);
  const { add, remove, ...rest } = placeLinks([leaving, ...wanted], view.links, view.otherPorts);
  const placeOf = ({ a, b }: WantedLink): Place => places.get(a.node)?.places.get(b.node) ?? null;
  const [gone, left] = [new Set(remove), new Set(leaving)];
  const change = view.links
    .filter((link) => !gone.has(link))
    .map((link) => ({ link, place: placeOf(link), isLeaving: left.has(link) }))
    .filter(
      ({ link, place, isLeaving }) =>
        place !== (link.place ?? null) || isLeaving !== (link.isLeaving ?? false),
    );
  const placed = add.map((link) => ({ ...link, place: placeOf(link) }));
  return { ...rest, add: placed, remove, unlinked, change };
}
