/**
 * A section as its difference to one that the device has (docs/adr/0037-space-networks.md). Positions and lengths count
 * UTF-16 code units of the canonical texts. Pure.
 */
import { z } from "zod";
import { sha256Hex } from "#contract/device/v1/text.ts";

export const sectionDelta = z.strictObject({
  /** Hash of the section that it is taken from. */
  base: sha256Hex,
  /** So much of the start of the base stays. */
  start: z.int().min(0),
  /** So much of its end stays. */
  end: z.int().min(0),
  /** What stands between the two. */
  text: z.string(),
});
export type SectionDelta = z.output<typeof sectionDelta>;

/** The difference of two texts that has one place: what they begin with and what they end with is left out. */
export const deltaOf = (
  base: { readonly hash: string; readonly text: string },
  text: string,
): SectionDelta => {
  const shorter = Math.min(base.text.length, text.length);
  let start = 0;
  while (start < shorter && base.text.charCodeAt(start) === text.charCodeAt(start)) start += 1;
  let end = 0;
  const [baseEnd, textEnd] = [base.text.length - 1, text.length - 1];
  while (
    end < shorter - start &&
    base.text.charCodeAt(baseEnd - end) === text.charCodeAt(textEnd - end)
  )
    end += 1;
  return { base: base.hash, start, end, text: text.slice(start, text.length - end) };
};

/** The text that a delta gives; null: the base is shorter than what of it stays. */
export const appliedDelta = ({ start, end, text }: SectionDelta, base: string): string | null =>
  start + end > base.length ? null : base.slice(0, start) + text + base.slice(base.length - end);
