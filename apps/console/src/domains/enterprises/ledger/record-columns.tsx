import { useTexts } from "#client/texts.ts";
import { type Column, moneyColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { ledgerMessages } from "./messages.ts";

export const useLedgerTexts = () => useTexts(ledgerMessages);
type LedgerTexts = ReturnType<typeof useLedgerTexts>;

interface RecordRow {
  readonly orderNo: string;
  readonly enterpriseName: string;
  readonly balance: number;
  readonly createTime: Date;
  readonly remark: string;
}

/** What both kinds of records show: sums first, so that they are in sight on a small window. */
export const recordColumns = <Row extends RecordRow>(
  t: LedgerTexts,
  sums: readonly Column<Row>[],
  more: Column<Row>,
): Column<Row>[] => [
  timeColumn("createTime", t("ledger.time"), (row: Row) => row.createTime, {
    form: "stamp",
    width: 176,
  }),
  textColumn(
    "enterpriseName",
    t.field("enterpriseName"),
    (row: Row) => row.enterpriseName || null,
    {
      width: 176,
    },
  ),
  ...sums,
  moneyColumn("balance", t("ledger.balanceAfter"), (row: Row) => row.balance),
  more,
  textColumn("orderNo", t.field("orderNo"), (row: Row) => row.orderNo, { width: 144 }),
  textColumn("remark", t.field("remark"), (row: Row) => row.remark || null),
];
