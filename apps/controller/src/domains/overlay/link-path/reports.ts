/** What devices report of the directions that they send in, and of traffic that they moved. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { sql } from "kysely";
import { inScope, type Pools, type ScopeLimits } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

type Reporter = { readonly node: number };

/** Moves of a device that are kept. */
const keptMoves = 500;

/** What one device reports of its directions. */
export interface SentPaths {
  readonly node: number;
  readonly items: MessageFromEdge<"paths">["items"];
}

/**
 * Keeps the directions of devices' own links; those that were removed a moment ago, and those of others, are passed over
 * (`weft.keep_paths`).
 * @param sent of different nodes
 * @param limits of the transaction
 */
export async function keepPaths(
  pools: Pools<Database>,
  sent: readonly SentPaths[],
  limits: ScopeLimits,
): Promise<void> {
  const paths = sent.flatMap(({ node, items }) => {
    const once = new Map(items.map((item) => [item.link, item]));
    return [...once.values()].map((item) => ({ node, ...item }));
  });
  const scope = { kind: "nodes", nodeIds: sent.map(({ node }) => node) } as const;
  await inScope(
    pools.gateway,
    scope,
    (trx) => sql`select weft.keep_paths(${JSON.stringify(paths)}::jsonb)`.execute(trx),
    limits,
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
