import { pop } from "@weft/contract/domains/devices/pop.ts";
import { popLog } from "@weft/contract/domains/monitoring/node-log.ts";
import { paths, useBackTo } from "#client/paths.ts";
import { useCall } from "#client/use-call.ts";
import { ReportPage } from "#domains/monitoring/parts/report/report-page.tsx";
import { useNodeLogTexts } from "./log-columns.ts";
import { commonTabs, LogTable } from "./log-tables.tsx";

/** Logs and rankings of one POP (section 2.4, popLog). */
export default function PopLogPage() {
  const t = useNodeLogTexts();
  const back = useBackTo(paths.pop());
  const { data } = useCall(pop.ops.combo, {});
  return (
    <ReportPage
      screen="popLog"
      title={t("nodeLog.pop")}
      back={{ to: back, label: t("nodeLog.toPops") }}
      pick={t("nodeLog.pickPop")}
      items={data}
      home={paths.popLogTab("log")}
      tabs={commonTabs.map((key) => ({ key, label: t(`nodeLog.${key}`) }))}
    >
      {(id, tab, range) => <LogTable calls={popLog} tab={tab} id={id} range={range} />}
    </ReportPage>
  );
}
