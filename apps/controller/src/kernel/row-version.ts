/**
 * Versions of rows (contract kernel/row-version.ts). A version is the column `row_version`, which a trigger increases with
 * each change of what a form edits (migration row-versions), whoever makes it; a write of anything else (a time
 * of login, a state) makes no form stale. It is the time of its transaction, by which the operation log is asked for
 * what came after it.
 */
import type { Language } from "@weft/contract/kernel/message.ts";
import {
  staleRow,
  type Versioned,
  versionField,
  versionFields,
} from "@weft/contract/kernel/row-version.ts";
import { checkMemory, checkWire } from "@weft/contract/kernel/rule.ts";
import { fieldText, valueText } from "@weft/contract/value-texts.ts";
import { sql } from "kysely";
import { z } from "zod";
import { holdLock, rowLock } from "#db/locks.ts";
import type { Database } from "#db/schema.ts";
import type { Context } from "./api.ts";
import { Refusal, refuse, refuseField } from "./refuse.ts";
import type { StoredRow } from "./resource-store.ts";

type Loose = Readonly<Record<string, unknown>>;
type Fields = readonly (readonly [name: string, schema: z.ZodType])[];

const known = new WeakMap<z.ZodType, Fields>();
const fieldsOf = (resource: Versioned): Fields => {
  const found = known.get(resource.row);
  if (found) return found;
  const fields = versionFields(resource);
  known.set(resource.row, fields);
  return fields;
};

/** Audit rows hold dates as ISO text. */
const isoText = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Some stores keep, or have recorded, the wire's own form of a value: that is read first. */
export function wireOf(schema: z.ZodType, value: unknown): unknown {
  const reported =
    typeof value === "string" && isoText.test(value) ? new Date(value) : (value ?? null);
  const memory = checkMemory(schema, reported);
  if (memory.ok) return memory.value;
  const read = checkWire(schema, reported);
  return read.ok ? z.encode(schema, read.value) : reported;
}

/** Editable fields of a row in wire form. */
const shownOf = (resource: Versioned, values: object): Loose =>
  Object.fromEntries(
    fieldsOf(resource).map(([name, schema]) => [name, wireOf(schema, (values as Loose)[name])]),
  );

/** Tables whose rows have a version. */
type VersionedTable = {
  [T in keyof Database & string]: Database[T] extends {
    readonly id: unknown;
    readonly row_version: unknown;
  }
    ? T
    : never;
}[keyof Database & string];

/** The version that a row has by now, after what triggers made of writes of other tables. */
export async function storedVersion(
  { db }: Pick<Context, "db">,
  table: VersionedTable,
  id: number,
): Promise<number> {
  const { rows } = await sql<{ row_version: number }>`
    select row_version from ${sql.table(table)} where id = ${id}`.execute(db);
  return rows[0]?.row_version ?? refuse("notFound");
}

/** A version on the wire. */
export const versionText = (version: number): string => String(version);

/** The version of settings that were never written and have their defaults. */
export const unwritten = "0";

/** The one row of an answer; its version is in the header ETag as well. */
export function rowWithETag<Row extends { readonly [versionField]: string }>(
  ctx: Pick<Context, "returns">,
  row: Row,
): Row {
  ctx.returns(row[versionField]);
  return row;
}

/** The version that a row has after a write, in the header ETag of the answer. */
export function setETag(ctx: Pick<Context, "returns">, { versions }: StoredRow): void {
  if (versions.new !== null) ctx.returns(versionText(versions.new));
}

/** Versions that a call accepts; "any": every row that is there; null: the caller did not say. */
export type Condition = "any" | ReadonlySet<string> | null;

/** A list of entity tags (RFC 9110, 8.8.3): weak ones never match (13.1.1). */
const tagList = /^(?:\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*(?:,|$))+$/;
const strongTags = /(?<!W\/)"([\x21\x23-\x7e]*)"/g;

/**
 * Precondition of the caller for an edit: its header If-Match, else the field
 * `rowVersion`. A header that is no list of entity tags is refused.
 */
export function conditionOf(ctx: Pick<Context, "caller">, given: unknown): Condition {
  const header = ctx.caller.ifMatch?.trim();
  if (header === undefined) {
    return typeof given === "string" && given !== "" ? new Set([given]) : null;
  }
  if (header === "*") return "any";
  if (!tagList.test(header)) refuseField("If-Match", "notAllowed");
  return new Set([...header.matchAll(strongTags)].map(([, tag = ""]) => tag));
}

