import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { cug } from "@weft/contract/domains/overlay/cug.ts";
import { cugSummary } from "@weft/contract/domains/policies/policy-finding.ts";
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
