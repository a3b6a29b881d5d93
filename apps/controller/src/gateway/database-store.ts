/** The gateway's store on PostgreSQL. */
import { sql } from "kysely";
import type { Pools, ScopeLimits } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import {
  type DeliveryAnswer,
  type DeliveryRequest,
  keepDeliveries,
  readSections,
  type Section,
  type SectionRequest,
  SharedTexts,
} from "#domains/delivery/deliver/public.ts";
import { keepAnswer, takeCommands } from "#domains/devices/command/public.ts";
import { readFlowRecording } from "#domains/devices/node-config/public.ts";
import {
  type Heartbeat,
  keepHeartbeats,
  keepIpv6,
  keepLeases,
  keepPins,
  keepRepairs,
  keepReport,
  keepStandby,
  knownReports,
  noteReplacement,
  type OpenedSocket,
  openPresences,
  type SentPin,
  type SentReport,
  writeSeen,
} from "#domains/devices/presence/public.ts";
import {
  keepMeasures,
  keepTransitions,
  type LinksKept,
  type MetricsRequest,
  type OwnMetrics,
  ownMetrics,
  type SentTransition,
} from "#domains/overlay/link/public.ts";
import { keepMoves, keepPaths, type SentPaths } from "#domains/overlay/link-path/public.ts";
import { ownObjects } from "#domains/policies/policy-hits/public.ts";
import { isAway, isLocked } from "#kernel/database-errors.ts";
import { stateConfirmed } from "#telemetry/events.ts";
import { type Clock, systemClock } from "./clock.ts";
import {
  connectFactor,
  defaultGather,
  deliveryFactor,
  Gatherer,
  type GatherLimits,
} from "./gatherer.ts";
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

/** How requests are gathered; the system's clock if absent. */
export interface Gathering extends Partial<GatherLimits> {
  readonly clock?: Pick<Clock, "setTimeout">;
}

/** Ms that heartbeats of many nodes wait for a row that others write; each then does so by itself. */
const lockTimeoutMs = 50;

/** The same of ups and downs of links: those who write them (`weft.keep_measures`) do so in one order. */
const linkLockTimeoutMs = 500;

/** Devices whose sections are read at a time: the contents of all of them are in memory then. */
const mostSections = 16;

/** What is asked of a device that connects. */
interface IdentityRequest {
  /** A number of its own: strangers who name a device's node must not be waited for by the device. */
  readonly node: number;
  readonly of: number;
  readonly publicKey: string;
}
type Identity = Awaited<ReturnType<GatewayStore["deviceIdentity"]>>;

/**
 * What devices ask and say when they connect, of all that do so at the same moment: after an outage or a restart these are
 * all, and for a single one a few more ms are nothing.
 */
