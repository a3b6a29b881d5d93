import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { Link } from "react-router";
import { paths, useBackTo } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { ReportPage } from "#domains/monitoring/parts/report/report-page.tsx";
import { FlowWithPeers } from "./flow-peers.tsx";
import { nodeReportMessages } from "./messages.ts";
import {
  ArmPerformanceTab,
  InterfacesTab,
  LinesTab,
  MobileTab,
  PerformanceTab,
} from "./node-charts.tsx";

const tabs = {
  flow: ["nodeReport.flow", FlowWithPeers],
  performance: ["nodeReport.performance", PerformanceTab],
  line: ["nodeReport.lines", LinesTab],
  "4G": ["nodeReport.fourG", MobileTab],
  armFlow: ["nodeReport.armFlow", InterfacesTab],
  armPerformance: ["nodeReport.armPerformance", ArmPerformanceTab],
} as const;

/** Reports of one CPE (section 2.4, cpeTable); its details have a screen of their own. */
export default function CpeReportPage() {
  const t = useTexts(nodeReportMessages);
  const back = useBackTo(paths.cpe());
  const { data } = useCall(cpe.ops.combo, {});
  return (
    <ReportPage
      screen="cpeReport"
      title={t("nodeReport.cpe")}
      back={{ to: back, label: t("nodeReport.backToCpe") }}
      pick={t("nodeReport.pickCpe")}
      items={data}
      tabs={Object.entries(tabs).map(([key, [label]]) => ({ key, label: t(label) }))}
      aside={(id) => (
        <Link className="w-link" to={paths.cpeDetail(id)}>
          {t("nodeReport.details")}
        </Link>
      )}
    >
      {(id, tab, range) => {
        const [, Tab] = tabs[tab as keyof typeof tabs] ?? tabs.flow;
        return <Tab id={id} range={range} />;
      }}
    </ReportPage>
  );
}
