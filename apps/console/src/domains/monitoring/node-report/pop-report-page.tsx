import { pop } from "@weft/contract/domains/devices/pop.ts";
import { Link } from "react-router";
import { paths, useBackTo } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { ReportPage } from "#domains/monitoring/parts/report/report-page.tsx";
import { nodeReportMessages } from "./messages.ts";
import { InterfacesTab, LinesTab } from "./node-charts.tsx";

/** Reports of one POP (section 2.4, popTable); its details have a screen of their own. */
export default function PopReportPage() {
  const t = useTexts(nodeReportMessages);
  const back = useBackTo(paths.pop());
  const { data } = useCall(pop.ops.combo, {});
  return (
    <ReportPage
      screen="popReport"
      title={t("nodeReport.pop")}
      back={{ to: back, label: t("nodeReport.backToPop") }}
      pick={t("nodeReport.pickPop")}
      items={data}
      tabs={[
        { key: "line", label: t("nodeReport.lines") },
        { key: "interface", label: t("nodeReport.interfaces") },
      ]}
      aside={(id) => (
        <Link className="w-link" to={paths.popDetail(id)}>
          {t("nodeReport.details")}
        </Link>
      )}
    >
      {(id, tab, range) =>
        tab === "interface" ? (
          <InterfacesTab id={id} range={range} />
        ) : (
          <LinesTab id={id} range={range} />
        )
      }
    </ReportPage>
  );
}
