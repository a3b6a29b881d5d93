import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { cug } from "@weft/contract/domains/overlay/cug.ts";
import { cugSummary } from "@weft/contract/domains/policies/policy-finding.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { useSession } from "#client/session.tsx";
import { type Translate, useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { enterpriseColumn } from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import { useRuleEffectColumn } from "#domains/policies/parts/policy/policy-effect.ts";
import { Field, type FieldControl, FieldRow } from "#kernel/form/field.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  plainColumns,
  textColumn,
} from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { BandwidthField, megabitsOf } from "#parts/fields/bandwidth-field.tsx";
import { CpeChoice } from "#parts/fields/cpe-choice.tsx";

const cugMessages = defineMessages({
  "cug.title": ["CUG 管理", "CUG"],
  "cug.add": ["新增用户组", "Add group"],
  "cug.edit": ["编辑用户组 {name}", "Edit group {name}"],
  "cug.empty": [
    "还没有封闭用户组。组内 CPE 之间互通，与组外站点隔离",
    "No closed user groups yet. The CPEs of a group reach each other, and no site outside it",
  ],
  "cug.bandwidth": ["组带宽 Mbit/s", "Mbit/s of a member"],
  "cug.bandwidthHelp": [
    "每台 CPE 发往组内其他成员的上限，不低于 0.064",
    "What each CPE sends to the other members at most, 0.064 or more",
  ],
  "cug.noCpe": ["还没有 CPE", "No CPEs yet"],
  "cug.removeTitle": ["删除用户组 {name}？", "Delete group {name}?"],
  "cug.removeBody": [
    "组内 CPE 保留。不再属于任何用户组的 CPE 与空间内所有未入组站点互通。",
    "Its CPEs are kept. One that is in no other group is reached by every site of its space that is in none.",
  ],
});

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

const columnsOf = (
  t: CugTexts,
  nameOf: ReadonlyMap<number, string>,
  effect: Column<Row>,
): Column<Row>[] => [
  enableColumn(t),
  nameColumn("name", t.field("name"), (row: Row) => ({ text: row.name }), { sort: true }),
  enterpriseColumn<Row>(t.field("enterpriseName")),
  numberColumn("bandwidth", t("cug.bandwidth"), (row: Row) => megabitsOf(row.bandwidth), {
    digits: 1,
    width: 144,
  }),
  textColumn(
    "cpeIds",
    t.field("cpeIds"),
    (row: Row) => t.list(row.cpeIds.flatMap((id) => nameOf.get(id) ?? [])) || null,
    { width: 288, missing: t("cug.noCpe") },
  ),
  effect,
  ...plainColumns(cug, t, ["remark", "createTime"]),
];

function CugFields() {
  const t = useTexts(cugMessages);
  return (
    <>
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
    </>
  );
}

/** CPEs of an enterprise that belong together, and the bandwidth that they share (section 2.4). */
export default resourcePage(cug, function useCugs({ list }) {
  const t = useTexts(cugMessages);
  const { groupid } = useSession();
  const effect = useRuleEffectColumn({
    summary: cugSummary,
    rows: list.rows,
    idOf: ({ id }: Row) => id,
    isOff: ({ enable }) => !enable,
  });
  const { data: cpes = [] } = useCall(cpe.ops.combo, {});
  return {
    title: t("cug.title"),
    addLabel: t("cug.add"),
    empty: t("cug.empty"),
    nameOf: (row) => row.name,
    columns: columnsOf(t, new Map(cpes.map(({ id, name }) => [id, name])), effect),
    filters: [
      { key: "name", kind: "text", label: t.field("name") },
      { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
    ],
    form: {
      initial: newCug(list.filters.groupid ?? groupid),
      editTitle: (row) => t("cug.edit", { name: row.name }),
      body: () => <CugFields />,
    },
    removal: {
      title: (row) => t("cug.removeTitle", { name: row.name }),
      body: () => t("cug.removeBody"),
    },
  };
});
