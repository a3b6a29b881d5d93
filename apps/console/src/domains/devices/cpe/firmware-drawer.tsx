import { firmwareTask, firmwareTaskCancel } from "@weft/contract/domains/devices/firmware-task.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import type { DailySchedule } from "@weft/contract/rules/schedule.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { May, useSession } from "#client/session.tsx";
import { refreshEvery } from "#client/use-call.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useConfirm } from "#feedback/confirm.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useAction } from "#feedback/use-action.ts";
import { useRemove } from "#feedback/use-remove.ts";
import { Field, type FieldControl, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { CpeChoice } from "#parts/fields/cpe-choice.tsx";
import { ScheduleInput } from "#parts/fields/schedule-input.tsx";
import type { Glyph } from "#ui/glyph.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { type SiteTexts, useSiteTexts } from "./site-texts.ts";

type Task = RowOf<typeof firmwareTask>;

/** Queued, downloading, upgraded, failed, cancelled. */
const glyphs: Readonly<Record<Task["status"], Glyph>> = {
  0: "off",
  1: "run",
  2: "ok",
  3: "bad",
  4: "disabled",
};
/** Nothing can be changed of a task that started. */
const isQueued = ({ status }: Task): boolean => status === 0;

const newTask = (groupid: number): DraftOf<typeof firmwareTask> => ({
  groupid,
  name: "",
  version: "",
  cpeIds: [],
  schedule: { enabled: false, hour: 0, minute: 0 },
});

const columnsOf = (t: SiteTexts): Column<Task>[] => [
  stateColumn(
    "status",
    t("firmware.state"),
    (row: Task) => ({
      glyph: glyphs[row.status],
      label: t.code("firmwareTaskState", row.status),
    }),
    { width: 112 },
  ),
  nameColumn("name", t.field("name"), (row: Task) => ({ text: row.name })),
  textColumn("version", t.field("version"), (row: Task) => row.version, { width: 112 }),
  numberColumn("cpes", t.field("cpeIds"), (row: Task) => row.cpeIds.length, { width: 88 }),
  timeColumn("createTime", t.field("createTime"), (row: Task) => row.createTime, { width: 176 }),
];

interface Props {
  /** Whose devices the next task is for; null: of the caller's own enterprise. */
  readonly groupid: number | null;
  readonly onClose: () => void;
}

/** Other versions of the device's program, for some CPEs at a time. */
export function FirmwareDrawer({ groupid, onClose }: Props) {
  const t = useSiteTexts();
  const session = useSession();
  const list = useResourceList(firmwareTask, { every: refreshEvery, inUrl: false });
  const [edited, setEdited] = useState<Task | "new" | null>(null);
  const actions = useTaskActions(t, setEdited);
  const row = edited === "new" ? null : edited;
  return (
    <Drawer
      open
      size={720}
      title={t("firmware.title")}
      onClose={onClose}
      extra={
        <May code="cpeBatch">
          <Button type="primary" onClick={() => setEdited("new")}>
            {t("firmware.add")}
          </Button>
        </May>
      }
    >
      <p className="w-quiet">{t("firmware.help")}</p>
      <ResourceTable
        list={list}
        rowKey="id"
        columns={columnsOf(t)}
        actions={actions}
        empty={<EmptyState kind="good" text={t("firmware.empty")} />}
      />
      <ResourceForm
        resource={firmwareTask}
        open={edited !== null}
        row={row}
        title={row ? t("firmware.editOf", { name: row.name }) : t("firmware.add")}
        initial={newTask(groupid ?? session.groupid)}
        onClose={() => setEdited(null)}
      >
        <FieldRow>
          <Field name="name" />
          <Field name="groupid" kind={EnterpriseControl} />
        </FieldRow>
        <Field name="version" kind="mono" />
        <Field name="cpeIds" help={t("firmware.cpesHelp")}>
          {(control) => <CpeChoice control={control as FieldControl<readonly number[]>} />}
        </Field>
        <Field name="schedule" label={t("firmware.when")} help={t("firmware.whenHelp")}>
          {(control: FieldControl<DailySchedule>) => <ScheduleInput control={control} />}
        </Field>
      </ResourceForm>
    </Drawer>
  );
}

function useTaskActions(t: SiteTexts, edit: (row: Task) => void): (row: Task) => RowAction[] {
  const confirm = useConfirm();
  const cancel = useAction(firmwareTaskCancel);
  const remove = useRemove(firmwareTask, {
    title: ([row]) => t("firmware.removeTitle", { name: row.name }),
    body: () => t("firmware.removeBody"),
  });
  const confirmCancel = async ({ id, name }: Task): Promise<void> => {
    const isMeant = await confirm({
      title: t("firmware.cancelTitle", { name }),
      body: t("firmware.cancelBody"),
      ok: t("firmware.cancel"),
      danger: true,
    });
    if (isMeant) await cancel.act({ id });
  };
  return (row) => {
    const started = isQueued(row) ? null : t("firmware.started");
    return [
      {
        key: "edit",
        label: t("act.edit"),
        may: "cpeBatch",
        disabledReason: started,
        run: () => edit(row),
      },
      {
        key: "cancel",
        label: t("firmware.cancel"),
        may: "cpeBatch",
        disabledReason: started,
        run: () => void confirmCancel(row),
      },
      {
        key: "remove",
        label: t("act.remove"),
        may: "cpeBatch",
        danger: true,
        run: () => void remove([row]),
      },
    ];
  };
}
