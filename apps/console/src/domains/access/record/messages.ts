import { defineMessages } from "@weft/contract/kernel/message.ts";

export const recordMessages = defineMessages({
  "record.operations": ["操作日志", "Operation log"],
  "record.logIns": ["登录日志", "Login log"],
  "record.time": ["时间", "Time"],
  "record.who": ["用户", "User"],
  "record.from": ["来源地址", "Source address"],
  "record.agent": ["客户端", "Client"],
  "record.reason": ["失败原因", "Reason"],
  "record.requestId": ["请求编号", "Request id"],
  "record.row": ["数据", "Row"],
  "record.rowId": ["编号 {id}", "No. {id}"],
  "record.changed": ["变更", "Changes"],
  "record.more": ["{first}，另 {count} 项", "{first} and {count} more"],
  "record.oneChange": ["{field}：{old} → {new}", "{field}: {old} → {new}"],
  "record.listChange": ["{field}：{moved}", "{field}: {moved}"],
  "record.noChange": ["值未改变", "No values changed"],
  "record.field": ["字段", "Field"],
  "record.old": ["原值", "Old value"],
  "record.new": ["新值", "New value"],
  "record.detailsOf": ["{action} · {name}", "{action} · {name}"],
  "record.onlyThis": ["只看此用户", "Only this user"],
  "record.emptyOperations": [
    "所选时间内没有操作，换一个时间范围",
    "No operations in this range; select another one",
  ],
  "record.emptyLogIns": [
    "所选时间内没有登录，换一个时间范围",
    "No logins in this range; select another one",
  ],
  "record.sealed": ["本页 {count} 条与封存一致", "{count|row|rows} as sealed"],
  "record.sealWaiting": ["{count} 条等待封存", "{count|row|rows} being sealed"],
  "record.sealBroken": ["与封存不符：编号 {ids}", "Different from what was sealed: no. {ids}"],
  "record.sealHelp": [
    "每条操作一秒内封存进哈希链；事后改动会在此显示，整条链用 npm run audit:verify 校验",
    "Every operation is sealed into a hash chain within a second; later changes show here, and npm run audit:verify checks the whole chain",
  ],
  // Objects that operations are about
  // What was done, by the last part of the call
});
