import type { ChartSeries } from "#parts/chart/series.ts";
import type { Glyph } from "#ui/glyph.tsx";

/** A moment that stays, so that pictures of the page are the same every day. */
export const longAgo = new Date(Date.UTC(2026, 0, 15, 8, 30));
export const serialNumber = "WEFT-7C2F-90A1-44DE-0B31";

export interface SampleRow {
  readonly id: number;
  readonly name: "show.site" | "show.branch" | "show.long";
  readonly glyph: Glyph;
  readonly text: string | null;
  readonly at: Date | null;
  readonly delay: number | null;
  readonly balance: number;
  readonly sn: string | null;
}

export const sampleRows: readonly SampleRow[] = [
  {
    id: 1,
    name: "show.site",
    glyph: "ok",
    text: "10.20.0.0/16",
    at: longAgo,
    delay: 12.5,
    balance: 1_250_000,
    sn: serialNumber,
  },
  {
    id: 2,
    name: "show.branch",
    glyph: "bad",
    text: null,
    at: null,
    delay: null,
    balance: -45_000,
    sn: null,
  },
  {
    id: 3,
    name: "show.long",
    glyph: "warn",
    text: "2001:db8:20::/48",
    at: longAgo,
    delay: 1_840.2,
    balance: 0,
    sn: serialNumber,
  },
];

const stepMs = 300_000;
const steps = 48;

const wave = (name: string, base: number, swing: number): ChartSeries => ({
  name,
  points: Array.from({ length: steps }, (_, at) => ({
    at: new Date(longAgo.getTime() + at * stepMs),
    // Nothing was measured for an hour: the line has a gap.
    value: at >= 20 && at < 32 ? null : base + swing * Math.sin(at / 5),
  })),
});

export const sampleSeries: readonly ChartSeries[] = [
  wave("wan1", 40, 18),
  wave("wan2", 60, 12),
  wave("wan3", 22, 8),
];
