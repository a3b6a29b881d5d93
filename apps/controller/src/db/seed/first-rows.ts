import { classLimits } from "@weft/contract/domains/devices/link-quality.ts";
import { defaultGrants } from "@weft/contract/grants.ts";
import { sql, type Transaction } from "kysely";
import { holdLock, locks } from "#db/locks.ts";
import type { Pools } from "#db/pool.ts";
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
async function addDefaultAlarms(trx: Transaction<Database>, enterpriseId: number): Promise<void> {
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

export interface FirstRows {
  /** Name of the enterprise at the top of the tree. */
  readonly operatorName: string;
  /** Makes the hash of the first administrator's password; asked only when the database is new. */
  adminPasswordHash(): Promise<string>;
  /** True: with the alarm policy that operators expect of a new installation. */
  readonly alarms?: boolean;
}

/** Id of the operator's enterprise, and of the user who holds every permission (section 6). */
const firstEnterprise = 1;
export const firstUser = firstEnterprise;

/** Roles that every installation starts with. Agents and enterprises take theirs as they are. */
const firstRoles = [
  { code: "controller", name: "控制台管理员", role_type: 0, data_scope: 3 },
  { code: "agent", name: "代理商", role_type: 1, data_scope: 3 },
  { code: "enterprise", name: "企业", role_type: 2, data_scope: 1 },
] as const;

/**
 * Gives a new database its operator, its first roles and its first administrator `admin`; leaves
 * any other database alone. Processes that start at once wait for each other.
 * @returns true when the rows were made.
 */
export function seedFirstRows(
  pools: Pools<Database>,
  { operatorName, adminPasswordHash, alarms = false }: FirstRows,
): Promise<boolean> {
  return pools.owner.db.transaction().execute(async (trx) => {
    await holdLock(trx, locks.firstRows);
    const any = await trx.selectFrom("enterprise").select("id").limit(1).executeTakeFirst();
    if (any) return false;
    await trx
      .insertInto("enterprise")
      .values({
        id: firstEnterprise,
        name: operatorName,
        enterprise_type: 0,
        is_agent: false,
        province: "",
        city: "",
        region: "",
        contact: "",
        remark: "",
      })
      .execute();
    await trx
      .insertInto("sys_user")
      .values({
        id: firstEnterprise,
        enterprise_id: firstEnterprise,
        login_name: "admin",
        password_hash: await adminPasswordHash(),
      })
      .execute();
    for (const table of ["enterprise", "sys_user"]) {
      await sql`select setval(pg_get_serial_sequence(${`weft.${table}`}, 'id'), ${firstEnterprise})`.execute(
        trx,
      );
    }
    await addRoles(trx);
    if (alarms) await addDefaultAlarms(trx, firstEnterprise);
    return true;
  });
}

async function addRoles(trx: Transaction<Database>): Promise<void> {
  for (const role of firstRoles) {
    const { id } = await trx
      .insertInto("role")
      .values({ ...role, enterprise_id: firstEnterprise, created_by: firstEnterprise })
      .returning("id")
      .executeTakeFirstOrThrow();
    const rows = defaultGrants(role.role_type).map((permission) => ({
      role_id: id,
      enterprise_id: firstEnterprise,
      permission,
    }));
    await trx.insertInto("role_permission").values(rows).execute();
    if (role.role_type === 0) {
      await trx
        .insertInto("user_role")
        .values({ user_id: firstEnterprise, role_id: id, enterprise_id: firstEnterprise })
        .execute();
    }
  }
}
