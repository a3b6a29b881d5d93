import {
  rechargeRecordExport,
  rechargeRecordList,
} from "@weft/contract/domains/enterprises/ledger.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { paths } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { moneyColumn, textColumn } from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { RangeBar } from "#parts/range/range-bar.tsx";
import { useRange } from "#parts/range/use-range.ts";
import { recordColumns, useLedgerTexts } from "./record-columns.tsx";

type Recharge = OutputOf<typeof rechargeRecordList>[number];

/** What enterprises were recharged with, by whom; it cannot be changed (section 2.3). */
export default function RechargeRecordPage() {
  const t = useLedgerTexts();
  const may = useMay();
  const picked = useRange("30d");
  const list = useList(rechargeRecordList, { fixed: picked.range });
  return (
    <ListPage
      title={t("ledger.recharges")}
      list={{ ...list, refetch: picked.renewOr(list.refetch) }}
      rowKey="id"
      columns={recordColumns<Recharge>(
        t,
        [
          moneyColumn("credit", t.field("credit"), (row: Recharge) => row.credit, {
            isSigned: true,
          }),
        ],
        textColumn("operator", t.field("operator"), (row: Recharge) => row.operator || null, {
          width: 144,
        }),
      )}
      filters={[{ key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") }]}
      exports={rechargeRecordExport}
      tools={<RangeBar picked={picked} />}
      empty={{
        text: t("ledger.emptyRecharges"),
        ...(may("enterpriseCharge") && {
          action: { label: t("ledger.toEnterprises"), to: paths.enterprise() },
        }),
      }}
    />
  );
}
