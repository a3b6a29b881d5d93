import { useTexts } from "#client/texts.ts";
import { healthMessages } from "#parts/health/messages.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { nodeMessages } from "./messages.ts";
import type { ChainTone } from "./verdict.ts";

/** Texts of this folder. */
export const useNodeTexts = () => useTexts(nodeMessages, healthMessages);
export type NodeTexts = ReturnType<typeof useNodeTexts>;

export const toneGlyphs: Readonly<Record<ChainTone, Glyph>> = {
  ok: "ok",
  warn: "warn",
  bad: "bad",
  run: "run",
  unknown: "unknown",
};
