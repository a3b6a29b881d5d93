import { defineMessages } from "#kernel/message.ts";

/** Actions on many rows: `enum.batchAction.<id of the call>` is what such an action is called. */
export const batchTexts = defineMessages({
  "enum.batchAction.cpe.batchEnable": ["启用或禁用 CPE", "Enable or disable CPEs"],
  "enum.batchAction.cpe.batchConfig": ["批量设置 CPE", "Settings of CPEs"],
  "enum.batchAction.cpe.batchReboot": ["重启 CPE", "Restart CPEs"],
  "enum.batchAction.cpe.batchJoin": ["CPE 加入网络空间", "Take CPEs into a network space"],
  "enum.batchAction.cpe.batchMove": ["CPE 移动到区域", "Move CPEs to an area"],
  "enum.batchAction.cpe.batchRemove": ["移除 CPE", "Remove CPEs"],
  "enum.batchAction.account.batchEnable": ["启用或禁用账号", "Enable or disable accounts"],
  "enum.batchAction.account.batchEnd": ["账号有效期", "Expiry of accounts"],
  "enum.batchAction.account.batchRemove": ["移除账号", "Remove accounts"],
  "field.batchStatus": ["进度", "Progress"],
  "field.itemStatus": ["结果", "Result"],
  "field.sequence": ["序号", "No."],
  "field.rowId": ["数据编号", "Row id"],
  "field.total": ["总数", "Total"],
  "field.reason": ["原因", "Reason"],
  "field.setEnable": ["状态", "State"],
  "field.toAreaId": ["目标区域", "Area"],
  "enum.batchStatus.0": ["等待中", "Waiting"],
  "enum.batchStatus.1": ["进行中", "Running"],
  "enum.batchStatus.2": ["已结束", "Finished"],
  "enum.batchStatus.3": ["已取消", "Cancelled"],
  "enum.itemStatus.0": ["未处理", "Not done"],
  "enum.itemStatus.1": ["成功", "Done"],
  "enum.itemStatus.2": ["失败", "Failed"],
});
