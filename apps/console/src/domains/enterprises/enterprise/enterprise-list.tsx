import { enterpriseTypes } from "@weft/contract/domains/access/enums.ts";
import { enterprise, enterpriseTreeList } from "@weft/contract/domains/enterprises/enterprise.ts";
import { enterpriseCharge } from "@weft/contract/domains/enterprises/ledger.ts";
import { useState } from "react";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { useMay, useSession } from "#client/session.tsx";
import { codeOptions } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field } from "#kernel/form/field.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { CallDialog } from "#parts/call-dialog.tsx";
import { MoneyInput } from "#parts/fields/money-input.tsx";
import { moneyText } from "#ui/money.tsx";
import { enterpriseColumns } from "./enterprise-columns.tsx";
import { EnterpriseDetails } from "./enterprise-details.tsx";
import { EnterpriseForm } from "./enterprise-form.tsx";
import {
  type EnterpriseRow,
  type EnterpriseTexts,
  useEnterpriseTexts,
} from "./enterprise-texts.ts";
import { byId } from "./lineage.ts";

/** Not randomUUID: that is there over https only. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

interface ChargeDialogProps {
  readonly row: EnterpriseRow | null;
  readonly onClose: () => void;
}

/** Gives an enterprise credit. One opening of the dialog is one recharge, however often it is sent. */
function ChargeDialog({ row, onClose }: ChargeDialogProps) {
  return row && <Open key={row.groupid} row={row} onClose={onClose} />;
}

function Open({ row, onClose }: { readonly row: EnterpriseRow; readonly onClose: () => void }) {
  const t = useEnterpriseTexts();
  const [requestKey] = useState(newKey);
  return (
    <CallDialog
      endpoint={enterpriseCharge}
      open
      title={t("enterprise.chargeTitle", { name: row.name })}
      initial={{ groupid: row.groupid, requestKey, remark: "" }}
      ok={t("enterprise.charge")}
      touches={["enterprise", "rechargeRecord", "dealRecord", "dashboard"]}
      saved={({ balance, repeated }) =>
        t(repeated ? "enterprise.chargedBefore" : "enterprise.charged", {
          balance: moneyText(balance),
        })
      }
      onClose={onClose}
    >
      <Field name="credit" help={t("enterprise.chargeNow", { balance: moneyText(row.balance) })}>
        {(control) => <MoneyInput control={control} placeholder="0.00" autoFocus />}
      </Field>
      <Field name="remark" />
    </CallDialog>
  );
}

interface Props {
  /** The enterprise whose direct customers alone are listed; absent: all. */
  readonly parentId?: number;
}

/** Customers and agents, each with its place in the tree (section 2.3). */
export function EnterpriseList({ parentId }: Props) {
  const t = useEnterpriseTexts();
  const { groupid } = useSession();
  const may = useMay();
  const list = useResourceList(enterprise, {
    fixed: parentId === undefined ? {} : { parentId },
  });
  const tree = useCall(enterpriseTreeList, { isAgent: null, enterpriseType: null });
  const { opened, open, close } = useOpened();
  const actions = actionsOf(t, open);
  const row = list.rows.find((row) => row.groupid === opened?.id) ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const add = { label: t("enterprise.add"), may: "enterpriseAdd" as const, run: () => open("add") };
  // With nothing there yet, the one button is where the rows would be.
  const isBare = list.count === 0 && list.activeFilters === 0;
  return (
    <ListPage
      title={t("enterprise.title")}
      list={list}
      rowKey="groupid"
      columns={enterpriseColumns(t, byId(tree.data ?? []), may)}
      filters={[
        { key: "name", kind: "text", label: t("enterprise.search") },
        {
          key: "enable",
          kind: "select",
          width: 112,
          label: t.field("enable"),
          options: codeOptions(t, "enable", [true, false]),
        },
        ...(parentId === undefined
          ? [{ key: "parentId", kind: EnterpriseFilter, label: t.field("parentId") }]
          : []),
        {
          key: "enterpriseType",
          kind: "select",
          width: 128,
          label: t.field("enterpriseType"),
          options: codeOptions(t, "enterpriseType", enterpriseTypes),
        },
        {
          key: "isAgent",
          kind: "select",
          width: 112,
          label: t.field("isAgent"),
          options: codeOptions(t, "flag", [true, false]),
        },
      ]}
      {...(!isBare && { add })}
      actions={actions}
      empty={{ text: t("enterprise.empty"), ...(may("enterpriseAdd") && { action: add }) }}
    >
      <EnterpriseForm
        open={opened?.what === "add" || isEditing}
        row={isEditing ? row : null}
        parentId={parentId ?? list.filters.parentId ?? groupid}
        onClose={close}
      />
      <ChargeDialog row={opened?.what === "charge" ? row : null} onClose={close} />
      <EnterpriseDetails
        row={row}
        part={row === null ? null : (opened?.what ?? null)}
        open={open}
        onClose={close}
      />
    </ListPage>
  );
}

/** Four fields; the rest is in the drawer of the enterprise. */
const actionsOf =
  (t: EnterpriseTexts, open: (what: string, id?: number) => void) =>
  (row: EnterpriseRow): RowAction[] => [
    {
      key: "edit",
      label: t("act.edit"),
      may: "enterpriseEdit",
      run: () => open("edit", row.groupid),
    },
    {
      key: "charge",
      label: t("enterprise.charge"),
      may: "enterpriseCharge",
      run: () => open("charge", row.groupid),
    },
    {
      key: "report",
      label: t("enterprise.report"),
      to: paths.enterpriseReport(row.groupid),
    },
    { key: "details", label: t("act.details"), run: () => open("details", row.groupid) },
  ];
