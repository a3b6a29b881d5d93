import Button from "antd/es/button";
import { useMemo, useState } from "react";
import { useDisplay } from "#client/display.ts";
import { modeOf } from "#client/kept-display.ts";
import { useTexts } from "#client/texts.ts";
import { Loading } from "#feedback/empty-state.tsx";
import { later } from "#feedback/later.tsx";
import { useZoom } from "#parts/range/zoomable.tsx";
import { Card } from "#ui/card.tsx";
import { chartLines, palettes } from "#ui/tokens.ts";
import styles from "./line-chart.module.css";
import { chartMessages } from "./messages.ts";
import { chartOption } from "./option.ts";
import { type ChartSeries, gapsIn, maxOf, summaryOf } from "./series.ts";
import type { Measure } from "./value-texts.ts";

const height = 220;
const Canvas = later(async () => (await import("./canvas.tsx")).Canvas, <Waiting />);
const dayMs = 86_400_000;

interface Props {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly measure: Measure;
  /** The points are still asked for: the card is there, as high as it will be. */
  readonly isWaiting?: boolean;
}

/** Lines over time in a card; the table beside it says the same to those who cannot see them. */
export function LineChart({ title, series, measure, isWaiting = false }: Props) {
  const t = useTexts(chartMessages);
  const [isTable, showTable] = useState(false);
  const gaps = gapsIn(series);
  const { unit, size } = measure.unitOf(maxOf(series));
  const isEmpty = series.every((seriesOption) => summaryOf(seriesOption) === null);
  const gapsText = t("chart.gaps", { count: gaps });
  return (
    <Card
      title={title}
      unit={isEmpty ? undefined : unit}
      extra={
        <>
          {gaps > 0 && !isEmpty && (
            <span className={`w-quiet ${styles.gaps}`} title={gapsText}>
              {gapsText}
            </span>
          )}
          <Button
            className={styles.switch ?? ""}
            size="small"
            type="text"
            onClick={() => showTable(!isTable)}
          >
            {t(isTable ? "chart.asChart" : "chart.asTable")}
          </Button>
        </>
      }
    >
      {isWaiting ? (
        <Waiting />
      ) : isEmpty ? (
        <div className={styles.none} style={{ height }}>
          {t("chart.none")}
        </div>
      ) : isTable ? (
        <SummaryTable title={title} series={series} text={measure.text} />
      ) : (
        <Drawing series={series} text={measure.text} size={size} />
      )}
    </Card>
  );
}

function Waiting() {
  return (
    <div style={{ height, overflow: "hidden" }}>
      <Loading rows={4} />
    </div>
  );
}

interface DrawingProps extends Pick<Props, "series"> {
  readonly text: Measure["text"];
  /** Of the axis' unit, in units of the values. */
  readonly size: number;
}

function Drawing({ series, text, size }: DrawingProps) {
  const t = useTexts(chartMessages);
  const zoom = useZoom();
  const display = useDisplay();
  const mode = modeOf(display);
  const isWeak = display.weakMode;
  const option = useMemo(() => {
    const p = palettes[mode];
    const colours = {
      lines: chartLines[mode],
      text: p.textSecondary,
      hairline: p.hairline,
      ground: p.elevated,
    };
    const points = series[0]?.points ?? [];
    const [first, last] = [points[0], points.at(-1)];
    const isLong = first && last ? last.at.getTime() - first.at.getTime() > dayMs : false;
    const tick = (value: number): string => String(Number((value / size).toPrecision(3)));
    const texts = { text, tick, gap: t("chart.gap") };
    return chartOption(series, texts, colours, { isLong, isWeak });
  }, [series, text, size, mode, isWeak, t]);
  return <Canvas option={option} height={height} zoom={zoom} />;
}

interface TableProps extends Pick<Props, "title" | "series"> {
  readonly text: Measure["text"];
}

function SummaryTable({ title, series, text }: TableProps) {
  const t = useTexts(chartMessages);
  return (
    <table className={styles.table} aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{t("chart.series")}</th>
          <th scope="col">{t("chart.last")}</th>
          <th scope="col">{t("chart.mean")}</th>
          <th scope="col">{t("chart.p95")}</th>
          <th scope="col">{t("chart.most")}</th>
        </tr>
      </thead>
      <tbody>
        {series.map((seriesOption) => {
          const summary = summaryOf(seriesOption);
          const cell = (value: number | undefined) => (value === undefined ? "—" : text(value));
          return (
            <tr key={seriesOption.name}>
              <th scope="row">{seriesOption.name}</th>
              <td>{cell(summary?.last)}</td>
              <td>{cell(summary?.mean)}</td>
              <td>{cell(summary?.p95)}</td>
              <td>{cell(summary?.most)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
