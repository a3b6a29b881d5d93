import { type SqlBool, sql } from "kysely";
import { type Collision, memberCollision, sharePops } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";

export interface Member {
  readonly id: number;
  readonly enterprise_id: number;
  readonly name: string;
  readonly kind: "cpe" | "pop";
}

export interface Candidate extends Member {
  /** Another space that the node is in now. */
  readonly taken: string | null;
}

/** The enterprise and everything below it that the caller sees. */
export const family = (groupid: number) => sql`
  with recursive below as (
    select id from enterprise where id = ${groupid}
    union select e.id from enterprise e join below b on e.parent_id = b.id
  ) select id from below`;

/** CPEs of the enterprise and its subordinates: what a space of it may take (section 7.3). */
export async function cpeCandidates(
  ctx: Context,
  groupid: number,
  spaceId: number | null,
): Promise<Candidate[]> {
  const result = await sql<Candidate>`
    select n.id, n.enterprise_id, n.name, n.kind, other.name as taken
    from node n
    left join space_member m on m.node_id = n.id and m.space_id is distinct from ${spaceId}
    left join net_space other on other.id = m.space_id
    where n.kind = 'cpe' and n.enterprise_id in (${family(groupid)})
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    order by n.name`.execute(ctx.db);
  return result.rows;
}

/** Most CPEs of one answer. */
const maxCpes = 1_000;

