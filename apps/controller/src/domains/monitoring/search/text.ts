/** What a text that someone looks for may be. Pure. */
import { formatAddress, parseAddress } from "@weft/contract/rules/address.ts";
import { macIn } from "@weft/contract/rules/mac-forms.ts";
import { initialsPattern } from "./initials.ts";

export interface Wanted {
  /** As typed, without the spaces around it and in characters of one width. */
  readonly text: string;
  /** In its canonical form (RFC 5952); null: it is no IP address. */
  readonly address: string | null;
  /** "02:00:5e:10:00:01"; null: it is no hardware address. */
  readonly mac: string | null;
  /** Regular expression of names with these initials of pinyin; null: it is none. */
  readonly initials: string | null;
}

export const wantedOf = (typed: string): Wanted => {
  const text = typed.normalize("NFKC").trim();
  const folded = text.toLowerCase();
  const parsed = parseAddress(folded);
  return {
    text,
    address: parsed && formatAddress(parsed.family, parsed.address),
    mac: macIn(folded),
    initials: initialsPattern(folded),
  };
};
