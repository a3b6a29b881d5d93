import {
  type DestinationKind,
  destinationKinds,
} from "@weft/contract/domains/policies/destination-enums.ts";
import { xwanSpeed, xwanSpeedDefine } from "@weft/contract/domains/policies/xwan-speed.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { Link } from "react-router";
import { paths, useBackTo } from "#client/paths.ts";
import { useCall } from "#client/use-call.ts";
import {
  type AccelerationTexts,
  useAccelerationTexts,
} from "#domains/policies/parts/acceleration/acceleration-texts.ts";
import {
  Destination,
  DestinationInput,
} from "#domains/policies/parts/acceleration/destinations.tsx";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { codeOptions, Field, type FieldControl } from "#kernel/form/field.tsx";
import { type Column, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";

type Row = RowOf<typeof xwanSpeedDefine>;
const touches = ["xwanSpeed"];

const columnsOf = (t: AccelerationTexts): Column<Row>[] => [
  {
    key: "value",
    title: t.field("value"),
    width: 320,
    sort: "value",
    part: "name",
    cell: (row) => <Destination kind={row.kind} value={row.value} />,
  },
  {
    ...textColumn("kind", t.field("kind"), (row: Row) => t.code("destinationKind", row.kind)),
    sort: "kind",
  },
  textColumn("remark", t.field("remark"), (row: Row) => row.remark, { width: 240 }),
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
export const XwanSpeedDefines = resourcePage(
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
