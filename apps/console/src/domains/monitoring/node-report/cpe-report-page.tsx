import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { logFlow } from "@weft/contract/domains/monitoring/flow-log.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { Link } from "react-router";
import { paths, useBackTo } from "#client/paths.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { ReportPage } from "#domains/monitoring/parts/report/report-page.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { type Column, nameColumn, textColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { volumeValue } from "#parts/chart/value-texts.ts";
import type { Range } from "#parts/range/range.ts";
import { Card } from "#ui/card.tsx";
import { nodeReportMessages } from "./messages.ts";
import {
  ArmPerformanceTab,
  FlowTab,
  InterfacesTab,
  LinesTab,
  MobileTab,
  PerformanceTab,
} from "./node-charts.tsx";

type Pair = OutputOf<typeof logFlow.cpe2cpe>[number];
type Texts = Translate<keyof typeof nodeReportMessages & string>;

interface Props {
  readonly id: number;
  readonly range: Range;
}

/**
 * Traffic of a CPE and, for those who ask, with whom: other CPEs and POPs, those with the most first.
 * Only on request: two more lists would move the page while it opens.
 */
function FlowWithPeers(props: Props) {
  const t = useTexts(nodeReportMessages);
  const [isShown, setShown] = useState(false);
  return (
    <>
      <FlowTab {...props} />
      {isShown ? (
        <>
          <Peers {...props} kind="cpe" />
          <Peers {...props} kind="pop" />
        </>
      ) : (
        <div>
          <Button onClick={() => setShown(true)}>{t("nodeReport.showPeers")}</Button>
        </div>
      )}
    </>
  );
}

const columnsOf = (
  t: Texts,
  ownId: number,
  kind: "cpe" | "pop",
): Column<Pair & { key: string }>[] => {
  // A pair of CPEs is listed once, whichever of the two measures it.
  const isReversed = (row: Pair): boolean => row.cpeId !== ownId;
  const volume = (key: string, title: string, read: (row: Pair) => number) => ({
    ...textColumn(key, title, (row: Pair & { key: string }) => volumeValue(read(row)), {
      width: 136,
    }),
    align: "right" as const,
  });
  return [
    nameColumn("peer", t(kind === "cpe" ? "nodeReport.peerCpe" : "nodeReport.peerPop"), (row) => ({
      text: isReversed(row) ? row.cpeName : row.peerName,
      to:
        kind === "cpe"
          ? paths.cpeDetail(isReversed(row) ? row.cpeId : row.peerId)
          : paths.popDetail(row.peerId),
    })),
    volume("in", t("nodeReport.received"), (row) => (isReversed(row) ? row.outBytes : row.inBytes)),
    volume("out", t("nodeReport.sent"), (row) => (isReversed(row) ? row.inBytes : row.outBytes)),
  ];
};

function Peers({ id, range, kind }: Props & { readonly kind: "cpe" | "pop" }) {
  const t = useTexts(nodeReportMessages);
  const list = useList(kind === "cpe" ? logFlow.cpe2cpe : logFlow.cpe2pop, {
    fixed: { cpeId: id, ...range },
    inUrl: false,
  });
  const rows = list.rows.map((row) => ({ ...row, key: `${row.cpeId}-${row.peerId}` }));
  return (
    <Card title={t(kind === "cpe" ? "nodeReport.withCpes" : "nodeReport.withPops")} flush>
      <ResourceTable
        list={{ ...list, rows }}
        rowKey="key"
        columns={columnsOf(t, id, kind)}
        empty={<EmptyState kind="waiting" text={t("nodeReport.noPeers")} />}
      />
    </Card>
  );
}

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
