import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts of actions on many rows. */
export const batchMessages = defineMessages({
  "batch.done": ["成功 {done} / {total}", "{done} of {total} done"],
  "batch.failedCount": ["失败 {count}", "{count} failed"],
  "batch.progress": ["{percent}% 已处理", "{percent}% processed"],
  "batch.stop": ["取消剩余", "Cancel the rest"],
  "batch.stopTitle": ["取消尚未处理的 {count} 条？", "Cancel the remaining {count|row|rows}?"],
  "batch.stopBody": [
    "已处理的不会撤销；正在处理的一批仍会完成。",
    "Rows already processed are not undone; the few rows in progress are still finished.",
  ],
  "batch.leave": ["转入后台", "Continue in the background"],
  "batch.leaveHint": [
    "关闭后继续处理；在“站内消息 › 批量操作记录”可随时查看进度和报告",
    "It continues when this dialog is closed; see Station messages › Bulk jobs for progress and report",
  ],
  "batch.failures": ["失败的数据", "Rows that failed"],
  "batch.report": ["报告", "Report"],
  "batch.records": ["批量操作记录", "Bulk jobs"],
  "batch.noRecords": [
    "还没有批量操作。在列表中选择多条数据后执行操作",
    "No bulk jobs yet. Select several rows of a list and apply an action to them",
  ],
});
