import {
  type Mark,
  type MarkKind,
  markKinds,
  type SiteOverview,
} from "@weft/contract/domains/monitoring/site-overview.ts";
import { useMemo, useState } from "react";
import { useDisplay } from "#client/display.ts";
import { modeOf } from "#client/kept-display.ts";
import { useSearch } from "#client/search.ts";
import { AutoRefreshSwitch } from "#parts/auto-refresh.tsx";
import { dashOf } from "#parts/chart/forms.ts";
import { RangeBar } from "#parts/range/range-bar.tsx";
import type { PickedRange } from "#parts/range/use-range.ts";
import { Zoomable } from "#parts/range/zoomable.tsx";
import { Card } from "#ui/card.tsx";
import { clockText } from "#ui/time-text.tsx";
import { chartLines } from "#ui/tokens.ts";
import { useNarrow } from "#ui/use-narrow.ts";
import { type AxisLink, type Span, shareOf, ticksOf } from "./axis.ts";
import { AxisCharts } from "./axis-charts.tsx";
import { momentText, useSiteTexts } from "./axis-texts.ts";
import { MarkList, MarkRow } from "./marks.tsx";
import { ContactRow, LineRow, LinkRow, Row, type Swatch } from "./strips.tsx";
import styles from "./timeline.module.css";
import { useCursor } from "./use-cursor.ts";

/** Paths that have a line in the charts: more could not be distinguished. */
const maxCharted = 6;
const dayMs = 86_400_000;

interface Props {
  readonly overview: SiteOverview;
  readonly picked: PickedRange;
}

/** Everything that has a time on one axis: what happened, contact, lines, paths and their quality. */
export function Timeline({ overview, picked }: Props) {
  const t = useSiteTexts();
  return (
    <Card
      title={t("axis.title")}
      extra={
        <div className={styles.tools}>
          <AutoRefreshSwitch />
          <RangeBar picked={picked} />
        </div>
      }
    >
      <Zoomable picked={picked}>
        <Axis overview={overview} picked={picked} />
      </Zoomable>
    </Card>
  );
}

const isShown = (kind: MarkKind, marks: readonly Mark[]): boolean =>
  kind !== "move" || marks.some((mark) => mark.kind === kind);

function Axis({ overview, picked }: Props) {
  const [search] = useSearch();
  const { range } = picked;
  const span = useMemo(
    () => ({ from: range.startTime.getTime(), to: range.endTime.getTime() }),
    [range],
  );
  const cursor = useCursor(span);
  const [selected, select] = useState<readonly string[]>([]);
  const { marks, node } = overview;
  const keyOf = ({ kind, id }: Mark): string => `${kind}-${id}`;
  const pickedMarks = marks.filter((mark) => selected.includes(keyOf(mark)));
  return (
    <>
      <div className={styles.axis} {...cursor.handlers}>
        <Layer cursor={cursor} span={span} marks={marks} picked={pickedMarks} />
        {markKinds
          .filter((kind) => isShown(kind, marks))
          .map((kind) => (
            <MarkRow
              key={kind}
              kind={kind}
              marks={marks}
              span={span}
              picked={pickedMarks}
              onPick={(some) => select(some.map(keyOf))}
            />
          ))}
        <Paths overview={overview} span={span} at={cursor.at} />
        <Ticks span={span} />
      </div>
      <MarkList
        marks={marks}
        picked={pickedMarks}
        node={node}
        range={search.get("range")}
        onClear={() => select([])}
      />
    </>
  );
}

