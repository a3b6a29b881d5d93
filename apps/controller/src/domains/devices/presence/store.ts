/** What a device says of itself, kept as rows. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { sql, type Transaction } from "kysely";
import { inScope, type Pools, type ScopeLimits, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

type Trx = Transaction<Database>;
type Report = MessageFromEdge<"report">;

/**
 * Ms that devices get to come back to gateways that have just started, and may be silent before they count as offline. A
 * gateway writes once a minute that it saw them. `weft.return_time` of the database is the same, which a test compares.
 */
export const returnMs = 150_000;

/** A proven device on one socket. */
export interface Device {
  readonly node: number;
  readonly enterpriseId: number;
  /** Serial number that its claim was bound to. */
  readonly sn: string;
  readonly publicKey: string;
}

/** A socket as the database knows it. */
export interface OpenSocket {
  readonly node: number;
  /** A newer socket of the same node has a greater one. */
  readonly epoch: number;
}

const inNode = <T>(pools: Pools<Database>, node: number, work: (trx: Trx) => Promise<T>) =>
  inScope(pools.gateway, { kind: "node", nodeId: node }, work);

/** A device that proved itself on a new socket. */
export interface OpenedSocket {
  readonly device: Device;
  /** The process that has the socket. */
  readonly gateway: string;
  /** Where it comes from. */
  readonly address: string;
}

/**
 * These devices are online, here.
 * @param opened of different nodes
 * @param limits of the transaction
 * @returns the epoch of each socket, in their order: a newer one of the same node has a greater one
 */
export async function openPresences(
  pools: Pools<Database>,
  opened: readonly OpenedSocket[],
  limits: ScopeLimits,
): Promise<readonly number[]> {
  const nodes = opened.map(({ device }) => device.node);
  const { rows } = await inScope(
    pools.gateway,
    { kind: "nodes", nodeIds: nodes },
    (trx) =>
      sql<{ node: number; epoch: number }>`
        insert into node_status as s (node_id, enterprise_id, online, gateway, socket_address,
          session_epoch, last_seen)
        select m.node_id, m.enterprise_id, true, m.gateway, m.address, 1, now()
        from unnest(${nodes}::bigint[], ${opened.map(({ device }) => device.enterpriseId)}::bigint[],
            ${opened.map(({ gateway }) => gateway)}::text[],
            ${opened.map(({ address }) => address)}::text[])
          as m (node_id, enterprise_id, gateway, address)
        order by m.node_id
        on conflict (node_id) do update set enterprise_id = excluded.enterprise_id, online = true,
          gateway = excluded.gateway, socket_address = excluded.socket_address,
          session_epoch = s.session_epoch + 1, last_seen = now()
        returning s.node_id as node, s.session_epoch as epoch`.execute(trx),
    limits,
  );
  const epochs = new Map(rows.map(({ node, epoch }) => [node, epoch]));
  return nodes.map((node) => {
    const epoch = epochs.get(node);
    if (epoch === undefined) throw new Error(`no presence was written of node ${node}`);
    return epoch;
  });
}

/**
 * Writes that sockets were seen just now, or that they are gone; replaced ones are left out.
 * @returns nodes whose rows others hold: of these nothing is written
 */
export async function writeSeen(
  pools: Pools<Database>,
  sockets: readonly OpenSocket[],
  isOnline: boolean,
): Promise<readonly number[]> {
  if (sockets.length === 0) return [];
  const nodes = sockets.map(({ node }) => node);
  const epochs = sockets.map(({ epoch }) => epoch);
  const { rows } = await sql<{ node: number }>`
    select node from weft.edges_seen(${nodes}::bigint[], ${epochs}::bigint[], ${isOnline}) as node`.execute(
    pools.gateway.db,
  );
  return rows.map(({ node }) => node);
}

const addressesOf = (lines: readonly { interfaceName: string; address: string | null }[]): string =>
  lines
    .map(({ interfaceName, address }) => `${interfaceName} ${address}`)
    .sort()
    .join();

