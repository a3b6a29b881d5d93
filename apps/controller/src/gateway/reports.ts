/** What a device says of itself and of its links, kept as rows. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { sql, type Transaction } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { Refused } from "./refusal.ts";

type Trx = Transaction<Database>;
type Report = MessageFromEdge<"report">;

/** A proven device on one socket. */
export interface Device {
  readonly node: number;
  readonly enterpriseId: number;
  /** Serial number that its claim was bound to. */
  readonly sn: string;
  readonly publicKey: string;
}

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

/**
 * The device is online, here.
 * @returns the epoch of this socket: a newer one of the same node has a greater one
 */
export function openPresence(
  pools: Pools<Database>,
  device: Device,
  gateway: string,
  address: string,
): Promise<number> {
  return inNode(pools, device.node, async (trx) => {
    const { session_epoch } = await trx
      .insertInto("node_status")
      .values({
        node_id: device.node,
        enterprise_id: device.enterpriseId,
        online: true,
        gateway,
        socket_address: address,
        session_epoch: 1,
        last_seen: sql`now()`,
      })
      .onConflict((conflict) =>
        conflict.column("node_id").doUpdateSet({
          enterprise_id: device.enterpriseId,
          online: true,
          gateway,
          socket_address: address,
          session_epoch: sql`node_status.session_epoch + 1`,
          last_seen: sql`now()`,
        }),
      )
      .returning("session_epoch")
      .executeTakeFirstOrThrow();
    return session_epoch;
  });
}

/** Writes that sockets were seen just now, or that they are gone; replaced ones are left out. */
export async function writeSeen(
  pools: Pools<Database>,
  sockets: readonly { readonly node: number; readonly epoch: number }[],
  isOnline: boolean,
): Promise<void> {
  if (sockets.length === 0) return;
  const nodes = sockets.map(({ node }) => node);
  const epochs = sockets.map(({ epoch }) => epoch);
  await sql`select weft.edges_seen(${nodes}::bigint[], ${epochs}::bigint[], ${isOnline})`.execute(
    pools.gateway.db,
  );
}

const addressesOf = (lines: readonly { interfaceName: string; address: string | null }[]): string =>
  lines
    .map(({ interfaceName, address }) => `${interfaceName} ${address}`)
    .sort()
    .join();

/**
 * Keeps a report. A new tunnel key or address concerns the peers as well, so it leaves a change row.
 * @returns true when it left one
 * @throws Refused when the socket was replaced, or the device is not the one of its claim
 */
export function keepReport(
  pools: Pools<Database>,
  device: Device,
  epoch: number,
  report: Report,
): Promise<boolean> {
  if (report.serialNumber !== device.sn) {
    throw new Refused("notYours", "the report names another serial number than the claim");
  }
  return inNode(pools, device.node, async (trx) => {
    const old = await trx
      .selectFrom("node_status")
      .select(["tunnel_key", "lines", "session_epoch"])
      .where("node_id", "=", device.node)
      .forUpdate()
      .executeTakeFirst();
    if (old?.session_epoch !== epoch) throw new Refused("replaced", "a newer socket is open");
    const tunnelKey = report.tunnelKeys[0]?.publicKey ?? null;
    await trx
      .updateTable("node_status")
      .set({
        version: report.version,
        ...runningColumns(report.running),
        capabilities: JSON.stringify(report.capabilities),
        lines: JSON.stringify(report.lines),
        tunnel_key: tunnelKey,
      })
      .where("node_id", "=", device.node)
      .execute();
    const isNews =
      old.tunnel_key !== tunnelKey || addressesOf(old.lines) !== addressesOf(report.lines);
    if (isNews) await writeChange(trx, device);
    return isNews;
  });
}

const runningColumns = (running: Report["running"]) => ({
  running_epoch: running?.epoch ?? null,
  running_serial: running?.serial ?? null,
  running_digest: running?.digest ?? null,
});

async function writeChange(trx: Trx, { node, enterpriseId }: Device): Promise<void> {
  await trx
    .insertInto("change")
    .values({
      enterprise_id: enterpriseId,
      node_ids: sql`${[node]}::bigint[]`,
      space_ids: sql`'{}'`,
      cause: "edge: report",
      created_by: 0,
    })
    .execute();
}

