import { describe, expect, test } from "vitest";
import { divide, rangeText, type Spanned } from "./ranges.ts";

/** Linear congruential numbers: the same in every run. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** Spans of powers of two among 1,024 addresses, as prefixes are. */
const randomSpans = (seed: number, count: number): Spanned<number>[] => {
  const number = numbersOf(seed);
  return Array.from({ length: count }, (_, item) => {
    const size = 2 ** number(11);
    const first = BigInt(size * number(1_024 / size));
    return { first, last: first + BigInt(size) - 1n, item };
  });
};

describe("ranges of addresses", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "have all that holds for an address, in its order, by spans of seed %i",
    (seed) => {
      for (const most of [0, 1, 4, 16]) {
        const spans = randomSpans(seed, 5 + seed * 10);
        const leaves = divide(spans, most);
        for (let address = 0n; address < 1_024n; address += 1n) {
          const holds = (span: { first: bigint; last: bigint }) =>
            span.first <= address && address <= span.last;
          const of = leaves.filter(holds);
          expect(of.length).toBeLessThanOrEqual(1);
          const wanted = spans.filter(holds).map(({ item }) => item);
          const found = (of[0]?.items ?? []).filter((item) => wanted.includes(item));
          expect(found).toEqual(wanted);
        }
      }
    },
  );

  test("with nothing in part are those in which the same spans hold", () => {
    const spans = [
      { first: 0n, last: 255n, item: "wide" },
      { first: 16n, last: 31n, item: "narrow" },
    ];
    expect(divide(spans, 0)).toEqual([
      { first: 0n, last: 15n, items: ["wide"] },
      { first: 16n, last: 31n, items: ["wide", "narrow"] },
      { first: 32n, last: 255n, items: ["wide"] },
    ]);
    expect(divide([], 0)).toEqual([]);
  });

  test("of thousands of addresses are short, whatever the number of rules", () => {
    const spans = Array.from({ length: 10_000 }, (_, at) => ({
      first: BigInt(at * 3),
      last: BigInt(at * 3),
      item: at,
    }));
    const leaves = divide(spans, 16);
    expect(Math.max(...leaves.map(({ items }) => items.length))).toBeLessThanOrEqual(16);
    expect(leaves.reduce((sum, { items }) => sum + items.length, 0)).toBe(10_000);
  });

  test("are written as nft has them", () => {
    expect(rangeText(4, { first: 0x0a000001n, last: 0x0a000001n })).toBe("10.0.0.1");
    expect(rangeText(4, { first: 0n, last: 2n ** 32n - 1n })).toBe("0.0.0.0-255.255.255.255");
    expect(rangeText(6, { first: 1n << 120n, last: (1n << 120n) + 1n })).toBe("100::-100::1");
  });
});
