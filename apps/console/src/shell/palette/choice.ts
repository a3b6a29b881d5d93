/** What the palette offers, and how a text finds it. */
import { foundKinds } from "@weft/contract/domains/monitoring/search.ts";
import type { Glyph } from "#ui/glyph.tsx";

/** Kinds in the order of their groups: what is known immediately comes before what is fetched. */
export const kinds = ["screen", "action", ...foundKinds] as const;
export type Kind = (typeof kinds)[number];

export interface Choice {
  /** Unlike that of any other choice: "cpe:3", "screen:/sdwan-system/pop". */
  readonly id: string;
  readonly kind: Kind;
  readonly title: string;
  /** Shown behind the title: the branch of a screen, the serial number of a device. */
  readonly note: string;
  /** The title in the other language; empty: it has none. */
  readonly other: string;
  readonly glyph?: Glyph;
  run(): void;
  /** What else can be done with it; absent or empty: nothing. */
  readonly verbs?: readonly Choice[];
}

export interface Group {
  readonly key: Kind | "recent" | "verb";
  readonly choices: readonly Choice[];
}

/** A text as it is compared: width and case of its letters say nothing. */
export const folded = (text: string): string => text.normalize("NFKC").toLowerCase().trim();

/**
 * A text cut around the first place of what was looked for: before, found, after. Not found: all of
 * it before. `wanted` is folded.
 */
export const cutAround = (text: string, wanted: string): readonly [string, string, string] => {
  const at = wanted === "" ? -1 : text.toLowerCase().indexOf(wanted);
  if (at < 0) return [text, "", ""];
  const end = at + wanted.length;
  return [text.slice(0, at), text.slice(at, end), text.slice(end)];
};

/** How well a choice fits: 0 its title begins so, 1 the title has it, 2 something beside; null: not. */
const fitOf = ({ title, other, note }: Choice, wanted: string): number | null => {
  const [text, second] = [folded(title), folded(other)];
  if (text.startsWith(wanted) || second.startsWith(wanted)) return 0;
  if (text.includes(wanted) || second.includes(wanted)) return 1;
  return folded(note).includes(wanted) ? 2 : null;
};

/**
 * The choices that a text finds, the best first; those that fit alike keep their order.
 * @param most how many at most
 */
export const matchingChoices = (
  choices: readonly Choice[],
  text: string,
  max: number,
): Choice[] => {
  const wanted = folded(text);
  return choices
    .map((choice) => ({ choice, fit: fitOf(choice, wanted) }))
    .filter((one): one is { choice: Choice; fit: number } => one.fit !== null)
    .sort((one, next) => one.fit - next.fit)
    .slice(0, max)
    .map(({ choice }) => choice);
};

/** What a choice shows behind its title: the other language's title, where that is what was found. */
export const noteOf = ({ title, other, note }: Choice, wanted: string): string =>
  wanted !== "" && !folded(title).includes(wanted) && folded(other).includes(wanted) ? other : note;
