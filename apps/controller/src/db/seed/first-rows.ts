import { defaultGrants } from "@weft/contract/grants.ts";
import { sql, type Transaction } from "kysely";
import { holdLock, locks } from "#db/locks.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { addDefaultAlarms } from "./default-alarms.ts";

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
