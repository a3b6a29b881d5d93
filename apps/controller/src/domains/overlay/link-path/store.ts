import { type TrafficClass, trafficClasses } from "@weft/contract/device/v1/path-classes.ts";
import type { linkMoveList, linkPathList } from "@weft/contract/domains/overlay/link-path.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

type PathRow = OutputOf<typeof linkPathList>[number];
type MoveRow = OutputOf<typeof linkMoveList>[number];
type Query = InputOf<typeof linkPathList>;

/** As lists of links call it. @param link alias; its ends are joined as `<link>a` and `<link>b` */
const nameOf = (link: string) => {
  const [a, b] = [`${link}a`, `${link}b`];
  return sql`${sql.ref(`${a}.name`)} || ' wan' || ${sql.ref(`${link}.a_slot`)} || ' – ' ||
    ${sql.ref(`${b}.name`)} || ' wan' || ${sql.ref(`${link}.b_slot`)}`;
};

const endsOf = (link: string) => sql`
  join node ${sql.table(`${link}a`)} on ${sql.ref(`${link}a.id`)} = ${sql.ref(`${link}.a_node_id`)}
  join node ${sql.table(`${link}b`)} on ${sql.ref(`${link}b.id`)} = ${sql.ref(`${link}.b_node_id`)}`;

const endsAt = (nodeId: number, link: string) =>
  sql`${nodeId} in (${sql.ref(`${link}.a_node_id`)}, ${sql.ref(`${link}.b_node_id`)})`;

const sender = sql`n.id as "nodeId", n.kind as "nodeKind", n.name as "nodeName"`;

const all = (parts: readonly unknown[]) => sql<SqlBool>`${sql.join(parts, sql` and `)}`;

const paged = ({ limit, page }: Query) => sql`limit ${limit} offset ${(page - 1) * limit}`;

async function count(ctx: Context, from: ReturnType<typeof all>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n ${from}`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

type PathRecord = Omit<PathRow, "classes"> & {
  readonly classes: Readonly<Partial<Record<TrafficClass, string>>> | null;
};

const toPath = (row: PathRecord): PathRow => ({
  ...row,
  classes:
    row.classes &&
    trafficClasses.flatMap((name) => {
      const since = row.classes?.[name];
      return since === undefined ? [] : [{ name, since: new Date(since) }];
    }),
});

/** Directions of links, those first that are not well. */
export async function listPaths(ctx: Context, query: Query) {
  const parts = [
    inCallerScope(ctx, "p.enterprise_id"),
    ...(query.linkId ? [sql`p.link_id = ${query.linkId}`] : []),
    ...(query.nodeId ? [endsAt(query.nodeId, "l")] : []),
    ...(query.netSpaceId ? [sql`l.space_id = ${query.netSpaceId}`] : []),
  ];
  const from = sql<SqlBool>`
    from link_path p
    join link l on l.id = p.link_id ${endsOf("l")}
    join net_space s on s.id = l.space_id
    join node n on n.id = p.node_id
    where ${all(parts)}`;
  const [selected, total] = await Promise.all([
    sql<PathRecord>`
      select p.link_id as "linkId", ${nameOf("l")} as "linkName", s.id as "netSpaceId",
        s.name as "netSpaceName", ${sender}, p.state, p.used, p.behind as left,
        p.loss_percent as loss, p.rtt_ms as delay, p.jitter_ms as jitter, p.changed_at as since,
        p.classes
      ${from}
      order by p.state in ('ok', 'unknown'), la.name, l.a_slot, lb.name, l.b_slot, p.link_id, p.node_id
      ${paged(query)}`.execute(ctx.db),
    count(ctx, from),
  ]);
  return { rows: selected.rows.map(toPath), count: total };
}

type Values = Readonly<Record<`${"from" | "to"}_${"loss" | "rtt" | "jitter"}`, number | null>>;
type MoveRecord = Omit<MoveRow, "from" | "to"> & Values;

const toMove = (row: MoveRecord): MoveRow => {
  const quality = (of: "from" | "to") => ({
    loss: row[`${of}_loss`],
    delay: row[`${of}_rtt`],
    jitter: row[`${of}_jitter`],
  });
  const { id, at, netSpaceId, netSpaceName, nodeId, nodeKind, nodeName, reason } = row;
  const { trafficClass, fromId, fromName, toId, toName } = row;
  return {
    id,
    at,
    netSpaceId,
    netSpaceName,
    nodeId,
    nodeKind,
    nodeName,
    reason,
    trafficClass,
    fromId,
    fromName,
    toId,
    toName,
    from: quality("from"),
    to: quality("to"),
  };
};

/** Moves of traffic, the newest first. */
export async function listMoves(ctx: Context, query: Query) {
  const { linkId, nodeId, netSpaceId } = query;
  const parts = [
    inCallerScope(ctx, "m.enterprise_id"),
    ...(linkId ? [sql`${linkId} in (m.from_link_id, m.to_link_id)`] : []),
    ...(nodeId ? [sql`(${endsAt(nodeId, "f")} or ${endsAt(nodeId, "t")})`] : []),
    ...(netSpaceId ? [sql`m.space_id = ${netSpaceId}`] : []),
  ];
  const from = sql<SqlBool>`
    from link_move m
    join link f on f.id = m.from_link_id ${endsOf("f")}
    join link t on t.id = m.to_link_id ${endsOf("t")}
    join net_space s on s.id = m.space_id
    join node n on n.id = m.node_id
    where ${all(parts)}`;
  const [selected, total] = await Promise.all([
    sql<MoveRecord>`
      select m.id, m.at, s.id as "netSpaceId", s.name as "netSpaceName", ${sender}, m.reason,
        m.traffic_class as "trafficClass", f.id as "fromId", ${nameOf("f")} as "fromName", t.id as "toId", ${nameOf("t")} as "toName",
        m.from_loss, m.from_rtt, m.from_jitter, m.to_loss, m.to_rtt, m.to_jitter
      ${from}
      order by m.at desc, m.id desc
      ${paged(query)}`.execute(ctx.db),
    count(ctx, from),
  ]);
  return { rows: selected.rows.map(toMove), count: total };
}
