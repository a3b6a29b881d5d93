import {
  type DestinationKind,
  destinationKinds,
} from "@weft/contract/domains/policies/acceleration-enums.ts";
import {
  xwanSpeed,
  xwanSpeedDefine,
  xwanSpeedDefineImport,
} from "@weft/contract/domains/policies/xwan-speed.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import Button from "antd/es/button";
import { Link } from "react-router";
import { useOpened } from "#client/opened.ts";
import { paths, useBackTo } from "#client/paths.ts";
import { May } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { useRemove } from "#feedback/use-remove.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { codeOptions, Field, type FieldControl } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { type Column, textColumn } from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { ImportDialog } from "#parts/import/import-dialog.tsx";
import { type AccelerationTexts, useAccelerationTexts } from "./acceleration-texts.ts";
import { Destination, DestinationInput } from "./destinations.tsx";

type Row = RowOf<typeof xwanSpeedDefine>;
const MAY = "enterpriseGamespeed";
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
  ...{ speedId, kind: "domain", value: "", remark: "" },
});

/** The definitions of one profile, added one by one or from a file. */
export function SpeedDefines({ speedId }: { readonly speedId: number }) {
  const t = useAccelerationTexts();
  const name = useCall(xwanSpeed.ops.combo, {}).data?.find(({ id }) => id === speedId)?.name ?? "";
  const list = useResourceList(xwanSpeedDefine, { fixed: { speedId } });
  const { opened, open, close } = useOpened();
  const remove = useRemove(xwanSpeedDefine, {
    title: ([row]) => t("define.removeTitle", { value: row.value }),
    body: () => t("define.removeBody"),
    touches,
  });
  const back = useBackTo(paths.acceleration());
  const row = list.rows.find(({ id }) => id === opened?.id) ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const add = { label: t("define.add"), may: MAY, run: () => open("add") } as const;
  return (
    <ListPage
      title={t("define.title", { name })}
      list={list}
      rowKey="id"
      columns={columnsOf(t)}
      filters={[{ key: "value", kind: "text", label: t("define.search") }]}
      tools={
        <>
          <Link className="w-link" to={back}>
            {t("define.back")}
          </Link>
          <May code={MAY}>
            <Button onClick={() => open("import")}>{t("define.import")}</Button>
          </May>
        </>
      }
      add={add}
      empty={{ text: t("define.empty"), action: add }}
      actions={(one: Row) => [
        { key: "edit", label: t("act.edit"), may: MAY, run: () => open("edit", one.id) },
        {
          key: "remove",
          label: t("act.remove"),
          may: MAY,
          danger: true,
          run: () => void remove([one]),
        },
      ]}
    >
      <ResourceForm
        resource={xwanSpeedDefine}
        open={opened?.what === "add" || isEditing}
        row={isEditing ? row : null}
        title={isEditing ? `${t("act.edit")} ${row.value}` : t("define.add")}
        initial={newDefine(speedId)}
        touches={touches}
        onClose={close}
      >
        <DefineFields />
      </ResourceForm>
      {opened?.what === "import" && (
        <ImportDialog
          endpoint={xwanSpeedDefineImport}
          owner={{ speedId }}
          title={t("define.importTitle", { name })}
          touches={touches}
          onClose={close}
        />
      )}
    </ListPage>
  );
}
