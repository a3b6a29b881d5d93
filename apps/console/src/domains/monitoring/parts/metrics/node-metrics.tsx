import {
  lineReport,
  linkReport,
  performanceReport,
} from "@weft/contract/domains/monitoring/metrics.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import Segmented from "antd/es/segmented";
import Select from "antd/es/select";
import { type ReactNode, useMemo, useState } from "react";
import type { CallError } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { AutoRefreshSwitch } from "#parts/auto-refresh.tsx";
import { LineChart } from "#parts/chart/line-chart.tsx";
import { seriesOf } from "#parts/chart/series.ts";
import { millis, percents, rates } from "#parts/chart/value-texts.ts";
import { useWindow, type Window, type WindowName, windows } from "#parts/range/use-window.ts";
import styles from "./node-metrics.module.css";

const metricsMessages = defineMessages({
  "metrics.title": ["监控", "Metrics"],
  "metrics.range": ["时间范围", "Time range"],
  "metrics.hour": ["1 小时", "1 h"],
  "metrics.day": ["24 小时", "24 h"],
  "metrics.week": ["7 天", "7 d"],
  "metrics.month": ["30 天", "30 d"],
  "metrics.lines": ["WAN 链路流量", "Throughput of WAN links"],
  "metrics.load": ["处理器与内存", "Processor and memory"],
  "metrics.quality": ["链路时延与抖动", "Delay and jitter of the link"],
  "metrics.loss": ["链路丢包", "Loss of the link"],
  "metrics.link": ["链路", "Link"],
  "metrics.in": ["{name} 入", "{name} in"],
  "metrics.out": ["{name} 出", "{name} out"],
  "metrics.cpu": ["处理器", "Processor"],
  "metrics.memory": ["内存", "Memory"],
  "metrics.delay": ["往返时延", "Round trip"],
  "metrics.jitter": ["抖动", "Jitter"],
  "metrics.lossRate": ["丢包率", "Loss"],
});

interface Props {
  readonly nodeId: number;
  /** Links that may be looked at, the one to start with first. */
  readonly links: readonly { readonly id: number; readonly name: string }[];
  /** Beside the range: where there is more. */
  readonly more?: ReactNode;
}

/** Metrics of a node over time: lines, links, load. */
export function NodeMetrics({ nodeId, links, more }: Props) {
  const t = useTexts(metricsMessages);
  const [name, choose] = useState<WindowName>("hour");
  const range = useWindow(name);
  return (
    <section aria-label={t("metrics.title")} className={styles.metrics}>
      <div className={styles.bar}>
        <h2>{t("metrics.title")}</h2>
        <Segmented
          aria-label={t("metrics.range")}
          value={name}
          onChange={choose}
          options={(Object.keys(windows) as WindowName[]).map((value) => ({
            value,
            label: t(`metrics.${value}`),
          }))}
        />
        <AutoRefreshSwitch />
        {more}
      </div>
      <div className={styles.charts}>
        <Lines nodeId={nodeId} range={range} />
        <Load nodeId={nodeId} range={range} />
        {links.length > 0 && <Links links={links} range={range} />}
      </div>
    </section>
  );
}

/** Waits for metrics; what was shown stays while the window moves on. */
const options = { keep: true } as const;

interface Failing {
  readonly error: CallError | null;
  refetch(): void;
}

function Pending({ call }: { readonly call: Failing }) {
  return call.error ? <Failed error={call.error} retry={call.refetch} /> : <Loading rows={4} />;
}

function Lines({ nodeId, range }: { readonly nodeId: number; readonly range: Window }) {
  const t = useTexts(metricsMessages);
  const result = useCall(lineReport, { id: nodeId, ...range }, options);
  const series = useMemo(
    () =>
      result.data?.items.flatMap(({ lineName: name, points }) => [
        seriesOf(t("metrics.in", { name }), points, ({ inRate }) => inRate),
        seriesOf(t("metrics.out", { name }), points, ({ outRate }) => outRate),
      ]),
    [result.data, t],
  );
  if (!series) return <Pending call={result} />;
  return <LineChart title={t("metrics.lines")} series={series} measure={rates} />;
}

function Load({ nodeId, range }: { readonly nodeId: number; readonly range: Window }) {
  const t = useTexts(metricsMessages);
  const result = useCall(performanceReport, { id: nodeId, ...range }, options);
  const series = useMemo(
    () =>
      result.data && [
        seriesOf(t("metrics.cpu"), result.data.points, ({ cpu }) => cpu),
        seriesOf(t("metrics.memory"), result.data.points, ({ mem }) => mem),
      ],
    [result.data, t],
  );
  if (!series) return <Pending call={result} />;
  return <LineChart title={t("metrics.load")} series={series} measure={percents} />;
}

function Links({ links, range }: Pick<Props, "links"> & { readonly range: Window }) {
  const t = useTexts(metricsMessages);
  // The one in most trouble at first; which that is changes with every measure, the chart must not.
  const [picked, pick] = useState(links[0]?.id);
  const id = links.find((link) => link.id === picked)?.id ?? links[0]?.id ?? 0;
  const result = useCall(linkReport, { id, ...range }, options);
  const points = result.data?.points;
  const [quality, loss] = useMemo(
    () => [
      points && [
        seriesOf(t("metrics.delay"), points, ({ delay }) => delay),
        seriesOf(t("metrics.jitter"), points, ({ jitter }) => jitter),
      ],
      points && [seriesOf(t("metrics.lossRate"), points, (point) => point.loss)],
    ],
    [points, t],
  );
  return (
    <>
      <div className={styles.pick}>
        <span id="metrics-link">{t("metrics.link")}</span>
        <Select
          aria-labelledby="metrics-link"
          value={id}
          onChange={pick}
          showSearch={{ optionFilterProp: "label" }}
          options={links.map((link) => ({ value: link.id, label: link.name }))}
        />
      </div>
      {quality && loss ? (
        <>
          <LineChart title={t("metrics.quality")} series={quality} measure={millis} />
          <LineChart title={t("metrics.loss")} series={loss} measure={percents} />
        </>
      ) : (
        <Pending call={result} />
      )}
    </>
  );
}
