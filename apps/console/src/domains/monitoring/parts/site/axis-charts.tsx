import { linkLimits } from "@weft/contract/domains/devices/link-quality.ts";
import { memo, useMemo } from "react";
import { useDisplay } from "#client/display.ts";
import { modeOf } from "#client/kept-display.ts";
import { useTexts } from "#client/texts.ts";
import { later } from "#feedback/later.tsx";
import { chartMessages } from "#parts/chart/messages.ts";
import type { ChartSeries } from "#parts/chart/series.ts";
import { millis, percents } from "#parts/chart/value-texts.ts";
import { chartLines, palettes } from "#ui/tokens.ts";
import type { AxisLink, QualityMetric, Span, Steps } from "./axis.ts";
import { axisOption } from "./axis-option.ts";
import { useSiteTexts } from "./axis-texts.ts";
import { Row } from "./strips.tsx";
import styles from "./timeline.module.css";

const height = 88;
const Canvas = later(
  async () => (await import("#parts/chart/canvas.tsx")).Canvas,
  <div style={{ height }} />,
);
const measures = { loss: percents, delay: millis, jitter: millis } as const;

const tickOf = (value: number, metric: QualityMetric): string => {
  const { unit, size } = measures[metric].unitOf(value);
  return `${Number((value / size).toPrecision(3))} ${unit}`;
};

const metrics: readonly QualityMetric[] = ["loss", "delay", "jitter"];

interface Props {
  /** Of those that have a line of their own in the charts. */
  readonly links: readonly AxisLink[];
  readonly steps: Steps;
  readonly span: Span;
}

/** Loss, round trip and jitter of each path with their limits, on the axis of the strips above. */
export const AxisCharts = memo(function AxisCharts(props: Props) {
  return metrics.map((metric) => <AxisChart key={metric} metric={metric} {...props} />);
});

const seriesOf = (
  { peer, quality }: AxisLink,
  metric: QualityMetric,
  { from, step }: Steps,
): ChartSeries => ({
  name: `${peer.name} wan${peer.slot}`,
  points: (quality?.[metric] ?? []).map((value, index) => ({
    at: new Date(from + index * step * 1_000),
    value,
  })),
});

function AxisChart({ links, metric, steps, span }: Props & { readonly metric: QualityMetric }) {
  const t = useSiteTexts();
  const ofChart = useTexts(chartMessages);
  const display = useDisplay();
  const mode = modeOf(display);
  const isWeak = display.weakMode;
  const { text } = measures[metric];
  const limitText = (name: "fair" | "poor"): string => text(linkLimits[name][metric]);
  const option = useMemo(() => {
    const p = palettes[mode];
    return axisOption(
      links.map((link) => seriesOf(link, metric, steps)),
      metric,
      span,
      {
        text: measures[metric].text,
        tick: (value) => tickOf(value, metric),
        limit: (name) =>
          `${t(`axis.grade.${name}`)} ${measures[metric].text(linkLimits[name][metric])}`,
        gap: ofChart("chart.gap"),
      },
      {
        lines: chartLines[mode],
        text: p.textSecondary,
        hairline: p.hairline,
        ground: p.elevated,
        fair: p.warnText,
        poor: p.bad,
      },
      isWeak,
    );
  }, [links, metric, steps, span, mode, isWeak, t, ofChart]);
  return (
    <Row
      label={
        <div className={styles.metric}>
          <span>{t(`axis.metric.${metric}`)}</span>
          <span className="w-quiet">
            {t("axis.limits", { fair: limitText("fair"), poor: limitText("poor") })}
          </span>
        </div>
      }
    >
      <div
        className={styles.chart}
        role="img"
        aria-label={t("axis.chart", { metric: t(`axis.metric.${metric}`) })}
      >
        <Canvas option={option} height={height} zoom={null} />
      </div>
    </Row>
  );
}
