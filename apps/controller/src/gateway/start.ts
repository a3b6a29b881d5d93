import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { maxBytes, socketPath } from "@weft/contract/device/v1/messages.ts";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Logger } from "pino";
import { WebSocketServer } from "ws";
import { listen } from "#db/listen.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { stateChannel } from "#domains/delivery/publish/public.ts";
import { changeChannel, createHint, transitionChannel } from "#kernel/change-hint.ts";
import { repeat } from "#kernel/repeat.ts";
import { isLoopback, plainAddress } from "#kernel/source.ts";
import type { FlowIntake } from "#metrics-store/flow-intake.ts";
import type { Intake } from "#metrics-store/intake.ts";
import { Connections } from "#plugins/connections.ts";
import { boundsOf, fewDescriptors, type ListenerBounds } from "#plugins/descriptors.ts";
import { certificateServed } from "#telemetry/events.ts";
import { type Answer, createCalls, edgePortCalls, isLocal, plainPortCalls } from "./calls.ts";
import type { Clock } from "./clock.ts";
import { databaseStore, type Gathering } from "./database-store.ts";
import { enrol } from "./enrol.ts";
import { defaultTimes, Hub, type Times } from "./hub.ts";
import { createTryLimit } from "./limits.ts";
import { LiveKeys } from "./live-keys.ts";

/**
 * Takes the upgrades of a server to sockets of devices; other paths get 404.
 * @param connections those of this server, of which one that proves itself keeps its place
 * @param mayCome decides by the request who may use this server at all
 */
function takeUpgrades(
  server: Server,
  hub: Hub,
  connections: Connections | undefined,
  mayCome: (request: IncomingMessage) => boolean,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    // A session answers pings itself, after all that came before them.
    autoPong: false,
    maxPayload: maxBytes.fromEdge,
    clientTracking: false,
  });
  server.on("upgrade", (request, socket, head) => {
    if (request.url !== socketPath || !mayCome(request)) {
      refuse(socket, "404 Not Found");
      return;
    }
    const address = plainAddress(request.socket.remoteAddress);
    sockets.handleUpgrade(request, socket, head, (open) => {
      hub.open(open, address, () => connections?.proven(request.socket, true));
    });
  });
}