/** Edits of one row that name a version wait for each other, so that each sees what it would undo. */
export async function lockRow(ctx: Context, resource: Versioned, id: number): Promise<void> {
  await holdLock(ctx.db, rowLock(resource.name, id));
}

/**
 * Ends the call when the row was not as the caller saw it: who changed what, as far as the caller
 * may read it. The caller may see the row, or its store had refused it.
 */
export async function requireVersion(
  ctx: Context,
  resource: Versioned,
  { id, old, versions }: StoredRow,
  condition: Condition,
): Promise<void> {
  if (old === null || versions.old === null) return;
  const version = versionText(versions.old);
  await requireOneOf(ctx, resource, { id, version, values: old }, condition);
}

/**
 * Ends the call when settings were not as the caller saw them; a call that names no version goes on.
 * @param read gives them as their read call does.
 */
export async function requireUnchanged(
  ctx: Context,
  settings: Versioned,
  edit: { readonly id: number; readonly rowVersion: unknown },
  read: () => Promise<{ readonly [versionField]: string }>,
): Promise<void> {
  const condition = conditionOf(ctx, edit.rowVersion);
  if (condition === null) return;
  await lockRow(ctx, settings, edit.id);
  const values = await read();
  await requireOneOf(
    ctx,
    settings,
    { id: edit.id, version: values[versionField], values },
    condition,
  );
}

interface Present {
  readonly id: number;
  readonly version: string;
  readonly values: object;
}

async function requireOneOf(
  ctx: Context,
  resource: Versioned,
  { id, version, values }: Present,
  condition: Condition,
): Promise<void> {
  if (condition === null || condition === "any" || condition.has(version)) return;
  const changes = await changesSince(ctx, resource, id, condition);
  const current = shownOf(resource, values);
  const data = z.encode(staleRow, { [versionField]: version, current, changes });
  if (changes.length === 0) throw new Refusal("conflict", {}, [], data);
  throw new Refusal("staleRow", changeText(changes, ctx.caller.language), [], data);
}

type Changes = z.output<typeof staleRow>["changes"];

interface AuditRow {
  readonly login_name: string;
  readonly at: Date;
  readonly old_value: Loose | null;
  readonly new_value: Loose | null;
}

/** Maximum writes that are named. */
const maxWrites = 50;

/** Microseconds since 1970 at which the latest of these versions came about; null: they are no versions. */
function timeOf(condition: ReadonlySet<string>): number | null {
  const times = [...condition].flatMap((tag) => {
    const time = Number(/^\d{1,16}/.exec(tag)?.[0]);
    return Number.isSafeInteger(time) ? [time] : [];
  });
  return times.length === 0 ? null : Math.max(...times);
}

/** What was written since the row had the version that the caller names, the oldest first. */
async function changesSince(
  ctx: Context,
  resource: Versioned,
  id: number,
  condition: ReadonlySet<string>,
): Promise<Changes> {
  const time = timeOf(condition);
  const later =
    time === null ? sql`true` : sql`(extract(epoch from at) * 1000000)::bigint > ${time}`;
  const { rows } = await sql<AuditRow>`
    select login_name, at, old_value, new_value from audit
    where resource = ${resource.name} and row_id = ${id} and ${later}
    order by id desc limit ${maxWrites}`.execute(ctx.db);
  const { language } = ctx.caller;
  const changes = rows.flatMap((write): Changes => {
    const fields = fieldsOf(resource).flatMap(([field]) => {
      const [old, now] = [write.old_value?.[field], write.new_value?.[field]];
      if (old === undefined || JSON.stringify(old) === JSON.stringify(now)) return [];
      const textOf = (value: unknown): string => valueText(field, value, language);
      return [{ field, name: fieldText(field, language), old: textOf(old), new: textOf(now) }];
    });
    return fields.length === 0 ? [] : [{ loginName: write.login_name, at: write.at, fields }];
  });
  // A version that the row never had: who wrote last is true of it.
  return time === null ? changes.slice(0, 1) : changes.reverse();
}

/** Maximum names in a text; all changes are in its data. */
const maxNamed = 8;

function changeText(changes: Changes, language: Language): { who: string; what: string } {
  const zh = language === "zh_cn";
  const who = [...new Set(changes.map(({ loginName }) => loginName))].join(zh ? "、" : ", ");
  const what = changes
    .flatMap(({ fields }) => fields)
    .slice(0, maxNamed)
    .map((one) => `${one.name} ${one.old} → ${one.new}`)
    .join(zh ? "；" : "; ");
  return { who, what };
}
