import { compileFailureTexts } from "@weft/contract/domains/delivery/failure-text.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts about the newest state of a node and its way to the device. */
export const stateMessages = defineMessages({
  "node.byCause": ["变更：{cause}", "Change: {cause}"],
  "node.deliveryOf": ["下发 #{serial}", "Delivering #{serial}"],
  "node.deliveredOf": ["配置 #{serial}", "Config #{serial}"],
  "node.compiling": ["正在生成新配置", "Compiling the new configuration"],
  "node.uncompiled": [
    "新设置无法生成配置，正在重试",
    "No configuration can be compiled from the new settings; retrying",
  ],
  "node.uncompiled.tooLarge": compileFailureTexts.tooLarge,
  "node.uncompiled.unreadable": compileFailureTexts.unreadable,
  "node.uncompiled.broken": compileFailureTexts.broken,
  "node.configHidden": [
    "该设备由其他企业运维，配置不在您的权限范围内",
    "Another enterprise runs this device; its configuration is outside of your scope",
  ],
  "node.noConfig": [
    "尚无配置。保存任意一项后生成第一版",
    "No configuration yet. The first one is compiled when something is saved",
  ],
  "node.step.waiting": ["已生成", "Compiled"],
  "node.step.delivered": ["已送达", "Delivered"],
  "node.step.applied": ["已应用", "Applied"],
  "node.step.confirmed": ["已确认", "Confirmed"],
  "node.waitsOffline": [
    "设备离线，上线后自动下发",
    "The device is offline; delivery continues when it connects again",
  ],
  "node.stopped.reverted": [
    "配置 #{serial} 未生效，已自动回退",
    "Configuration #{serial} not applied; rolled back",
  ],
  "node.stopped.refused": [
    "设备拒绝了配置 #{serial}",
    "The device refused configuration #{serial}",
  ],
  "node.stopped.failed": ["配置 #{serial} 应用失败", "Configuration #{serial} failed to apply"],
  "node.stoppedReason": ["原因：{reason}", "Reason: {reason}"],
  "node.stoppedRuns": ["设备仍运行 #{serial}", "The device still runs #{serial}"],
  "node.retry": ["重试 {serial}", "Retry {serial}"],
  "node.retryTitle": ["向 {name} 再次下发 #{serial}？", "Send #{serial} to {name} again?"],
  "node.retryBody": [
    "设备会再次应用这份配置。60 秒内无法回连控制器则再次自动回退，期间业务可能中断。",
    "The device applies this configuration again. If it cannot reach the controller within 60 s it rolls back again; traffic may be interrupted until then.",
  ],
  "node.retried": ["已再次下发", "Sent again"],
  "node.retryOk": ["再次下发 #{serial}", "Send #{serial} again"],
  "node.cause.noReason": ["设备没有给出原因", "the device gave no reason"],
});
