/** Gives wanted links their numbers: an index in the space and a port at each end. Pure. */
import { ranges } from "@weft/contract/rules/number.ts";
import { linksPerSpace } from "#domains/overlay/link/public.ts";

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
  /** Place of its POP among those of the site; absent or null: none of its own. */
  readonly place?: number | null;
  /** The site is to leave its POP, and the link stays until another one carries; absent: no. */
  readonly isLeaving?: boolean;
}

export type NewLink = Omit<ExistingLink, "id" | "isLeaving">;

export interface UnplacedReason {
  readonly reason: "noIndex" | "noPort";
  /** The node without a free port; null: the space has all the links that it can have. */
  readonly full: number | null;
}

/** A wanted link for which there is no room. */
export interface UnplacedLink extends UnplacedReason {
  readonly ends: readonly [number, number];
}

const [firstPort, lastPort] = ranges.tunnelPort;
/** Links of all spaces that one node can have. */
const portsPerNode = lastPort - firstPort + 1;

type OtherPorts = ReadonlyMap<number, ReadonlySet<number>>;

const endText = ({ node, slot, key }: WantedLink["a"]): string => `${node} ${slot} ${key}`;
/** Equal for the same lines of the same devices. */
export const identityOf = ({ a, b }: WantedLink): string => `${endText(a)} ${endText(b)}`;

/** Gives out the free numbers of a range in ascending order; numbers never come back, so each is visited once. */
class FreeNumbers {
  readonly #used: ReadonlySet<number>;
  readonly #last: number;
  #next: number;

  constructor(used: ReadonlySet<number>, first: number, last: number) {
    this.#used = used;
    this.#last = last;
    this.#next = first;
  }

  /** The number that `take` gives; null: none is free. */
  peek(): number | null {
    while (this.#used.has(this.#next)) this.#next += 1;
    return this.#next > this.#last ? null : this.#next;
  }

  take(): number {
    const number = this.peek();
    if (number === null) throw new RangeError(`no number is free up to ${this.#last}`);
    this.#next += 1;
    return number;
  }
}

/** How many links there still is room for: in the space, and at each node beside those of other spaces. */
class Room {
  readonly #otherPorts: OtherPorts;
  readonly #ports = new Map<number, number>();
  #indexes = linksPerSpace;

  constructor(otherPorts: OtherPorts) {
    this.#otherPorts = otherPorts;
  }

  #portsOf(node: number): number {
    return this.#ports.get(node) ?? portsPerNode - (this.#otherPorts.get(node)?.size ?? 0);
  }

  /** Takes the room of one link, or gives the reason why there is none and takes nothing. */
  take({ a, b }: WantedLink): UnplacedReason | null {
    if (this.#indexes === 0) return { reason: "noIndex", full: null };
    const full = [a.node, b.node].find((node) => this.#portsOf(node) === 0);
    if (full !== undefined) return { reason: "noPort", full };
    this.#indexes -= 1;
    for (const node of [a.node, b.node]) this.#ports.set(node, this.#portsOf(node) - 1);
    return null;
  }
}

export interface Placement {
  readonly add: readonly NewLink[];
  readonly remove: readonly ExistingLink[];
  /** What there is no room for, or none yet. */
  readonly unplaced: readonly UnplacedLink[];
  /** Links wait for numbers that those in `remove` have: another step places them. */
  readonly isPartial: boolean;
}

/**
 * What to add and to remove so that the space has the wanted links, as far as there is room. Links that
 * stay keep everything. Numbers of links that go are not given out in the same step: on the devices the
 * old link may live a moment longer than the new one.
 * @param ranked what is wanted, the most important links first: a link of a later rank gives way to
 * those before it, and of one rank those that exist stay
 */
export function placeLinks(
  ranked: readonly (readonly WantedLink[])[],
  links: readonly ExistingLink[],
  otherPorts: OtherPorts,
): Placement {
  const existing = new Set(links.map(identityOf));
  const room = new Room(otherPorts);
  const unplaced: UnplacedLink[] = [];
  const admitted = ranked.flatMap((rank) => {
    const isThere = (link: WantedLink) => existing.has(identityOf(link));
    const inOrder = [...rank.filter(isThere), ...rank.filter((link) => !isThere(link))];
    return inOrder.filter((link) => {
      const lack = room.take(link);
      if (lack) unplaced.push({ ends: [link.a.node, link.b.node], ...lack });
      return lack === null;
    });
  });
  const kept = new Set(admitted.map(identityOf));
  const remove = links.filter((link) => !kept.has(identityOf(link)));
  const fresh = admitted.filter((link) => !existing.has(identityOf(link)));
  const numbered = numberLinks(fresh, links, otherPorts);
  return {
    add: numbered.add,
    remove,
    unplaced: [...unplaced, ...numbered.waiting],
    isPartial: numbered.waiting.length > 0,
  };
}

/** A link that lacks one of its three numbers takes none of them from the others. */
function numberLinks(
  fresh: readonly WantedLink[],
  links: readonly ExistingLink[],
  otherPorts: OtherPorts,
): { readonly add: NewLink[]; readonly waiting: UnplacedLink[] } {
  const indexes = new FreeNumbers(new Set(links.map(({ index }) => index)), 0, linksPerSpace - 1);
  const usedPorts = Map.groupBy(
    links.flatMap(({ a, b, aPort, bPort }) => [
      { node: a.node, port: aPort },
      { node: b.node, port: bPort },
    ]),
    ({ node }) => node,
  );
  const ports = new Map<number, FreeNumbers>();
  const portsOf = (node: number): FreeNumbers => {
    const known = ports.get(node);
    if (known) return known;
    const own = (usedPorts.get(node) ?? []).map(({ port }) => port);
    const used = new Set([...(otherPorts.get(node) ?? []), ...own]);
    const free = new FreeNumbers(used, firstPort, lastPort);
    ports.set(node, free);
    return free;
  };
  const add: NewLink[] = [];
  const waiting: UnplacedLink[] = [];
  for (const link of fresh) {
    const [aPorts, bPorts] = [portsOf(link.a.node), portsOf(link.b.node)];
    const ends = [link.a.node, link.b.node] as const;
    if (indexes.peek() === null) waiting.push({ ends, reason: "noIndex", full: null });
    else if (aPorts.peek() === null) waiting.push({ ends, reason: "noPort", full: link.a.node });
    else if (bPorts.peek() === null) waiting.push({ ends, reason: "noPort", full: link.b.node });
    else {
      add.push({ ...link, index: indexes.take(), aPort: aPorts.take(), bPort: bPorts.take() });
    }
  }
  return { add, waiting };
}
