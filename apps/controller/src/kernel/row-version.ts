/**
 * Versions of rows (contract kernel/row-version.ts). A version is a hash of what the row shows of
 * its editable fields, in wire form: no column, no statement, and a write of anything else (a time
 * of login, a state) makes no form stale.
 */
import { createHash } from "node:crypto";
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
import type { Context } from "./api.ts";
import { Refusal, refuseField } from "./refuse.ts";
import type { WrittenRow } from "./resource-store.ts";

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

const bytes = 16;
const hashOf = (shown: Loose): string =>
  createHash("sha256")
    .update(JSON.stringify(shown))
    .digest()
    .subarray(0, bytes)
    .toString("base64url");

/** The version of a row, by its values as a list or its store shows them. */
const versionOfRow = (resource: Versioned, values: object): string =>
  hashOf(shownOf(resource, values));

/** The row with its version, where it can be edited. */
const withVersion = <Row extends object>(resource: Versioned, row: Row): Row =>
  resource.verbs.includes("edit") ? { ...row, [versionField]: versionOfRow(resource, row) } : row;

/** A page of a list whose rows carry their versions. */
export const withVersions = <Row extends object>(
  resource: Versioned,
  { rows, count }: { readonly rows: readonly Row[]; readonly count: number },
): { rows: Row[]; count: number } => ({
  rows: rows.map((row) => withVersion(resource, row)),
  count,
});

/** The one row of an answer, with its version in the header ETag as well. */
export function toldRow<Row extends object>(ctx: Context, resource: Versioned, row: Row): Row {
  ctx.returns(versionOfRow(resource, row));
  return withVersion(resource, row);
}

/** The version that a row has after a write, in the header ETag of the answer. */
export function tellVersion(ctx: Context, resource: Versioned, row: WrittenRow): void {
  if (row.new && resource.verbs.includes("edit")) ctx.returns(versionOfRow(resource, row.new));
}

/** Versions that a call accepts; "any": every row that is there; null: the caller did not say. */
export type Condition = "any" | ReadonlySet<string> | null;

/** A list of entity tags (RFC 9110, 8.8.3): weak ones never match (13.1.1). */
const tagList = /^(?:\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*(?:,|$))+$/;
const strongTags = /(?<!W\/)"([\x21\x23-\x7e]*)"/g;

/**
 * What the caller asks of the row before it is changed: its header If-Match, else the field
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
export async function takeTurn(ctx: Context, resource: Versioned, id: number): Promise<void> {
  await holdLock(ctx.db, rowLock(resource.name, id));
}

/**
 * Ends the call when the row was not as the caller saw it: who changed what, as far as the caller
 * may read it. The caller may see the row, or its store had refused it.
 */
export async function requireVersion(
  ctx: Context,
  resource: Versioned,
  row: WrittenRow,
  condition: Condition,
): Promise<void> {
  if (condition === null || condition === "any" || row.old === null) return;
  const current = shownOf(resource, row.old);
  const version = hashOf(current);
  if (condition.has(version)) return;
  const changes = await changesSince(ctx, resource, { id: row.id, current, condition });
  const data = z.encode(staleRow, { [versionField]: version, current, changes });
  if (changes.length === 0) throw new Refusal("conflict", {}, [], data);
  throw new Refusal("staleRow", changeText(changes, ctx.caller.language), [], data);
}

/**
 * Ends the call when settings were not as the caller saw them; a call that names no version goes on.
 * @param read gives them as their read call does.
 */
export async function requireUnchanged(
  ctx: Context,
  settings: Versioned,
  asked: { readonly id: number; readonly rowVersion: unknown },
  read: () => Promise<object>,
): Promise<void> {
  const condition = conditionOf(ctx, asked.rowVersion);
  if (condition === null) return;
  await takeTurn(ctx, settings, asked.id);
  const row = { id: asked.id, enterpriseId: 0, old: await read(), new: null };
  await requireVersion(ctx, settings, row, condition);
}

type Changes = z.output<typeof staleRow>["changes"];

interface AuditRow {
  readonly login_name: string;
  readonly at: Date;
  readonly old_value: Loose | null;
  readonly new_value: Loose | null;
}

/** Writes that are looked through for the one that began what the caller did not see. */
const maxWrites = 50;

/** What was written since the row had the version that the caller names, the oldest first. */
async function changesSince(
  ctx: Context,
  resource: Versioned,
  row: { readonly id: number; readonly current: Loose; readonly condition: ReadonlySet<string> },
): Promise<Changes> {
  const { rows } = await sql<AuditRow>`
    select login_name, at, old_value, new_value from audit
    where resource = ${resource.name} and row_id = ${row.id}
    order by id desc limit ${maxWrites}`.execute(ctx.db);
  const changes: Changes = [];
  const state: Record<string, unknown> = { ...row.current };
  const { language } = ctx.caller;
  for (const write of rows) {
    const fields = fieldsOf(resource).flatMap(([field, schema]) => {
      const [old, now] = [write.old_value?.[field], write.new_value?.[field]];
      if (old === undefined || JSON.stringify(old) === JSON.stringify(now)) return [];
      state[field] = wireOf(schema, old);
      const say = (value: unknown): string => valueText(field, value, language);
      return [{ field, name: fieldText(field, language), old: say(old), new: say(now) }];
    });
    if (fields.length > 0) changes.push({ loginName: write.login_name, at: write.at, fields });
    if (row.condition.has(hashOf(state))) return changes.reverse();
  }
  // A version that the row never had, or before what the log knows: who wrote last is true of both.
  return changes.slice(0, 1);
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
