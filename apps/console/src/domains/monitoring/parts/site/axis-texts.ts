import type { Mark } from "@weft/contract/domains/monitoring/site-overview.ts";
import { paths, withSearch } from "#client/paths.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { outcomeGlyphs } from "#domains/delivery/parts/history/outcome-glyphs.ts";
import { sitePath } from "#domains/devices/parts/site/tabs.ts";
import { levelGlyph } from "#domains/notifications/parts/alarm/level-glyph.ts";
import { spanKey } from "#parts/range/range.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { numberText } from "#ui/number-text.tsx";
import { stampText } from "#ui/time-text.tsx";
import { siteMessages } from "./messages.ts";

export type SiteTexts = Translate<keyof typeof siteMessages & string>;

export const useSiteTexts = (): SiteTexts => useTexts(siteMessages);

/** What happened, in the reader's language. */
export function markText({ kind, id, text }: Mark, t: SiteTexts): string {
  const story = text[t.language === "zh_cn" ? 0 : 1];
  if (kind !== "delivery") return story;
  return story === ""
    ? t("axis.delivery", { serial: id })
    : t("axis.because", { serial: id, story });
}

export function markGlyph({ kind, level, outcome }: Mark): Glyph {
  if (kind === "alarm") return level === null ? "notice" : levelGlyph[level];
  if (kind === "delivery") return outcome === null ? "unknown" : outcomeGlyphs[outcome];
  return kind === "move" ? "warn" : "diff";
}

/** A little before and after a moment: enough for the list of changes to have it on its first page. */
const aroundMs = 60_000;

/** Where a mark is looked at in full. */
export function markPath(
  { kind, id, from }: Mark,
  node: Parameters<typeof sitePath>[0],
  range: string | null,
): string {
  switch (kind) {
    case "alarm":
      return withSearch(paths.alarms(), { all: 1, ids: id });
    case "change": {
      const around = [-aroundMs, aroundMs].map((ms) => new Date(from.getTime() + ms));
      const [start = from, end = from] = around;
      return sitePath(node, "changes", { range: spanKey(start, end), open: `record-${id}` });
    }
    case "delivery":
      return sitePath(node, "changes", { range, open: `state-${id}` });
    case "move":
      return sitePath(node, "paths", { range });
  }
}

/** "11-26 07:52" */
export const momentText = (at: Date | number): string => stampText(new Date(at)).slice(5, 16);

const hour = 3_600;

/** A length of time, to be read at a glance. @param seconds */
export const lengthText = (seconds: number, t: SiteTexts): string =>
  seconds >= 2 * hour
    ? t("axis.hours", { count: numberText(seconds / hour, 1) })
    : t("axis.minutes", { count: numberText(Math.round(seconds / 60)) });
