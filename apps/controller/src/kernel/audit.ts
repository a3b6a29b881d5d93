import type { Warning } from "@weft/contract/kernel/warning.ts";
import { type CompiledQuery, sql, type Transaction } from "kysely";
import { KnownStatements } from "#db/known-statements.ts";
import type { Database } from "#db/schema.ts";
import type { Api, AuditEntry, Caller, Change, Context } from "./api.ts";

/** Field names whose values are never written to audit rows or logs. */
const secretName = /psw|passw(?!ordPolicy)|secret|token|private_?key|preshared|claim$/i;

/**
 * A copy with every secret field's value replaced, at any depth; dates become ISO text. Yes or no
 * ("has a password") is kept: no secret is that short.
 */
export function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) && inner !== null && typeof inner !== "boolean"
        ? "[redacted]"
        : redact(inner),
    ]),
  );
}

const json = (value: object | null): string | null =>
  value === null ? null : JSON.stringify(redact(value));

/** What a call wrote besides its rows. */
export interface Written {
  audited: boolean;
  changed: boolean;
  /** Version of the one row that the answer is about, for its header ETag. */
  version: string | null;
  warnings: readonly Warning[];
  /** What stays of a call that was refused. */
  afterRefusal: readonly ((api: Api) => Promise<void>)[];
  /** What goes out with COMMIT. */
  last: readonly CompiledQuery[];
}

/**
 * The context of one call.
 * @param action the endpoint's id, under which its audit rows are written.
 * @param sendsLast who commits sends `written.last` with it
 */
export function createContext(
  caller: Caller,
  db: Transaction<Database>,
  action: string,
  verifyOwnPassword: (ctx: Context) => Promise<void> = noCall,
  sendsLast = false,
): Context & { readonly written: Written } {
  const written: Written = {
    audited: false,
    changed: false,
    version: null,
    warnings: [],
    afterRefusal: [],
    last: [],
  };
  const context: Context & { readonly written: Written } = {
    caller,
    db,
    written,
    verifyOwnPassword: () => verifyOwnPassword(context),
    returns(version) {
      written.version = version;
    },
    warn(...warnings) {
      written.warnings = [...written.warnings, ...warnings];
    },
    afterRefusal(work) {
      written.afterRefusal = [...written.afterRefusal, work];
    },
    async audit(...entries) {
      written.audited = true;
      for (const auditRow of auditRows(db, caller, action, entries))
        await db.executeQuery(auditRow);
    },
    async change(...changes) {
      written.changed = true;
      for (const changeRow of changeRows(db, caller, action, changes))
        await db.executeQuery(changeRow);
    },
    recordLast(entries, changes) {
      if (!sendsLast) throw new Error("this transaction sends nothing with its COMMIT");
      written.audited = true;
      if (changes.length > 0) written.changed = true;
      written.last = [
        ...written.last,
        ...auditRows(db, caller, action, entries),
        ...changeRows(db, caller, action, changes),
      ];
    },
  };
  return context;
}

/** A job, or the login itself: there is no field in which a password could be. */
const noCall = (): Promise<never> =>
  Promise.reject(new Error("only a call of a person can prove a password"));

/** Rows per statement: PostgreSQL takes at most 65,535 parameters. */
const rowsPerStatement = 1000;

const statements = new KnownStatements();

/** An insert of rows that all have the same columns. */
function insertOf(
  db: Transaction<Database>,
  table: "audit" | "change",
  rows: readonly Readonly<Record<string, unknown>>[],
  types: Readonly<Record<string, string>> = {},
): CompiledQuery {
  const columns = Object.keys(rows[0] ?? {});
  const placed = (column: string, at: number) => `${column} ${at}`;
  const values = Object.fromEntries(
    rows.flatMap((row, at) => columns.map((column) => [placed(column, at), row[column]])),
  );
  return statements.compiled(
    // Most calls write one row; of many the text is not worth keeping.
    rows.length === 1 ? table : null,
    (value) =>
      db.insertInto(table).values(
        rows.map((_, at) =>
          Object.fromEntries(
            columns.map((column) => {
              const one = value(placed(column, at));
              const type = types[column];
              return [column, type === undefined ? one : sql`${one}::${sql.raw(type)}`];
            }),
          ),
        ) as never,
      ),
    values,
  );
}

function auditRows(
  db: Transaction<Database>,
  caller: Caller,
  action: string,
  entries: readonly AuditEntry[],
): CompiledQuery[] {
  const values = entries.map((entry) => ({
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
  }));
  return Array.from({ length: Math.ceil(values.length / rowsPerStatement) }, (_, at) =>
    insertOf(db, "audit", values.slice(at * rowsPerStatement, (at + 1) * rowsPerStatement)),
  );
}

/** One row an enterprise: who is affected is the same, however many writes it came from. */
function changeRows(
  db: Transaction<Database>,
  caller: Caller,
  action: string,
  changes: readonly Change[],
): CompiledQuery[] {
  const byEnterprise = Map.groupBy(changes, (one) => one.enterpriseId);
  const values = [...byEnterprise].map(([enterpriseId, some]) => ({
    enterprise_id: enterpriseId,
    node_ids: [...new Set(some.flatMap(({ nodeIds = [] }) => nodeIds))],
    space_ids: [...new Set(some.flatMap(({ spaceIds = [] }) => spaceIds))],
    cause: `${caller.loginName}: ${action}`,
    request_id: caller.requestId,
    created_by: caller.userId,
  }));
  const affecting = values.filter(
    ({ node_ids, space_ids }) => node_ids.length + space_ids.length > 0,
  );
  if (affecting.length === 0) return [];
  const types = { node_ids: "bigint[]", space_ids: "bigint[]" };
  return [insertOf(db, "change", affecting, types)];
}
