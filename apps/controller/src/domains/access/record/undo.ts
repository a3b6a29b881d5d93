/** Undoes one entry of the operation log, by the write that its inverse is. */
import type { operaRecordUndo } from "@weft/contract/domains/access/record.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import { ownerNames } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource, DraftOf } from "@weft/contract/kernel/resource.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import type { z } from "zod";
import { requireAccess } from "#kernel/answer.ts";
import type { Api, Context, HandlerContext } from "#kernel/api.ts";
import {
  type MountedResource,
  mountedResource,
  record,
  removeRows,
  writeRow,
} from "#kernel/mount-resource.ts";
import { refuse, refuseFields } from "#kernel/refuse.ts";
import type { WrittenRow } from "#kernel/resource-store.ts";
import { lockRow, wireOf } from "#kernel/row-version.ts";
import { rehearse } from "#kernel/savepoint.ts";
import { readNames } from "./references.ts";
import { differences } from "./rules.ts";
import { permissionFor, type UndoPlan, undoPlanOf } from "./undo-plan.ts";
import { type Entry, findEntry, markUndone, refuseLater } from "./undo-store.ts";
import { readableChange } from "./value-texts.ts";

/** Values of a row as its own calls take them, out of what a store or the log has of it. */
type Values = Readonly<Record<string, unknown>>;

const shapeOf = ({ draft }: AnyResource): Readonly<Record<string, z.ZodType>> =>
  (draft as z.ZodObject).shape as Readonly<Record<string, z.ZodType>>;

/** Rows of policies say their owner by a column that CPEs and POPs share; calls say which of the two it is. */
async function withOwner(ctx: Context, resource: AnyResource, values: Values): Promise<Values> {
  const isShared = ownerNames.manage.every((field) => field in shapeOf(resource));
  if (!isShared || typeof values.nodeId !== "number") return values;
  const node = await ctx.db
    .selectFrom("node")
    .select("kind")
    .where("id", "=", values.nodeId)
    .executeTakeFirst();
  const field = node?.kind === "pop" ? "popId" : "cpeId";
  return { ...values, cpeId: null, popId: null, [field]: values.nodeId };
}

/**
 * The draft that these values make. A field that neither has is one that rows never give back: empty keeps it.
 * @throws Refusal with the fields that today's rules do not allow
 */
function draftOf(resource: AnyResource, values: Values): DraftOf<AnyResource> {
  const wire = Object.fromEntries(
    Object.entries(shapeOf(resource)).map(([field, schema]) => [
      field,
      field in values ? wireOf(schema, values[field]) : "",
    ]),
  );
  const checked = checkWire(resource.draft as z.ZodType, wire);
  if (!checked.ok) refuseFields(checked.issues);
  return checked.value as DraftOf<AnyResource>;
}

/** Whether two values of a field are the same to who reads them. */
const isSame = (resource: AnyResource, field: string, one: unknown, other: unknown): boolean => {
  const schema = shapeOf(resource)[field];
  if (!schema) return true;
  return JSON.stringify(wireOf(schema, one)) === JSON.stringify(wireOf(schema, other));
};

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
  const write = async (): Promise<WrittenRow> => {
    await markUndone(ctx, entry);
    await refuseLater(ctx, entry);
    const written = await inverses[plan.verb](ctx, mounted, plan, entry);
    // By now the row is locked: who wrote in the meantime is known.
    await refuseLater(ctx, entry);
    await record(ctx, plan.resource, [written], mounted.hooks);
    return written;
  };
  const row = await (check ? rehearse(ctx.db, write) : write());
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
