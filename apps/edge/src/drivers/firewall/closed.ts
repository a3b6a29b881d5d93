/** What of a space may leave by no line, as nft matches it. Pure. */
import { spansWithout } from "#drivers/prefixes.ts";
import { families, type NamedSet, namedSet } from "./sources.ts";

/** What of the spaces in the main namespace must stay off the lines. */
export interface Closed {
  readonly networks: readonly string[];
  /** Those that the site itself has behind its lines. */
  readonly behindLines: readonly string[];
}

export interface ClosedCheck {
  readonly sets: readonly NamedSet[];
  readonly rules: readonly string[];
}

/**
 * Drops what is on its way to a network of the space by a line, whatever route took it there: a lease
 * or a router of the provider that claims the same network, a route of another program. And what comes by a line
 * with a source of the space: its hosts are behind links. In the
 * forward hook only: what a tunnel sends to its other end, and the device to its controller, may
 * well go to an address that a space has too, and come from there.
 *
 * @param lines interfaces as nft matches them; null: there are none
 */
export const checkClosed = (
  { networks, behindLines }: Closed,
  lines: string | null,
): ClosedCheck => {
  if (lines === null || networks.length === 0) return { sets: [], rules: [] };
  const sets = families.map((family) =>
    namedSet(
      `s_space${family}`,
      `type ipv${family}_addr; flags interval;`,
      spansWithout(networks, behindLines, family),
    ),
  );
  return {
    sets,
    rules: sets.flatMap(({ name }, at) => {
      const family = at === 0 ? "ip" : "ip6";
      return [
        `oifname ${lines} ${family} daddr @${name} counter name "h_space_line" drop`,
        `iifname ${lines} ${family} saddr @${name} counter name "h_line_space" drop`,
      ];
    }),
  };
};