/** The last drift stays to be read after it is gone; silence about it changes nothing. */
function driftColumns(drift: MessageFromEdge<"heartbeat">["drift"]) {
  if (drift === null) return {};
  if (drift.steps === 0) {
    const ended = sql<Date | null>`case when drift_since is null then null
      else coalesce(drift_ended_at, now()) end`;
    return { drift_ended_at: ended };
  }
  const isNew = sql`drift_since is null or drift_ended_at is not null`;
  return {
    drift_plan: JSON.stringify(drift.plan ?? []),
    drift_since: sql<Date>`case when ${isNew} then now() else drift_since end`,
    drift_ended_at: null,
  };
}

/** Keeps what a heartbeat says, where it differs from the one before. */
export async function keepHeartbeat(
  pools: Pools<Database>,
  device: Device,
  epoch: number,
  message: MessageFromEdge<"heartbeat">,
): Promise<void> {
  await inNode(pools, device.node, (trx) =>
    trx
      .updateTable("node_status")
      .set({
        ...runningColumns(message.running),
        drift_steps: message.drift?.steps ?? null,
        ...driftColumns(message.drift),
      })
      .where("node_id", "=", device.node)
      .where("session_epoch", "=", epoch)
      .execute(),
  );
}

/** What a node may send metrics of. */
export async function ownMetrics(
  pools: Pools<Database>,
  node: number,
  asked: readonly number[],
): Promise<OwnMetrics> {
  const { rows } = await inNode(pools, node, (trx) =>
    sql<{ links: number[]; interfaces: string[]; foreign_links: number[] }>`
      select * from weft.own_figures(${[...asked]}::bigint[])`.execute(trx),
  );
  const [found] = rows;
  return {
    links: new Set(found?.links),
    interfaces: new Set(found?.interfaces),
    foreign: new Set(found?.foreign_links),
  };
}

/**
 * Keeps the metrics of links. Of a link's two ends the caller's metrics count: it is the one that
 * probes. Links that were removed a moment ago are passed over.
 * @throws Refused when a link of other nodes is among them; nothing is written then
 */
export async function keepMeasures(
  pools: Pools<Database>,
  device: Device,
  { links }: MessageFromEdge<"measures">,
): Promise<void> {
  if (links.length === 0) return;
  await inNode(pools, device.node, async (trx) => {
    await requireOwnLinks(trx, links);
    await sql`
      insert into link_status as s (link_id, enterprise_id, up, rtt_ms, jitter_ms, loss_percent,
        in_rate, out_rate)
      select l.id, l.enterprise_id, m.up, m."rttMs", m."jitterMs", m."lossPercent",
        m."inRate", m."outRate"
      from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as m (id bigint, up boolean,
        "rttMs" real, "jitterMs" real, "lossPercent" real,
        "inRate" double precision, "outRate" double precision)
      join link l on l.id = m.id and l.a_node_id = ${device.node}
      on conflict (link_id) do update set up = excluded.up, rtt_ms = excluded.rtt_ms,
        jitter_ms = excluded.jitter_ms, loss_percent = excluded.loss_percent,
        in_rate = excluded.in_rate, out_rate = excluded.out_rate, at = now(),
        changed_at = case when s.up = excluded.up then s.changed_at else now() end`.execute(trx);
  });
}

/**
 * Keeps which links went up or down just now; the metrics of one that fell are over. Of an end that
 * does not probe only a fall counts: the other end may have lost its way here by that same fall.
 * @throws Refused when a link of other nodes is among them; nothing is written then
 */
export async function keepTransition(
  pools: Pools<Database>,
  device: Device,
  { links }: MessageFromEdge<"transition">,
): Promise<void> {
  await inNode(pools, device.node, async (trx) => {
    await requireOwnLinks(trx, links);
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
  });
}

/** Keeps which programs of the device died and were started again, in its log. */
export async function keepRepairs(
  pools: Pools<Database>,
  device: Device,
  { items }: MessageFromEdge<"repairs">,
): Promise<void> {
  const names = items.map(({ part, object }) => `${part} ${object}`);
  await inNode(pools, device.node, (trx) =>
    sql`select weft.note_repairs(${names}::text[])`.execute(trx),
  );
}

async function requireOwnLinks(trx: Trx, links: readonly { readonly id: number }[]): Promise<void> {
  const ids = links.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) throw new Refused("badMessage", "a link is reported twice");
  const { rows } = await sql<{ foreign: boolean }>`
    select weft.has_foreign_link(${ids}::bigint[]) as foreign`.execute(trx);
  if (rows[0]?.foreign) throw new Refused("notYours", "a link of other nodes");
}
