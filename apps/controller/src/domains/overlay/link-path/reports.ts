/** What devices report of the directions that they send in, and of traffic that they moved. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { sql } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

type Reporter = { readonly node: number };

/** Moves of a device that are kept. */
const keptMoves = 500;

/** Keeps the directions of a device's own links; those that were removed a moment ago are passed over. */
export async function keepPaths(
  pools: Pools<Database>,
  { node }: Reporter,
  { items }: MessageFromEdge<"paths">,
): Promise<void> {
  const once = [...new Map(items.map((item) => [item.link, item])).values()];
  await inScope(pools.gateway, { kind: "node", nodeId: node }, (trx) =>
    sql`
      insert into link_path as p (link_id, node_id, enterprise_id, state, used, behind, loss_percent,
        rtt_ms, jitter_ms, classes)
      select l.id, ${node}, l.enterprise_id, m.state, m.used, m."left", m."lossPercent", m."rttMs",
        m."jitterMs", case when m.classes is not null then (
          select coalesce(jsonb_object_agg(one, now()), '{}') from jsonb_array_elements_text(m.classes) one) end
      from jsonb_to_recordset(${JSON.stringify(once)}::jsonb) as m (link bigint, state text,
        used boolean, "left" boolean, "lossPercent" real, "rttMs" real, "jitterMs" real, classes jsonb)
      join link l on l.id = m.link and ${node} in (l.a_node_id, l.b_node_id)
      on conflict (link_id, node_id) do update set state = excluded.state, used = excluded.used,
        behind = excluded.behind, loss_percent = excluded.loss_percent, rtt_ms = excluded.rtt_ms,
        jitter_ms = excluded.jitter_ms, at = now(),
        classes = case when excluded.classes is not null then (
          select coalesce(jsonb_object_agg(one.key, coalesce(p.classes -> one.key, one.value)), '{}')
          from jsonb_each(excluded.classes) one) end,
        changed_at = case when p.state = excluded.state then p.changed_at else now() end`.execute(
      trx,
    ),
  );
}

/** Keeps moves of traffic between a device's own links, each once, and of the device the newest. */
export async function keepMoves(
  pools: Pools<Database>,
  { node }: Reporter,
  { items }: MessageFromEdge<"moves">,
): Promise<void> {
  await inScope(pools.gateway, { kind: "node", nodeId: node }, async (trx) => {
    await sql`
      insert into link_move (enterprise_id, space_id, node_id, from_link_id, to_link_id, boot,
        sequence, reason, traffic_class, from_loss, from_rtt, from_jitter, to_loss, to_rtt, to_jitter, at)
      select f.enterprise_id, f.space_id, ${node}, f.id, t.id, m.boot, m.sequence, m.reason, m."trafficClass",
        (m."fromQuality" ->> 'lossPercent')::real, (m."fromQuality" ->> 'rttMs')::real,
        (m."fromQuality" ->> 'jitterMs')::real, (m."toQuality" ->> 'lossPercent')::real,
        (m."toQuality" ->> 'rttMs')::real, (m."toQuality" ->> 'jitterMs')::real,
        now() - m.ago * interval '1 ms'
      from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as m (boot text, sequence bigint,
        "from" bigint, "to" bigint, reason text, "trafficClass" text, ago double precision, "fromQuality" jsonb,
        "toQuality" jsonb)
      join link f on f.id = m."from" and ${node} in (f.a_node_id, f.b_node_id)
      join link t on t.id = m."to" and ${node} in (t.a_node_id, t.b_node_id)
        and t.space_id = f.space_id
      order by m.ago desc
      on conflict on constraint link_move_once do nothing`.execute(trx);
    await sql`
      delete from link_move where node_id = ${node} and id < (
        select id from link_move where node_id = ${node}
        order by id desc offset ${keptMoves - 1} limit 1)`.execute(trx);
  });
}
