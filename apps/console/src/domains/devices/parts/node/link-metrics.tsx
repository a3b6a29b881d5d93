import { type Column, stateColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { Missing } from "#ui/missing.tsx";
import { megabits, millisText, numberText } from "#ui/number-text.tsx";
import { excessText } from "./excess.ts";
import type { LinkRow } from "./link-end.ts";
import type { NodeTexts } from "./node-texts.ts";

const metric = (value: number | null, text: (value: number) => string, t: NodeTexts) =>
  value === null ? <Missing reason={t("link.noMeasure")} /> : text(value);

/** Closed by an operator is a state of its own: it needs no attention. */
const linkState = (row: LinkRow, t: NodeTexts) =>
  !row.enable
    ? ({ glyph: "disabled", label: t.code("enable", false) } as const)
    : row.status !== 1
      ? ({ glyph: "bad", label: t.code("linkUp", 0) } as const)
      : row.excess
        ? ({ glyph: "warn", label: t("link.poor"), hint: excessText(row.excess, t) } as const)
        : ({ glyph: "ok", label: t.code("linkUp", 1) } as const);

export const linkStateColumn = (t: NodeTexts): Column<LinkRow> =>
  stateColumn("status", t("link.state"), (row: LinkRow) => linkState(row, t), { width: 112 });

const measure = (
  key: string,
  title: string,
  value: (row: LinkRow) => number | null,
  text: (value: number) => string,
  t: NodeTexts,
): Column<LinkRow> => ({
  key,
  title,
  align: "right",
  width: 96,
  cell: (row) => metric(value(row), text, t),
});

/** Round trip, jitter and loss as last reported; the unit is in the head. */
export const measureColumns = (t: NodeTexts): Column<LinkRow>[] => [
  measure("delay", t("link.delay"), (row) => row.delay, millisText, t),
  measure("jitter", t("link.jitter"), (row) => row.jitter, millisText, t),
  measure(
    "loss",
    t("link.loss"),
    (row) => row.loss,
    (value) => numberText(value, 1),
    t,
  ),
];

/** Rates in Mbit/s; `heads` and `rates` say which way "in" is. */
export const rateColumns = (
  t: NodeTexts,
  heads: { readonly in: string; readonly out: string },
  rates: (row: LinkRow) => { inRate: number | null; outRate: number | null },
): Column<LinkRow>[] => [
  measure("inRate", heads.in, (row) => rates(row).inRate, megabits, t),
  measure("outRate", heads.out, (row) => rates(row).outRate, megabits, t),
];

export const spaceColumn = (t: NodeTexts): Column<LinkRow> =>
  textColumn("netSpaceName", t("link.space"), (row: LinkRow) => row.netSpaceName, { width: 136 });

export const measuredColumn = (t: NodeTexts): Column<LinkRow> =>
  timeColumn("updateTime", t("link.measured"), (row: LinkRow) => row.updateTime, {
    form: "since",
    width: 96,
  });
