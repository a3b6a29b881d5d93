/** Values of a row as its own calls take them, out of what a store or the log has of it. */
import { ownerNames } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource, DraftOf } from "@weft/contract/kernel/resource.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import type { z } from "zod";
import type { Context } from "#kernel/api.ts";
import { refuseFields } from "#kernel/refuse.ts";
import { wireOf } from "#kernel/row-version.ts";

type Values = Readonly<Record<string, unknown>>;

const shapeOf = ({ draft }: AnyResource): Readonly<Record<string, z.ZodType>> =>
  (draft as z.ZodObject).shape as Readonly<Record<string, z.ZodType>>;

/** Rows of policies say their owner by a column that CPEs and POPs share; calls say which of the two it is. */
export async function withOwner(
  ctx: Context,
  resource: AnyResource,
  values: Values,
): Promise<Values> {
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
export function draftOf(resource: AnyResource, values: Values): DraftOf<AnyResource> {
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
export const isSame = (
  resource: AnyResource,
  field: string,
  one: unknown,
  other: unknown,
): boolean => {
  const schema = shapeOf(resource)[field];
  if (!schema) return true;
  return JSON.stringify(wireOf(schema, one)) === JSON.stringify(wireOf(schema, other));
};