/** What decides which parts of the rows go into the state. */
const abilitiesOf = (capabilities: readonly { name: string; can: boolean }[]): string =>
  capabilities
    .flatMap(({ name, can }) => (can ? [name] : []))
    .sort()
    .join();

/**
 * Keeps a report. A new tunnel key or address concerns the peers as well, and what the device can do its
 * own state: each leaves a change row.
 * A device that changes again and again does so after a pause, and devices of one tenant that change in turn do
 * so together (releaseReports).
 * @returns true when it left one; "replaced": a newer socket of the node is open, nothing is kept
 */
export function keepReport(
  pools: Pools<Database>,
  device: Device,
  epoch: number,
  report: Report,
): Promise<boolean | "replaced"> {
  return inNode(pools, device.node, async (trx) => {
    const old = await trx
      .selectFrom("node_status")
      .select(["tunnel_key", "lines", "session_epoch", "capabilities", "keyed_at"])
      .where("node_id", "=", device.node)
      .forUpdate()
      .executeTakeFirst();
    if (old?.session_epoch !== epoch) return "replaced";
    const tunnelKey = report.tunnelKeys[0]?.publicKey ?? null;
    const isFirstKey = tunnelKey !== null && old.keyed_at === null;
    await trx
      .updateTable("node_status")
      .set({
        version: report.version,
        ...runningColumns(report.running),
        capabilities: JSON.stringify(report.capabilities),
        lines: JSON.stringify(report.lines),
        tunnel_key: tunnelKey,
        ...(isFirstKey && { keyed_at: sql<Date>`now()` }),
      })
      .where("node_id", "=", device.node)
      .execute();
    const isOther =
      old.tunnel_key !== tunnelKey ||
      abilitiesOf(old.capabilities) !== abilitiesOf(report.capabilities);
    if (!isOther && addressesOf(old.lines) === addressesOf(report.lines)) return false;
    // A device that is new here waits for nothing: without its first key it has no tunnel. One that takes its key back
    // and reports it again is not new.
    const mayAct =
      isFirstKey ||
      (await admitReport(trx, device.node, isOther ? pauses.longest : pauses.ofAddresses));
    if (!mayAct) return false;
    // Who stands for another device is part of that one's state.
    await writeChange(trx, device);
    return true;
  });
}

/** A report as it came on one socket. */
export interface SentReport {
  readonly node: number;
  readonly epoch: number;
  readonly report: Report;
}

/**
 * Of which reports all is known: nothing would be written of them. Nearly all that devices send which only come back.
 * @param sent of different nodes
 * @returns for each, in their order; false: `keepReport` has to look at it
 */
export async function knownReports(
  pools: Pools<Database>,
  sent: readonly SentReport[],
): Promise<readonly boolean[]> {
  const nodes = sent.map(({ node }) => node);
  const reports = sent.map(({ report }) => report);
  const { rows } = await scopedRead(pools.gateway, { kind: "nodes", nodeIds: nodes }, (trx) =>
    sql<{ node: number }>`
      select s.node_id as node
      from unnest(${nodes}::bigint[], ${sent.map(({ epoch }) => epoch)}::bigint[],
          ${reports.map(({ version }) => version)}::text[],
          ${reports.map(({ running }) => running?.epoch ?? null)}::bigint[],
          ${reports.map(({ running }) => running?.serial ?? null)}::bigint[],
          ${reports.map(({ running }) => running?.digest ?? null)}::text[],
          ${reports.map(({ tunnelKeys }) => tunnelKeys[0]?.publicKey ?? null)}::text[],
          ${reports.map(({ capabilities }) => JSON.stringify(capabilities))}::text[],
          ${reports.map(({ lines }) => JSON.stringify(lines))}::text[])
        as m (node_id, epoch, version, running_epoch, running_serial, running_digest, tunnel_key,
          capabilities, lines)
      join node_status s on s.node_id = m.node_id and s.session_epoch = m.epoch
      where (s.version, s.running_epoch, s.running_serial, s.running_digest, s.tunnel_key)
          is not distinct from
          (m.version, m.running_epoch, m.running_serial, m.running_digest, m.tunnel_key)
        and (s.tunnel_key is null or s.keyed_at is not null)
        and s.capabilities = m.capabilities::jsonb and s.lines = m.lines::jsonb`.execute(trx),
  );
  const known = new Set(rows.map(({ node }) => node));
  return nodes.map((node) => known.has(node));
}

