import type { AlarmLevel } from "@weft/contract/domains/notifications/enums.ts";
import type { Glyph } from "#ui/glyph.tsx";

/** The shape of each severity: rising bars. */
export const levelGlyph: Readonly<Record<AlarmLevel, Glyph>> = {
  1: "critical",
  2: "major",
  3: "minor",
  4: "notice",
};

/** An alarm that lasts, where its severity is not shown beside it by bars: only what needs someone is red. */
export const activeGlyph: Readonly<Record<AlarmLevel, Glyph>> = {
  1: "bad",
  2: "bad",
  3: "warn",
  4: "run",
};
