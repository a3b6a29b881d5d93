import { branch } from "@weft/contract/domains/devices/branch.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { nameColumn, numberColumn, textColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { CpeChoice } from "#parts/fields/cpe-choice.tsx";
import { RegionPicker } from "#parts/fields/region-picker.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { type EnterpriseRow, useEnterpriseTexts } from "./enterprise-texts.ts";

type Branch = RowOf<typeof branch>;

const newBranch = (groupid: number): DraftOf<typeof branch> => ({
  groupid,
  name: "",
  regions: [],
  address: "",
  cpeIds: [],
  remark: "",
});

interface Props {
  readonly row: EnterpriseRow;
  readonly onClose: () => void;
}

/** Branches of an enterprise, each with the CPEs that are installed there. */
export function BranchDrawer({ row: { groupid, name }, onClose }: Props) {
  const t = useEnterpriseTexts();
  const list = useResourceList(branch, { fixed: { groupid }, inUrl: false });
  const [edited, setEdited] = useState<Branch | "new" | null>(null);
  const row = edited === "new" ? null : edited;
  const remove = useRemove(branch, {
    title: ([row]) => t("branch.removeTitle", { name: row.name }),
    body: () => t("branch.removeBody"),
  });
  return (
    <Drawer
      open
      size={720}
      title={t("branch.titleOf", { name })}
      onClose={onClose}
      extra={
        <Button type="primary" onClick={() => setEdited("new")}>
          {t("branch.add")}
        </Button>
      }
    >
      <ResourceTable
        list={list}
        rowKey="id"
        columns={[
          nameColumn("name", t.field("name"), (row: Branch) => ({ text: row.name }), {
            width: 144,
          }),
          textColumn(
            "regions",
            t.field("regions"),
            (row: Branch) => row.regions.join(" ") || null,
            {
              width: 176,
            },
          ),
          textColumn("address", t.field("address"), (row: Branch) => row.address || null, {
            width: 208,
          }),
          numberColumn("cpes", t("branch.cpes"), (row: Branch) => row.cpeIds.length, { width: 64 }),
        ]}
        actions={(row: Branch) => [
          { key: "edit", label: t("act.edit"), run: () => setEdited(row) },
          {
            key: "remove",
            label: t("act.remove"),
            danger: true,
            run: () => void remove([row]),
          },
        ]}
        empty={<EmptyState kind="good" text={t("branch.empty")} />}
      />
      <ResourceForm
        resource={branch}
        open={edited !== null}
        row={row}
        title={row ? t("branch.editOf", { name: row.name }) : t("branch.add")}
        initial={newBranch(groupid)}
        onClose={() => setEdited(null)}
      >
        <Field name="name" />
        <Field name="regions">
          {(control) => (
            <RegionPicker
              control={control as FieldControl<readonly string[] | null>}
              placeholder={t("branch.regionHelp")}
            />
          )}
        </Field>
        <Field name="address" />
        <Field name="cpeIds" label={t("branch.cpes")} help={t("branch.cpesHelp")}>
          {(control) => (
            <CpeChoice control={control as FieldControl<readonly number[]>} groupid={groupid} />
          )}
        </Field>
        <Field name="remark" />
      </ResourceForm>
    </Drawer>
  );
}
