import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { AuditEntry, Caller, Change, Context } from "./api.ts";

/** Field names whose values are never written to audit rows or logs. */
const secretName = /psw|passw|secret|token|private_?key|preshared|claim$/i;

/** A copy with every secret field's value replaced, at any depth; dates become ISO text. */
export function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) && inner !== null ? "[redacted]" : redact(inner),
    ]),
  );
}

const json = (value: object | null): string | null =>
  value === null ? null : JSON.stringify(redact(value));

/** What a call wrote besides its rows. */
export interface Written {
  audited: boolean;
  changed: boolean;
}

/**
 * The context of one call.
 * @param action the endpoint's id, under which its audit rows stand.
 */
export function createContext(
  caller: Caller,
  db: Transaction<Database>,
  action: string,
): Context & { readonly written: Written } {
  const written: Written = { audited: false, changed: false };
  return {
    caller,
    db,
    written,
    async audit(entry) {
      written.audited = true;
      await writeAudit(db, caller, action, entry);
    },
    async change(change) {
      written.changed = true;
      await writeChange(db, caller, action, change);
    },
  };
}

async function writeAudit(
  db: Transaction<Database>,
  caller: Caller,
  action: string,
  entry: AuditEntry,
): Promise<void> {
  await db
    .insertInto("audit")
    .values({
      enterprise_id: entry.enterpriseId,
      user_id: caller.userId,
      login_name: caller.loginName,
      action,
      resource: entry.resource,
      row_id: entry.rowId,
      old_value: json(entry.old),
      new_value: json(entry.new),
      address: caller.address,
      request_id: caller.requestId,
    })
    .execute();
}

async function writeChange(
  db: Transaction<Database>,
  caller: Caller,
  action: string,
  change: Change,
): Promise<void> {
  const { nodeIds = [], spaceIds = [] } = change;
  if (nodeIds.length === 0 && spaceIds.length === 0) return;
  await db
    .insertInto("change")
    .values({
      enterprise_id: change.enterpriseId,
      node_ids: sql`${[...nodeIds]}::bigint[]`,
      space_ids: sql`${[...spaceIds]}::bigint[]`,
      cause: `${caller.loginName}: ${action}`,
      request_id: caller.requestId,
      created_by: caller.userId,
    })
    .execute();
}
