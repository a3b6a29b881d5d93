import type { HealthTone } from "@weft/contract/domains/devices/health.ts";
import type { Glyph } from "#ui/glyph.tsx";

/** The shape that goes with each tone: the same one on every screen. */
export const healthGlyphs: Readonly<Record<HealthTone, Glyph>> = {
  bad: "bad",
  warn: "warn",
  run: "run",
  unknown: "unknown",
  ok: "ok",
  off: "disabled",
};
