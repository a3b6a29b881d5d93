/** Fields that list rows of another table, kept in a table beside the row's own. */
import { type RawBuilder, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "./api.ts";
import { asRefusal } from "./database-errors.ts";
import { type Reach, type Reference, type Referred, requireRows } from "./reference.ts";
import { refuseField } from "./refuse.ts";

/** Tables with `owner_id`, `enterprise_id`, and `<table>_id` and `<table>_enterprise_id` of members. */
type MemberTable = {
  [T in keyof Database & string]: "owner_id" extends keyof Database[T] ? T : never;
}[keyof Database & string];

export interface Members {
  readonly table: MemberTable;
  readonly of: Reference;
  /** Which rows may be listed; `enterprise`: of the caller's those of the row's own enterprise. */
  readonly from: Reach | "enterprise";
  /** True: in the caller's order, kept in the column `place`; else in the order of ids. */
  readonly isOrdered?: boolean;
  /** Unique constraint by which a row is listed once in the whole table. */
  readonly once?: string;
}

/** The row that has members. */
interface Owner {
  readonly id: number;
  readonly enterpriseId: number;
}

const aggregate = ({ of, isOrdered }: Members): RawBuilder<number[]> => {
  const member = sql.ref(`${of.table}_id`);
  return sql`array_agg(${member} order by ${isOrdered ? sql.ref("place") : member})`;
};

/** The members as one more column of their owner's row. */
export const membersColumn = (members: Members, owner: string): RawBuilder<number[]> =>
  sql<number[]>`coalesce((select ${aggregate(members)} from ${sql.table(members.table)}
    where owner_id = ${sql.ref(`${owner}.id`)}), '{}')`;

/** Ids of members by owner; one without members is absent. */
export async function readMembers(
  ctx: Context,
  members: Members,
  owners: readonly number[],
): Promise<ReadonlyMap<number, number[]>> {
  const { rows } = await sql<{ owner_id: number; ids: number[] }>`
    select owner_id, ${aggregate(members)} as ids from ${sql.table(members.table)}
    where owner_id = any(${[...owners]}::bigint[]) group by owner_id`.execute(ctx.db);
  return new Map(rows.map(({ owner_id, ids }) => [owner_id, ids]));
}

/**
 * Makes these rows the members of their owner, in place of those before.
 * @param field named by a refusal
 * @param before the members that the owner has; null: to be written again in any case
 * @returns ids as they are stored
 */
export async function replaceMembers(
  ctx: Context,
  members: Members,
  owner: Owner,
  given: readonly number[],
  { field, before }: { readonly field: string; readonly before: readonly number[] | null },
): Promise<number[]> {
  const { table, of, from, isOrdered = false, once } = members;
  const unique = [...new Set(given)];
  const ids = isOrdered ? unique : unique.sort((a, b) => a - b);
  const reach = from === "enterprise" ? "scope" : from;
  const rows = await requireRows(ctx, of, ids, field, reach);
  const isForeign = ({ enterprise_id }: Referred) => enterprise_id !== owner.enterpriseId;
  if (from === "enterprise" && rows.some(isForeign)) refuseField(field, "unknown");
  if (before !== null && ids.join() === before.join()) return ids;
  if (before === null || before.length > 0)
    await sql`delete from ${sql.table(table)} where owner_id = ${owner.id}`.execute(ctx.db);
  if (ids.length === 0) return ids;
  const enterprises = new Map(rows.map(({ id, enterprise_id }) => [id, enterprise_id]));
  const columns = [`${of.table}_enterprise_id`, `${of.table}_id`, ...(isOrdered ? ["place"] : [])];
  await sql`
    insert into ${sql.table(table)} (owner_id, enterprise_id, ${sql.join(columns.map((column) => sql.ref(column)))})
    select ${owner.id}, ${owner.enterpriseId}, one.enterprise, one.id
      ${isOrdered ? sql`, one.place - 1` : sql``}
    from unnest(${ids.map((id) => enterprises.get(id))}::bigint[], ${ids}::bigint[])
      with ordinality as one (enterprise, id, place)`
    .execute(ctx.db)
    .catch((error: unknown) => {
      const constraints = once ? { [once]: { field, rule: "notAllowed" as const } } : {};
      throw asRefusal(error, constraints, {}) ?? error;
    });
  return ids;
}
