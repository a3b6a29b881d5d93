import { useTexts } from "#client/texts.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { nodeMessages } from "./messages.ts";
import type { ChainTone } from "./verdict.ts";

/** Texts of this folder. */
export const useNodeTexts = () => useTexts(nodeMessages);
export type NodeTexts = ReturnType<typeof useNodeTexts>;

export const toneGlyphs: Readonly<Record<ChainTone, Glyph>> = {
  ok: "ok",
  warn: "warn",
  bad: "bad",
  run: "run",
  unknown: "unknown",
};
