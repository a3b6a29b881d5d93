import { defineMessages } from "@weft/contract/kernel/message.ts";

/** What was done, in the words of the operation log. */
export const operationMessages = defineMessages({
  "operation.action.visit": ["生成链接", "Gave out a link"],
  "operation.action.endVisits": ["收回链接", "Ended the links"],
  "operation.action.audit": ["审核", "Audited"],
  "operation.action.leave": ["离开", "Left"],
  "operation.action.add": ["新增", "Added"],
  "operation.action.edit": ["编辑", "Edited"],
  "operation.action.remove": ["移除", "Removed"],
  "operation.action.editEn": ["启用或禁用", "Enabled or disabled"],
  "operation.action.editEnable": ["启用或禁用", "Enabled or disabled"],
  "operation.action.resetPwd": ["重置密码", "Reset the password"],
  "operation.action.editPassword": ["修改密码", "Changed the password"],
  "operation.action.saveMenus": ["修改权限", "Changed the permissions"],
  "operation.action.saveDataScope": ["修改数据范围", "Changed the data scope"],
  "operation.action.approve": ["批准", "Approved"],
  "operation.action.enrol": ["设备开局", "Enrolled"],
  "operation.action.enrolRefused": ["拒绝开局", "Refused an enrolment"],
  "operation.action.reject": ["拒绝", "Rejected"],
  "operation.action.charge": ["充值", "Recharged"],
  "operation.action.editConfig": ["修改节点配置", "Changed the node config"],
  "operation.action.editCTGConfig": ["修改 CTG 推送", "Changed the CTG feed"],
  "operation.action.editStrategy": ["修改 POP 选择", "Changed the POP choice"],
});
