import Button from "antd/es/button";
import { lazy, Suspense, useMemo, useState } from "react";
import { modeOf, useDisplay } from "#client/display.ts";
import { useTexts } from "#client/texts.ts";
import { Loading } from "#feedback/empty-state.tsx";
import { Card } from "#ui/card.tsx";
import { chartLines, palettes } from "#ui/tokens.ts";
import styles from "./line-chart.module.css";
import { chartMessages } from "./messages.ts";
import { chartOption } from "./option.ts";
import { type ChartSeries, gapsIn, summaryOf } from "./series.ts";

const Canvas = lazy(async () => ({ default: (await import("./canvas.tsx")).Canvas }));
const height = 220;
const dayMs = 86_400_000;

interface Props {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  /** A value with its unit. */
  readonly text: (value: number) => string;
  /** The points are still asked for: the card stands there, as high as it will be. */
  readonly isWaiting?: boolean;
}

/** Lines over time in a card; the table beside it says the same to those who cannot see them. */
export function LineChart({ title, series, text, isWaiting = false }: Props) {
  const t = useTexts(chartMessages);
  const [isTable, showTable] = useState(false);
  const gaps = gapsIn(series);
  const isEmpty = series.every((one) => summaryOf(one) === null);
  return (
    <Card
      title={title}
      extra={
        <>
          {gaps > 0 && !isEmpty && (
            <span className="w-quiet">{t("chart.gaps", { count: gaps })}</span>
          )}
          <Button size="small" type="text" onClick={() => showTable(!isTable)}>
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
        <SummaryTable title={title} series={series} text={text} />
      ) : (
        <Drawing series={series} text={text} />
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

function Drawing({ series, text }: Pick<Props, "series" | "text">) {
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
    return chartOption(series, text, colours, { isLong, isWeak });
  }, [series, text, mode, isWeak]);
  return (
    <Suspense fallback={<Waiting />}>
      <Canvas option={option} height={height} />
    </Suspense>
  );
}

function SummaryTable({ title, series, text }: Pick<Props, "title" | "series" | "text">) {
  const t = useTexts(chartMessages);
  return (
    <table className={styles.table} aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{t("chart.series")}</th>
          <th scope="col">{t("chart.last")}</th>
          <th scope="col">{t("chart.mean")}</th>
          <th scope="col">{t("chart.most")}</th>
        </tr>
      </thead>
      <tbody>
        {series.map((one) => {
          const found = summaryOf(one);
          const cell = (value: number | undefined) => (value === undefined ? "—" : text(value));
          return (
            <tr key={one.name}>
              <th scope="row">{one.name}</th>
              <td>{cell(found?.last)}</td>
              <td>{cell(found?.mean)}</td>
              <td>{cell(found?.most)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
