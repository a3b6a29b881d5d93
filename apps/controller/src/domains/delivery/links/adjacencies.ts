/** Which links a space has. Pure: rows in, links to add and to remove out. */
import { topology } from "@weft/contract/domains/devices/enums.ts";
import { linksPerSpace } from "./inner-addresses.ts";

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

export interface LinkEnd {
  readonly node: number;
  readonly slot: number;
  readonly key: string;
}

/** A link's identity: it never changes under it. End a calls, end b is called. */
export interface WantedLink {
  readonly a: LinkEnd;
  readonly b: LinkEnd;
}

export interface ExistingLink extends WantedLink {
  readonly id: number;
  readonly index: number;
  readonly aPort: number;
  readonly bPort: number;
}

export type NewLink = Omit<ExistingLink, "id">;

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

export interface LinkChanges {
  readonly add: readonly NewLink[];
  readonly remove: readonly ExistingLink[];
}

type Linkable = MemberNode & { readonly tunnelKey: string };
const isLinkable = (one: MemberNode): one is Linkable => one.active && one.tunnelKey !== null;

type LinePair = readonly [caller: MemberLine, called: MemberLine];

const firstPort = 51_820;
const lastPort = 65_535;

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

/**
 * The links that the members should have: every CPE line to every POP, POPs among themselves, and
 * in a full mesh CPEs directly where one end can be called (the others meet through a POP).
 */
export function wantedLinks(view: Pick<SpaceView, "topology" | "members">): WantedLink[] {
  const linkable = view.members.filter(isLinkable).sort((one, other) => one.id - other.id);
  const pops = linkable.filter(({ kind }) => kind === "pop");
  const cpes = linkable.filter(({ kind }) => kind === "cpe");
  const spokes = cpes.flatMap((cpe) =>
    pops.flatMap((pop) => toLinks(cpe, pop, pairLines(cpe, pop))),
  );
  const backbone = pairsOf(pops).flatMap(([one, other]) => {
    const [a, b] = inCallOrder(one, other);
    return toLinks(a, b, pairPopLines(a, b));
  });
  if (view.topology !== topology.fullMesh) return [...spokes, ...backbone];
  // Most CPEs cannot be called: pairs are only made where one of the two can.
  const called = new Set(cpes.filter((cpe) => callable(cpe).length > 0).map(({ id }) => id));
  const direct = cpes
    .filter(({ id }) => called.has(id))
    .flatMap((target) =>
      cpes
        .filter(({ id }) => id !== target.id && (!called.has(id) || id < target.id))
        .flatMap((caller) => toLinks(caller, target, pairLines(caller, target))),
    );
  return [...spokes, ...backbone, ...direct];
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

/** Links of the topology, without those that operators disabled and with those that they added. */
function withSettings(
  links: readonly WantedLink[],
  { settings, members }: Pick<SpaceView, "settings" | "members">,
): WantedLink[] {
  if (settings.length === 0) return [...links];
  const closed = new Set(
    settings.filter(({ enabled }) => !enabled).map(({ ends }) => pairText(...ends)),
  );
  const nodes = new Map(members.filter(isLinkable).map((one) => [one.id, one]));
  const open = links.filter(({ a, b }) => !closed.has(pairText(a, b)));
  const there = new Set(open.map(({ a, b }) => pairText(a, b)));
  const made = settings
    .filter((one) => one.made && one.enabled && !there.has(pairText(...one.ends)))
    .flatMap((one) => addedLink(one, nodes) ?? []);
  return [...open, ...made];
}

const endText = ({ node, slot, key }: LinkEnd): string => `${node} ${slot} ${key}`;
const identityOf = ({ a, b }: WantedLink): string => `${endText(a)} ${endText(b)}`;

/** Gives out the smallest numbers that are free, and remembers them. */
function takeFree(used: Set<number>, from: number, to: number): number | null {
  for (let number = from; number <= to; number += 1) {
    if (used.has(number)) continue;
    used.add(number);
    return number;
  }
  return null;
}

/**
 * What to add and to remove so that the space has the wanted links. Links that stay keep
 * everything. Indexes and ports of links that go are not given out in the same step: on the devices
 * the old link may live a moment longer than the new one. What finds no index or port is left out.
 */
export function computeAdjacencies(view: SpaceView): LinkChanges {
  const wanted = withSettings(wantedLinks(view), view);
  const wantedOnes = new Set(wanted.map(identityOf));
  const existing = new Set(view.links.map(identityOf));
  const indexes = new Set(view.links.map(({ index }) => index));
  const ports = new Map<number, Set<number>>();
  const portsOf = (node: number): Set<number> => {
    const used = ports.get(node) ?? new Set(view.otherPorts.get(node));
    ports.set(node, used);
    return used;
  };
  for (const link of view.links) {
    portsOf(link.a.node).add(link.aPort);
    portsOf(link.b.node).add(link.bPort);
  }
  const add = wanted
    .filter((link) => !existing.has(identityOf(link)))
    .flatMap((link): NewLink[] => {
      const index = takeFree(indexes, 0, linksPerSpace - 1);
      const aPort = takeFree(portsOf(link.a.node), firstPort, lastPort);
      const bPort = takeFree(portsOf(link.b.node), firstPort, lastPort);
      return index === null || aPort === null || bPort === null
        ? []
        : [{ ...link, index, aPort, bPort }];
    });
  return { add, remove: view.links.filter((link) => !wantedOnes.has(identityOf(link))) };
}
