import { healthRank, healthStates } from "@weft/contract/domains/devices/health.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { renewLinkQuality } from "#domains/overlay/link/public.ts";
import { readFacts } from "./facts.ts";
import { healthOf } from "./verdict.ts";

/**
 * Computes the quality of their links and the health of nodes again, and keeps what changed. A state that stays keeps the time since when it
 * has been so.
 * @returns how many nodes are called by another state than before
 */
export async function renewHealth(
  trx: Transaction<Database>,
  nodes: readonly number[],
): Promise<number> {
  if (nodes.length === 0) return 0;
  await renewLinkQuality(trx, nodes);
  const facts = await readFacts(trx, nodes);
  const rows = facts.map((node) => {
    const { state, detail, since } = healthOf(node);
    const place = { rank: healthRank(state), tone: healthStates[state] };
    return { node_id: node.id, enterprise_id: node.enterpriseId, state, ...place, detail, since };
  });
  const { rows: kept } = await sql<{ changed: number }>`
    with now_so as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (node_id bigint,
        enterprise_id bigint, state text, rank smallint, tone text, detail jsonb, since timestamptz)
    ), news as (
      select n.*, h.state is distinct from n.state as is_other, h.since as since_before
      from now_so n left join node_health h on h.node_id = n.node_id
      where h.node_id is null or (h.state, h.detail) is distinct from (n.state, n.detail)
    ), written as (
      insert into node_health (node_id, enterprise_id, state, rank, tone, detail, since)
      select node_id, enterprise_id, state, rank, tone, detail,
        case when is_other then coalesce(since, now()) else since_before end from news
      on conflict (node_id) do update set state = excluded.state, rank = excluded.rank,
        tone = excluded.tone, detail = excluded.detail, since = excluded.since
    )
    select count(*) filter (where is_other)::int as changed from news`.execute(trx);
  return kept[0]?.changed ?? 0;
}
