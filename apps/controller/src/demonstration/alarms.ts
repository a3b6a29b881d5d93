import { randomBytes } from "node:crypto";
import type { AlarmMetric } from "@weft/contract/domains/devices/enums.ts";
import { classLimits } from "@weft/contract/domains/devices/link-quality.ts";
import { alarmRule, alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import { alarmWindow } from "@weft/contract/domains/notifications/alarm-window.ts";
import type { AlarmLevel, CompareType } from "@weft/contract/domains/notifications/enums.ts";
import { messageReceive } from "@weft/contract/domains/notifications/message-receive.ts";
import { webhook } from "@weft/contract/domains/notifications/webhook.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";

const { loss } = classLimits.transactional;

interface DemoRule {
  readonly metric: AlarmMetric;
  readonly level: AlarmLevel;
  /** Seconds. */
  readonly duration: number;
  /** Percent or ms; absent: the metric is up or down. */
  readonly above?: number;
  readonly hysteresis?: number;
}

/** What an operator watches: contact and carriers first, then how well it goes. */
const policies: readonly { readonly name: string; readonly rules: readonly DemoRule[] }[] = [
  {
    name: "断网与离线",
    rules: [
      { metric: "node", level: 1, duration: 30 },
      { metric: "line", level: 2, duration: 10 },
      { metric: "link", level: 3, duration: 10 },
    ],
  },
  {
    name: "配置与策略",
    rules: [
      { metric: "config", level: 1, duration: 0 },
      { metric: "deny", level: 2, duration: 60 },
      { metric: "finding", level: 3, duration: 60 },
      { metric: "repair", level: 3, duration: 0 },
    ],
  },
  {
    name: "链路质量",
    rules: [
      { metric: "loss", level: 3, duration: 60, above: loss, hysteresis: loss / 2 },
      { metric: "delay", level: 4, duration: 120, above: 100, hysteresis: 20 },
      { metric: "bandwidth", level: 4, duration: 300, above: 90, hysteresis: 10 },
      { metric: "cpu", level: 3, duration: 300, above: 90, hysteresis: 10 },
    ],
  },
];

const hourMs = 3_600_000;

/** Nothing of the demonstration leaves this machine: addresses of documentation, which no message is sent to. */
const nowhere = "https://192.0.2.20";

const noRobots = {
  dingtalk: null,
  dingtalkFlag: false,
  dingtalkSecret: "",
  wechat: null,
  wechatFlag: false,
  feishu: null,
  feishuFlag: false,
  feishuSecret: "",
  webhook: null,
  webhookFlag: false,
  webhookSecret: "",
} as const;

/** Planned work of the coming nights: it hides none of the alarms that there are. */
async function addWindows(call: Caller, root: number): Promise<void> {
  const plain = { groupid: root, cpeIds: [], popIds: [], scopeId: null };
  const from = (hours: number, lasting: number) => {
    const start = Date.now() + hours * hourMs;
    return { startTime: new Date(start), endTime: new Date(start + lasting * hourMs) };
  };
  await call(alarmWindow.ops.add, {
    ...plain,
    ...from(9, 4),
    kind: 4,
    isp: "中国联通",
    reason: "联通骨干割接",
    remark: "联通工单，预计中断 20 分钟",
  });
  await call(alarmWindow.ops.add, {
    ...plain,
    ...from(33, 2),
    kind: 3,
    isp: "",
    scopeId: root,
    reason: "控制器升级",
    remark: "",
  });
}

/** An example to be completed: it stays disabled until a user enters an address. */
async function addWebhook(call: Caller, root: number): Promise<void> {
  await call(webhook.ops.add, {
    name: "工单系统",
    groupid: root,
    url: `${nowhere}/weft`,
    below: true,
    enable: false,
    secret: `whsec_${randomBytes(32).toString("base64")}`,
    events: ["alarm.opened", "alarm.ended", "change.failed"],
    remark: "填写工单系统的地址后启用",
  });
}

/** Alarm policies of the operator, and who is notified; their alarms arise by themselves. */
export async function addAlarms(call: Caller, root: number): Promise<void> {
  const shared = { groupid: root, remark: "", language: "zh_cn", ...noRobots } as const;
  const duty = await call(messageReceive.ops.add, {
    ...shared,
    name: "值班组",
    email: "noc@example.com",
    emailFlag: true,
    phone: "13800000010",
    phoneFlag: false,
  });
  await call(messageReceive.ops.add, {
    ...shared,
    name: "网络主管",
    email: "lead@example.com",
    emailFlag: false,
    phone: "13800000011",
    phoneFlag: true,
    wechat: `${nowhere}/cgi-bin/webhook/send?key=demonstration`,
  });
  await addWebhook(call, root);
  for (const { name, rules } of policies) {
    const { data } = await call(alarmStrategy.ops.add, {
      name,
      groupid: root,
      enable: true,
      remark: "",
      cpeIds: [],
      popIds: [],
      recipientIds: [duty.data.id],
    });
    for (const { metric, level, duration, above = null, hysteresis = 0 } of rules) {
      const compareType: CompareType | null = above === null ? null : 1;
      await call(alarmRule.ops.add, {
        strategyId: data.id,
        metric,
        level,
        duration,
        hysteresis,
        compareType,
        threshold: above,
        recovery: 60,
        enable: true,
      });
    }
  }
  await addWindows(call, root);
}
