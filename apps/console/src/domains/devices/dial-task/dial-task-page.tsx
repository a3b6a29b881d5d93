import { dialTask } from "@weft/contract/domains/devices/dial-task.ts";
import { dialTypes } from "@weft/contract/domains/devices/settings-enums.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { useSession } from "#client/session.tsx";
import { codeOptions, useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import { commandMessages } from "#domains/devices/parts/node/commands/messages.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field, type FieldControl, FieldRow } from "#kernel/form/field.tsx";
import {
  type Column,
  nameColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { CpeChoice } from "#parts/fields/cpe-choice.tsx";
import { DialResults } from "./dial-results.tsx";
import { dialMessages } from "./messages.ts";

type Row = RowOf<typeof dialTask>;
const useDialTexts = () => useTexts(dialMessages, commandMessages);
type DialTexts = ReturnType<typeof useDialTexts>;

const newTask = (groupid: number): DraftOf<typeof dialTask> => ({
  name: "",
  groupid,
  cpeIds: [],
  type: "ping",
  target: "",
  interval: 60,
  enable: true,
  remark: "",
});

/** All that were reached in the last run, some, or none. */
const glyphOf = (result: string) => {
  const [reached, answered] = result.split("/");
  return reached === answered ? "ok" : reached === "0" ? "bad" : "warn";
};

const columnsOf = (t: DialTexts): Column<Row>[] => [
  stateColumn(
    "lastResult",
    t("dial.last"),
    (row: Row) =>
      row.lastResult === null
        ? { glyph: "off", label: t("dial.never") }
        : { glyph: glyphOf(row.lastResult), label: row.lastResult },
    { width: 184 },
  ),
  nameColumn("name", t.field("name"), (row: Row) => ({ text: row.name }), { sort: true }),
  textColumn("type", t.field("type"), (row: Row) => t.code("dialType", row.type), { width: 112 }),
  textColumn("target", t.field("target"), (row: Row) => row.target, { width: 224 }),
  {
    key: "cpes",
    title: t.field("cpeIds"),
    align: "right",
    width: 80,
    cell: (row) => row.cpeIds.length,
  },
  {
    key: "interval",
    title: `${t.field("interval")} s`,
    align: "right",
    width: 96,
    cell: (row) => row.interval,
  },
  enableColumn(t),
  timeColumn("lastTime", t("dial.lastTime"), (row: Row) => row.lastTime, {
    form: "since",
    missing: t("dial.never"),
  }),
];

function DialFields() {
  const t = useDialTexts();
  const types = codeOptions(t, "dialType", dialTypes);
  return (
    <>
      <FieldRow>
        <Field name="name" />
        <Field name="groupid" kind={EnterpriseControl} />
      </FieldRow>
      <Field name="type" kind="radio" options={types} />
      <Field name="target" kind="mono" help={t("dial.targetHelp")} />
      <Field name="cpeIds">
        {(control) => <CpeChoice control={control as FieldControl<readonly number[]>} />}
      </Field>
      <Field name="interval" help={t("dial.intervalHelp")} />
      <Field name="enable" label={t.code("enable", true)} />
      <Field name="remark" />
    </>
  );
}

/** Scheduled tests from CPEs, with the results of each (section 2.4). */
export default resourcePage(
  dialTask,
  function useDialTasks({ open }) {
    const t = useDialTexts();
    const { groupid } = useSession();
    return {
      title: t("dial.title"),
      addLabel: t("dial.add"),
      empty: t("dial.empty"),
      nameOf: (row) => row.name,
      columns: columnsOf(t),
      filters: [{ key: "name", kind: "text", label: t.field("name") }],
      form: {
        initial: newTask(groupid),
        editTitle: (row) => t("dial.edit", { name: row.name }),
        body: () => <DialFields />,
      },
      actions: (row, { edit, remove }) => [
        { key: "history", label: t("dial.history"), run: () => open("history", row.id) },
        edit,
        remove,
      ],
      removal: {
        title: (row) => t("dial.removeTitle", { name: row.name }),
        body: () => t("dial.removeBody"),
      },
      dialogs: ({ what }, row, close) =>
        what === "history" && row && <DialResults task={row} onClose={close} />,
    };
  },
  () => ({ every: refreshEvery }),
);
