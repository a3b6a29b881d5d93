/** Operators' settings of links (table link_choice), which domains/delivery/links/adjacencies.ts applies. */

import type { linkAdd, linkEdit } from "@weft/contract/domains/overlay/link.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { AuditEntry, Context } from "#kernel/api.ts";
import { asRefusal } from "#kernel/database-errors.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { isOfPair } from "./pair.ts";

type SettingsRow = Selectable<Database["link_choice"]>;
type LinkSettings = Pick<InputOf<typeof linkEdit>, "enable" | "preference" | "remark">;

/** A link of the caller's with the operator's settings for it, if there are any. */
interface Known {
  readonly id: number;
  readonly enterprise_id: number;
  readonly space_id: number;
  readonly a_node_id: number;
  readonly a_slot: number;
  readonly b_node_id: number;
  readonly b_slot: number;
  readonly stored: SettingsRow | null;
}

const notCallable = {
  reason: [
    "两端 WAN 链路均非公网可达：至少一端须公网可达",
    "neither WAN link is reachable: set at least one of them to reachable",
  ],
} as const;
const isLinked = {
  reason: [
    "这两条 WAN 链路之间已有链路，请编辑它",
    "these two WAN links already have a link; edit that link",
  ],
} as const;
const ofSpace = {
  reason: [
    "网络空间自动建立的链路不能删除，可以停用",
    "a link that the network space creates cannot be removed; it can be disabled",
  ],
} as const;

const ofCaller = (ctx: Context) => sql`exists (select from net_space p where p.id = l.space_id
  and ${inCallerScope(ctx, "p.enterprise_id", "p.created_by")})`;

/** Links and settings of links with these ids, of spaces that the caller may change. */
async function findKnown(ctx: Context, ids: readonly number[]): Promise<Known[]> {
  const { rows } = await sql<Known>`
    select l.*, to_jsonb(c) as stored from (
      select id, enterprise_id, space_id, a_node_id, a_slot, b_node_id, b_slot from link
      where id = any(${[...ids]}::bigint[])
      union all
      select id, enterprise_id, space_id, a_node_id, a_slot, b_node_id, b_slot from link_choice
      where id = any(${[...ids]}::bigint[]) and id not in (select id from link)) l
    left join link_choice c on c.space_id = l.space_id and ${isOfPair("l", "c")}
    where ${ofCaller(ctx)} order by l.id`.execute(ctx.db);
  if (rows.length !== new Set(ids).size) refuse("notFound");
  return rows;
}

const recorded = (at: Omit<Known, "stored">, settings: LinkSettings) => ({
  netSpaceId: at.space_id,
  sourceId: at.a_node_id,
  sourceSlot: at.a_slot,
  targetId: at.b_node_id,
  targetSlot: at.b_slot,
  ...settings,
});
const settingsOf = (stored: SettingsRow | null): LinkSettings => ({
  enable: stored?.enabled ?? true,
  preference: stored?.preference ?? null,
  remark: stored?.remark ?? "",
});

/** Recompiles the devices at both ends and reconciles the space's links. */
const touch = (
  ctx: Context,
  { enterprise_id, space_id, a_node_id, b_node_id }: Omit<Known, "stored">,
) =>
  ctx.change({
    enterpriseId: enterprise_id,
    nodeIds: [a_node_id, b_node_id],
    spaceIds: [space_id],
  });

interface Line {
  readonly node_id: number;
  readonly slot: number;
  readonly callable: boolean;
}

/** The space of a new link, and whether its two lines can be linked at all. */
async function requireLines(ctx: Context, draft: InputOf<typeof linkAdd>): Promise<number> {
  const [spaces, members] = await Promise.all([
    sql<{ enterprise_id: number }>`
      select p.enterprise_id from net_space p where p.id = ${draft.netSpaceId}
        and ${inCallerScope(ctx, "p.enterprise_id", "p.created_by")}`.execute(ctx.db),
    sql<Line>`
      select m.node_id, l.slot,
        l.reachable or (m.kind = 'pop' and l.addressing = 'static') as callable
      from space_member m join node n on n.id = m.node_id
      left join line l on l.node_id = m.node_id
      where m.space_id = ${draft.netSpaceId}
        and m.node_id in (${draft.sourceId}, ${draft.targetId})`.execute(ctx.db),
  ]);
  const space = spaces.rows[0] ?? refuseField("netSpaceId", "unknown");
  const lineOf = (end: "source" | "target"): Line => {
    const ofNode = members.rows.filter(({ node_id }) => node_id === draft[`${end}Id`]);
    if (ofNode.length === 0) refuseField(`${end}Id`, "unknown");
    const slot = draft[`${end}Slot`];
    return ofNode.find((line) => line.slot === slot) ?? refuseField(`${end}Slot`, "unknown");
  };
  const [source, target] = [lineOf("source"), lineOf("target")];
  if (!source.callable && !target.callable) refuse("notAllowedNow", notCallable);
  return space.enterprise_id;
}

