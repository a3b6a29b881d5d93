import { type TaskStatus, taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import { taskCancel, taskList } from "@weft/contract/domains/delivery/task.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import { useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import {
  type HistoryTexts,
  rawCauseText,
  useHistoryTexts,
} from "#domains/delivery/parts/history/history-texts.ts";
import { type StateOwner, serialText } from "#domains/delivery/parts/history/state-owner.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useAction } from "#feedback/use-action.ts";
import { type Column, stateColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { Card } from "#ui/card.tsx";
import type { Glyph } from "#ui/glyph.tsx";

/** Texts about the tasks of a node: deliveries of states. */
const taskMessages = defineMessages({
  "node.card.tasks": ["任务", "Tasks"],
  "task.state": ["任务状态", "Task state"],
  "task.type": ["类型", "Type"],
  "task.content": ["内容", "Content"],
  "task.serial": ["版本", "Serial"],
  "task.created": ["创建", "Created"],
  "task.changed": ["更新", "Changed"],
  "task.cancel": ["取消", "Cancel"],
  "task.cannotCancel": [
    "设备已拉取，不能取消",
    "The device has received it; it can no longer be cancelled",
  ],
  "task.cancelOk": ["取消任务", "Cancel task"],
  "task.cancelTitle": ["取消 {name} 的任务 {id}？", "Cancel task {id} of {name}?"],
  "task.cancelBody": [
    "设备不会收到 #{serial}，继续运行现有配置；下次保存会再次下发。",
    "The device will not get #{serial} and keeps its configuration; the next change is delivered again.",
  ],
  "task.empty": [
    "还没有任务。保存配置后在这里看到下发",
    "No tasks yet. Deliveries are listed here after something is saved",
  ],
});

const useTaskTexts = () => useTexts(taskMessages);
type TaskTexts = ReturnType<typeof useTaskTexts>;

type Task = OutputOf<typeof taskList>[number];

/** Glyphs of specification section 4: 0 not started, 4 pulled, 1 completed, 2 failed, 3 cancelled. */
const taskGlyphs: Readonly<Record<TaskStatus, Glyph>> = {
  0: "off",
  1: "ok",
  2: "bad",
  3: "disabled",
  4: "run",
};

const columnsOf = (t: TaskTexts, ofHistory: HistoryTexts): Column<Task>[] => [
  stateColumn(
    "status",
    t("task.state"),
    (row: Task) => ({
      glyph: taskGlyphs[row.status],
      label: t.code("taskStatus", row.status),
    }),
    { width: 112 },
  ),
  textColumn("type", t("task.type"), (row: Task) => t.code("taskType", row.type), { width: 104 }),
  {
    key: "serial",
    title: t("task.serial"),
    align: "right",
    width: 88,
    cell: (row) => serialText(row.serial),
  },
  textColumn(
    "content",
    t("task.content"),
    (row: Task) => rawCauseText(row.content, ofHistory) || null,
  ),
  timeColumn("createTime", t("task.created"), (row: Task) => row.createTime, { width: 176 }),
  timeColumn("updateTime", t("task.changed"), (row: Task) => row.updateTime, { width: 176 }),
];

/** A task that ended has nothing left to cancel. */
const isOver = ({ status }: Task): boolean =>
  status !== taskStatus.notStarted && status !== taskStatus.pulled;

/** Deliveries to a node, the newest first. */
export function NodeTasks({ node }: { readonly node: StateOwner }) {
  const t = useTaskTexts();
  const ofHistory = useHistoryTexts();
  const confirm = useConfirm();
  const list = useList(taskList, {
    fixed: { cpeId: node.id },
    every: refreshEvery,
    inUrl: false,
  });
  const cancel = useAction(taskCancel, { touches: ["task", "nodeState"] });
  const confirmCancel = async (task: Task) => {
    const wanted = await confirm({
      title: t("task.cancelTitle", { name: node.name, id: task.operId }),
      body: t("task.cancelBody", { serial: task.serial ?? "—" }),
      ok: t("task.cancelOk"),
      danger: true,
    });
    if (wanted) await cancel.act({ operId: task.operId });
  };
  return (
    <Card title={t("node.card.tasks")} flush>
      <ResourceTable
        list={list}
        rowKey="operId"
        columns={columnsOf(t, ofHistory)}
        empty={<EmptyState kind="good" text={t("task.empty")} />}
        actions={(task: Task) =>
          isOver(task)
            ? []
            : [
                {
                  key: "cancel",
                  label: t("task.cancel"),
                  may: "cpeConfig",
                  disabledReason: task.status === taskStatus.pulled ? t("task.cannotCancel") : null,
                  run: () => void confirmCancel(task),
                },
              ]
        }
      />
    </Card>
  );
}
