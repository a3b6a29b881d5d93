import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { cpeLog } from "@weft/contract/domains/monitoring/node-log.ts";
import { paths, useBackTo } from "#client/paths.ts";
import { useCall } from "#client/use-call.ts";
import { ReportPage } from "#domains/monitoring/parts/report/report-page.tsx";
import { useNodeLogTexts } from "./log-columns.ts";
import { commonTabs, LogTable } from "./log-tables.tsx";
import { SearchedSessions, SearchedVisits } from "./searched-logs.tsx";

/** Logs and rankings of one CPE (section 2.4, cpeLog). */
export default function CpeLogPage() {
  const t = useNodeLogTexts();
  const back = useBackTo(paths.cpe());
  const { data } = useCall(cpe.ops.combo, {});
  return (
    <ReportPage
      screen="cpeLog"
      title={t("nodeLog.cpe")}
      back={{ to: back, label: t("nodeLog.toCpes") }}
      pick={t("nodeLog.pickCpe")}
      items={data}
      home={paths.cpeLogTab("log")}
      tabs={[...commonTabs, "session" as const].map((key) => ({
        key,
        label: t(`nodeLog.${key}`),
      }))}
    >
      {(id, tab, range) =>
        tab === "session" ? (
          <SearchedSessions id={id} range={range} />
        ) : tab === "urlVisitLog" ? (
          <SearchedVisits id={id} range={range} />
        ) : (
          <LogTable calls={cpeLog} tab={tab} id={id} range={range} />
        )
      }
    </ReportPage>
  );
}
