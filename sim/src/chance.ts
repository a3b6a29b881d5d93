import { seededRandom } from "@weft/edge/test/virtual-clock.ts";

/** A stream of chance of its own: what one part draws does not change what another gets. */
export interface Chance {
  bytes(count: number): Uint8Array;
  fraction(): number;
  /** Between `low` and `high`. */
  between(low: number, high: number): number;
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  happens(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** @param stream names the part that draws */
export const chanceOf = (seed: number, stream: number): Chance => {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b));
  const { fraction } = random;
  const between = (low: number, high: number) => low + fraction() * (high - low);
  return {
    ...random,
    between,
    integer: (low, high) => low + Math.floor(fraction() * (high - low + 1)),
    happens: (probability) => fraction() < probability,
    pick: (items) => items[Math.floor(fraction() * items.length)] as (typeof items)[number],
  };
};
