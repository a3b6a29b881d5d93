import { defineMessages } from "@weft/contract/kernel/message.ts";
import { useTexts } from "#client/texts.ts";
import { type Column, moneyColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";

const ledgerMessages = defineMessages({
  "ledger.title": ["交易记录", "Transaction records"],
  "ledger.recharges": ["充值记录", "Recharge records"],
  "ledger.time": ["时间", "Time"],
  "ledger.balanceAfter": ["之后余额", "Balance after"],
  "ledger.empty": [
    "这段时间没有扣费、退款或结转。可选择更长的时间范围",
    "No charges, refunds or balances carried over in this range. Select a longer one",
  ],
  "ledger.emptyRecharges": [
    "这段时间没有充值。在企业管理中给企业充值",
    "No recharges in this range. Recharge an enterprise on the page Enterprise management",
  ],
  "ledger.toEnterprises": ["去企业管理", "Go to enterprises"],
});

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
