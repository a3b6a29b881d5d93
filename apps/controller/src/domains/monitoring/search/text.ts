/** What a text that someone looks for may be. Pure. */
import { formatAddress, parseAddress } from "@weft/contract/rules/address.ts";
import { macIn } from "@weft/contract/rules/mac-forms.ts";

/**
 * Initials of pinyin: `wzmd` finds 温州门店. The order of the characters comes from the pinyin collation of ICU, which
 * Node brings along, so that nothing is stored beside the names. Pure.
 */

/** Latin characters that syllables begin with, and the first character of each in that order. */
const latin = "abcdefghjklmnopqrstwxyz";
const firsts = [..."吖八嚓咑妸发旮哈丌咔垃妈拏噢妑七呥仨他屲夕丫帀"];

/** Characters of names that are read in a second way; the collation knows one of each. */
const secondReadings: Readonly<Record<string, string>> = {
  b: "泊",
  c: "重长朝曾",
  f: "番",
  h: "行",
  l: "六",
  p: "埔",
  s: "石",
  x: "厦",
  y: "乐尉",
};

/** The characters of GB 2312, which nearly all names are made of: 6,763. */
const characters = (): string => {
  const decoder = new TextDecoder("gb18030");
  const rows = Array.from({ length: 0xf7 - 0xb0 + 1 }, (_, row) =>
    Array.from({ length: 94 }, (_, cell) => [0xb0 + row, 0xa1 + cell]).flat(),
  );
  return decoder.decode(Uint8Array.from(rows.flat())).replaceAll(/[^\u4e00-\u9fff]/g, "");
};

const readings = (): ReadonlyMap<string, string> => {
  const { compare } = new Intl.Collator("zh-u-co-pinyin");
  const initialOf = (character: string): string =>
    latin[firsts.findLastIndex((first) => compare(first, character) <= 0)] ?? "";
  const all = Map.groupBy(characters(), initialOf);
  return new Map(
    [...latin].map((initial) => [
      initial,
      [...(all.get(initial) ?? []), secondReadings[initial] ?? ""].join(""),
    ]),
  );
};

let known: ReadonlyMap<string, string> | null = null;

/** One alone would find nearly every name, and more are no abbreviation. */
const isInitials = /^[a-z]{2,8}$/;

/**
 * A regular expression, as PostgreSQL and JavaScript read it, of texts in which characters with these initials follow
 * each other; null: these are no initials. A Latin character stands for itself as well.
 * @param text folded to lower case
 */
export const initialsPattern = (text: string): string | null => {
  if (!isInitials.test(text)) return null;
  known ??= readings();
  return [...text]
    .map((initial) => `[${initial}${initial.toUpperCase()}${known?.get(initial) ?? ""}]`)
    .join("");
};

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