const runningColumns = (running: Report["running"]) => ({
  running_epoch: running?.epoch ?? null,
  running_serial: running?.serial ?? null,
  running_digest: running?.digest ?? null,
});

/** Seconds that a change waits at most which a device reports again and again. */
const pauses = { longest: 300, ofAddresses: 5 } as const;

async function admitReport(trx: Trx, node: number, longest: number): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select weft.admit_report(${node}::bigint, ${longest}::int) as may`.execute(trx);
  return rows[0]?.may ?? false;
}

/** A device whose reports change again and again, and how often that has put them off. */
export interface PausedReports {
  readonly node: number;
  readonly pauses: number;
}

/** Lets changes of devices act whose pause is over. */
export async function releaseReports(pools: Pools<Database>): Promise<readonly PausedReports[]> {
  const { rows } =
    await sql<PausedReports>`select node, pauses from weft.release_reports()`.execute(
      pools.worker.db,
    );
  return rows;
}

async function writeChange(trx: Trx, { node, enterpriseId }: Device): Promise<void> {
  await trx
    .insertInto("change")
    .values({
      enterprise_id: enterpriseId,
      node_ids: sql`weft.standby_pair(${node})`,
      space_ids: sql`'{}'`,
      cause: "edge: report",
      created_by: 0,
    })
    .execute();
}

/** What a device reports periodically. */
export interface Heartbeat {
  readonly node: number;
  /** Of its socket: of one that was replaced nothing is kept. */
  readonly epoch: number;
  readonly message: Pick<MessageFromEdge<"heartbeat">, "running" | "drift">;
}

/**
 * Keeps what heartbeats of any number of devices say, where it differs from the one before. The last drift stays to be
 * read after it is gone; silence about it changes nothing.
 * @param beats of different nodes
 * @param limits of the transaction
 */
export async function keepHeartbeats(
  pools: Pools<Database>,
  beats: readonly Heartbeat[],
  limits: ScopeLimits,
): Promise<void> {
  const running = beats.map(({ message }) => message.running);
  const drift = beats.map(({ message }) => message.drift);
  const plans = drift.map((one) => JSON.stringify(one?.plan ?? []));
  const scope = { kind: "nodes", nodeIds: beats.map(({ node }) => node) } as const;
  const write = sql`
    update node_status s set running_epoch = m.running_epoch, running_serial = m.running_serial,
      running_digest = m.running_digest, drift_steps = m.steps,
      drift_plan = case when m.steps > 0 then m.plan::jsonb else s.drift_plan end,
      drift_since = case
        when m.steps > 0 and (s.drift_since is null or s.drift_ended_at is not null) then now()
        else s.drift_since end,
      drift_ended_at = case
        when m.steps > 0 then null
        when m.steps = 0 and s.drift_since is null then null
        when m.steps = 0 then coalesce(s.drift_ended_at, now())
        else s.drift_ended_at end
    from unnest(${beats.map(({ node }) => node)}::bigint[],
        ${beats.map(({ epoch }) => epoch)}::bigint[],
        ${running.map((one) => one?.epoch ?? null)}::bigint[],
        ${running.map((one) => one?.serial ?? null)}::bigint[],
        ${running.map((one) => one?.digest ?? null)}::text[],
        ${drift.map((one) => one?.steps ?? null)}::integer[], ${plans}::text[])
      as m (node_id, epoch, running_epoch, running_serial, running_digest, steps, plan)
    where s.node_id = m.node_id and s.session_epoch = m.epoch`;
  await inScope(pools.gateway, scope, (trx) => write.execute(trx), limits);
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

/** Keeps what the device gave hosts of its LANs. */
export async function keepLeases(
  pools: Pools<Database>,
  device: Device,
  { items, total }: MessageFromEdge<"leases">,
): Promise<void> {
  await inNode(pools, device.node, async (trx) => {
    const before = await trx
      .selectFrom("node_status")
      .select(["leases", sql<number>`(extract(epoch from now()) * 1000)::bigint`.as("now")])
      .where("node_id", "=", device.node)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return;
    const since = new Map(
      before.leases.map((lease) => [`${lease.mac} ${lease.address}`, lease.since]),
    );
    // Devices report all that hold with each change: one that was in the last report has not ended since.
    const kept = items.map((item) => {
      const key = `${item.mac} ${item.address}`;
      const from = since.has(key) ? since.get(key) : before.now;
      return from === undefined ? item : { ...item, since: from };
    });
    await trx
      .updateTable("node_status")
      .set({ leases: JSON.stringify(kept), lease_total: total })
      .where("node_id", "=", device.node)
      .execute();
  });
}

/** Keeps what the device's lines have of IPv6, each address with the moment of the first report that had it. */
export async function keepIpv6(
  pools: Pools<Database>,
  device: Device,
  { lines }: MessageFromEdge<"ipv6">,
): Promise<void> {
  await inNode(pools, device.node, async (trx) => {
    const before = await trx
      .selectFrom("node_status")
      .select(["ipv6_lines", sql<number>`(extract(epoch from now()) * 1000)::bigint`.as("now")])
      .where("node_id", "=", device.node)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return;
    const kept = lines.map(({ interfaceName, address, gateway, validMs, prefix }) => {
      const same = before.ipv6_lines?.find(
        (ipv6Line) => ipv6Line.interfaceName === interfaceName && ipv6Line.address === address,
      );
      const until = validMs === null ? null : before.now + validMs;
      const since = same?.since ?? before.now;
      return { interfaceName, address, gateway, since, until, prefix };
    });
    await trx
      .updateTable("node_status")
      .set({ ipv6_lines: JSON.stringify(kept) })
      .where("node_id", "=", device.node)
      .execute();
  });
}

/** Keeps what the device is in its standby group. */
export async function keepStandby(
  pools: Pools<Database>,
  device: Device,
  { place, forMs }: MessageFromEdge<"standby">,
): Promise<void> {
  await inNode(pools, device.node, (trx) =>
    trx
      .updateTable("node_status")
      .set({
        standby_place: place,
        standby_since: place === null ? null : sql`now() - ${forMs} * interval '1 ms'`,
      })
      .where("node_id", "=", device.node)
      .execute(),
  );
}

/** What a device says of its keys. */
export interface SentPin {
  readonly node: number;
  /** The device's own, that it proved itself with. */
  readonly publicKey: string;
  /** Newest key of the controller on its disk. */
  readonly pinned: string;
}

/**
 * Keeps which key of the controller is the newest on devices' disks.
 * @param pins of different nodes
 * @param waits for rows that others hold
 * @returns for each, in their order; false: others hold its row, and nothing is written of it
 */
export async function keepPins(
  pools: Pools<Database>,
  pins: readonly SentPin[],
  waits: boolean,
): Promise<readonly boolean[]> {
  const { rows } = await sql<{ turn: number }>`
    select m.turn::int as turn
    from unnest(${pins.map(({ node }) => node)}::bigint[],
      ${pins.map(({ publicKey }) => publicKey)}::text[],
      ${pins.map(({ pinned }) => pinned)}::text[]) with ordinality as m (node, key, pinned, turn)
    where not weft.note_pin(m.node, m.key, m.pinned, ${waits})`.execute(pools.gateway.db);
  const locked = new Set(rows.map(({ turn }) => turn));
  return pins.map((_pin, at) => !locked.has(at + 1));
}
