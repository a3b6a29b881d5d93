import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { cug } from "@weft/contract/domains/overlay/cug.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { useOpened } from "#client/opened.ts";
import { useSession } from "#client/session.tsx";
import { type Translate, useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { CpeChoice } from "#domains/devices/parts/node/cpe-choice.tsx";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { Field, type FieldControl, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  textColumn,
  wordColumns,
} from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { enableColumn } from "#parts/enable-column.tsx";
import { BandwidthField, megabitsOf } from "#parts/fields/bandwidth-field.tsx";
import { cugMessages } from "./messages.ts";

type Row = RowOf<typeof cug>;
type CugTexts = Translate<keyof typeof cugMessages & string>;

const newCug = (groupid: number): DraftOf<typeof cug> => ({
  name: "",
  groupid,
  bandwidth: 10_000_000,
  cpeIds: [],
  enable: true,
  remark: "",
});

const columnsOf = (t: CugTexts, nameOf: ReadonlyMap<number, string>): Column<Row>[] => [
  enableColumn(t),
  nameColumn("name", t.field("name"), (row: Row) => ({ text: row.name }), { sort: true }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: Row) => row.enterpriseName),
  numberColumn("bandwidth", t("cug.bandwidth"), (row: Row) => megabitsOf(row.bandwidth), {
    digits: 1,
  }),
  textColumn(
    "cpeIds",
    t.field("cpeIds"),
    (row: Row) => t.list(row.cpeIds.flatMap((id) => nameOf.get(id) ?? [])) || null,
    { width: 288, missing: t("cug.noCpe") },
  ),
  ...wordColumns(cug, t, ["remark", "createTime"]),
];

/** CPEs of an enterprise that belong together, and the bandwidth that they share (section 2.4). */
export default function CugPage() {
  const t = useTexts(cugMessages);
  const { groupid } = useSession();
  const list = useResourceList(cug);
  const cpes = useCall(cpe.ops.combo, {});
  const { opened, open, close } = useOpened();
  const remove = useRemove(cug, {
    title: ([row]) => t("cug.removeTitle", { name: row.name }),
    body: () => t("cug.removeBody"),
  });
  const row = list.rows.find(({ id }) => id === opened?.id) ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const add = { label: t("cug.add"), run: () => open("add") };
  return (
    <ListPage
      title={t("cug.title")}
      list={list}
      rowKey="id"
      columns={columnsOf(t, new Map((cpes.data ?? []).map(({ id, name }) => [id, name])))}
      filters={[
        { key: "name", kind: "text", label: t.field("name") },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
      ]}
      add={add}
      empty={{ text: t("cug.empty"), action: add }}
      actions={(one: Row) => [
        { key: "edit", label: t("act.edit"), may: "cpeEditCug", run: () => open("edit", one.id) },
        { key: "remove", label: t("act.remove"), danger: true, run: () => void remove([one]) },
      ]}
    >
      <ResourceForm
        resource={cug}
        open={opened?.what === "add" || isEditing}
        row={isEditing ? row : null}
        title={isEditing && row ? t("cug.edit", { name: row.name }) : t("cug.add")}
        initial={newCug(list.filters.groupid ?? groupid)}
        onClose={close}
      >
        <FieldRow>
          <Field name="name" />
          <Field name="groupid" kind={EnterpriseControl} />
        </FieldRow>
        <BandwidthField name="bandwidth" help={t("cug.bandwidthHelp")} />
        <Field name="cpeIds">
          {(control) => <CpeChoice control={control as FieldControl<readonly number[]>} />}
        </Field>
        <Field name="enable" label={t.code("enable", true)} />
        <Field name="remark" />
      </ResourceForm>
    </ListPage>
  );
}
