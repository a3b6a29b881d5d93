import { alarmRule, alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import type {
  AlarmLevel,
  AlarmMetric,
  CompareType,
} from "@weft/contract/domains/notifications/enums.ts";
import { messageReceive } from "@weft/contract/domains/notifications/message-receive.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";

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
      { metric: "loss", level: 3, duration: 60, above: 5, hysteresis: 2 },
      { metric: "delay", level: 4, duration: 120, above: 100, hysteresis: 20 },
      { metric: "bandwidth", level: 4, duration: 300, above: 90, hysteresis: 10 },
      { metric: "cpu", level: 3, duration: 300, above: 90, hysteresis: 10 },
    ],
  },
];

/** Alarm policies of the operator, and who is notified; their alarms arise by themselves. */
export async function addAlarms(call: Caller, root: number): Promise<void> {
  const shared = { groupid: root, remark: "", language: "zh_cn" } as const;
  const duty = await call(messageReceive.ops.add, {
    ...{ ...shared, name: "值班组", email: "noc@example.com", emailFlag: true },
    ...{ phone: "13800000010", phoneFlag: false },
  });
  await call(messageReceive.ops.add, {
    ...{ ...shared, name: "网络主管", email: "lead@example.com", emailFlag: false },
    ...{ phone: "13800000011", phoneFlag: true },
  });
  for (const { name, rules } of policies) {
    const { data } = await call(alarmStrategy.ops.add, {
      ...{ name, groupid: root, enable: true, remark: "" },
      ...{ cpeIds: [], popIds: [], recipientIds: [duty.data.id] },
    });
    for (const { metric, level, duration, above = null, hysteresis = 0 } of rules) {
      const compareType: CompareType | null = above === null ? null : 1;
      await call(alarmRule.ops.add, {
        ...{ strategyId: data.id, metric, level, duration, hysteresis },
        ...{ compareType, threshold: above, recovery: 60, enable: true },
      });
    }
  }
}
