import { circuitBytes, circuitReportByEnterprise } from "@weft/contract/resources/circuit.ts";
import { enterpriseCombo } from "@weft/contract/resources/enterprise.ts";
import { useMemo } from "react";
import { LineChart } from "#kernel/chart/line-chart.tsx";
import { volumeValue } from "#kernel/chart/value-texts.ts";
import { useNumberParam } from "#kernel/paths.ts";
import { useRange } from "#kernel/range/use-range.ts";
import { useSearch, withWord } from "#kernel/search.ts";
import { useSession } from "#kernel/session.tsx";
import { useTexts } from "#kernel/texts.ts";
import { useCall } from "#kernel/use-call.ts";
import { CircuitCharts, ReportPage } from "./circuit-report.tsx";
import { circuitMessages } from "./messages.ts";

/** The circuits of one enterprise added up (section 2.4). */
export default function CircuitEnterTablePage() {
  const t = useTexts(circuitMessages);
  const { groupid: own } = useSession();
  const groupid = useNumberParam("groupid") ?? own;
  const picked = useRange("24h");
  const [, changeSearch] = useSearch();
  const { data: enterprises = [] } = useCall(enterpriseCombo, {});
  const asked = { groupid, ...picked.range };
  const found = useCall(circuitReportByEnterprise, asked, { keep: true });
  const bytes = useCall(circuitBytes, asked, { keep: true });
  const volumes = useMemo(() => {
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
        options: enterprises.map((one) => ({ value: one.groupid, label: one.name })),
        pick: (id) => changeSearch(withWord("groupid", String(id))),
      }}
    >
      <CircuitCharts found={found} points={found.data} title={t("circuit.reportEnterprise")} />
      <LineChart title={t("circuit.bytes")} series={volumes} text={volumeValue} />
    </ReportPage>
  );
}
