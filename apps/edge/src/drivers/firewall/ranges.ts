/**
 * Ranges of addresses by which the kernel finds the few rules that may match a packet, whatever their number: the linear
 * search of a rule set becomes one of an interval tree (nft(8), VERDICT MAPS). Pure.
 */
import { formatAddress } from "@weft/contract/rules/address.ts";

/** What holds for the addresses from the first to the last one. */
export interface Spanned<Item> {
  readonly first: bigint;
  readonly last: bigint;
  readonly item: Item;
}

/** A range in which the same items are to be evaluated, in the order in which they were given. */
export interface Leaf<Item> {
  readonly first: bigint;
  readonly last: bigint;
  readonly items: readonly Item[];
}

/**
 * Divides addresses of one family until at most so many items of each range hold for a part of it only; those that hold
 * for all of it cannot be left out by dividing it further. Addresses for which nothing holds are in no range, or in one with others.
 * @param spans in the order of evaluation
 * @returns disjoint ranges in ascending order
 */
export function divide<Item>(spans: readonly Spanned<Item>[], maxItems: number): Leaf<Item>[] {
  const ends = spans.flatMap(({ first, last }) => [first, last + 1n]);
  const points = [...new Set(ends)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const places = new Map(points.map((point, at) => [point, at]));
  // Places are compared instead of addresses, which are large numbers.
  const placed = spans.map(({ first, last, item }) => ({
    from: places.get(first) as number,
    to: places.get(last + 1n) as number,
    item,
  }));
  const leaves: Leaf<Item>[] = [];
  const split = (from: number, to: number, within: typeof placed): void => {
    if (within.length === 0) return;
    const middle = (from + to) >> 1;
    const partial = within.filter((span) => span.from > from || span.to < to).length;
    if (partial > maxItems && middle > from) {
      split(
        from,
        middle,
        within.filter((span) => span.from < middle),
      );
      split(
        middle,
        to,
        within.filter((span) => span.to > middle),
      );
      return;
    }
    leaves.push({
      first: points[from] as bigint,
      last: (points[to] as bigint) - 1n,
      items: within.map(({ item }) => item),
    });
  };
  split(0, points.length - 1, placed);
  return leaves;
}

/** A range as nft has it. */
export const rangeText = (
  family: 4 | 6,
  { first, last }: { readonly first: bigint; readonly last: bigint },
): string =>
  first === last
    ? formatAddress(family, first)
    : `${formatAddress(family, first)}-${formatAddress(family, last)}`;
