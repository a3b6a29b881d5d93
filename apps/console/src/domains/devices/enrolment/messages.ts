import { defineMessages } from "@weft/contract/kernel/message.ts";

export const enrolmentMessages = defineMessages({
  "enrolment.title": ["开局审批", "Enrolment"],
  "enrolment.node": ["节点", "Node"],
  "enrolment.fingerprint": ["公钥指纹", "Key fingerprint"],
  "enrolment.address": ["来源地址", "Source address"],
  "enrolment.state": ["审批状态", "Approval"],
  "enrolment.asked": ["申请时间", "Requested"],
  "enrolment.decided": ["处理时间", "Decided"],
  "enrolment.byClaim": ["开局码预先批准", "Pre-approved by the activation code"],
  "enrolment.approve": ["批准", "Approve"],
  "enrolment.reject": ["拒绝", "Reject"],
  "enrolment.cutOff": ["撤销接入", "Revoke access"],
  "enrolment.approveTitle": ["批准 {name}？", "Approve {name}?"],
  "enrolment.approveMany": ["批准 {count} 台设备？", "Approve {count|device|devices}?"],
  "enrolment.approveBody": [
    "序列号 {sn}、指纹 {fingerprint} 的设备将作为 {name} 加入，并立即收到它的配置。先与设备上显示的指纹比对。",
    "The device with serial number {sn} and fingerprint {fingerprint} joins as {name} and gets its configuration immediately. Compare the fingerprint with the one on the device first.",
  ],
  "enrolment.approveManyBody": [
    "这些设备立即加入并收到各自的配置：{names}",
    "These devices join immediately and get their configurations: {names}",
  ],
  "enrolment.rejectTitle": ["拒绝 {name}？", "Reject {name}?"],
  "enrolment.rejectMany": ["拒绝 {count} 台设备？", "Reject {count|device|devices}?"],
  "enrolment.rejectBody": [
    "设备得不到任何访问；需要时为 {name} 重新生成开局码。",
    "The device gets no access; create a new activation code for {name} to enrol it again.",
  ],
  "enrolment.rejectManyBody": [
    "这些设备得不到任何访问：{names}",
    "These devices get no access: {names}",
  ],
  "enrolment.cutOffTitle": [
    "撤销 {name} 的设备接入？",
    "Revoke the access of the device of {name}?",
  ],
  "enrolment.cutOffBody": [
    "序列号 {sn} 的设备立即断开，它的链路全部拆除；{name} 的配置保留，可用新的开局码换一台设备。",
    "The device with serial number {sn} loses access immediately and its links go down; the settings of {name} are kept, and a new activation code can enrol another device.",
  ],
  "enrolment.empty": [
    "没有等待审批的设备。在 CPE 或 POP 列表中为节点生成开局码，在设备上运行命令；未预先批准的设备会出现在这里",
    "No device waits for approval. Create an activation code for a node in the list of CPEs or POPs and run its command on the device; a device that is not pre-approved is listed here",
  ],
  "enrolment.isOver": [
    "已拒绝，需要时重新生成开局码",
    "Rejected; create a new activation code to enrol it again",
  ],
  "enrolment.onlyPending": [
    "所选设备中有已处理的",
    "The selection contains devices that were already approved or rejected",
  ],
  "enrolment.toCpe": ["去 CPE 列表", "Go to CPEs"],
});
