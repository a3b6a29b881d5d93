import { enterpriseTypes } from "@weft/contract/enums/people.ts";
import {
  enterprise,
  enterpriseEditEn,
  enterpriseTreeList,
} from "@weft/contract/resources/enterprise.ts";
import { useConfirm } from "#kernel/feedback/confirm.tsx";
import { useRemove } from "#kernel/feedback/use-remove.ts";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useOpened } from "#kernel/list/opened.ts";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { useMay, useSession } from "#kernel/session.tsx";
import { useAction } from "#kernel/use-action.ts";
import { useCall } from "#kernel/use-call.ts";
import { enterpriseColumns } from "./enterprise-columns.tsx";
import { EnterpriseForm } from "./enterprise-form.tsx";
import {
  type EnterpriseRow,
  type EnterpriseTexts,
  useEnterpriseTexts,
} from "./enterprise-texts.ts";
import { byId } from "./lineage.ts";

/** Customers and agents, each with its place in the tree (section 2.3). */
export default function EnterprisePage() {
  const t = useEnterpriseTexts();
  const { groupid } = useSession();
  const may = useMay();
  const list = useResourceList(enterprise);
  const tree = useCall(enterpriseTreeList, { isAgent: null, enterpriseType: null });
  const { opened, open, close } = useOpened();
  const actions = useEnterpriseActions(t, open);
  const row = list.rows.find((one) => one.groupid === opened?.id) ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const add = { label: t("enterprise.add"), may: "enterpriseAdd" as const, run: () => open("add") };
  // With nothing there yet, the one button stands where the rows would be.
  const isBare = list.count === 0 && list.activeFilters === 0;
  return (
    <ListPage
      title={t("enterprise.title")}
      list={list}
      rowKey="groupid"
      columns={enterpriseColumns(t, byId(tree.data ?? []))}
      filters={[
        { key: "name", kind: "text", label: t("enterprise.search") },
        {
          key: "enable",
          kind: "select",
          width: 112,
          label: t.field("enable"),
          options: [true, false].map((value) => ({ value, label: t.code("enable", value) })),
        },
        { key: "parentId", kind: "enterprise", label: t.field("parentId") },
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
        parentId={list.filters.parentId ?? groupid}
        onClose={close}
      />
    </ListPage>
  );
}

function useEnterpriseActions(t: EnterpriseTexts, open: (what: string, id?: number) => void) {
  const { groupid: own } = useSession();
  const enable = useEnable(t);
  const remove = useRemove(enterprise, {
    title: ([row]) => t("enterprise.removeTitle", { name: row.name }),
    body: () => t("enterprise.removeBody"),
    typed: ([row]) => row.name,
  });
  return (row: EnterpriseRow): RowAction[] => {
    const ownReason = row.groupid === own ? t("enterprise.own") : null;
    return [
      {
        key: "edit",
        label: t("act.edit"),
        may: "enterpriseEdit",
        run: () => open("edit", row.groupid),
      },
      {
        key: "enable",
        label: t(row.enable ? "act.disable" : "act.enable"),
        may: "enterpriseEdit",
        disabledReason: ownReason,
        run: () => void enable(row),
      },
      {
        key: "remove",
        label: t("act.remove"),
        may: "enterpriseRemove",
        danger: true,
        disabledReason: ownReason,
        run: () => void remove([row]),
      },
    ];
  };
}

/** Turns an enterprise on or off; the question says for whom that means what. */
function useEnable(t: EnterpriseTexts) {
  const confirm = useConfirm();
  const { act } = useAction(enterpriseEditEn);
  return async (row: EnterpriseRow): Promise<void> => {
    const { name, cpeCount } = row;
    const isMeant = await confirm({
      title: t(row.enable ? "enterprise.disableTitle" : "enterprise.enableTitle", { name }),
      body: t(row.enable ? "enterprise.disableBody" : "enterprise.enableBody", { name, cpeCount }),
      ok: t(row.enable ? "act.disable" : "act.enable"),
      danger: row.enable,
    });
    if (isMeant) await act({ groupid: row.groupid, enable: !row.enable });
  };
}
