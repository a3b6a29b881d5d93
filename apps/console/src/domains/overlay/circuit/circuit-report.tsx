/** What the three reports of circuits share: head with a choice, range, charts. */
import Select from "antd/es/select";
import { type ReactNode, useMemo } from "react";
import { Link } from "react-router";
import { paths, useBackTo } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import type { useCall } from "#client/use-call.ts";
import { Failed } from "#feedback/empty-state.tsx";
import styles from "#parts/chart/chart-grid.module.css";
import { LineChart } from "#parts/chart/line-chart.tsx";
import type { ChartSeries } from "#parts/chart/series.ts";
import { millis, percents, rates } from "#parts/chart/value-texts.ts";
import { RangeBar } from "#parts/range/range-bar.tsx";
import type { PickedRange } from "#parts/range/use-range.ts";
import { Zoomable } from "#parts/range/zoomable.tsx";
import { PageHead } from "#ui/page-head.tsx";
import { circuitMessages } from "./messages.ts";

interface Choice {
  readonly label: string;
  readonly value: number | null;
  readonly options: readonly { readonly value: number; readonly label: string }[];
  pick(value: number): void;
}

interface PageProps {
  readonly title: string;
  readonly picked: PickedRange;
  readonly choice?: Choice;
  readonly children: ReactNode;
}

export function ReportPage({ title, picked, choice, children }: PageProps) {
  const t = useTexts(circuitMessages);
  const back = useBackTo(paths.circuits());
  return (
    <div className={styles.page}>
      <PageHead
        title={title}
        actions={
          <>
            <Link className="w-link" to={back}>
              {t("circuit.back")}
            </Link>
            {choice && (
              <Select
                aria-label={choice.label}
                className="w-choice"
                value={choice.value}
                placeholder={choice.label}
                options={[...choice.options]}
                showSearch={{ optionFilterProp: "label" }}
                onChange={choice.pick}
              />
            )}
          </>
        }
      />
      <RangeBar picked={picked} />
      <Zoomable picked={picked}>{children}</Zoomable>
    </div>
  );
}

interface Point {
  readonly time: Date;
  readonly inRate: number | null;
  readonly outRate: number | null;
  readonly delay?: number | null;
  readonly loss?: number | null;
}

type Found = Pick<ReturnType<typeof useCall>, "error" | "refetch">;

interface ChartsProps {
  /** The call that the points come from, for its error. */
  readonly found: Found;
  readonly points: readonly Point[] | undefined;
  readonly title: string;
  /** Latency and loss too: a single circuit has them. */
  readonly quality?: boolean;
}

/** Traffic over time, and of a single circuit the quality of its links. */
export function CircuitCharts({ found, points, title, quality = false }: ChartsProps) {
  const t = useTexts(circuitMessages);
  const charts = useMemo(() => {
    const of = (name: string, value: (point: Point) => number | null): ChartSeries => ({
      name,
      points: (points ?? []).map((point) => ({ at: point.time, value: value(point) })),
    });
    return {
      rates: [
        of(t("circuit.in"), ({ inRate }) => inRate),
        of(t("circuit.out"), ({ outRate }) => outRate),
      ],
      delay: [of(t("circuit.delay"), ({ delay }) => delay ?? null)],
      loss: [of(t("circuit.loss"), ({ loss }) => loss ?? null)],
    };
  }, [points, t]);
  if (!points && found.error) return <Failed error={found.error} retry={found.refetch} />;
  const isWaiting = points === undefined;
  return (
    <section className={styles.charts} aria-label={title}>
      <div className={styles.wide}>
        <LineChart
          title={t("circuit.traffic")}
          series={charts.rates}
          measure={rates}
          isWaiting={isWaiting}
        />
      </div>
      {quality && (
        <>
          <LineChart
            title={t("circuit.delay")}
            series={charts.delay}
            measure={millis}
            isWaiting={isWaiting}
          />
          <LineChart
            title={t("circuit.loss")}
            series={charts.loss}
            measure={percents}
            isWaiting={isWaiting}
          />
        </>
      )}
    </section>
  );
}
