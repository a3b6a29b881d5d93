/** Metrics of links and their ups and downs, as the devices at their ends report them. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { qualityWindow } from "@weft/contract/domains/devices/link-quality.ts";
import { sql } from "kysely";
import { inScope, type Pools, type ScopeLimits } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

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

/** Which links a node sent metrics of. */
export interface MetricsRequest {
  readonly node: number;
  readonly links: readonly number[];
}

/** What nodes may send metrics of. @param requests of different nodes @returns for each, in their order */
export async function ownMetrics(
  pools: Pools<Database>,
  requests: readonly MetricsRequest[],
): Promise<readonly OwnMetrics[]> {
  const pairs = requests.flatMap(({ node, links }) => links.map((link) => ({ node, link })));
  const { rows } = await sql<{
    node_id: number;
    links: number[];
    interfaces: string[];
    foreign_links: number[];
  }>`
    select * from weft.own_metrics(${requests.map(({ node }) => node)}::bigint[],
      ${pairs.map(({ node }) => node)}::bigint[], ${pairs.map(({ link }) => link)}::bigint[])`.execute(
    pools.gateway.db,
  );
  const byNode = new Map(rows.map((row) => [row.node_id, row]));
  return requests.map(({ node }) => {
    const row = byNode.get(node);
    return {
      links: new Set(row?.links),
      interfaces: new Set(row?.interfaces),
      foreign: new Set(row?.foreign_links),
    };
  });
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

/** Which links one device says went up or down. */
export interface SentTransition {
  readonly node: number;
  readonly links: MessageFromEdge<"transition">["links"];
}

/**
 * Keeps which links went up or down just now (`weft.keep_transitions`).
 * @param sent of different nodes
 * @param limits of the transaction
 * @returns what was done with each, in their order
 */
export async function keepTransitions(
  pools: Pools<Database>,
  sent: readonly SentTransition[],
  limits: ScopeLimits,
): Promise<readonly LinksKept[]> {
  const isTwice = ({ links }: SentTransition): boolean =>
    new Set(links.map(({ id }) => id)).size !== links.length;
  const readable = sent.filter((message) => !isTwice(message));
  const pairs = readable.flatMap(({ node, links }) => links.map((link) => ({ node, ...link })));
  const { rows } = await inScope(
    pools.gateway,
    { kind: "nodes", nodeIds: readable.map(({ node }) => node) },
    (trx) =>
      sql<{ node: number }>`
        select weft.keep_transitions(${pairs.map(({ node }) => node)}::bigint[],
          ${pairs.map(({ id }) => id)}::bigint[],
          ${pairs.map(({ up }) => up)}::boolean[]) as node`.execute(trx),
    limits,
  );
  const refused = new Set(rows.map(({ node }) => node));
  return sent.map((message) =>
    isTwice(message) ? "twice" : refused.has(message.node) ? "foreign" : "kept",
  );
}
