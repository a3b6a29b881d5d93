/**
 * Policy routes that add to the time to live (hop limit) of what they send out by a WAN link, after the device's own
 * decrement. nft writes constants only: one rule for each value that comes out. Pure.
 */
import { markText } from "@weft/contract/device/v1/mark.ts";
import { type PolicyPath, pathMask } from "#drivers/policy-paths.ts";
import { chain, set } from "./nft.ts";

const maxTtl = 255;
const raised = (value: number, by: number): number => Math.min(value + by, maxTtl);
/** A packet that is forwarded has at least one hop left; one with the most keeps it. */
const values = Array.from({ length: maxTtl - 1 }, (_, at) => at + 1);
const resultChain = (value: number): string => `c_ttl_to_${value}`;

const choice = (by: number): string => {
  const jumps = values
    .map((value) => `${value} : goto ${resultChain(raised(value, by))}`)
    .join(", ");
  return chain(`c_ttl_by_${by}`, [`ip ttl vmap { ${jumps} }`, `ip6 hoplimit vmap { ${jumps} }`]);
};

const result = (value: number): string =>
  chain(resultChain(value), [`ip ttl set ${value} accept`, `ip6 hoplimit set ${value} accept`]);

/**
 * Only on the way from a LAN out by a WAN link, for what hosts of the site have opened: a packet that runs in a circle
 * between routers of a LAN, or comes back by a link, loses hops as any other.
 */
export function ttlChains(
  paths: readonly PolicyPath[],
  { lines, lans }: { readonly lines: readonly string[]; readonly lans: readonly string[] },
): string[] {
  const raising = paths.filter(({ ttlIncrement }) => ttlIncrement > 0);
  if (raising.length === 0 || lines.length === 0 || lans.length === 0) return [];
  const increments = [...new Set(raising.map(({ ttlIncrement }) => ttlIncrement))].sort(
    (a, b) => a - b,
  );
  const results = new Set(increments.flatMap((by) => values.map((value) => raised(value, by))));
  const jumps = raising
    .map(({ mark, ttlIncrement }) => `${markText(mark)} : goto c_ttl_by_${ttlIncrement}`)
    .sort();
  return [
    ...[...results].sort((a, b) => a - b).map(result),
    ...increments.map(choice),
    chain(
      "c_ttl",
      [
        `ct direction original iifname ${set(lans)} oifname ${set(lines)} ct mark & ${markText(pathMask)} vmap { ${jumps.join(", ")} }`,
      ],
      "type filter hook forward priority mangle + 5; policy accept;",
    ),
  ];
}
