import { defineMessages } from "@weft/contract/kernel/message.ts";

/** The health of a node in one word: of devices, and of the enterprises that they make healthy or not. */
export const healthMessages = defineMessages({
  "node.health.none": ["未知", "Unknown"],
  "node.health.online": ["在线", "Online"],
  "node.health.offline": ["离线", "Offline"],
  "node.health.cutOff": ["链路全断", "All links down"],
  "node.health.quarantined": ["已隔离", "Quarantined"],
  "node.health.blocked": ["配置未生效", "Configuration failed"],
  "node.health.expired": ["已到期", "Expired"],
  "node.health.outOfContact": ["失联", "No contact"],
  "node.health.degraded": ["劣化", "Degraded"],
  "node.health.withoutStandby": ["无备机", "No standby"],
  "node.health.poor": ["质量差", "Poor quality"],
  "node.health.pending": ["待审批", "Pending approval"],
  "node.health.findings": ["部分未生效", "Partly in effect"],
  "node.health.drifted": ["配置漂移", "Drifted"],
  "node.health.held": ["待放行", "Config pending approval"],
  "node.health.alarm": ["有告警", "Alarm"],
  "node.health.comingUp": ["开局中", "Enrolling"],
  "node.health.delivering": ["下发中", "Deploying"],
  "node.health.unclaimed": ["未开局", "Not enrolled"],
  "node.health.unseen": ["未上线", "Not seen yet"],
  "node.health.rejected": ["已拒绝", "Rejected"],
  "node.health.disabled": ["停用", "Disabled"],
});
