import { type Insertable, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { AuditEntry, Context } from "#kernel/api.ts";

/**
 * Revokes the API keys that a user made: a session that somebody else held may have made them.
 * @returns what the operation log says of each
 */
export async function revokeKeysOf(
  trx: Transaction<Database>,
  userId: number,
): Promise<AuditEntry[]> {
  const { rows } = await sql<{ id: number; enterprise_id: number; name: string; prefix: string }>`
    delete from api_key where created_by = ${userId}
    returning id, enterprise_id, name, prefix`.execute(trx);
  return rows.map(({ id, enterprise_id: enterpriseId, name, prefix }) => ({
    resource: "apiKey",
    rowId: id,
    enterpriseId,
    old: { name, prefix },
    new: null,
  }));
}

/** Those of the caller. */
export const revokeOwnKeys = ({ db, caller }: Context): Promise<AuditEntry[]> =>
  revokeKeysOf(db, caller.userId);

/** Who acts without a session, by a code: what is the same in each row of the operation log. */
type ByCode = Pick<
  Insertable<Database["audit"]>,
  "user_id" | "login_name" | "action" | "address" | "request_id"
>;

/** Writes to the operation log what a code did to an account, and which API keys ended with it. */
export async function recordByCode(
  trx: Transaction<Database>,
  by: ByCode,
  account: AuditEntry,
  revoked: readonly AuditEntry[],
): Promise<void> {
  const text = (value: object | null): string | null =>
    value === null ? null : JSON.stringify(value);
  await trx
    .insertInto("audit")
    .values(
      [account, ...revoked].map(({ resource, rowId, enterpriseId, old, new: now }) => ({
        ...by,
        enterprise_id: enterpriseId,
        resource,
        row_id: rowId,
        old_value: text(old),
        new_value: text(now),
      })),
    )
    .execute();
}