function connecting(pools: Pools<Database>, gathering: Gathering) {
  const { clock = systemClock, ...limits } = gathering;
  const shared = {
    ...defaultGather,
    ...limits,
    factor: connectFactor,
    clock,
    isAway,
    isLocked,
  };
  const { db } = pools.gateway;
  /** One statement for all requests. */
  const gathered = <Request extends { readonly node: number }, Answer>(
    run: (requests: readonly Request[], limits: ScopeLimits) => Promise<readonly Answer[]>,
    waits: ScopeLimits = { lockTimeoutMs },
  ) => {
    const gatherer = new Gatherer<Request, Answer>({
      ...shared,
      async run(requests, isAlone) {
        const answers = await run(requests, isAlone ? {} : waits);
        return answers.map((answer) => ({ isDone: true, answer }));
      },
    });
    return (request: Request): Promise<Answer> => gatherer.add(request);
  };
  const pins = new Gatherer<SentPin, null>({
    ...shared,
    async run(requests, isAlone) {
      const kept = await keepPins(pools, requests, isAlone);
      return kept.map((isKept) => (isKept ? { isDone: true, answer: null } : "locked"));
    },
  });
  const epoch = gathered<{ readonly node: number }, number>(async (requests) => {
    const row = await db.selectFrom("installation").select("epoch").executeTakeFirstOrThrow();
    return requests.map(() => row.epoch);
  });
  // Of these each request counts as one of a node of its own.
  let requestCount = 0;
  const identity = gathered<IdentityRequest, Identity>(async (requests) => {
    const { rows } = await sql<{
      turn: number;
      enterprise_id: number;
      sn: string;
      state: string;
    }>`
        select m.turn::int as turn, i.enterprise_id, i.sn, i.state
        from unnest(${requests.map(({ of }) => of)}::bigint[],
            ${requests.map(({ publicKey }) => publicKey)}::text[])
            with ordinality as m (node, key, turn)
          cross join lateral weft.edge_identity(m.node, m.key) i`.execute(db);
    const found = Map.groupBy(rows, ({ turn }) => turn);
    return requests.map((_request, at) => {
      const [row] = found.get(at + 1) ?? [];
      return row ? { enterpriseId: row.enterprise_id, sn: row.sn, state: row.state } : null;
    });
  });
  return {
    installationEpoch(): Promise<number> {
      requestCount += 1;
      return epoch({ node: requestCount });
    },
    identity(node: number, publicKey: string): Promise<Identity> {
      requestCount += 1;
      return identity({ node: requestCount, of: node, publicKey });
    },
    open: gathered<OpenedSocket & { readonly node: number }, number>((requests, waits) =>
      openPresences(pools, requests, waits),
    ),
    isKnownReport: gathered<SentReport, boolean>((requests) => knownReports(pools, requests)),
    transition: gathered<SentTransition, LinksKept>(
      (requests, waits) => keepTransitions(pools, requests, waits),
      { lockTimeoutMs: linkLockTimeoutMs },
    ),
    paths: gathered<SentPaths, null>(
      async (requests, waits) => {
        await keepPaths(pools, requests, waits);
        return requests.map(() => null);
      },
      { lockTimeoutMs: linkLockTimeoutMs },
    ),
    pin: (request: SentPin): Promise<null> => pins.add(request),
    ownMetrics: gathered<MetricsRequest, OwnMetrics>((requests) => ownMetrics(pools, requests)),
  };
}

/** What comes from all sockets alike is written together. */
function gatherers(pools: Pools<Database>, gathering: Gathering, changed: () => void) {
  const { clock = systemClock, ...limits } = gathering;
  const shared = {
    ...defaultGather,
    ...limits,
    factor: deliveryFactor,
    clock,
    isAway,
    isLocked,
  };
  const deliveries = new Gatherer<DeliveryRequest, DeliveryAnswer>({
    ...shared,
    async run(requests, isAlone) {
      const settled = await keepDeliveries(pools, requests, isAlone);
      // Announced once it is committed, and once only.
      for (const one of settled) {
        if (one === "locked" || !one.isDone || one.answer.seconds === null) continue;
        stateConfirmed.publish({ seconds: one.answer.seconds });
      }
      if (requests.some(({ kind }) => kind !== "next")) changed();
      return settled;
    },
  });
  const heartbeats = new Gatherer<Heartbeat, null>({
    ...shared,
    async run(beats, isAlone) {
      await keepHeartbeats(pools, beats, isAlone ? {} : { lockTimeoutMs });
      return beats.map(() => ({ isDone: true, answer: null }));
    },
  });
  const keys = new Gatherer<{ readonly node: number }, string | null>({
    ...shared,
    async run(requests) {
      const { rows } = await sql<{ node: number; key: string | null }>`
        select node, weft.edge_key(node) as key
        from unnest(${requests.map(({ node }) => node)}::bigint[]) as node`.execute(
        pools.gateway.db,
      );
      const found = new Map(rows.map(({ node, key }) => [node, key]));
      return requests.map(({ node }) => ({ isDone: true, answer: found.get(node) ?? null }));
    },
  });
  const sharedTexts = new SharedTexts();
  const sections = new Gatherer<SectionRequest, readonly Section[]>({
    ...shared,
    most: Math.min(shared.most, mostSections),
    async run(requests) {
      const found = await readSections(pools, requests, sharedTexts);
      return requests.map((_one, at) => ({ isDone: true, answer: found[at] ?? [] }));
    },
  });
  return { deliveries, heartbeats, keys, sections };
}

