import { pop } from "@weft/contract/domains/devices/pop.ts";
import {
  accountBatchEnable,
  accountBatchRemove,
  accountEditEnable,
  mobileAccount,
  terminalTypes,
} from "@weft/contract/domains/mobile/mobile-account.ts";
import { type ReactNode, useState } from "react";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { useMay, useSession } from "#client/session.tsx";
import { codeOptions } from "#client/texts.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import {
  enterpriseColumn,
  filtersBeside,
  fixedTo,
  type OfEnterprise,
} from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { useRemove } from "#feedback/use-remove.ts";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import {
  type Column,
  copyColumn,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { useSelection } from "#kernel/list/use-selection.ts";
import { type Target, targetOf } from "#parts/batch/target.ts";
import { useBatch } from "#parts/batch/use-batch.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { BandwidthField, megabitsOf } from "#parts/fields/bandwidth-field.tsx";
import type { Glyph } from "#ui/glyph.tsx";
import { AccountClient } from "./account-client.tsx";
import { AccountPassword, BatchExpire } from "./account-dialogs.tsx";
import { type AccountRow, type AccountTexts, useAccountTexts } from "./account-texts.ts";

interface Batch {
  readonly actions: readonly RowAction[];
  readonly dialogs: ReactNode;
}

/** What can be done with many accounts. */
const useAccountBatch = (target: Target, clear: () => void): Batch => {
  const t = useAccountTexts();
  const batches = useBatch([mobileAccount.name]);
  const [isExpiring, setExpiring] = useState(false);
  const { count } = target;
  const enable = (setEnable: boolean) => ({ fields: { setEnable }, onStarted: clear });
  const off = {
    title: t("account.disableTitle", { count }),
    body: t("account.disableBody"),
    ok: t("act.disable"),
  };
  const gone = {
    title: t("account.removeTitleMany", { count }),
    body: t("account.removeBody"),
    ok: t("act.remove"),
  };
  const actions: RowAction[] = [
    {
      key: "enable",
      label: t("act.enable"),
      may: "clientEdit",
      run: () => void batches.start(accountBatchEnable, target, enable(true)),
    },
    {
      key: "disable",
      label: t("act.disable"),
      may: "clientEdit",
      run: () =>
        void batches.start(accountBatchEnable, target, { ...enable(false), question: off }),
    },
    {
      key: "expire",
      label: t("account.batchExpire"),
      may: "accountBatchExpire",
      run: () => setExpiring(true),
    },
    {
      key: "remove",
      label: t("act.remove"),
      may: "accountRemove",
      danger: true,
      run: () =>
        void batches.start(accountBatchRemove, target, { onStarted: clear, question: gone }),
    },
  ];
  const onStarted = (id: number): void => {
    clear();
    batches.show(id);
  };
  const dialogs = (
    <>
      {batches.dialog}
      {isExpiring && (
        <BatchExpire target={target} onStarted={onStarted} onClose={() => setExpiring(false)} />
      )}
    </>
  );
  return { actions, dialogs };
};

interface Props {
  readonly open: boolean;
  /** null: a new one. */
  readonly row: AccountRow | null;
  readonly groupid: number | null;
  readonly onClose: () => void;
}

/** An account. Who may not see bandwidth or set ends has no such fields; what there is stays. */
function AccountForm({ open, row, groupid, onClose }: Props) {
  const t = useAccountTexts();
  const may = useMay();
  const session = useSession();
  return (
    <ResourceForm
      resource={mobileAccount}
      open={open}
      row={row}
      title={row === null ? t("account.add") : t("account.editOf", { name: row.alias })}
      width={720}
      initial={{
        groupid: groupid ?? session.groupid,
        popId: null,
        loginName: "",
        alias: "",
        terminalType: 6,
        enable: true,
        txbps: null,
        rxbps: null,
        phone: null,
        email: null,
        expire: null,
        remark: "",
      }}
      onClose={onClose}
    >
      <Field name="groupid" kind={EnterpriseControl} />
      <FieldRow>
        <Field name="loginName" kind="mono" />
        <Field name="alias" />
      </FieldRow>
      <FieldRow>
        <Field
          name="terminalType"
          kind="select"
          options={codeOptions(t, "terminalType", terminalTypes)}
        />
        <Field name="popId" kind="combo" endpoint={pop.ops.combo} />
      </FieldRow>
      {may("accountQosView") && (
        <FieldRow>
          <BandwidthField name="txbps" help={t("account.bandwidthHelp")} />
          <BandwidthField name="rxbps" help={t("account.bandwidthHelp")} />
        </FieldRow>
      )}
      <FieldRow>
        <Field name="phone" />
        <Field name="email" />
      </FieldRow>
      {may("accountExpire") && (
        <Field name="expire" kind="dateTime" help={t("account.expireHelp")} />
      )}
      <Field name="enable" />
      <Field name="remark" />
    </ResourceForm>
  );
}

/** 3 normal, 4 due soon, 5 expired. */
const licenceGlyphs: Readonly<Record<number, Glyph>> = { 3: "ok", 4: "warn", 5: "bad" };

/** Columns of the accounts; bandwidth only for whom may see it (B-6-16). */
const accountColumns = (t: AccountTexts, seesBandwidth: boolean): Column<AccountRow>[] => [
  enableColumn(t),
  nameColumn(
    "alias",
    t.field("alias"),
    (row: AccountRow) => ({ text: row.alias, to: paths.accountReport(row.id) }),
    { sort: true },
  ),
  textColumn("loginName", t.field("loginName"), (row: AccountRow) => row.loginName, { sort: true }),
  enterpriseColumn<AccountRow>(t.field("enterpriseName")),
  textColumn("terminalType", t.field("terminalType"), (row: AccountRow) =>
    t.code("terminalType", row.terminalType),
  ),
  copyColumn("address", t.field("address"), (row: AccountRow) => row.address, {
    missing: t("client.none"),
  }),
  textColumn("popName", t.field("popId"), (row: AccountRow) => row.popName, {
    missing: t("account.noPop"),
  }),
  ...(seesBandwidth
    ? [
        numberColumn("txbps", t("account.txTitle"), (row: AccountRow) => megabitsOf(row.txbps), {
          missing: t("account.inherited"),
          digits: 1,
        }),
        numberColumn("rxbps", t("account.rxTitle"), (row: AccountRow) => megabitsOf(row.rxbps), {
          missing: t("account.inherited"),
          digits: 1,
        }),
      ]
    : []),
  stateColumn("tokenState", t("account.state"), (row: AccountRow) => ({
    glyph: licenceGlyphs[row.tokenState] ?? "unknown",
    label: t.code("tokenState", row.tokenState),
  })),
  timeColumn("expire", t.field("expire"), (row: AccountRow) => row.expire, {
    sort: true,
    missing: t("account.noEnd"),
  }),
  textColumn("phone", t.field("phone"), (row: AccountRow) => row.phone, { optional: true }),
  textColumn("email", t.field("email"), (row: AccountRow) => row.email, { optional: true }),
  textColumn("remark", t.field("remark"), (row: AccountRow) => row.remark || null),
];

/** What can be done with one account. */
const useAccountActions = (open: (what: string, id?: number) => void) => {
  const t = useAccountTexts();
  const confirm = useConfirm();
  const enable = useAction(accountEditEnable);
  const remove = useRemove(mobileAccount, {
    title: ([row]) => t("account.removeTitle", { name: row.alias }),
    body: () => t("account.removeBody"),
  });
  const setEnabled = async (row: AccountRow, isOn: boolean): Promise<void> => {
    const title = t("account.disableTitle", { count: 1 });
    const question = { title, body: t("account.disableBody"), ok: t("act.disable"), danger: true };
    if (!isOn && !(await confirm(question))) return;
    await enable.act({ ids: [row.id], enable: isOn });
  };
  const rowActions = (row: AccountRow): RowAction[] => [
    { key: "edit", label: t("act.edit"), may: "accountEdit", run: () => open("edit", row.id) },
    {
      key: "enable",
      label: row.enable ? t("act.disable") : t("act.enable"),
      may: "clientEdit",
      run: () => void setEnabled(row, !row.enable),
    },
    {
      key: "client",
      label: t("client.action"),
      may: "clientInfo",
      run: () => open("client", row.id),
    },
    {
      key: "remove",
      label: t("act.remove"),
      may: "accountRemove",
      danger: true,
      run: () => void remove([row]),
    },
  ];
  return rowActions;
};

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
