import type { cpeAreaDraft, cpeAreaTree } from "@weft/contract/domains/devices/cpe-area.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type Selectable, type SqlBool, sql } from "kysely";
import type { z } from "zod";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal } from "#kernel/database-errors.ts";
import { inCallerScope } from "#kernel/scope.ts";

export type AreaRow = Selectable<Database["cpe_area"]>;
type Draft = z.output<typeof cpeAreaDraft>;

/** All areas of the caller's enterprises, or of one of them, with their CPEs counted. */
export async function listAreas(
  ctx: Context,
  groupid: number | null,
): Promise<OutputOf<typeof cpeAreaTree>> {
  const ofEnterprise = groupid === null ? sql`true` : sql`a.enterprise_id = ${groupid}`;
  const { rows } = await sql<AreaRow & { cpes: number }>`
    select a.*, (select count(*)::int from node n where n.area_id = a.id) as cpes
    from cpe_area a
    where ${inCallerScope(ctx, "a.enterprise_id", "a.created_by")} and ${ofEnterprise}
    order by a.sort, a.name, a.id limit 5000`.execute(ctx.db);
  return rows.map((row) => ({
    id: row.id,
    pId: row.parent_id ?? 0,
    name: row.name,
    groupid: row.enterprise_id,
    sort: row.sort,
    cpeCount: row.cpes,
  }));
}

/** The caller's own areas with these ids, locked; fewer when some are not there, or not theirs. */
export async function lockAreas(ctx: Context, ids: readonly number[]): Promise<AreaRow[]> {
  return ctx.db
    .selectFrom("cpe_area")
    .selectAll()
    .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .orderBy("id")
    .forUpdate()
    .execute();
}

/** The area and all below it. */
export async function areasBelow(ctx: Context, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive below as (
      select id from cpe_area where id = ${id}
      union select a.id from cpe_area a join below b on a.parent_id = b.id
    ) select id from below`.execute(ctx.db);
  return rows.map((row) => row.id);
}

const explain =
  (draft: Draft) =>
  (error: unknown): never => {
    throw asRefusal(error, { cpe_area_name: { field: "name" } }, draft) ?? error;
  };

const columns = (draft: Draft) => ({
  parent_id: draft.pId === 0 ? null : draft.pId,
  name: draft.name,
  sort: draft.sort,
});

export async function insertArea(ctx: Context, draft: Draft): Promise<AreaRow> {
  return ctx.db
    .insertInto("cpe_area")
    .values({ ...columns(draft), enterprise_id: draft.groupid, created_by: ctx.caller.userId })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(explain(draft));
}

export async function updateArea(ctx: Context, id: number, draft: Draft): Promise<AreaRow> {
  return ctx.db
    .updateTable("cpe_area")
    .set({ ...columns(draft), updated_at: sql`now()` })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(explain(draft));
}

/** Refuses while there are areas below that are not removed with them. */
export async function removeAreas(ctx: Context, ids: readonly number[]): Promise<void> {
  await ctx.db
    .deleteFrom("cpe_area")
    .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
    .execute()
    .catch((error: unknown) => {
      throw (
        asRefusal(error, { cpe_area_above: { by: ["下级区域", "its subordinate areas"] } }, {}) ??
        error
      );
    });
}
