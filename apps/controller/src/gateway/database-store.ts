/** The gateway's store on PostgreSQL. */
import { sql } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import {
  keepConfirmed,
  keepOutcome,
  readSections,
  takeNext,
} from "#domains/delivery/deliver/public.ts";
import { keepAnswer, takeCommands } from "#domains/devices/command/public.ts";
import {
  keepHeartbeat,
  keepLeases,
  keepPin,
  keepRepairs,
  keepReport,
  keepStandby,
  noteReplacement,
  openPresence,
  writeSeen,
} from "#domains/devices/presence/public.ts";
import {
  keepMeasures,
  keepTransition,
  type LinksKept,
  ownMetrics,
} from "#domains/overlay/link/public.ts";
import { keepMoves, keepPaths } from "#domains/overlay/link-path/public.ts";
import { ownObjects } from "#domains/policies/policy-hits/public.ts";
import { isAway } from "#kernel/database-errors.ts";
import { stateConfirmed } from "#telemetry/events.ts";
import { Refused } from "./refusal.ts";
import { type GatewayStore, StoreAway, type WatchVerdict } from "./store.ts";

const rethrow = (error: unknown): never => {
  throw isAway(error) ? new StoreAway(error) : error;
};

/** The same calls, with an error of their own for a database that does not answer. */
const tellingAway = (store: GatewayStore): GatewayStore =>
  Object.fromEntries(
    Object.entries(store).map(([name, call]) => [
      name,
      (...args: unknown[]) =>
        (call as (...args: unknown[]) => Promise<unknown>)(...args).catch(rethrow),
    ]),
  ) as unknown as GatewayStore;

/** A report about links that was not kept is the fault of its device. */
function requireKept(kept: LinksKept): void {
  if (kept === "foreign") throw new Refused("notYours", "a link of other nodes");
  if (kept === "twice") throw new Refused("badMessage", "the same link is reported twice");
}

/** What a node may send metrics of, as each domain says it of its rows. */
const allOwnMetrics =
  (pools: Pools<Database>): GatewayStore["ownMetrics"] =>
  async (node, links, objects) => ({
    ...(await ownMetrics(pools, node, links)),
    objects: await ownObjects(pools, node, objects),
  });

/** Announced once it is committed, and once only. */
async function confirmIn(
  pools: Pools<Database>,
  request: Parameters<GatewayStore["keepConfirmed"]>[0],
): Promise<void> {
  const scope = { kind: "node", nodeId: request.node } as const;
  const seconds = await inScope(pools.gateway, scope, (trx) => keepConfirmed(trx, request));
  if (seconds !== null) stateConfirmed.publish({ seconds });
}

const otherSerial = "the serial number of the report is not that of the activation code";

/**
 * The store of a real gateway.
 * @param changed called after COMMIT with changes that live screens show; not for metrics alone
 */
export function databaseStore(
  pools: Pools<Database>,
  changed: () => void = () => undefined,
): GatewayStore {
  const { db } = pools.gateway;
  const notifying = async <Value>(written: Promise<Value>): Promise<Value> => {
    const value = await written;
    changed();
    return value;
  };
  return tellingAway({
    installationEpoch: async () =>
      (await db.selectFrom("installation").select("epoch").executeTakeFirstOrThrow()).epoch,
    async deviceIdentity(node, publicKey) {
      const { rows } = await sql<{ enterprise_id: number; sn: string; state: string }>`
        select enterprise_id, sn, state from weft.edge_identity(${node}, ${publicKey})`.execute(db);
      const found = rows[0];
      return found ? { enterpriseId: found.enterprise_id, sn: found.sn, state: found.state } : null;
    },
    async confirmKey(node) {
      const { rows } = await sql<{ key: string | null }>`
        select weft.edge_key(${node}) as key`.execute(db);
      return rows[0]?.key ?? null;
    },
    openPresence: (device, gateway, address) =>
      notifying(openPresence(pools, device, gateway, address)),
    noteReplacement: (device, from) => noteReplacement(pools, device, from),
    writeSeen: (sockets, isOnline) => notifying(writeSeen(pools, sockets, isOnline)),
    async keepReport(device, epoch, report) {
      if (report.serialNumber !== device.sn) throw new Refused("notYours", otherSerial);
      const kept = await notifying(keepReport(pools, device, epoch, report));
      if (kept === "replaced") throw new Refused("replaced", "a newer socket is open");
      return kept;
    },
    keepHeartbeat: (device, epoch, heartbeat) => keepHeartbeat(pools, device, epoch, heartbeat),
    ownMetrics: allOwnMetrics(pools),
    keepMeasures: (measures) => keepMeasures(pools, measures),
    keepTransition: async (device, transition) =>
      requireKept(await notifying(keepTransition(pools, device, transition))),
    keepRepairs: (device, repairs) => notifying(keepRepairs(pools, device, repairs)),
    keepLeases: (device, leases) => keepLeases(pools, device, leases),
    keepPaths: (device, paths) => notifying(keepPaths(pools, device, paths)),
    keepMoves: (device, moves) => notifying(keepMoves(pools, device, moves)),
    keepStandby: (device, standby) => notifying(keepStandby(pools, device, standby)),
    keepPin: (device, pinned) => keepPin(pools, device, pinned),
    takeNext: (node, view, times) => takeNext(pools, node, view, times),
    keepOutcome: (node, outcome) => notifying(keepOutcome(pools, node, outcome)),
    keepConfirmed: (request) => notifying(confirmIn(pools, request)),
    readSections: (node, hashes) => readSections(pools, node, hashes),
    takeCommands: (sockets) => takeCommands(pools, sockets),
    keepAnswer: (node, answer) => keepAnswer(pools, node, answer),
    async watch(sockets, times) {
      const { rows } = await sql<{ node: number; verdict: WatchVerdict }>`
        select node_id as node, verdict from weft.watch_edges(
          ${sockets.map(({ node }) => node)}::bigint[],
          ${sockets.map(({ publicKey }) => publicKey)}::text[],
          ${sockets.map(({ epoch }) => epoch)}::bigint[],
          ${times.retryAfterMs} * interval '1 ms',
          ${times.retryAfterStopMs} * interval '1 ms')`.execute(db);
      return rows;
    },
  });
}
