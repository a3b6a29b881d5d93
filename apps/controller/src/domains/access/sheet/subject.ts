/** What a file is about: which resource, whose rows, and whether the caller may. */
import type { Access } from "@weft/contract/access.ts";
import * as codec from "@weft/contract/kernel/codec.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import type { SheetRule } from "@weft/contract/kernel/sheet-rule.ts";
import {
  acrossSheetFields,
  ownerFieldsOf,
  type SheetField,
  sheetFields,
} from "@weft/contract/sheet-fields.ts";
import { z } from "zod";
import { requireAccess } from "#kernel/answer.ts";
import type { Api, Caller, Context } from "#kernel/api.ts";
import { type MountedResource, mountedResource } from "#kernel/mount-resource.ts";
import { refuse, refuseField, refuseFields } from "#kernel/refuse.ts";
import { readPages } from "#transfer/mount-export.ts";

export type Loose = Readonly<Record<string, unknown>>;

export interface Subject {
  readonly mounted: MountedResource;
  readonly resource: AnyResource;
  readonly rule: Exclude<SheetRule, { readonly none: unknown }>;
  readonly fields: readonly SheetField[];
  /** Fields that say whose rows are meant, as the caller gave them. */
  readonly inside: Loose;
  /** True: the rows are those of all CPEs, and a column names the CPE of each. */
  readonly isAcross: boolean;
}

/** The resource of that name and whose rows are meant; one without files is refused with its reason. */
export function subjectOf(api: Api, name: string, given: Loose): Subject {
  const mounted = mountedResource(api, name) ?? refuseField("resource", "unknown");
  const { resource } = mounted;
  const rule = resource.sheet as SheetRule;
  if ("none" in rule) refuse("notAllowedNow", { reason: rule.none });
  const owners = ownerFieldsOf(resource);
  const inside = insideOf(resource, given);
  const isAcross = rule.acrossCpes === true && Object.keys(inside).length === 0;
  if (!isAcross)
    return { mounted, resource, rule, fields: sheetFields(resource), inside, isAcross };
  const key = [...owners, ...rule.key];
  const fields = acrossSheetFields(resource);
  return { mounted, resource, rule: { ...rule, key }, fields, inside, isAcross };
}

/** Whose rows are meant, as the calls of the rows read it: what they take for left out is left out, and gives no permission. */
function insideOf(resource: AnyResource, given: Loose): Loose {
  const shape = resource.draft.shape as Record<string, z.ZodType>;
  const named = ownerFieldsOf(resource).filter((field) => (given[field] ?? "") !== "");
  const ownerShape = z.object(
    Object.fromEntries(named.map((field) => [field, shape[field] ?? codec.id])),
  );
  const checked = checkWire(ownerShape, given);
  if (!checked.ok) refuseFields(checked.issues);
  return Object.fromEntries(Object.entries(checked.value).filter(([, value]) => value !== null));
}

export type Purpose = "export" | "import";

const neededFor = ({ resource, rule, inside }: Subject, purpose: Purpose): (Access | null)[] => {
  const { may, mayInstead } = resource;
  if (rule.may) return [rule.may[purpose]];
  if (mayInstead && inside[mayInstead.field] !== undefined) return [mayInstead.may];
  return purpose === "export" ? [may.list] : [may.list, may.add, may.edit];
};

/** Whether the caller may do this with rows of the resource. */
export function requireMay(caller: Caller, subject: Subject, purpose: Purpose): void {
  for (const needed of neededFor(subject, purpose)) requireAccess(caller, needed);
}

const rowsPerRead = 1_000;

/** A list's own input, out of wire fields. */
export function queryOf({ resource, inside, isAcross }: Subject, given: Loose): Loose {
  const { list } = resource.ops;
  const input = isAcross ? acrossInput(resource) : list.input;
  const known = Object.keys(input.shape);
  const fields = Object.entries({ ...given, ...inside }).filter(
    ([field]) => known.includes(field) && !["page", "limit"].includes(field),
  );
  const checked = checkWire(input, Object.fromEntries(fields));
  if (!checked.ok) refuseFields(checked.issues);
  return { ...(checked.value as Loose), ...(isAcross && { acrossCpes: true }) };
}

/** Query of a list with the rows of all CPEs, or of those of one enterprise. */
function acrossInput(resource: AnyResource): z.ZodObject {
  const { shape } = resource.ops.list.input;
  const owners = ownerFieldsOf(resource);
  const others = Object.entries(shape).filter(([field]) => !owners.includes(field));
  return z.object({ ...Object.fromEntries(others), groupid: codec.orNull(codec.id) });
}

/** How many rows match. */
export async function countRows(ctx: Context, { mounted }: Subject, query: Loose): Promise<number> {
  const { count } = await mounted.store.list(ctx, { ...query, page: 1, limit: 1 } as never);
  return count;
}

/** Rows of a list, page by page. */
export const readRows = (
  ctx: Context,
  { mounted }: Subject,
  query: Loose,
): AsyncGenerator<readonly Loose[]> =>
  readPages(rowsPerRead, (paging) => mounted.store.list(ctx, { ...query, ...paging } as never));
