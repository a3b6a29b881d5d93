/** Random spaces for property tests: the same number gives the same space. */
import type { MemberLine, MemberNode } from "#domains/delivery/links/adjacencies.ts";

export interface Chance {
  /** 0 to n - 1. */
  below(n: number): number;
  may(): boolean;
  shuffled<Item>(items: readonly Item[]): Item[];
}

/** mulberry32: 32 bits of state are plenty for a test. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return {
    below,
    may: () => next() < 0.5,
    shuffled(items) {
      const left = [...items];
      return items.map(() => left.splice(below(left.length), 1)[0] as (typeof items)[number]);
    },
  };
}

const carriers = ["", "telecom", "unicom", "mobile"] as const;

function linesOf(chance: Chance, isPop: boolean): MemberLine[] {
  const slots = [1, 2, 3, 4].filter(() => chance.may());
  return slots.map((slot) => ({
    slot,
    isp: carriers[chance.below(carriers.length)] ?? "",
    callable: isPop ? chance.below(5) > 0 : chance.below(5) === 0,
  }));
}

/** Members of a space: up to three POPs and six CPEs, some of them not fit to be linked. */
export function randomMembers(chance: Chance, firstId = 1): MemberNode[] {
  const pops = chance.below(4);
  const count = pops + chance.below(7);
  return Array.from({ length: count }, (_, at): MemberNode => {
    const isPop = at < pops;
    const id = firstId + at * 3 + chance.below(3);
    return {
      id,
      kind: isPop ? "pop" : "cpe",
      active: chance.below(8) > 0,
      tunnelKey: chance.below(8) > 0 ? `key-${id}-${chance.below(2)}` : null,
      lines: linesOf(chance, isPop),
    };
  });
}
