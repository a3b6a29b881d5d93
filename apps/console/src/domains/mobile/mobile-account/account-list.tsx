import { mobileAccount } from "@weft/contract/domains/mobile/mobile-account.ts";
import { useOpened } from "#client/opened.ts";
import { useMay } from "#client/session.tsx";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import {
  filtersBeside,
  fixedTo,
  type OfEnterprise,
} from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { useSelection } from "#kernel/list/use-selection.ts";
import { targetOf } from "#parts/batch/target.ts";
import { useAccountActions } from "./account-actions.ts";
import { useAccountBatch } from "./account-batch.tsx";
import { AccountClient } from "./account-client.tsx";
import { accountColumns } from "./account-columns.tsx";
import { AccountPassword } from "./account-dialogs.tsx";
import { AccountForm } from "./account-form.tsx";
import { type AccountRow, useAccountTexts } from "./account-texts.ts";

/** Accounts of mobile and soft terminals (section 7.3). */
export function AccountList({ groupid: fixed }: OfEnterprise) {
  const t = useAccountTexts();
  const may = useMay();
  const list = useResourceList(mobileAccount, { fixed: fixedTo(fixed) });
  const selection = useSelection<AccountRow>("id", list);
  const { opened, open, close } = useOpened();
  const batch = useAccountBatch(targetOf(selection, list), selection.clear);
  const rowActions = useAccountActions(open);
  const add = { label: t("account.add"), may: "clientAdd" as const, run: () => open("add") };
  const row = list.rows.find(({ id }) => id === opened?.id) ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const groupid = fixed ?? list.filters.groupid;
  return (
    <ListPage
      title={t("account.title")}
      list={list}
      rowKey="id"
      columns={accountColumns(t, may("accountQosView"))}
      filters={filtersBeside(fixed, [
        { key: "alias", kind: "text", label: t("account.search") },
        {
          key: "key",
          kind: "select",
          label: t("account.state"),
          options: ["4", "5"].map((value) => ({
            value,
            label: t.code("tokenState", Number(value)),
          })),
        },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("enterpriseName") },
      ])}
      add={add}
      actions={rowActions}
      selection={selection}
      batch={() => batch.actions}
      canTakeAll
      empty={{ text: t("account.empty"), ...(may("clientAdd") && { action: add }) }}
    >
      <AccountForm
        open={opened?.what === "add" || isEditing}
        row={isEditing ? row : null}
        groupid={groupid}
        onClose={close}
      />
      {opened?.what === "client" && row && (
        <AccountClient row={row} onPassword={() => open("password", row.id)} onClose={close} />
      )}
      {opened?.what === "password" && row && <AccountPassword row={row} onClose={close} />}
      {batch.dialogs}
    </ListPage>
  );
}
