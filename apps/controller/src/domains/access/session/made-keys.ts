import { sql, type Transaction } from "kysely";
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