const otherSerial = "the serial number of the report is not that of the activation code";

/**
 * The store of a real gateway.
 * @param changed called after COMMIT with changes that live screens show; not for metrics alone
 * @param gathering how requests of many devices are written together
 */
export function databaseStore(
  pools: Pools<Database>,
  changed: () => void = () => undefined,
  gathering: Gathering = {},
): GatewayStore {
  const { db } = pools.gateway;
  const { deliveries, heartbeats, keys, sections } = gatherers(pools, gathering, changed);
  const connects = connecting(pools, gathering);
  const notifying = async <Value>(written: Promise<Value>): Promise<Value> => {
    const value = await written;
    changed();
    return value;
  };
  return tellingAway({
    installationEpoch: connects.installationEpoch,
    deviceIdentity: (node, publicKey) => connects.identity(node, publicKey),
    confirmKey: (node) => keys.add({ node }),
    openPresence: (device, gateway, address) =>
      notifying(connects.open({ node: device.node, device, gateway, address })),
    noteReplacement: (device, from) => noteReplacement(pools, device, from),
    writeSeen: (sockets, isOnline) => notifying(writeSeen(pools, sockets, isOnline)),
    async keepReport(device, epoch, report) {
      if (report.serialNumber !== device.sn) throw new Refused("notYours", otherSerial);
      if (await connects.isKnownReport({ node: device.node, epoch, report })) return false;
      const kept = await notifying(keepReport(pools, device, epoch, report));
      if (kept === "replaced") throw new Refused("replaced", "a newer socket is open");
      return kept;
    },
    async keepHeartbeat({ node }, epoch, message) {
      await heartbeats.add({ node, epoch, message });
    },
    // As each domain says it of its rows.
    ownMetrics: async (node, links, objects) => ({
      ...(await connects.ownMetrics({ node, links })),
      objects: await ownObjects(pools, node, objects),
    }),
    flowRecording: (node) => readFlowRecording(pools, node),
    keepMeasures: (measures) => keepMeasures(pools, measures),
    keepTransition: async ({ node }, { links }) =>
      requireKept(await notifying(connects.transition({ node, links }))),
    keepRepairs: (device, repairs) => notifying(keepRepairs(pools, device, repairs)),
    keepLeases: (device, leases) => keepLeases(pools, device, leases),
    async keepPaths({ node }, { items }) {
      await notifying(connects.paths({ node, items }));
    },
    keepMoves: (device, moves) => notifying(keepMoves(pools, device, moves)),
    keepIpv6: (device, ipv6) => keepIpv6(pools, device, ipv6),
    keepStandby: (device, standby) => notifying(keepStandby(pools, device, standby)),
    async keepPin({ node, publicKey }, pinned) {
      await connects.pin({ node, publicKey, pinned });
    },
    takeNext: async (node, view, times) =>
      (await deliveries.add({ kind: "next", node, view, times })).head,
    async keepOutcome(node, message) {
      await deliveries.add({ kind: "outcome", node, message });
    },
    async keepConfirmed(request) {
      await deliveries.add({ kind: "confirm", node: request.node, confirm: request });
    },
    readSections: (node, hashes) => sections.add({ node, hashes }),
    async revisedNodes(nodes, since) {
      const found = async (among: readonly number[]) => {
        const { rows } = await sql<{ last: number; node_ids: number[] }>`
          select last, node_ids from weft.revised_sockets(${[...among]}::bigint[], ${since}::bigint)`.execute(
          db,
        );
        return rows[0] ?? { last: 0, node_ids: [] };
      };
      // Nearly always there is nothing new, and the nodes of all sockets need not be sent.
      const { last } = await found([]);
      return last === since
        ? { last, nodes: [] }
        : found(nodes).then((row) => ({ last: row.last, nodes: row.node_ids }));
    },
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
