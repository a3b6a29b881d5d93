import { circuitReportAll } from "@weft/contract/domains/overlay/circuit.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { useRange } from "#parts/range/use-range.ts";
import { CircuitCharts, ReportPage } from "./circuit-report.tsx";
import { circuitMessages } from "./messages.ts";

/** All circuits added up (section 2.4). */
export default function CircuitAllTablePage() {
  const t = useTexts(circuitMessages);
  const picked = useRange("24h");
  const result = useCall(circuitReportAll, picked.range, { keep: true });
  return (
    <ReportPage title={t("circuit.reportAll")} picked={picked}>
      <CircuitCharts found={result} points={result.data} title={t("circuit.reportAll")} />
    </ReportPage>
  );
}
