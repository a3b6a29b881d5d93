/** Undoes one entry of the operation log, by the write that its inverse is. */
import type { operaRecordUndo } from "@weft/contract/domains/access/record.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { sql } from "kysely";
import { requireAccess } from "#kernel/answer.ts";
import type { Api, HandlerContext } from "#kernel/api.ts";
import {
  type MountedResource,
  mountedResource,
  record,
  removeRows,
  writeRow,
} from "#kernel/mount-resource.ts";
import { refuse } from "#kernel/refuse.ts";
import type { WrittenRow } from "#kernel/resource-store.ts";
import { lockRow } from "#kernel/row-version.ts";
import { readNames } from "./references.ts";
import { differences } from "./rules.ts";
import { draftOf, isSame, withOwner } from "./undo-draft.ts";
import { permissionFor, type UndoPlan, undoPlanOf } from "./undo-plan.ts";
import { type Entry, findEntry, markUndone, refuseLater } from "./undo-store.ts";
import { readableChange } from "./value-texts.ts";

const noInverse: Message = [
  "该操作没有可以撤销的反向操作",
  "this operation has no inverse that could undo it",
];

/**
 * Writes the inverse of an entry as its own call would: with its permission, its rules and an audit row. A check writes
 * it too and takes it back, so that it finds all that the call would be refused for.
 * @returns what the inverse changes
 */
export async function undoOperation(
  api: Api,
  ctx: HandlerContext,
  { id, check }: InputOf<typeof operaRecordUndo>,
): Promise<OutputOf<typeof operaRecordUndo>> {
  const entry = await findEntry(ctx, id);
  const plan = undoPlanOf(entry) ?? refuse("notAllowedNow", { reason: noInverse });
  const mounted = mountedResource(api, plan.resource.name);
  if (!mounted) return refuse("notAllowedNow", { reason: noInverse });
  if (check) await sql`savepoint undo`.execute(ctx.db);
  await markUndone(ctx, entry);
  await refuseLater(ctx, entry);
  const row = await inverses[plan.verb](ctx, mounted, plan, entry);
  // By now the row is locked: who wrote in the meantime is known.
  await refuseLater(ctx, entry);
  await record(ctx, plan.resource, [row], mounted.hooks);
  if (check) await sql`rollback to savepoint undo`.execute(ctx.db);
  const names = await readNames(ctx, [row.old, row.new] as Parameters<typeof readNames>[1]);
  const changes = differences(row.old as never, row.new as never);
  return {
    verb: plan.verb,
    changes: changes.map((change) => readableChange(plan.resource.name, change, names)),
  };
}

type Inverse = (
  ctx: HandlerContext,
  mounted: MountedResource,
  plan: UndoPlan,
  entry: Entry,
) => Promise<WrittenRow>;

function requirePermission(
  ctx: HandlerContext,
  plan: UndoPlan,
  draft: Readonly<Record<string, unknown>>,
): void {
  requireAccess(ctx.caller, permissionFor(plan, draft));
}

/** The row that is written over, or removed, has to be what the entry left. */
function requireAsLeft(
  { resource, fields }: UndoPlan,
  { new_value }: Entry,
  row: WrittenRow,
): void {
  const old = row.old as Readonly<Record<string, unknown>> | null;
  const isChanged = fields.some(
    (field) => old && field in old && !isSame(resource, field, old[field], new_value?.[field]),
  );
  if (isChanged) refuse("conflict");
}

/** Values before take the place of those that the entry left; the others stay. */
const editBack: Inverse = async (ctx, mounted, plan, entry) => {
  const { resource, rowId, fields } = plan;
  await lockRow(ctx, resource, rowId);
  const current = await mounted.store.read?.(ctx, rowId);
  if (!current) return refuse("notAllowedNow", { reason: noInverse });
  const before = Object.fromEntries(fields.map((field) => [field, entry.old_value?.[field]]));
  const values = await withOwner(ctx, resource, { ...current, ...before });
  const draft = draftOf(resource, values);
  requirePermission(ctx, plan, draft);
  const row = await writeRow(ctx, mounted, rowId, draft);
  requireAsLeft(plan, entry, row);
  return row;
};

/** Fields with the owner of the rows of a removal. */
const insideOf = ({ inside = {} }: AnyResource, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.keys(inside).map((field) => [field, values[field] ?? null]));

const removeAgain: Inverse = async (ctx, mounted, plan, entry) => {
  const values = await withOwner(ctx, plan.resource, entry.new_value ?? {});
  requirePermission(ctx, plan, values);
  const inside = insideOf(plan.resource, values);
  const [row] = await removeRows(ctx, mounted, [plan.rowId], inside);
  if (!row) return refuse("notFound");
  requireAsLeft(plan, entry, row);
  return row;
};

const addAgain: Inverse = async (ctx, mounted, plan, entry) => {
  const values = await withOwner(ctx, plan.resource, entry.old_value ?? {});
  const draft = draftOf(plan.resource, values);
  requirePermission(ctx, plan, draft);
  return writeRow(ctx, mounted, null, draft);
};

const inverses: Readonly<Record<UndoPlan["verb"], Inverse>> = {
  edit: editBack,
  remove: removeAgain,
  add: addAgain,
};
