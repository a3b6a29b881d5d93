/** Every key of the console: what is pressed, what it does, and where it acts. */
import type { Message } from "@weft/contract/kernel/message.ts";

/**
 * anywhere: in fields and over dialogs as well; screen: while nothing is being typed and no dialog is open;
 * row: the same, with the focus on a row of a list or on something in it.
 */
export type Place = "anywhere" | "screen" | "row";

export interface Key {
  /** `KeyboardEvent.key` of each; "Mod" before it is Ctrl, on a Mac ⌘. */
  readonly press: readonly string[];
  readonly text: Message;
  readonly where: Place;
}

export const keyTable = {
  search: {
    press: ["/"],
    text: ["到列表的搜索框", "Go to the search of the list"],
    where: "screen",
  },
  palette: { press: ["Mod k"], text: ["快速查找", "Quick search"], where: "anywhere" },
  refresh: {
    press: ["r"],
    where: "screen",
    text: ["刷新当前内容", "Refresh what is shown"],
  },
  help: { press: ["?"], text: ["显示全部按键", "Show all keys"], where: "screen" },
  move: {
    press: ["ArrowUp", "ArrowDown"],
    where: "screen",
    text: ["在列表的行间移动", "Move over the rows of a list"],
  },
  next: {
    press: ["j"],
    where: "screen",
    text: ["到下一行", "Go to the next row"],
  },
  previous: {
    press: ["k"],
    where: "screen",
    text: ["到上一行", "Go to the previous row"],
  },
  select: {
    press: [" "],
    where: "row",
    text: ["选择或取消选择该行", "Select or deselect the row"],
  },
  open: { press: ["Enter"], text: ["打开该行", "Open the row"], where: "row" },
  edit: {
    press: ["e"],
    where: "row",
    text: ["编辑该行，告警则展开或收起", "Edit the row; of alarms, expand or collapse it"],
  },
  acknowledge: { press: ["a"], text: ["确认告警", "Acknowledge the alarm"], where: "row" },
  snooze: { press: ["s"], text: ["暂缓告警", "Snooze the alarm"], where: "row" },
  own: { press: ["o"], text: ["认领或取消认领告警", "Take or release the alarm"], where: "row" },
  logs: { press: ["l"], text: ["查看该行的日志", "Logs of the row"], where: "row" },
  save: { press: ["Mod s"], text: ["保存打开的表单", "Save the open form"], where: "anywhere" },
  // Drawers, dialogs and what else opens over a screen see to it themselves: ui/overlay.
  back: {
    press: ["Escape"],
    where: "anywhere",
    text: ["关闭并回到打开它的位置", "Close, and return to what opened it"],
  },
} as const satisfies Readonly<Record<string, Key>>;

export type KeyId = keyof typeof keyTable;
export const keyIds = Object.keys(keyTable) as readonly KeyId[];

/** Before the letter of a screen: `g c`. Which letters there are is the shell's to say. */
export const leader = "g";
