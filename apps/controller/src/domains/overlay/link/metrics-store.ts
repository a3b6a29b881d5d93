/** Metrics of links and their ups and downs, as the devices at their ends report them. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { qualityWindow } from "@weft/contract/domains/devices/link-quality.ts";
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
  nodeIds: readonly number[],
): Promise<OwnMetrics> {
  const { rows } = await inNode(pools, node, (trx) =>
    sql<{ links: number[]; interfaces: string[]; foreign_links: number[] }>`
      select * from weft.own_metrics(${[...nodeIds]}::bigint[])`.execute(trx),
  );
  const [found] = rows;
  return {
    links: new Set(found?.links),
    interfaces: new Set(found?.interfaces),
    foreign: new Set(found?.foreign_links),
  };
}

/** Minutes whose means are kept: the window over which the quality of a link is assessed (contract: link-quality.ts). */
const { minutes } = qualityWindow;
/** Minutes without a sample after which earlier samples no longer count. */
const longestGap = 2;

/** What one end of a link measured once. */
export interface LinkSample {
  readonly node: number;
  /** Ms since the message came. */
  readonly ageMs: number;
  /** True: the node reported that the link went up or down since, so that it counts in the means only. */
  readonly isOutdated: boolean;
  /** True: it was not sent again, but stands; a transition that came after its message stays. */
  readonly isRepeated: boolean;
  /** 1 for the first sample of a link among these, 2 for its next one. */
  readonly turn: number;
  readonly link: MessageFromEdge<"measures">["links"][number];
}

/**
 * Keeps measures of links from any number of devices in one statement. Of a link's two ends the one that probes
 * counts; links that were removed a moment ago are passed over, and a transition that came later stays.
 * @param at when those were measured whose age is 0; null: now
 * @returns nodes that named a link of other nodes: nothing of them is written
 */
export async function keepMeasures(
  pools: Pools<Database>,
  samples: readonly LinkSample[],
  at: Date | null = null,
): Promise<number[]> {
  const links = samples.map(({ link }) => link);
  const { rows: refused } = await sql<{ node: number }>`
    select weft.keep_measures(coalesce(${at}::timestamptz, now()),
      ${samples.map(({ node }) => node)}::bigint[], ${links.map(({ id }) => id)}::bigint[],
      ${samples.map(({ turn }) => turn)}::integer[],
      ${samples.map(({ ageMs }) => ageMs)}::double precision[],
      ${samples.map(({ isOutdated }) => isOutdated)}::boolean[],
      ${samples.map(({ isRepeated }) => isRepeated)}::boolean[],
      ${links.map(({ up }) => up)}::boolean[], ${links.map(({ rttMs }) => rttMs)}::real[],
      ${links.map(({ jitterMs }) => jitterMs)}::real[],
      ${links.map(({ lossPercent }) => lossPercent)}::real[],
      ${links.map(({ inRate }) => inRate)}::double precision[],
      ${links.map(({ outRate }) => outRate)}::double precision[],
      ${minutes}::integer, ${longestGap}::integer) as node`.execute(pools.gateway.db);
  return refused.map(({ node }) => node);
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
      order by l.id
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