/** Makes a link between two lines. It is established once the loop has placed it. */
export async function addLink(ctx: Context, draft: InputOf<typeof linkAdd>): Promise<number> {
  const enterpriseId = await requireLines(ctx, draft);
  const ends = [
    { node: draft.sourceId, slot: draft.sourceSlot },
    { node: draft.targetId, slot: draft.targetSlot },
  ].toSorted((a, b) => a.node - b.node);
  const [a, b] = ends as [(typeof ends)[number], (typeof ends)[number]];
  const row = await ctx.db
    .insertInto("link_choice")
    .values({
      enterprise_id: enterpriseId,
      space_id: draft.netSpaceId,
      made: true,
      a_node_id: a.node,
      a_slot: a.slot,
      b_node_id: b.node,
      b_slot: b.slot,
      enabled: draft.enable,
      preference: draft.preference,
      remark: draft.remark,
      created_by: ctx.caller.userId,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw asRefusal(error, { link_choice_once: { field: "targetSlot" } }, draft) ?? error;
    });
  const { rows } = await sql`
    select from link l join link_choice c on c.id = ${row.id}
    where l.space_id = c.space_id and ${isOfPair("l", "c")}`.execute(ctx.db);
  if (rows.length > 0) refuse("notAllowedNow", isLinked);
  await ctx.audit({
    resource: "link",
    rowId: row.id,
    old: null,
    new: recorded(row, settingsOf(row)),
    enterpriseId,
  });
  await touch(ctx, row);
  return row.id;
}

/** Writes the operator's settings of a link; settings that change nothing are removed. */
export async function editLink(
  ctx: Context,
  { id, enable, preference, remark }: InputOf<typeof linkEdit>,
): Promise<void> {
  const [link] = await findKnown(ctx, [id]);
  if (!link) return refuse("notFound");
  const settings: LinkSettings = { enable, preference, remark };
  const columns = { enabled: enable, preference, remark };
  const areDefaults = enable && preference === null && remark === "";
  if (link.stored && areDefaults && !link.stored.made) {
    await ctx.db.deleteFrom("link_choice").where("id", "=", link.stored.id).execute();
  } else if (link.stored) {
    await ctx.db
      .updateTable("link_choice")
      // Under the id of the link, so that it is still found by it once it is closed.
      .set({ id, ...columns, updated_at: sql`now()` })
      .where("id", "=", link.stored.id)
      .execute();
  } else if (!areDefaults) {
    // With the link's own id, so that a closed link is still found by it once the link is gone.
    await sql`
      insert into link_choice (id, enterprise_id, space_id, a_node_id, a_slot, b_node_id, b_slot, made,
        enabled, preference, remark, created_by)
      select l.id, l.enterprise_id, l.space_id, least(l.a_node_id, l.b_node_id),
        case when l.a_node_id < l.b_node_id then l.a_slot else l.b_slot end,
        greatest(l.a_node_id, l.b_node_id),
        case when l.a_node_id < l.b_node_id then l.b_slot else l.a_slot end,
        false, ${enable}, ${preference}, ${remark}, ${ctx.caller.userId}
      from link l where l.id = ${id}`.execute(ctx.db);
  }
  await ctx.audit({
    resource: "link",
    rowId: id,
    old: recorded(link, settingsOf(link.stored)),
    new: recorded(link, settings),
    enterpriseId: link.enterprise_id,
  });
  await touch(ctx, link);
}

/** Removes operators' settings of links; refuses all when one is a link without settings. */
export async function removeLinks(ctx: Context, given: readonly number[]): Promise<void> {
  const links = await findKnown(ctx, [...new Set(given)]);
  const stored = links.map((link) => link.stored ?? refuse("notAllowedNow", ofSpace));
  await ctx.db
    .deleteFrom("link_choice")
    .where(
      "id",
      "in",
      stored.map(({ id }) => id),
    )
    .execute();
  const entries = links.map(
    (link): AuditEntry => ({
      resource: "link",
      rowId: link.id,
      old: recorded(link, settingsOf(link.stored)),
      new: null,
      enterpriseId: link.enterprise_id,
    }),
  );
  await ctx.audit(...entries);
  for (const link of links) await touch(ctx, link);
}
