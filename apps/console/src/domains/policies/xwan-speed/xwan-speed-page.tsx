import { speedTypes } from "@weft/contract/domains/policies/destination-enums.ts";
import { xwanSpeed } from "@weft/contract/domains/policies/xwan-speed.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { paths, useNumberParam, withSearch } from "#client/paths.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { AccelerationTabs } from "#domains/policies/parts/acceleration/acceleration-tabs.tsx";
import { useAccelerationTexts } from "#domains/policies/parts/acceleration/acceleration-texts.ts";
import { codeOptions, Field, FieldRow } from "#kernel/form/field.tsx";
import { nameColumn, numberColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { XwanSpeedDefines } from "./xwan-speed-defines.tsx";

type Row = RowOf<typeof xwanSpeed>;

const definesOf = (speedId: number): string => withSearch(paths.acceleration(), { speedId });

function SpeedFields() {
  const t = useAccelerationTexts();
  return (
    <>
      <FieldRow>
        <Field name="name" />
        <Field name="groupid" kind={EnterpriseControl} />
      </FieldRow>
      <Field name="type" kind="radio" options={codeOptions(t, "speedType", speedTypes)} />
      <Field name="enable" label={t.code("enable", true)} />
      <Field name="remark" />
    </>
  );
}

const Speeds = resourcePage(xwanSpeed, function useSpeeds() {
  const t = useAccelerationTexts();
  return {
    title: t("speed.title"),
    addLabel: t("speed.add"),
    empty: t("speed.empty"),
    nameOf: (row) => row.name,
    columns: [
      nameColumn(
        "name",
        t.field("name"),
        (row: Row) => ({ text: row.name, to: definesOf(row.speedId) }),
        { sort: true },
      ),
      textColumn("type", t.field("type"), (row: Row) => t.code("speedType", row.type), {
        width: 112,
      }),
      numberColumn("defines", t.field("defines"), (row: Row) => row.defines),
      enableColumn(t),
      textColumn("enterpriseName", t.field("enterpriseName"), (row: Row) => row.enterpriseName),
      "remark",
      "createTime",
    ],
    filters: [
      { key: "name", kind: "text", label: t("accel.member.search") },
      {
        key: "type",
        kind: "select",
        label: t.field("type"),
        options: codeOptions(t, "speedType", speedTypes),
      },
    ],
    form: {
      initial: { name: "", type: 0, groupid: null, enable: true, remark: "" },
      body: () => <SpeedFields />,
    },
    actions: (row, { edit, remove }) => [
      { key: "defines", label: t("speed.defines"), to: definesOf(row.speedId) },
      edit,
      remove,
    ],
    removal: { body: () => t("speed.removeBody") },
    tabs: <AccelerationTabs />,
  };
});

/** Acceleration profiles, and the definitions of the one that the address names (section 7.2). */
export default function XwanSpeedPage() {
  const speedId = useNumberParam("speedId");
  return speedId === null ? <Speeds /> : <XwanSpeedDefines speedId={speedId} />;
}
