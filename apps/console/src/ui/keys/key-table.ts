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
  readonly says: Message;
  readonly where: Place;
}

export const keyTable = {
  search: {
    press: ["/"],
    says: ["到列表的搜索框", "Go to the search of the list"],
    where: "screen",
  },
  palette: { press: ["Mod k"], says: ["快速查找", "Quick search"], where: "anywhere" },
  refresh: {
    press: ["r"],
    where: "screen",
    says: ["刷新当前内容", "Refresh what is shown"],
  },
  help: { press: ["?"], says: ["显示全部按键", "Show all keys"], where: "screen" },
  move: {
    press: ["ArrowUp", "ArrowDown"],
    where: "screen",
    says: ["在列表的行间移动", "Move over the rows of a list"],
  },
  next: {
    press: ["j"],
    where: "screen",
    says: ["到下一行", "Go to the next row"],
  },
  previous: {
    press: ["k"],
    where: "screen",
    says: ["到上一行", "Go to the previous row"],
  },
  select: {
    press: [" "],
    where: "row",
    says: ["选择或取消选择该行", "Select or deselect the row"],
  },
  open: { press: ["Enter"], says: ["打开该行", "Open the row"], where: "row" },
  edit: {
    press: ["e"],
    where: "row",
    says: ["编辑该行，告警则展开或收起", "Edit the row; of alarms, expand or collapse it"],
  },
  acknowledge: { press: ["a"], says: ["确认告警", "Acknowledge the alarm"], where: "row" },
  snooze: { press: ["s"], says: ["暂缓告警", "Snooze the alarm"], where: "row" },
  own: { press: ["o"], says: ["认领或取消认领告警", "Take or release the alarm"], where: "row" },
  logs: { press: ["l"], says: ["查看该行的日志", "Logs of the row"], where: "row" },
  save: { press: ["Mod s"], says: ["保存打开的表单", "Save the open form"], where: "anywhere" },
  // Drawers, dialogs and what else opens over a screen see to it themselves: ui/overlay.
  back: {
    press: ["Escape"],
    where: "anywhere",
    says: ["关闭并回到打开它的位置", "Close, and return to what opened it"],
  },
} as const satisfies Readonly<Record<string, Key>>;

export type KeyId = keyof typeof keyTable;
export const keyIds = Object.keys(keyTable) as readonly KeyId[];

/** Before the letter of a screen: `g c`. Which letters there are is the shell's to say. */
export const leader = "g";
