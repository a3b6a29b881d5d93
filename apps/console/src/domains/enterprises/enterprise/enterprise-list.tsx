import { enterpriseTypes } from "@weft/contract/domains/access/enums.ts";
import { enterprise, enterpriseTreeList } from "@weft/contract/domains/enterprises/enterprise.ts";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { useMay, useSession } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { ChargeDialog } from "./charge-dialog.tsx";
import { enterpriseColumns } from "./enterprise-columns.tsx";
import { EnterpriseDetails } from "./enterprise-details.tsx";
import { EnterpriseForm } from "./enterprise-form.tsx";
import {
  type EnterpriseRow,
  type EnterpriseTexts,
  useEnterpriseTexts,
} from "./enterprise-texts.ts";
import { byId } from "./lineage.ts";

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
  const row = list.rows.find((one) => one.groupid === opened?.id) ?? null;
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
          options: [true, false].map((value) => ({ value, label: t.code("enable", value) })),
        },
        ...(parentId === undefined
          ? [{ key: "parentId", kind: EnterpriseFilter, label: t.field("parentId") }]
          : []),
        {
          key: "enterpriseType",
          kind: "select",
          width: 128,
          label: t.field("enterpriseType"),
          options: enterpriseTypes.map((value) => ({
            value,
            label: t.code("enterpriseType", value),
          })),
        },
        {
          key: "isAgent",
          kind: "select",
          width: 112,
          label: t.field("isAgent"),
          options: [true, false].map((value) => ({ value, label: t.code("flag", value) })),
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
