import { CallError } from "#client/call.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import {
  type Column,
  copyColumn,
  moneyColumn,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { Card } from "#ui/card.tsx";
import styles from "./kernel-show.module.css";
import { type SampleRow, sampleRows } from "./sample-rows.ts";
import { type ShowTexts, useShowTexts } from "./show-texts.ts";

/** Every kind of column. */
const columnsOf = (t: ShowTexts): Column<SampleRow>[] => [
  stateColumn("state", t("show.state"), (row: SampleRow) => ({
    glyph: row.glyph,
    label: row.glyph,
  })),
  nameColumn("name", t("show.name"), (row: SampleRow) => ({ text: t(row.name), to: "?" })),
  textColumn("text", t("show.text"), (row: SampleRow) => row.text, { missing: t("show.never") }),
  numberColumn("delay", t("show.metric"), (row: SampleRow) => row.delay, { digits: 1 }),
  moneyColumn("balance", t("show.money"), (row: SampleRow) => row.balance, { isSigned: true }),
  copyColumn("sn", t("show.copy"), (row: SampleRow) => row.sn),
  timeColumn("at", t("show.stamp"), (row: SampleRow) => row.at),
  timeColumn("since", t("show.since"), (row: SampleRow) => row.at, { form: "since" }),
];

const actionsOf = (t: ShowTexts, row: SampleRow): RowAction[] => [
  { key: "details", label: t("act.details"), to: "?" },
  {
    key: "edit",
    label: t("act.edit"),
    disabledReason: row.glyph === "ok" ? t("show.locked") : null,
    run: () => undefined,
  },
  { key: "remove", label: t("act.remove"), danger: true, run: () => undefined },
];

export function Columns() {
  const t = useShowTexts();
  return (
    <Card title={t("show.columns")} flush>
      <PlainTable
        rows={sampleRows}
        columns={columnsOf(t)}
        rowKey="id"
        actions={(row) => actionsOf(t, row)}
        empty={null}
      />
    </Card>
  );
}

/** What is shown in place of rows. */
export function ListStates() {
  const t = useShowTexts();
  const columns = columnsOf(t).slice(0, 2);
  const none = { rows: [], columns, rowKey: "id" } as const;
  const first = { label: t("act.add"), run: () => undefined };
  const error = new CallError("refused", t("show.error"), { code: 500, requestId: "0f3c9a72" });
  const states = [
    ["show.loading", <PlainTable key="loading" {...none} isFirstLoad empty={null} />],
    [
      "show.failed",
      <PlainTable key="failed" {...none} error={error} retry={() => undefined} empty={null} />,
    ],
    [
      "show.first",
      <EmptyState key="first" kind="first" text={t("show.firstText")} action={first} />,
    ],
    [
      "show.noMatch",
      <EmptyState key="none" kind="noMatch" filters={2} onClear={() => undefined} />,
    ],
    ["show.good", <EmptyState key="good" kind="good" text={t("show.goodText")} />],
    ["show.waiting", <EmptyState key="waiting" kind="waiting" />],
  ] as const;
  return (
    <Card title={t("show.states")}>
      <div className={styles.states}>
        {states.map(([title, shown]) => (
          <section key={title} aria-label={t(title)}>
            <h3>{t(title)}</h3>
            {shown}
          </section>
        ))}
      </div>
    </Card>
  );
}
