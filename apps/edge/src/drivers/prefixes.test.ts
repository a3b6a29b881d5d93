import {
  formatAddress,
  networkOf,
  overlaps,
  parsePrefix,
  spanOf,
} from "@weft/contract/rules/address.ts";
import { describe, expect, it } from "vitest";
import { coveredBy, outermost, outermostSpans, type Span, spansWithout } from "./prefixes.ts";

/** The same numbers each time (Lehmer). */
const seeded = (seed: number) => () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed;
};

/** Few addresses and all lengths, so that most of them lie in one another. */
const someNetworks = (next: () => number, count: number): string[] =>
  Array.from({ length: count }, () => {
    const isFour = next() % 2 === 0;
    const length = (isFour ? 24 : 120) + (next() % 9);
    const address = BigInt(next() % 256) + (isFour ? 0x0a_00_00_00n : 0xfd57n << 112n);
    return networkOf(`${formatAddress(isFour ? 4 : 6, address)}/${length}`);
  });

const isIn = (inner: string, outer: string): boolean => {
  const [one, other] = [parsePrefix(inner), parsePrefix(outer)];
  return one !== null && other !== null && one.length >= other.length && overlaps(one, other);
};

const naiveOutermost = (networks: readonly string[]): string[] => {
  const all = [...new Set(networks)];
  return all.filter((one) => !all.some((other) => other !== one && isIn(one, other)));
};

/** 10.0.0.0 to 10.0.0.255, those whose longest prefix is inside. */
const naiveAddresses = (inside: readonly string[], except: readonly string[]): string[] =>
  Array.from({ length: 256 }, (_, last) => `10.0.0.${last}`).filter((address) => {
    const longest = (networks: readonly string[]) =>
      Math.max(
        -1,
        ...networks
          .filter((network) => isIn(`${address}/32`, network))
          .map((network) => parsePrefix(network)?.length ?? -1),
      );
    return longest(inside) > longest(except);
  });

const addressesIn = (spans: readonly string[]): string[] =>
  spans.flatMap((span) => {
    const [first = 0, last = first] = span.split("-").map((one) => Number(one.split(".")[3]));
    return Array.from({ length: last - first + 1 }, (_, at) => `10.0.0.${first + at}`);
  });

describe("outermost", () => {
  it("is what comparing each with each other gives", () => {
    const next = seeded(1);
    for (let round = 0; round < 300; round += 1) {
      const networks = someNetworks(next, next() % 12);
      expect(outermost(networks).sort()).toEqual(naiveOutermost(networks).sort());
    }
  });

  it("does not read the square of the input, up to 20,000 prefixes", () => {
    const listOf = (count: number): string[] =>
      Array.from(
        { length: count },
        (_, at) => `10.${at >> 8}.${at & 255}.0/${at % 3 === 0 ? 23 : 24}`,
      );
    const readsOf = (networks: readonly string[]): number => {
      let reads = 0;
      const spans = networks.map((network): Span => {
        const span = spanOf(network);
        if (span === null) throw new Error(`${network} is no network`);
        const read = <Field extends keyof Span>(field: Field): Span[Field] => {
          reads += 1;
          return span[field];
        };
        return {
          get family() {
            return read("family");
          },
          get first() {
            return read("first");
          },
          get last() {
            return read("last");
          },
        };
      });
      expect(outermostSpans(spans).length).toBeGreaterThan(networks.length / 4);
      return reads;
    };
    const [few, many] = [readsOf(listOf(5_000)), readsOf(listOf(20_000))];
    // Four times the input: n log n reads 4.7 times as much at most, its square 16 times.
    expect(many / few).toBeLessThan(6);
  });
});

describe("spansWithout", () => {
  it("holds the addresses whose longest prefix is inside, each once", () => {
    const next = seeded(2);
    for (let round = 0; round < 100; round += 1) {
      const [inside, except] = [someNetworks(next, next() % 8), someNetworks(next, next() % 4)];
      const spans = spansWithout(inside, except, 4);
      expect(addressesIn(spans)).toEqual(naiveAddresses(inside, except));
    }
  });

  it.each([
    [["10.0.0.0/25", "10.0.0.128/25"], [], ["10.0.0.0-10.0.0.255"]],
    [["10.0.0.0/30"], ["10.0.0.1/32"], ["10.0.0.0", "10.0.0.2-10.0.0.3"]],
    [["10.0.0.0/8"], ["10.0.0.0/8"], []],
    [["fd57::/16"], [], []],
  ])("%j without %j", (inside, except, spans) =>
    expect(spansWithout(inside, except, 4)).toEqual(spans),
  );

  it("takes both ends of a family's addresses", () => {
    expect(spansWithout(["::/0"], [], 6)).toEqual(["::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]);
    expect(spansWithout(["0.0.0.0/0"], [], 4)).toEqual(["0.0.0.0-255.255.255.255"]);
  });
});

describe("coveredBy", () => {
  it("is what comparing each with each other gives", () => {
    const next = seeded(3);
    for (let round = 0; round < 200; round += 1) {
      const networks = outermost(someNetworks(next, next() % 8));
      const addresses = someNetworks(next, next() % 6).map(
        (network) => network.split("/")[0] ?? "",
      );
      const length = (address: string) => (address.includes(":") ? 128 : 32);
      const naive = networks.filter((network) =>
        addresses.some((address) => isIn(`${address}/${length(address)}`, network)),
      );
      expect(coveredBy(networks, addresses)).toEqual(naive);
    }
  });
});
