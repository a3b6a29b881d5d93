import { useTexts } from "#client/texts.ts";
import type { Glyph } from "#ui/glyph.tsx";
import type { Condition } from "./condition.ts";
import { nodeMessages } from "./messages.ts";
import type { ChainTone } from "./verdict.ts";

/** Texts of this folder. */
export const useNodeTexts = () => useTexts(nodeMessages);
export type NodeTexts = ReturnType<typeof useNodeTexts>;

/** The shape that goes with each state of a node: the same one on every screen. */
export const conditionGlyphs: Readonly<Record<Condition, Glyph>> = {
  offline: "bad",
  cutOff: "bad",
  degraded: "warn",
  pending: "warn",
  unclaimed: "unknown",
  rejected: "disabled",
  quarantined: "bad",
  disabled: "disabled",
  online: "ok",
};

export const toneGlyphs: Readonly<Record<ChainTone, Glyph>> = {
  ok: "ok",
  warn: "warn",
  bad: "bad",
  run: "run",
  unknown: "unknown",
};

/** A serial as text: "#42"; the em dash when there is none. */
export const serialText = (serial: number | null): string => (serial === null ? "—" : `#${serial}`);
