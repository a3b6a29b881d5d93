import { classLimits } from "@weft/contract/domains/devices/link-quality.ts";
import type { Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

/** What transactions bear. */
const { loss } = classLimits.transactional;

/**
 * What raises an alarm from the first day on: what is down, what cannot be configured, what was
 * meant to be kept out and is not, and waves that failed. Levels: 1 critical to 4 warning. Thresholds in percent or ms.
 */
const rules = [
  { metric: "node", level: 1, duration_s: 60 },
  { metric: "config", level: 1, duration_s: 0 },
  { metric: "deny", level: 1, duration_s: 60 },
  { metric: "rollout", level: 2, duration_s: 0 },
  { metric: "line", level: 2, duration_s: 30 },
  { metric: "link", level: 2, duration_s: 30 },
  { metric: "repair", level: 3, duration_s: 0 },
  { metric: "finding", level: 3, duration_s: 60 },
  { metric: "loss", level: 3, duration_s: 120, threshold: loss, hysteresis: loss / 2 },
  { metric: "bandwidth", level: 4, duration_s: 300, threshold: 90, hysteresis: 10 },
  { metric: "cpu", level: 3, duration_s: 300, threshold: 90, hysteresis: 10 },
  { metric: "mem", level: 3, duration_s: 300, threshold: 90, hysteresis: 10 },
] as const;

/** Seconds that all must be well before an event clears. */
const recoverySeconds = 60;
/** spec/enums.json compareType: above. */
const above = 1;

/**
 * The policy that a new installation starts with: all nodes of the operator and of the enterprises below it,
 * which see the events about their own. It is an ordinary policy: edited, switched off or removed as any other.
 */
export async function addDefaultAlarms(
  trx: Transaction<Database>,
  enterpriseId: number,
): Promise<void> {
  const { id } = await trx
    .insertInto("alarm_strategy")
    .values({
      enterprise_id: enterpriseId,
      name: "默认告警",
      share: true,
      enabled: true,
      remark: "Default alarms",
      created_by: enterpriseId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await trx
    .insertInto("alarm_rule")
    .values(
      rules.map((rule) => ({
        enterprise_id: enterpriseId,
        strategy_id: id,
        enabled: true,
        recovery_s: recoverySeconds,
        hysteresis: 0,
        threshold: null,
        compare_type: "threshold" in rule ? above : null,
        ...rule,
      })),
    )
    .execute();
}
