import type { StateOutcome } from "@weft/contract/domains/delivery/enums.ts";
import type { Glyph } from "#ui/glyph.tsx";

/** How the outcome of a state looks, wherever one is shown. */
export const outcomeGlyphs: Readonly<Record<StateOutcome, Glyph>> = {
  waiting: "off",
  held: "warn",
  delivered: "run",
  applied: "run",
  confirmed: "ok",
  refused: "bad",
  failed: "bad",
  reverted: "bad",
  superseded: "disabled",
};
