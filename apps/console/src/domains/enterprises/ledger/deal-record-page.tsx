import { dealTypes } from "@weft/contract/domains/enterprises/enums.ts";
import { dealRecordExport, dealRecordList } from "@weft/contract/domains/enterprises/ledger.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { codeOptions } from "#client/texts.ts";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { moneyColumn, textColumn } from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { RangeBar } from "#parts/range/range-bar.tsx";
import { useRange } from "#parts/range/use-range.ts";
import { recordColumns, useLedgerTexts } from "./record-columns.tsx";

type Transaction = OutputOf<typeof dealRecordList>[number];

/** Charges, refunds and balances carried over; they cannot be changed (section 2.3). */
export default function DealRecordPage() {
  const t = useLedgerTexts();
  const picked = useRange("30d");
  const list = useList(dealRecordList, { fixed: picked.range });
  return (
    <ListPage
      title={t("ledger.title")}
      list={{ ...list, refetch: picked.renewOr(list.refetch) }}
      rowKey="id"
      columns={recordColumns<Transaction>(
        t,
        [
          textColumn("type", t.field("type"), (row: Transaction) => t.code("dealType", row.type), {
            width: 96,
          }),
          moneyColumn("amount", t.field("amount"), (row: Transaction) => row.amount, {
            isSigned: true,
          }),
        ],
        textColumn("target", t.field("target"), (row: Transaction) => row.target || null, {
          width: 208,
        }),
      )}
      filters={[
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
        {
          key: "type",
          kind: "select",
          label: t.field("type"),
          options: codeOptions(t, "dealType", dealTypes),
        },
      ]}
      exports={dealRecordExport}
      tools={<RangeBar picked={picked} />}
      empty={{ text: t("ledger.empty") }}
    />
  );
}
