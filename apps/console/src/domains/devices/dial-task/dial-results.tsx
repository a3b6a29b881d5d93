import { type dialTask, dialTaskHistory } from "@weft/contract/domains/devices/dial-task.ts";
import type { CommandStatus } from "@weft/contract/domains/devices/settings-enums.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import { commandMessages } from "#domains/devices/parts/node/commands/messages.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import {
  type Column,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { dialMessages } from "./messages.ts";

type Result = OutputOf<typeof dialTaskHistory>[number];

const glyphs: Readonly<Record<CommandStatus, Glyph>> = {
  waiting: "off",
  sent: "run",
  done: "ok",
  failed: "bad",
  refused: "bad",
  expired: "warn",
};

const useDialTexts = () => useTexts(dialMessages, commandMessages);

const columnsOf = (t: ReturnType<typeof useDialTexts>): Column<Result>[] => [
  stateColumn(
    "ok",
    t.field("result"),
    (row: Result) =>
      row.ok === null
        ? {
            glyph: glyphs[row.status],
            label: t.code("commandStatus", row.status),
            hint: row.reason ?? "",
          }
        : {
            glyph: row.ok ? "ok" : "bad",
            label: t(row.ok ? "command.reached" : "command.unreached"),
          },
    { width: 136 },
  ),
  textColumn("cpeName", t.field("cpeId"), (row: Result) => row.cpeName, { width: 160 }),
  numberColumn("delay", t("command.delay"), (row: Result) => row.delay),
  numberColumn("loss", t("command.loss"), (row: Result) => row.loss),
  timeColumn("createTime", t("dial.lastTime"), (row: Result) => row.createTime, { width: 176 }),
];

interface Props {
  readonly task: RowOf<typeof dialTask>;
  readonly onClose: () => void;
}

/** What became of each run of a task, the newest first. */
export function DialResults({ task, onClose }: Props) {
  const t = useDialTexts();
  const list = useList(dialTaskHistory, {
    fixed: { taskId: task.id },
    every: refreshEvery,
    inUrl: false,
  });
  return (
    <Drawer open size={720} title={t("dial.historyOf", { name: task.name })} onClose={onClose}>
      <ResourceTable
        list={list}
        rowKey="id"
        columns={columnsOf(t)}
        empty={<EmptyState kind="waiting" text={t("dial.historyEmpty")} />}
      />
    </Drawer>
  );
}