interface LayerProps {
  readonly cursor: ReturnType<typeof useCursor>;
  readonly span: Span;
  readonly marks: readonly Mark[];
  readonly picked: readonly Mark[];
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

/** What lies over all rows: changes as thin lines, the part that is dragged over, the cursor. */
function Layer({ cursor: { plot, at, drag }, span, marks, picked }: LayerProps) {
  const lines = marks.filter((mark) => mark.kind === "change" || picked.includes(mark));
  const placeOf = (moment: number) => ({ left: percent(shareOf(moment, span)) });
  return (
    <div className={styles.layer} ref={plot} aria-hidden="true">
      {lines
        .filter(({ from }) => from.getTime() >= span.from)
        .map((mark) => (
          <i
            key={`${mark.kind}-${mark.id}`}
            className={styles.event}
            data-picked={picked.includes(mark) || undefined}
            style={placeOf(mark.from.getTime())}
          />
        ))}
      {drag && (
        <i
          className={styles.drag}
          style={{
            ...placeOf(drag.from),
            width: percent(shareOf(drag.to, span) - shareOf(drag.from, span)),
          }}
        />
      )}
      {at !== null && (
        <i className={styles.cursor} style={placeOf(at)}>
          <span data-end={shareOf(at, span) > 0.9 || undefined}>{momentText(at)}</span>
        </i>
      )}
    </div>
  );
}

interface PathsProps {
  readonly overview: SiteOverview;
  readonly span: Span;
  readonly at: number | null;
}

const dashText = (index: number): string => {
  const dash = dashOf(index);
  if (typeof dash !== "string") return dash.join(" ");
  return { solid: "none", dashed: "5 3", dotted: "2 2" }[dash as string] ?? "none";
};

/** Contact, then each line with its paths, then what was measured on them. */
function Paths({ overview, span, at }: PathsProps) {
  const t = useSiteTexts();
  const mode = modeOf(useDisplay());
  const { contact, lines, links, linkCount, from, step } = overview;
  const steps = useMemo(() => ({ from: from.getTime(), step }), [from, step]);
  const charted = useMemo(() => links.slice(0, maxCharted), [links]);
  const swatchOf = (link: AxisLink): Swatch | null => {
    const index = charted.indexOf(link);
    const colours = chartLines[mode];
    return index < 0
      ? null
      : { colour: colours[index % colours.length] ?? "currentColor", dash: dashText(index) };
  };
  const rowOf = (link: AxisLink) => (
    <LinkRow key={link.id} link={link} steps={steps} span={span} at={at} swatch={swatchOf(link)} />
  );
  const known = new Set(lines.map(({ slot }) => slot));
  return (
    <>
      <ContactRow contact={contact} span={span} />
      {lines.map((line) => (
        <div key={line.slot} className={styles.group}>
          <LineRow line={line} span={span} />
          {links.filter(({ slot }) => slot === line.slot).map(rowOf)}
        </div>
      ))}
      {links.filter(({ slot }) => !known.has(slot)).map(rowOf)}
      {linkCount > links.length && (
        <Row
          label={
            <span className="w-quiet">
              {t("axis.morePaths", { count: linkCount - links.length })}
            </span>
          }
        >
          {null}
        </Row>
      )}
      {links.length > 0 &&
        (links.some(({ quality }) => quality !== null) ? (
          <AxisCharts links={charted} steps={steps} span={span} />
        ) : (
          <p className="w-quiet">{t("axis.noMetrics")}</p>
        ))}
    </>
  );
}

/** The clock below everything. */
function Ticks({ span }: { readonly span: Span }) {
  const t = useSiteTexts();
  const isNarrow = useNarrow();
  const isLong = span.to - span.from > dayMs;
  const textOf = (at: number): string =>
    isLong ? momentText(at) : clockText(new Date(at)).slice(0, 5);
  return (
    <Row label={<span className="w-quiet">{isNarrow ? "" : t("axis.hint")}</span>}>
      <div className={styles.ticks} aria-hidden="true">
        {ticksOf(span, isNarrow ? 4 : 8).map((at) => (
          <span key={at} style={{ "--at": percent(shareOf(at, span)) } as Record<string, string>}>
            {textOf(at)}
          </span>
        ))}
      </div>
    </Row>
  );
}
