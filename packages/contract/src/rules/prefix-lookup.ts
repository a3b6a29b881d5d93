/** Longest prefix match, as routing does it (RFC 1812, 5.2.4.3): one look-up for each length that there is. Pure. */
import { type Prefix, parsePrefix, prefixText } from "#rules/address.ts";

const keyOf = ({ family, address }: Prefix, length: number): string =>
  `${family}/${length}/${address >> BigInt((family === 4 ? 32 : 128) - length)}`;

/** Finds the items whose prefix covers another one, those of the longest prefix first. */
const prefixLookup = <Item>(
  items: Iterable<readonly [prefix: Prefix, item: Item]>,
): ((inner: Prefix) => Item[]) => {
  const byKey = Map.groupBy(items, ([prefix]) => keyOf(prefix, prefix.length));
  const placed = [...byKey.values()].flat();
  const lengthsOf = (family: 4 | 6): number[] => [
    ...new Set(placed.flatMap(([prefix]) => (prefix.family === family ? [prefix.length] : []))),
  ];
  const lengths = {
    4: lengthsOf(4).sort((a, b) => b - a),
    6: lengthsOf(6).sort((a, b) => b - a),
  };
  return (inner) =>
    lengths[inner.family]
      .filter((length) => length <= inner.length)
      .flatMap((length) => (byKey.get(keyOf(inner, length)) ?? []).map(([, item]) => item));
};

const lookupOf = (networks: readonly string[]): ((inner: string) => string[]) => {
  const around = prefixLookup(
    networks.flatMap((network) => {
      const prefix = parsePrefix(network);
      return prefix ? [[prefix, network] as const] : [];
    }),
  );
  return (inner) => {
    const prefix = parsePrefix(prefixText(inner));
    return prefix ? around(prefix) : [];
  };
};

/** By list: the networks of a space are looked up in several times, and such a list never changes. */
const lookups = new WeakMap<readonly string[], (inner: string) => string[]>();

/** The same for networks as text: those around an address or a network, the longest first; none around other text. */
export const networksAround = (networks: readonly string[]): ((inner: string) => string[]) => {
  const lookup = lookups.get(networks) ?? lookupOf(networks);
  lookups.set(networks, lookup);
  return lookup;
};

/** Length of the longest of the networks around an address; -1: it is in none. */
export const lengthAround = (networks: readonly string[], address: string): number => {
  const [longest = ""] = networksAround(networks)(address);
  return parsePrefix(longest)?.length ?? -1;
};
