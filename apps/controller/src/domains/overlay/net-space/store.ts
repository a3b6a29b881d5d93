import type { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { isUp } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal } from "#kernel/database-errors.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import type { ListedRow, ListQuery, Store, StoredRow } from "#kernel/resource-store.ts";
import { storedVersion, versionText } from "#kernel/row-version.ts";
import { inCallerScope, requireEnterprise } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import {
  lockMembers,
  type MemberIds,
  membersOf,
  requireMembers,
  toMemberIds,
  writeMembers,
} from "./members.ts";

type Draft = DraftOf<typeof netSpace>;
type SpaceColumns = Selectable<Database["net_space"]>;

interface SpaceRecord extends SpaceColumns {
  readonly enterprise_name: string | null;
  readonly creator: string | null;
  readonly links: number;
  readonly links_up: number;
}

const columnsOf = (draft: Draft) => ({
  name: draft.name,
  topology: draft.topology,
  remark: draft.remark,
});

const explain =
  (draft: Draft) =>
  (error: unknown): never => {
    throw asRefusal(error, { net_space_name: { field: "name" } }, draft) ?? error;
  };

const matching = (ctx: Context, query: ListQuery<typeof netSpace>) => {
  const parts = [inCallerScope(ctx, "p.enterprise_id", "p.created_by")];
  if (query.name) parts.push(contains(sql.ref("p.name"), query.name));
  if (query.groupid) parts.push(sql`p.enterprise_id = ${query.groupid}`);
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
};

const sortColumns = { id: "p.id", name: "p.name", createTime: "p.created_at" } as const;

async function list(ctx: Context, query: ListQuery<typeof netSpace>) {
  const column = sortColumns[(query.orderByColumn ?? "id") as keyof typeof sortColumns] ?? "p.id";
  const direction = sql.raw(query.isAsc === "asc" ? "asc" : "desc");
  const where = matching(ctx, query);
  const [selected, total] = await Promise.all([
    sql<SpaceRecord>`
      select p.*, e.name as enterprise_name, u.login_name as creator,
             (select count(*)::int from link l where l.space_id = p.id) as links,
             (select count(*)::int from link l join link_status s on s.link_id = l.id
              where l.space_id = p.id and ${isUp("s")}) as links_up
      from net_space p
      left join enterprise e on e.id = p.enterprise_id
      left join sys_user u on u.id = p.created_by
      where ${where}
      order by ${sql.ref(column)} ${direction}, p.id
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int as n from net_space p where ${where}`.execute(ctx.db),
  ]);
  const members = await membersOf(
    ctx,
    selected.rows.map((row) => row.id),
  );
  const ids = (space: number, kind: "cpe" | "pop") =>
    members
      .filter((member) => member.space_id === space && member.kind === kind)
      .map((member) => member.node_id);
  const rows = selected.rows.map(
    (row): ListedRow<typeof netSpace> => ({
      rowVersion: versionText(row.row_version),
      id: row.id,
      name: row.name,
      groupid: row.enterprise_id,
      enterpriseName: row.enterprise_name ?? "",
      topology: row.topology,
      popIds: ids(row.id, "pop"),
      cpeIds: ids(row.id, "cpe"),
      links: row.links,
      linksUp: row.links_up,
      remark: row.remark,
      createTime: row.created_at,
      updateTime: row.updated_at,
      createBy: row.creator,
    }),
  );
  return { rows, count: total.rows[0]?.n ?? 0 };
}

async function lock(ctx: Context, ids: readonly number[]): Promise<SpaceColumns[]> {
  const rows = await ctx.db
    .selectFrom("net_space")
    .selectAll()
    .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .orderBy("id")
    .forUpdate()
    .execute();
  if (rows.length !== new Set(ids).size) refuse("notFound");
  return rows;
}

async function save(ctx: Context, id: number | null, draft: Draft): Promise<StoredRow> {
  await requireEnterprise(ctx, draft.groupid, "groupid");
  await lockMembers(ctx, draft);
  const [old] = id === null ? [] : await lock(ctx, [id]);
  if (old && old.enterprise_id !== draft.groupid) refuseField("groupid", "notAllowed");
  const members = await requireMembers(ctx, draft, id);
  const row = old
    ? await ctx.db
        .updateTable("net_space")
        .set({ ...columnsOf(draft), updated_at: sql`now()` })
        .where("id", "=", old.id)
        .returningAll()
        .executeTakeFirstOrThrow()
        .catch(explain(draft))
    : await ctx.db
        .insertInto("net_space")
        .values({
          ...columnsOf(draft),
          enterprise_id: draft.groupid,
          created_by: ctx.caller.userId,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
        .catch(explain(draft));
  const written = await writeMembers(ctx, { id: row.id, enterpriseId: draft.groupid }, members);
  return {
    id: row.id,
    enterpriseId: draft.groupid,
    old: old ? recorded(old, written.before) : null,
    new: recorded(row, written.now),
    versions: {
      old: old?.row_version ?? null,
      new: await storedVersion(ctx, "net_space", row.id),
    },
    touches: {
      spaceIds: [row.id],
      nodeIds: [...new Set([...nodesOf(written.before), ...nodesOf(written.now)])],
    },
  };
}

const nodesOf = ({ popIds, cpeIds }: MemberIds): number[] => [...popIds, ...cpeIds];

/** A space as the operation log shows it: by the contract's names. */
const recorded = (row: SpaceColumns, { popIds, cpeIds }: MemberIds): Draft => ({
  name: row.name,
  groupid: row.enterprise_id,
  topology: row.topology as Draft["topology"],
  popIds: [...popIds],
  cpeIds: [...cpeIds],
  remark: row.remark,
});

async function remove(ctx: Context, ids: readonly number[]): Promise<StoredRow[]> {
  const rows = await lock(ctx, ids);
  const members = await membersOf(ctx, ids);
  await ctx.db
    .deleteFrom("net_space")
    .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
    .execute();
  return rows.map((row) => {
    const memberIds = toMemberIds(members.filter((member) => member.space_id === row.id));
    return {
      id: row.id,
      enterpriseId: row.enterprise_id,
      old: recorded(row, memberIds),
      new: null,
      versions: { old: row.row_version, new: null },
      touches: { nodeIds: nodesOf(memberIds) },
    };
  });
}

/** Spaces with their members: who is in is written with the space, in one transaction. */
export const netSpaceStore: Store<typeof netSpace> = {
  list,
  add: (ctx, draft) => save(ctx, null, draft),
  edit: (ctx, id, draft) => save(ctx, id, draft),
  remove,
};
