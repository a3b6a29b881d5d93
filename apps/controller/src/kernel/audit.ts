import type { Warning } from "@weft/contract/kernel/warning.ts";
import { type CompiledQuery, sql, type Transaction } from "kysely";
import { KnownStatements, type ValueOf } from "#db/known-statements.ts";
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
      for (const insert of auditRows(caller, action, entries))
        await db.executeQuery(queryOf(db, insert));
    },
    async change(...changes) {
      written.changed = true;
      for (const insert of changeRows(caller, action, changes))
        await db.executeQuery(queryOf(db, insert));
    },
    recordLast(entries, changes) {
      if (!sendsLast) throw new Error("this transaction sends nothing with its COMMIT");
      written.audited = true;
      if (changes.length > 0) written.changed = true;
      written.last = [
        ...written.last,
        ...queriesOf(db, auditRows(caller, action, entries), changeRows(caller, action, changes)),
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

/** Rows for a table that all have the same columns. */
interface Insert {
  readonly table: "audit" | "change";
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly types?: Readonly<Record<string, string>>;
}

const placed = ({ table }: Insert, column: string, at: number) => `${table} ${column} ${at}`;

const valuesOf = (insert: Insert): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    insert.rows.flatMap((row, at) =>
      Object.entries(row).map(([column, value]) => [placed(insert, column, at), value]),
    ),
  );

function insertInto(db: Pick<Transaction<Database>, "insertInto">, insert: Insert, value: ValueOf) {
  const { table, rows, types = {} } = insert;
  const placesOf = (row: object, at: number) =>
    Object.keys(row).map((column) => {
      const one = value(placed(insert, column, at));
      const type = types[column];
      return [column, type === undefined ? one : sql`${one}::${sql.raw(type)}`];
    });
  return db
    .insertInto(table)
    .values(rows.map((row, at) => Object.fromEntries(placesOf(row, at))) as never);
}

/** Most calls write one row; of many the text is not worth keeping. */
const shapeOf = (...inserts: readonly Insert[]): string | null =>
  inserts.every(({ rows }) => rows.length === 1)
    ? inserts.map(({ table }) => table).join(" ")
    : null;

const queryOf = (db: Transaction<Database>, insert: Insert): CompiledQuery =>
  statements.compiled(shapeOf(insert), (value) => insertInto(db, insert, value), valuesOf(insert));

/** The inserts as few statements: of both tables they are one where each of them fits into one. */
function queriesOf(
  db: Transaction<Database>,
  audits: readonly Insert[],
  changes: readonly Insert[],
): CompiledQuery[] {
  const [audit, change] = [audits[0], changes[0]];
  if (audits.length !== 1 || !audit || !change) {
    return [...audits, ...changes].map((insert) => queryOf(db, insert));
  }
  const query = statements.compiled(
    shapeOf(audit, change),
    (value) =>
      insertInto(
        db.with("recorded", (within) => insertInto(within, audit, value)),
        change,
        value,
      ),
    { ...valuesOf(audit), ...valuesOf(change) },
  );
  return [query];
}

function auditRows(caller: Caller, action: string, entries: readonly AuditEntry[]): Insert[] {
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
  return Array.from({ length: Math.ceil(values.length / rowsPerStatement) }, (_, at) => ({
    table: "audit",
    rows: values.slice(at * rowsPerStatement, (at + 1) * rowsPerStatement),
  }));
}

/** One row an enterprise: who is affected is the same, however many writes it came from. */
function changeRows(caller: Caller, action: string, changes: readonly Change[]): Insert[] {
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
  return [{ table: "change", rows: affecting, types }];
}
