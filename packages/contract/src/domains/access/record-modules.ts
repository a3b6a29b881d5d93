import type { Message } from "#kernel/message.ts";

/** What rows of the operation log are about that is neither a resource nor a policy object. */
export const otherModules = {
  alarmEvent: ["告警", "Alarm"],
  batch: ["批量任务", "Bulk job"],
  brand: ["品牌", "Brand"],
  claim: ["开局码", "Activation code"],
  clientConfig: ["客户端配置", "Client configuration"],
  command: ["设备命令", "Device command"],
  cpeArea: ["CPE 区域", "CPE area"],
  cpeCfg: ["CPE 配置", "CPE configuration"],
  cpePorts: ["CPE 端口", "CPE port"],
  demonstration: ["演示环境", "Demonstration"],
  enrolment: ["开局审批", "Enrolment"],
  installation: ["控制器", "Controller"],
  link: ["链路", "Link"],
  nodeState: ["配置下发", "Configuration"],
  paramConfig: ["企业参数", "Enterprise parameters"],
  posting: ["入账", "Posting"],
  task: ["下发任务", "Task"],
  templateVisit: ["模板分享链接", "Link for templates"],
} as const satisfies Readonly<Record<string, Message>>;
