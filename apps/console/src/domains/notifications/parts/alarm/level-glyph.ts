import type { AlarmLevel } from "@weft/contract/domains/notifications/enums.ts";
import type { Glyph } from "#ui/glyph.tsx";

/** The shape of each severity: rising bars. */
export const levelGlyph: Readonly<Record<AlarmLevel, Glyph>> = {
  1: "critical",
  2: "major",
  3: "minor",
  4: "notice",
};
