import { accountGetById, mobileAccount } from "@weft/contract/domains/mobile/mobile-account.ts";
import {
  clientFlow,
  clientJournal,
  clientPerformance,
} from "@weft/contract/domains/monitoring/node-report.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import { paths } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { RangeCharts } from "#domains/monitoring/parts/report/report-chart.tsx";
import { ReportPage } from "#domains/monitoring/parts/report/report-page.tsx";
import { Await } from "#feedback/await.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { type Column, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import type { Range } from "#parts/range/range.ts";
import { Card } from "#ui/card.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Missing } from "#ui/missing.tsx";
import { TimeText } from "#ui/time-text.tsx";
import { nodeReportMessages } from "./messages.ts";

interface Props {
  readonly id: number;
  readonly range: Range;
}

const keep = { keep: true } as const;

function FlowTab({ id, range }: Props) {
  const result = useCall(clientFlow, { id, ...range }, keep);
  return <RangeCharts result={result} points={(points) => points} show={["bytes"]} />;
}

function PerformanceTab({ id, range }: Props) {
  const result = useCall(clientPerformance, { id, ...range }, keep);
  return <RangeCharts result={result} points={(points) => points} show={["quality", "loss"]} />;
}

type Entry = OutputOf<typeof clientJournal>[number];

function JournalTab({ id }: Props) {
  const t = useTexts(nodeReportMessages);
  const list = useList(clientJournal, { fixed: { id } });
  const columns: Column<Entry>[] = [
    timeColumn("createTime", t("nodeReport.when"), (row: Entry) => row.createTime),
    textColumn(
      "story",
      t("nodeReport.what"),
      (row: Entry) => formatMessage(row.story, t.language),
      {
        width: 480,
      },
    ),
    textColumn("loginName", t("nodeReport.who"), (row: Entry) => row.loginName),
    textColumn("ip", "IP", (row: Entry) => row.ip),
  ];
  return (
    <ResourceTable
      list={list}
      columns={columns}
      rowKey="id"
      empty={<EmptyState kind="first" text={t("nodeReport.noJournal")} />}
    />
  );
}

function DetailTab({ id }: Props) {
  const t = useTexts(nodeReportMessages);
  const result = useCall(accountGetById, { id }, { every: refreshEvery });
  return (
    <Await result={result}>
      {(row) => (
        <Card title={row.alias}>
          <KeyValue
            items={[
              { label: t.field("loginName"), value: row.loginName },
              { label: t.field("enterpriseName"), value: row.enterpriseName },
              { label: t.field("terminalType"), value: t.code("terminalType", row.terminalType) },
              { label: t.field("enable"), value: t.code("enable", row.enable) },
              { label: t.field("popId"), value: row.popName ?? <Missing /> },
              { label: t.field("expire"), value: <TimeText value={row.expire} /> },
              { label: t.field("createTime"), value: <TimeText value={row.createTime} /> },
            ]}
          />
        </Card>
      )}
    </Await>
  );
}

/** Each with the permission of what it asks; null: visible to all who see the account. */
const tabs = {
  detail: ["nodeReport.details", DetailTab, accountGetById.may],
  flow: ["nodeReport.flow", FlowTab, clientFlow.may],
  performance: ["nodeReport.performance", PerformanceTab, clientPerformance.may],
  journal: ["nodeReport.journal", JournalTab, clientJournal.may],
} as const;

/** Accounts that the picker offers. */
const maxAccounts = 1_000;

/** Reports of one mobile account (section 2.4, mobileTerminal/table). */
export default function ClientReportPage() {
  const t = useTexts(nodeReportMessages);
  const may = useMay();
  const { data } = useCall(mobileAccount.ops.list, {
    key: null,
    alias: null,
    groupid: null,
    enable: null,
    page: 1,
    limit: maxAccounts,
    orderByColumn: "alias",
    isAsc: "asc",
  });
  return (
    <ReportPage
      screen="clientReport"
      title={t("nodeReport.client")}
      back={{ to: paths.account(), label: t("nodeReport.backToAccounts") }}
      pick={t("nodeReport.pickAccount")}
      items={data?.map(({ id, alias }) => ({ id, name: alias }))}
      tabs={Object.entries(tabs).map(([key, [label]]) => ({ key, label: t(label) }))}
    >
      {(id, tab, range) => {
        const [, Tab, needed] = tabs[tab as keyof typeof tabs] ?? tabs.detail;
        return may(needed) ? (
          <Tab id={id} range={range} />
        ) : (
          <EmptyState kind="good" text={t("page.forbiddenWhat")} />
        );
      }}
    </ReportPage>
  );
}
