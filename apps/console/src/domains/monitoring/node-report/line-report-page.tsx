import { line } from "@weft/contract/domains/devices/line.ts";
import { lineTableReport } from "@weft/contract/domains/monitoring/node-report.ts";
import { paths, useBackTo, useNumberParam } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { AvailabilityStrip } from "#domains/monitoring/parts/availability/availability-strip.tsx";
import { ReportCharts } from "#domains/monitoring/parts/report/report-chart.tsx";
import { ReportPage } from "#domains/monitoring/parts/report/report-page.tsx";
import { Await } from "#feedback/await.tsx";
import type { Range } from "#parts/range/range.ts";
import { nodeReportMessages } from "./messages.ts";

/** A day: enough to learn which node the line is of. */
const dayMs = 86_400_000;

/** The line with those of the same node, so that one can go on to the next. */
function useLinesBeside(id: number | null) {
  const end = Math.ceil(Date.now() / dayMs) * dayMs;
  const input = id === null ? null : { lineId: id };
  const range = { startTime: new Date(end - dayMs), endTime: new Date(end) };
  const result = useCall(lineTableReport, input && { ...input, ...range });
  const nodeId = result.data?.nodeId;
  const lines = useCall(
    line.ops.list,
    nodeId === undefined ? null : { nodeId, page: 1, limit: 10, orderByColumn: null, isAsc: null },
  );
  const node = result.data?.nodeName ?? "";
  return lines.data?.map((row) => ({ id: row.id, name: `${node} · ${row.name}` }));
}

/** One line: its traffic beside delay and loss, and when it was up (section 2.4, lineTable). */
export default function LineReportPage() {
  const t = useTexts(nodeReportMessages);
  const back = useBackTo(paths.cpe());
  const items = useLinesBeside(useNumberParam("id"));
  return (
    <ReportPage
      screen="lineReport"
      title={t("nodeReport.line")}
      back={{ to: back, label: t("nodeReport.backToCpe") }}
      pick={t("nodeReport.line")}
      items={items ?? []}
      tabs={[]}
    >
      {(id, _, range) => <LineCharts id={id} range={range} />}
    </ReportPage>
  );
}

function LineCharts({ id, range }: { readonly id: number; readonly range: Range }) {
  const t = useTexts(nodeReportMessages);
  const result = useCall(lineTableReport, { lineId: id, ...range }, { keep: true });
  return (
    <Await result={result}>
      {({ nodeName: node, lineName, interfaceName: name, points }) => (
        <>
          <h2>{t("nodeReport.lineOf", { node, line: lineName, name })}</h2>
          <AvailabilityStrip kind="line" id={id} />
          <ReportCharts points={points} show={["rate", "quality", "loss"]} />
        </>
      )}
    </Await>
  );
}
