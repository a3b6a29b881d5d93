import { sql } from "kysely";
import { joinCollision } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { atField } from "#kernel/database-errors.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import type { WrittenRow } from "#kernel/resource-store.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { between, family, lockMembers } from "./members.ts";

interface Space {
  readonly id: number;
  readonly enterprise_id: number;
  readonly name: string;
}

/** A space of the caller's own; refuses the field otherwise. */
export async function requireSpace(ctx: Context, id: number): Promise<void> {
  const { rows } = await sql`
    select from net_space p
    where p.id = ${id} and ${inCallerScope(ctx, "p.enterprise_id", "p.created_by")}`.execute(
    ctx.db,
  );
  if (rows.length === 0) refuseField("netSpaceId", "unknown");
}

/** Locked: every other change of the space's members waits, so that no two overlap unseen. */
async function lockSpace(ctx: Context, id: number): Promise<Space> {
  const { rows } = await sql<Space>`
    select p.id, p.enterprise_id, p.name from net_space p
    where p.id = ${id} and ${inCallerScope(ctx, "p.enterprise_id", "p.created_by")}
    for update`.execute(ctx.db);
  return rows[0] ?? refuseField("netSpaceId", "unknown");
}

/**
 * Takes one CPE into a space as a member, under the rules by which a space is edited: it is of the
 * space's enterprise or one below, is in no other space, and none of its networks takes
 * traffic of another member, nor the other way round.
 * @returns what was written; empty: it was in already
 */
export async function joinSpace(
  ctx: Context,
  spaceId: number,
  cpeId: number,
): Promise<WrittenRow[]> {
  await lockMembers(ctx, { cpeIds: [cpeId], popIds: [] });
  const space = await lockSpace(ctx, spaceId);
  const { rows } = await sql<{
    id: number;
    enterprise_id: number;
    name: string;
    member: number | null;
    other: string | null;
  }>`
    select n.id, n.enterprise_id, n.name, m.space_id as member, p.name as other
    from node n
    left join space_member m on m.node_id = n.id
    left join net_space p on p.id = m.space_id
    where n.id = ${cpeId} and n.kind = 'cpe' and n.enterprise_id in (${family(space.enterprise_id)})
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}`.execute(ctx.db);
  const node = rows[0] ?? refuse("notFound");
  if (node.member === spaceId) return [];
  if (node.member !== null) {
    refuseField("netSpaceId", "inUse", { value: node.name, other: node.other ?? "" });
  }
  const collision = await joinCollision(ctx, node.id, spaceId);
  if (collision) refuseField("netSpaceId", "collision", between(collision));
  await ctx.db
    .insertInto("space_member")
    .values({
      enterprise_id: space.enterprise_id,
      space_id: spaceId,
      node_enterprise_id: node.enterprise_id,
      node_id: node.id,
      kind: "cpe",
    })
    .execute()
    .catch(atField("netSpaceId"));
  return [
    {
      id: spaceId,
      enterpriseId: space.enterprise_id,
      old: { name: space.name },
      new: { name: space.name, joined: node.id },
      touches: { spaceIds: [spaceId], nodeIds: [node.id] },
    },
  ];
}
