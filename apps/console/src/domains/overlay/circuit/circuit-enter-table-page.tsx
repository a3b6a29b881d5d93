import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import { circuitBytes, circuitReportByEnterprise } from "@weft/contract/domains/overlay/circuit.ts";
import { useMemo } from "react";
import { useNumberParam } from "#client/paths.ts";
import { useSearch, withParam } from "#client/search.ts";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Failed } from "#feedback/empty-state.tsx";
import { LineChart } from "#parts/chart/line-chart.tsx";
import { volumes } from "#parts/chart/value-texts.ts";
import { useRange } from "#parts/range/use-range.ts";
import { CircuitCharts, ReportPage } from "./circuit-report.tsx";
import { circuitMessages } from "./messages.ts";

/** The circuits of one enterprise added up (section 2.4). */
export default function CircuitEnterTablePage() {
  const t = useTexts(circuitMessages);
  const { groupid: ownGroupid } = useSession();
  const groupid = useNumberParam("groupid") ?? ownGroupid;
  const picked = useRange("24h");
  const [, changeSearch] = useSearch();
  const { data: enterprises = [] } = useCall(enterpriseCombo, {});
  const input = { groupid, ...picked.range };
  const result = useCall(circuitReportByEnterprise, input, { keep: true });
  const bytes = useCall(circuitBytes, input, { keep: true });
  const bytesSeries = useMemo(() => {
    const points = bytes.data ?? [];
    return [
      {
        name: t("circuit.in"),
        points: points.map(({ time, inBytes }) => ({ at: time, value: inBytes })),
      },
      {
        name: t("circuit.out"),
        points: points.map(({ time, outBytes }) => ({ at: time, value: outBytes })),
      },
    ];
  }, [bytes.data, t]);
  return (
    <ReportPage
      title={t("circuit.reportEnterprise")}
      picked={picked}
      choice={{
        label: t("circuit.chooseEnterprise"),
        value: groupid,
        options: enterprises.map((enterprise) => ({
          value: enterprise.groupid,
          label: enterprise.name,
        })),
        pick: (id) => changeSearch(withParam("groupid", String(id))),
      }}
    >
      <CircuitCharts found={result} points={result.data} title={t("circuit.reportEnterprise")} />
      {bytes.error && !bytes.data ? (
        <Failed error={bytes.error} retry={bytes.refetch} />
      ) : (
        <LineChart
          title={t("circuit.bytes")}
          series={bytesSeries}
          measure={volumes}
          isWaiting={bytes.data === undefined}
        />
      )}
    </ReportPage>
  );
}