/** Ids of the CPEs of an enterprise and its subordinates, or of those in one space of theirs. */
export async function cpesOfFamily(
  ctx: Context,
  groupid: number,
  spaceId: number | null,
): Promise<number[]> {
  const inSpace =
    spaceId === null
      ? sql`true`
      : sql`n.id in (select node_id from space_member where space_id = ${spaceId})`;
  const { rows } = await sql<{ id: number }>`
    select n.id from node n
    where n.kind = 'cpe' and n.enterprise_id in (${family(groupid)}) and ${inSpace}
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    order by n.name limit ${maxCpes}`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** Ids of the other CPEs of the space that a CPE is in; refuses a CPE that is not the caller's. */
export async function peersOf(
  ctx: Context,
  cpeId: number,
  spaceId: number | null,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from node n where n.id = ${cpeId} and n.kind = 'cpe'
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}`.execute(ctx.db);
  if (!rows[0]) refuseField("cpeId", "unknown");
  const inSpace = spaceId === null ? sql`true` : sql`mine.space_id = ${spaceId}`;
  const { rows: peers } = await sql<{ id: number }>`
    select peer.node_id as id from space_member mine
    join space_member peer on peer.space_id = mine.space_id and peer.node_id <> mine.node_id
    join node n on n.id = peer.node_id
    where mine.node_id = ${cpeId} and peer.kind = 'cpe' and ${inSpace}
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    order by n.name limit ${maxCpes}`.execute(ctx.db);
  return peers.map((row) => row.id);
}

/** POPs that the caller may read: own ones, shared ones, and those offered to an agent. */
export async function popCandidates(ctx: Context): Promise<Member[]> {
  return ctx.db
    .selectFrom("node")
    .select(["id", "enterprise_id", "name", "kind"])
    .where("kind", "=", "pop")
    .orderBy("name")
    .execute();
}

/**
 * The nodes that a draft names, checked: each is a candidate and no CPE is in another space.
 * Refuses the field otherwise; a foreign node and one that is not there are refused alike.
 */
export async function requireMembers(
  ctx: Context,
  draft: { groupid: number; popIds: readonly number[]; cpeIds: readonly number[] },
  spaceId: number | null,
): Promise<Member[]> {
  const [cpes, pops] = await Promise.all([
    cpeCandidates(ctx, draft.groupid, spaceId),
    popCandidates(ctx),
  ]);
  const pick = <Node extends Member>(
    field: string,
    ids: readonly number[],
    from: Node[],
  ): Node[] => {
    const byId = new Map(from.map((node) => [node.id, node]));
    return [...new Set(ids)].map((id) => byId.get(id) ?? refuseField(field, "unknown"));
  };
  const selected = pick("cpeIds", draft.cpeIds, cpes);
  const taken = selected.find((node) => node.taken !== null);
  if (taken) refuseField("cpeIds", "inUse", { value: taken.name, other: taken.taken ?? "" });
  const collision = await memberCollision(ctx, draft.cpeIds, spaceId);
  if (collision) refuseField("cpeIds", "collision", between(collision));
  return [...selected, ...pick("popIds", draft.popIds, pops)];
}

/** Which network of which site collides with which other's: the params of `collision`. */
export const between = ({ drafted, other }: Collision) => ({
  site: drafted.siteName,
  value: drafted.network,
  other: other.siteName,
  network: other.network,
});

/**
 * Locks nodes that become members, before their space is locked: a writer of what a site brings into a space, or of where a
 * POP is called, locks the node first as well (`weft.require_no_collision`, `weft.require_called_apart`), and each would wait for
 * the other. Spaces of many tenants name a POP at the same time.
 */
export async function lockMembers(
  ctx: Context,
  { cpeIds, popIds }: { readonly cpeIds: readonly number[]; readonly popIds: readonly number[] },
): Promise<void> {
  await sql`
    select from node n where n.id = any(${[...cpeIds]}::bigint[]) and n.kind = 'cpe'
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    order by n.id for no key update`.execute(ctx.db);
  if (popIds.length > 0) await sql`select weft.hold_pops(${[...popIds]}::bigint[])`.execute(ctx.db);
}

/** Members as the contract names them; ascending. */
export interface MemberIds {
  readonly popIds: readonly number[];
  readonly cpeIds: readonly number[];
}

export function toMemberIds(rows: readonly { node_id: number; kind: string }[]): MemberIds {
  const of = (kind: string): number[] =>
    rows
      .filter((row) => row.kind === kind)
      .map((row) => row.node_id)
      .sort((a, b) => a - b);
  return { popIds: of("pop"), cpeIds: of("cpe") };
}

/** Writes who is in a space. Gives the nodes that left or stayed before, and those that are in now. */
export async function writeMembers(
  ctx: Context,
  space: { id: number; enterpriseId: number },
  members: readonly Member[],
): Promise<{ before: MemberIds; now: MemberIds }> {
  const before = await ctx.db
    .selectFrom("space_member")
    .select(["node_id", "kind"])
    .where("space_id", "=", space.id)
    .execute();
  const wanted = new Set(members.map(({ id }) => id));
  const gone = before.filter(({ node_id }) => !wanted.has(node_id));
  const had = new Set(before.map(({ node_id }) => node_id));
  const added = members.filter(({ id }) => !had.has(id));
  // Members that stay are not written again: the space has another version only when they change.
  if (gone.length > 0) {
    const ids = gone.map(({ node_id }) => node_id);
    await ctx.db
      .deleteFrom("space_member")
      .where("space_id", "=", space.id)
      .where(sql<SqlBool>`node_id = any(${ids}::bigint[])`)
      .execute();
  }
  if (added.length > 0) {
    await ctx.db
      .insertInto("space_member")
      .values(
        added.map((member) => ({
          enterprise_id: space.enterpriseId,
          space_id: space.id,
          node_enterprise_id: member.enterprise_id,
          node_id: member.id,
          kind: member.kind,
        })),
      )
      .execute();
  }
  const pops = members.filter(({ kind }) => kind === "pop");
  await sharePops(ctx, space.enterpriseId, pops);
  return {
    before: toMemberIds(before),
    now: toMemberIds(members.map(({ id: node_id, kind }) => ({ node_id, kind }))),
  };
}

/** Members of some spaces: node ids by kind. */
export async function membersOf(ctx: Context, spaceIds: readonly number[]) {
  return ctx.db
    .selectFrom("space_member")
    .select(["space_id", "node_id", "kind"])
    .where(sql<SqlBool>`space_id = any(${[...spaceIds]}::bigint[])`)
    .orderBy("node_id")
    .execute();
}
