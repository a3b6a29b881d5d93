import {
  type DestinationKind,
  destinationKinds,
  speedTypes,
} from "@weft/contract/domains/policies/destination-enums.ts";
import { xwanSpeed, xwanSpeedDefine } from "@weft/contract/domains/policies/xwan-speed.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { Link } from "react-router";
import { paths, useBackTo, useNumberParam, withSearch } from "#client/paths.ts";
import { codeOptions } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { AccelerationTabs } from "#domains/policies/parts/acceleration/acceleration-tabs.tsx";
import {
  Destination,
  DestinationInput,
} from "#domains/policies/parts/acceleration/destinations.tsx";
import {
  type AccelerationTexts,
  useAccelerationTexts,
} from "#domains/policies/parts/acceleration/messages.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, type FieldControl, FieldRow } from "#kernel/form/field.tsx";
import { type Column, nameColumn, numberColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { enableColumn } from "#parts/enable-column.tsx";

type XwanSpeedDefinesRow = RowOf<typeof xwanSpeedDefine>;
const touches = ["xwanSpeed"];

const columnsOf = (t: AccelerationTexts): Column<XwanSpeedDefinesRow>[] => [
  {
    key: "value",
    title: t.field("value"),
    width: 320,
    sort: "value",
    part: "name",
    cell: (row) => <Destination kind={row.kind} value={row.value} />,
  },
  {
    ...textColumn("kind", t.field("kind"), (row: XwanSpeedDefinesRow) =>
      t.code("destinationKind", row.kind),
    ),
    sort: "kind",
  },
  textColumn("remark", t.field("remark"), (row: XwanSpeedDefinesRow) => row.remark, { width: 240 }),
];

/** Fields of one definition: what the value is follows from its kind. */
function DefineFields() {
  const t = useAccelerationTexts();
  const { kind = "domain" } = useDraftValues<{ kind?: DestinationKind }>();
  return (
    <>
      <Field
        name="kind"
        kind="radio"
        options={codeOptions(t, "destinationKind", destinationKinds)}
        help={t("define.help")}
      />
      <Field name="value">
        {(control) => (
          <DestinationInput key={kind} kind={kind} control={control as FieldControl<string>} />
        )}
      </Field>
      <Field name="remark" />
    </>
  );
}

const newDefine = (speedId: number): DraftOf<typeof xwanSpeedDefine> => ({
  speedId,
  kind: "domain",
  value: "",
  remark: "",
});

interface Props {
  readonly speedId: number;
}

/** The definitions of one profile, added one by one or from a file. */
const XwanSpeedDefines = resourcePage(
  xwanSpeedDefine,
  function useDefines(_, { speedId }: Props) {
    const t = useAccelerationTexts();
    const { data: speeds = [] } = useCall(xwanSpeed.ops.combo, {});
    const name = speeds.find(({ id }) => id === speedId)?.name ?? "";
    const back = useBackTo(paths.acceleration());
    return {
      title: t("define.title", { name }),
      addLabel: t("define.add"),
      empty: t("define.empty"),
      nameOf: (row) => row.value,
      columns: columnsOf(t),
      filters: [{ key: "value", kind: "text", label: t("define.search") }],
      tools: (
        <Link className="w-link" to={back}>
          {t("define.back")}
        </Link>
      ),
      form: { initial: newDefine(speedId), body: () => <DefineFields /> },
      removal: {
        title: (row) => t("define.removeTitle", { value: row.value }),
        body: () => t("define.removeBody"),
      },
      touches,
    };
  },
  ({ speedId }) => ({ fixed: { speedId } }),
);

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
