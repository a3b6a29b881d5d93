import { lineReport, performanceReport } from "@weft/contract/domains/monitoring/metrics.ts";
import {
  armFlowReport,
  armPerformanceReport,
  flowReport,
  fourGReport,
} from "@weft/contract/domains/monitoring/node-report.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import {
  isMeasured,
  RangeCharts,
  ReportCharts,
} from "#domains/monitoring/parts/report/report-chart.tsx";
import { Await } from "#feedback/await.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import type { Range } from "#parts/range/range.ts";
import { nodeReportMessages } from "./messages.ts";

interface Props {
  readonly id: number;
  readonly range: Range;
}

const keep = { keep: true } as const;

/** Traffic of all lines together. */
export function FlowTab({ id, range }: Props) {
  const result = useCall(flowReport, { id, ...range }, keep);
  return <RangeCharts result={result} points={({ points }) => points} show={["rate", "bytes"]} />;
}

/** Load of the device. */
export function PerformanceTab({ id, range }: Props) {
  const result = useCall(performanceReport, { id, ...range }, keep);
  return <RangeCharts result={result} points={({ points }) => points} show={["load"]} />;
}

/** Load of the device beside the quality of its worst link. */
export function ArmPerformanceTab({ id, range }: Props) {
  const result = useCall(armPerformanceReport, { id, ...range }, keep);
  return (
    <RangeCharts
      result={result}
      points={({ points }) => points}
      show={["load", "quality", "loss"]}
    />
  );
}

interface ItemsProps extends Props {
  readonly call: typeof lineReport | typeof fourGReport | typeof armFlowReport;
  readonly none: "nodeReport.noLines" | "nodeReport.noMobile";
}

const shown = ["rate"] as const;

/** One chart for each line or interface. */
function Items({ id, range, call, none }: ItemsProps) {
  const t = useTexts(nodeReportMessages);
  const result = useCall(call, { id, ...range }, keep);
  return (
    <Await result={result} waiting={<ReportCharts points={undefined} show={shown} />}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState kind="waiting" text={t(none)} />
        ) : !items.some(({ points }) => isMeasured(points, shown)) ? (
          <ReportCharts points={[]} show={shown} />
        ) : (
          items.map(({ name, lineName, points }) => (
            <ReportCharts
              key={name}
              of={lineName === name ? name : `${lineName} ${name}`}
              points={points}
              show={shown}
            />
          ))
        )
      }
    </Await>
  );
}

export function LinesTab(props: Props) {
  return <Items {...props} call={lineReport} none="nodeReport.noLines" />;
}

export function MobileTab(props: Props) {
  return <Items {...props} call={fourGReport} none="nodeReport.noMobile" />;
}

export function InterfacesTab(props: Props) {
  return <Items {...props} call={armFlowReport} none="nodeReport.noLines" />;
}
