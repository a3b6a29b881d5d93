import { useTexts } from "#client/texts.ts";
import { type Column, moneyColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { dealMessages } from "./messages.ts";

export const useDealTexts = () => useTexts(dealMessages);
type DealTexts = ReturnType<typeof useDealTexts>;

interface RecordRow {
  readonly orderNo: string;
  readonly enterpriseName: string;
  readonly balance: number;
  readonly createTime: Date;
  readonly remark: string;
}

/** What both kinds of records show, around what is their own. */
export const recordColumns = <Row extends RecordRow>(
  t: DealTexts,
  own: readonly Column<Row>[],
): Column<Row>[] => [
  timeColumn("createTime", t("deal.time"), (row: Row) => row.createTime, {
    form: "stamp",
    width: 176,
  }),
  textColumn("orderNo", t.field("orderNo"), (row: Row) => row.orderNo, { width: 144 }),
  textColumn(
    "enterpriseName",
    t.field("enterpriseName"),
    (row: Row) => row.enterpriseName || null,
    {
      width: 176,
    },
  ),
  ...own,
  moneyColumn("balance", t("deal.balanceAfter"), (row: Row) => row.balance),
  textColumn("remark", t.field("remark"), (row: Row) => row.remark || null),
];
