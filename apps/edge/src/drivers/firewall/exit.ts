/** What of the space may leave by the lines of a site that announces a default route. Pure. */
import { anyLink, set } from "./nft.ts";

export interface ExitRules {
  /** In the chain of what comes out of a link. */
  readonly fromLink: readonly string[];
  /** Answers, in the chain of what is forwarded. */
  readonly forward: readonly string[];
  readonly nat: readonly string[];
}

/**
 * Networks of the space are dropped before these rules (closed.ts): only other destinations are left, and
 * the packets get the line's address.
 * @param families whose default the site announces
 * @param translate what becomes of the source address
 */
export const exitRules = (
  families: readonly (4 | 6)[],
  wan: readonly string[],
  translate = "masquerade",
): ExitRules => {
  if (wan.length === 0) return { fromLink: [], forward: [], nat: [] };
  const out = `oifname ${set(wan)}`;
  const each = (rules: (family: string) => string[]) =>
    families.flatMap((family) => rules(`meta nfproto ipv${family}`));
  return {
    fromLink: each((family) => [`${family} ${out} accept`]),
    forward: each((family) => [
      `${family} iifname ${set(wan)} oifname ${anyLink} ct state established,related accept`,
    ]),
    nat: each((family) => [`${family} iifname ${anyLink} ${out} ${translate}`]),
  };
};
