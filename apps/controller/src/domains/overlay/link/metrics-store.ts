/** Metrics of links and their ups and downs, as the devices at their ends report them. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { qualityWindow } from "@weft/contract/domains/overlay/link-quality.ts";
import { sql, type Transaction } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

type Trx = Transaction<Database>;
type Reporter = { readonly node: number };

/**
 * What was done with a report of links. `foreign`: a link of other nodes is among them, `twice`: one is
 * named twice; nothing is written then.
 */
export type LinksKept = "kept" | "foreign" | "twice";

/** What a node may send metrics of. */
export interface OwnMetrics {
  /** Links that it probes. */
  readonly links: ReadonlySet<number>;
  /** Interfaces that lines and LANs of it are configured on. */
  readonly interfaces: ReadonlySet<string>;
  /** Those of the asked links that end at other nodes only. */
  readonly foreign: ReadonlySet<number>;
}

const inNode = <T>(pools: Pools<Database>, node: number, work: (trx: Trx) => Promise<T>) =>
  inScope(pools.gateway, { kind: "node", nodeId: node }, work);

/** What a node may send metrics of. */
export async function ownMetrics(
  pools: Pools<Database>,
  node: number,
  asked: readonly number[],
): Promise<OwnMetrics> {
  const { rows } = await inNode(pools, node, (trx) =>
    sql<{ links: number[]; interfaces: string[]; foreign_links: number[] }>`
      select * from weft.own_metrics(${[...asked]}::bigint[])`.execute(trx),
  );
  const [found] = rows;
  return {
    links: new Set(found?.links),
    interfaces: new Set(found?.interfaces),
    foreign: new Set(found?.foreign_links),
  };
}

/** Minutes whose means are kept: the window over which a link is judged (contract: link-quality.ts). */
const { minutes } = qualityWindow;
/** Minutes without a sample after which what was before says nothing of now. */
const longestGap = 2;

/** Adds a sample to the sum of its minute, which begins again with each minute. */
const summed = (sum: string) =>
  sql`${sql.ref(sum)} = case when excluded.samples = 0 then ${sql.ref(`s.${sum}`)}
    when excluded.minute > s.minute then ${sql.ref(`excluded.${sum}`)}
    else ${sql.ref(`s.${sum}`)} + ${sql.ref(`excluded.${sum}`)} end`;

/** Once a minute is over its mean goes to those of the minutes before it. */
const passed = (past: string, sum: string) =>
  sql`${sql.ref(past)} = case when excluded.samples = 0 or excluded.minute <= s.minute
      then ${sql.ref(`s.${past}`)}
    when excluded.minute - s.minute > ${longestGap} then '{}'
    when s.samples > 0 then (array[${sql.ref(`s.${sum}`)} / s.samples] || ${sql.ref(`s.${past}`)})[1:${sql.lit(minutes)}]
    else ${sql.ref(`s.${past}`)} end`;

/**
 * Keeps the metrics of links. Of a link's two ends the caller's metrics count: it is the one that
 * probes. Links that were removed a moment ago are passed over.
 * @param at when they were measured; null: now.
 */
export async function keepMeasures(
  pools: Pools<Database>,
  device: Reporter,
  { links }: MessageFromEdge<"measures">,
  at: Date | null = null,
): Promise<LinksKept> {
  if (links.length === 0) return "kept";
  return inNode(pools, device.node, async (trx) => {
    const obstacle = await obstacleTo(trx, links);
    if (obstacle) return obstacle;
    await sql`
      insert into link_status as s (link_id, enterprise_id, up, rtt_ms, jitter_ms, loss_percent,
        in_rate, out_rate, at, minute, samples, loss_sum, rtt_sum, jitter_sum)
      select l.id, l.enterprise_id, m.up, m."rttMs", m."jitterMs", m."lossPercent",
        m."inRate", m."outRate", t.at, floor(extract(epoch from t.at) / 60), o.samples,
        o.samples * coalesce(m."lossPercent", 0),
        -- Nothing of it came back: the round trip is as it was.
        o.samples * coalesce(m."rttMs", before.rtt_ms, 0),
        o.samples * coalesce(m."jitterMs", before.jitter_ms, 0)
      from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as m (id bigint, up boolean,
        "rttMs" real, "jitterMs" real, "lossPercent" real,
        "inRate" double precision, "outRate" double precision)
      cross join (select coalesce(${at}::timestamptz, now()) as at) t
      cross join lateral (
        select case when m.up and m."lossPercent" is not null then 1 else 0 end as samples) o
      join link l on l.id = m.id and l.a_node_id = ${device.node}
      left join link_status before on before.link_id = l.id
      on conflict (link_id) do update set up = excluded.up, rtt_ms = excluded.rtt_ms,
        jitter_ms = excluded.jitter_ms, loss_percent = excluded.loss_percent,
        in_rate = excluded.in_rate, out_rate = excluded.out_rate, at = excluded.at,
        changed_at = case when s.up = excluded.up then s.changed_at else excluded.at end,
        ${passed("past_loss", "loss_sum")}, ${passed("past_rtt", "rtt_sum")},
        ${passed("past_jitter", "jitter_sum")},
        ${summed("loss_sum")}, ${summed("rtt_sum")}, ${summed("jitter_sum")}, ${summed("samples")},
        minute = case when excluded.samples = 0 then s.minute
          else greatest(s.minute, excluded.minute) end`.execute(trx);
    return "kept";
  });
}

/**
 * Keeps which links went up or down just now; the metrics of one that fell are over. Of an end that
 * does not probe only a fall counts: the other end may have lost its way here by that same fall.
 */
export async function keepTransition(
  pools: Pools<Database>,
  device: Reporter,
  { links }: MessageFromEdge<"transition">,
): Promise<LinksKept> {
  return inNode(pools, device.node, async (trx) => {
    const obstacle = await obstacleTo(trx, links);
    if (obstacle) return obstacle;
    await sql`
      insert into link_status as s (link_id, enterprise_id, up)
      select l.id, l.enterprise_id, m.up
      from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as m (id bigint, up boolean)
      join link l on l.id = m.id
        and (l.a_node_id = ${device.node} or (l.b_node_id = ${device.node} and not m.up))
      on conflict (link_id) do update set up = excluded.up, at = now(),
        rtt_ms = case when excluded.up then s.rtt_ms end,
        jitter_ms = case when excluded.up then s.jitter_ms end,
        loss_percent = case when excluded.up then s.loss_percent else 100 end,
        in_rate = case when excluded.up then s.in_rate else 0 end,
        out_rate = case when excluded.up then s.out_rate else 0 end,
        changed_at = case when s.up = excluded.up then s.changed_at else now() end`.execute(trx);
    return "kept";
  });
}

async function obstacleTo(
  trx: Trx,
  links: readonly { readonly id: number }[],
): Promise<Exclude<LinksKept, "kept"> | null> {
  const ids = links.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) return "twice";
  const { rows } = await sql<{ foreign: boolean }>`
    select weft.has_foreign_link(${ids}::bigint[]) as foreign`.execute(trx);
  return rows[0]?.foreign ? "foreign" : null;
}
