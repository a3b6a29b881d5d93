import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import { login } from "@weft/contract/domains/access/session.ts";
import { errorNumbers } from "@weft/contract/errors.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import { overlaps, parsePrefix, prefixText } from "@weft/contract/rules/address.ts";
import { documentTitle } from "@weft/contract/title.ts";
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Logger } from "pino";
import { ownWork } from "#db/one-connection.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { createKeyAuthenticator, createReviver } from "#domains/access/api-key/public.ts";
import {
  createAccessMemory,
  createAuthenticator,
  verifyOwnPassword,
} from "#domains/access/session/public.ts";
import type { Api, Demonstration, Site } from "#kernel/api.ts";
import { createCallTurns } from "#kernel/call-turns.ts";
import { changeChannel, createHint } from "#kernel/change-hint.ts";
import { offerMetrics } from "#kernel/metrics-access.ts";
import { plainAddress } from "#kernel/source.ts";
import { createVault, vaultKeyBytes } from "#kernel/vault.ts";
import type { MeasureStore } from "#metrics-store/store.ts";
import { logAccess } from "#plugins/access-log.ts";
import { answerFailures, malformed, send } from "#plugins/answers.ts";
import { acceptBodies, bodyLimit } from "#plugins/bodies.ts";
import { compressAnswers } from "#plugins/compression.ts";
import { type ConnectionBounds, Connections } from "#plugins/connections.ts";
import { serveConsole } from "#plugins/console-files.ts";
import { boundsOf, fewDescriptors, type ListenerBounds } from "#plugins/descriptors.ts";
import { serveDownloads } from "#plugins/downloads.ts";
import { drainOnClose } from "#plugins/drain.ts";
import { serveOpenApi } from "#plugins/open-api.ts";
import { secureHeaders } from "#plugins/security-headers.ts";
import { mountDownloads } from "#transfer/mount-file.ts";
import { featureRoutes } from "./features.ts";

export interface AppOptions {
  readonly pools: Pools<Database>;
  readonly logger: Logger;
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  readonly trustProxy?: readonly string[];
  /** Folder of the built console; without one only calls are answered. */
  readonly consoleDir?: string | undefined;
  /** Absent: the console sends no protocol files elsewhere. */
  readonly protocolImportUrl?: string | undefined;
  /** Absent: charts are answered "unavailable". */
  readonly measures?: MeasureStore;
  /** False: a process without the role api, which answers nothing but its health. */
  readonly features?: boolean;
  readonly demonstration?: Demonstration | null;
  /** Folder of the edge's packages; absent: none are offered. */
  readonly downloads?: string;
  /** Absent: one that ends with the process. */
  readonly vaultKey?: Buffer;
  /** Absent: the default name, and no messages. */
  readonly site?: Site;
  /** How many connections the listener takes; absent: for as few descriptors as systems give. */
  readonly bounds?: ListenerBounds;
}

/** Ms from the connection to its first request. */
const silentMs = 10_000;

/** A site of which nothing was set. */
const plainSite: Site = {
  title: (language) => formatMessage(documentTitle, language),
  loginSms: false,
  sendsMail: false,
  sendsSms: false,
  identityNetworks: [],
};

/** The HTTP application with every feature mounted; it listens nowhere yet. */
export async function createApp({
  pools,
  logger,
  trustProxy = [],
  consoleDir,
  protocolImportUrl,
  features = true,
  demonstration = null,
  site = plainSite,
  vaultKey = randomBytes(vaultKeyBytes),
  downloads,
  measures,
  bounds = boundsOf(fewDescriptors, { api: true, gateway: true }).console,
}: AppOptions): Promise<FastifyInstance> {
  const app = Fastify(serverOptions(logger, trustProxy)) as unknown as FastifyInstance;
  const memory = createAccessMemory();
  const api: Api = {
    pools,
    callTurns: createCallTurns(),
    authenticate: createKeyAuthenticator(pools, memory, createAuthenticator(pools, memory)),
    revive: createReviver(pools),
    verifyOwnPassword,
    changeHint: createHint(
      () => pools.apiAll.pg.query(`notify ${changeChannel}`),
      (error) => logger.warn({ err: error }, "change hint not sent"),
    ),
    demonstration,
    site,
    vault: createVault(vaultKey),
    mounted: new Map(),
  };
  app.decorate("weft", api);
  offerMetrics(app, measures ?? null);
  app.addHook("onClose", () => api.changeHint.close());
  app.addHook("onRequest", (_request, _reply, done) => ownWork(done));
  boundConnections(app, { ...bounds, silentMs }, trustProxy);
  drainOnClose(app);
  secureHeaders(app);
  logAccess(app);
  answerFailures(app);
  await acceptBodies(app);
  await compressAnswers(app);
  if (features) {
    for (const mountFeature of featureRoutes) mountFeature(app);
    mountDownloads(app);
    serveOpenApi(app);
  }
  if (features && downloads !== undefined) serveDownloads(app, downloads);
  await serveConsole(app, { folder: features ? consoleDir : undefined, protocolImportUrl });
  return app;
}

/** Users behind a proxy have one address between them: theirs is the proxy's to bound. */
function boundConnections(
  app: FastifyInstance,
  bounds: ConnectionBounds,
  trustProxy: readonly string[],
): void {
  const proxies = trustProxy.flatMap((text) => parsePrefix(prefixText(text)) ?? []);
  const connections = new Connections({
    bounds,
    isExempt(address) {
      const prefix = parsePrefix(prefixText(plainAddress(address)));
      return prefix !== null && proxies.some((proxy) => overlaps(proxy, prefix));
    },
    report: (ended) => app.log.warn({ ended }, "connections to the console were ended: too many"),
  });
  connections.watch(app.server);
  app.decorate("connections", connections);
  app.addHook("onResponse", async (request) => {
    if (request.userId !== null) connections.proven(request.raw.socket, false);
    else if (isRefusedLogin(request)) connections.failed(request.raw.socket);
  });
}

/** A delay is none: strangers wait for what others did to the account. */
const isRefusedLogin = ({ routeOptions, answerCode }: FastifyRequest): boolean =>
  routeOptions.url === login.path && answerCode === errorNumbers.badCredentials;

declare module "fastify" {
  interface FastifyInstance {
    /** Those of its listener; absent: nothing bounds them. */
    readonly connections?: Connections;
  }
}

function serverOptions(logger: Logger, trustProxy: readonly string[]): FastifyHttpOptions<Server> {
  return {
    loggerInstance: logger,
    // Its lines would hold queries with tokens; plugins/access-log.ts writes ours.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "requestId",
    }),
    // A client's own id could be anything: it would end in our log and answers.
    requestIdHeader: false,
    genReqId: () => randomBytes(8).toString("hex"),
    bodyLimit: bodyLimit,
    requestTimeout: 60_000,
    http: {
      headersTimeout: silentMs,
      // Node looks for what is over its time this often, and otherwise twice a minute.
      connectionsCheckingInterval: 1_000,
    },
    onProtoPoisoning: "error",
    onConstructorPoisoning: "error",
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    forceCloseConnections: "idle",
    // Queries are read by kernel/wire-input.ts, which refuses fields given twice.
    routerOptions: { querystringParser: () => ({}) },
    frameworkErrors: (_error, request, reply) => {
      send(malformed(), request, reply, 400);
    },
  };
}