function refuse(socket: Duplex, status: string): void {
  socket.on("error", () => undefined);
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** A third of the time after which a gateway counts as gone (weft.join_gateway_addresses). */
const intervalMs = 30_000;

/**
 * Keeps this gateway's addresses in the list that claims name, beside those of other gateways, for as
 * long as it runs.
 * @param addresses as WEFT_EDGE_ADDRESSES gives them.
 * @returns what takes them out again.
 */
async function keepAddresses(
  pools: Pools<Database>,
  addresses: readonly string[],
  logger: Logger,
): Promise<{ close(): Promise<void> }> {
  const process = randomUUID();
  const { db } = pools.gateway;
  const note = async (): Promise<undefined> => {
    await sql`select weft.note_gateway(${process}, ${[...addresses]}::text[])`.execute(db);
  };
  await note();
  const noting = repeat("addresses", intervalMs, note, logger);
  return {
    async close() {
      await noting.close();
      // A database that is away does not keep a gateway from its end: the row ages.
      await sql`select weft.forget_gateway(${process})`
        .execute(db)
        .catch((error: unknown) =>
          logger.warn({ err: error }, "the addresses of this gateway could not be withdrawn"),
        );
    },
  };
}

export interface Gateway {
  /** Port of the TLS listener. */
  readonly port: number;
  /** False while its last check of the database failed. */
  ready(): boolean;
  close(): Promise<void>;
}

export interface GatewayInput {
  /** The plain HTTP application, which does not listen yet. */
  readonly app: FastifyInstance;
  readonly pools: Pools<Database>;
  readonly settings: { readonly edgePort: number; readonly edgeAddresses: readonly string[] };
  readonly logger: Logger;
  readonly dataDir: string;
  /** Absent: metrics are not kept, and devices hold them. */
  readonly intake?: Intake;
  /** Likewise records of flows. */
  readonly flows?: FlowIntake;
  readonly times?: Times;
  /** The system's unless given. */
  readonly clock?: Clock;
  /** How requests of many devices are written together: by a clock of its own, or all would wait for a manual one. */
  readonly gathering?: Gathering;
  /** How many connections the edge port takes; absent: for as few descriptors as systems give. */
  readonly bounds?: ListenerBounds;
}

const minVersion = "TLSv1.3";
/** Ms for the handshake of TLS, before that of the protocol. */
const tlsMs = 5_000;
const wrongClaims = { tries: 10, closedMs: 900_000 } as const;
/** Hints come in bursts; a check of all sockets is not made more often. */
const watchSpacingMs = 200;

/**
 * Starts the gateway: the TLS listener for devices, the same paths on the plain port for loopback
 * only, and the watch for what open sockets have to be notified of.
 * @throws Error with a message for the operator
 */
export async function startGateway(input: GatewayInput): Promise<Gateway> {
  const { app, pools, settings, logger, times = defaultTimes } = input;
  const { dataDir } = input;
  const identity = await LiveKeys.open({ dataDir, pools, vault: app.weft.vault, logger });
  const transitions = createHint(
    () => pools.gateway.pg.query(`notify ${transitionChannel}`),
    (error) => logger.warn({ err: error }, "hint of a transition not sent"),
  );
  const store = databaseStore(pools, transitions.send, input.gathering);
  const hub = new Hub({
    store,
    identity,
    logger,
    times,
    ...(input.clock && { clock: input.clock }),
    changed: () => app.weft.changeHint.send(),
    keepMetrics: async (node, metrics) => (await input.intake?.keep(node, metrics)) ?? false,
    keepFlows: async (source, message) => (await input.flows?.keep(source, message)) ?? false,
  });
  const { tries, closedMs } = wrongClaims;
  const enrolDeps = { pools, identity, tries: createTryLimit(tries, closedMs, hub.now) };
  const answer = createCalls({
    store,
    identity,
    logger,
    enrol: (body, address) =>
      enrol(enrolDeps, body, { address, requestId: randomBytes(8).toString("hex") }),
    confirmed: (node) => hub.deliver(node),
    keyOf: (node) => hub.keyOf(node),
  });
  await plainPortCalls(app, answer);
  takeUpgrades(app.server, hub, app.connections, isLocal);
  const listener = { port: settings.edgePort, tls: identity.tls() };
  const connections = edgeConnections(input, times);
  const { port, server } = await listenForEdges(listener, answer, hub, connections);
  const addresses = await keepAddresses(pools, toAddresses(settings.edgeAddresses, port), logger);
  logger.info({ port }, "edge listener open");
  const followKeys = async (): Promise<void> => {
    const { present, next } = await identity.refresh();
    if (present) {
      server.setSecureContext({ ...announced(identity.tls()), minVersion });
      hub.reconnectAll();
      logger.warn("the key of the controller was changed; devices connect again");
    } else if (next) hub.announceKey();
  };
  const check = () => Promise.all([hub.watch(), followKeys()]);
  const watch = watchDatabase(pools, hub, times, logger, check);
  return {
    port,
    ready: watch.ready,
    async close() {
      await addresses.close();
      await watch.close();
      const closed = new Promise((resolve) => server.close(resolve));
      await hub.close();
      server.closeAllConnections();
      await transitions.close();
      await closed;
    },
  };
}

function edgeConnections({ bounds, logger }: GatewayInput, times: Times): Connections {
  const few = boundsOf(fewDescriptors, { api: true, gateway: true }).edge;
  return new Connections({
    bounds: { ...(bounds ?? few), silentMs: times.handshakeMs + tlsMs },
    // Simulated fleets share the loopback address.
    isExempt: isLoopback,
    report: (ended) => logger.warn({ ended }, "connections to the edge port were ended: too many"),
  });
}

/** What the listener serves from now on. */
function announced<Tls extends { readonly cert: string }>(tls: Tls): Tls {
  certificateServed.publish({ pem: tls.cert });
  return tls;
}

/** Port 0 stands for the one that was taken. */
const toAddresses = (addresses: readonly string[], port: number): string[] =>
  addresses.map((address) => address.replace(/:0$/, `:${port}`));

async function listenForEdges(
  { port, tls }: { readonly port: number; readonly tls: { key: string; cert: string } },
  answer: Answer,
  hub: Hub,
  connections: Connections,
) {
  const server = createServer(
    {
      ...announced(tls),
      minVersion,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      handshakeTimeout: tlsMs,
      // Node looks for what is over its time this often, and otherwise twice a minute.
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 1_000,
      maxHeaderSize: 8_192,
    },
    edgePortCalls(answer),
  );
  connections.watch(server);
  takeUpgrades(server, hub, connections, () => true);
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(`${error.message}: end what uses it, or set WEFT_EDGE_PORT`, { cause: error })
          : error,
      );
    server.once("error", fail);
    server.listen(port, () => {
      server.off("error", fail);
      resolve();
    });
  });
  return { server, port: (server.address() as AddressInfo).port };
}

function watchDatabase(
  pools: Pools<Database>,
  hub: Hub,
  times: Times,
  logger: Logger,
  question: () => Promise<unknown>,
) {
  let failing = false;
  const check = async (): Promise<undefined> => {
    await question().catch((error: unknown) => {
      failing = true;
      throw error;
    });
    failing = false;
    await new Promise((resolve) => setTimeout(resolve, watchSpacingMs));
  };
  const watching = repeat("watch", times.pollMs, check, logger);
  const received = (channel: string, payload: string): void => {
    const nodes = payload.split(",").filter((text) => text !== "");
    if (channel === stateChannel && nodes.length > 0) {
      for (const node of nodes) hub.deliver(Number(node));
    } else watching.hint();
  };
  const listener = listen(pools.gateway.pg, [stateChannel, changeChannel], received, (error) =>
    logger.warn({ err: error }, "listening for states failed"),
  );
  return {
    ready: () => !failing,
    async close() {
      await listener.close();
      await watching.close();
    },
  };
}
