import { join, resolve } from "node:path";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import { documentTitle } from "@weft/contract/title.ts";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { openDatabase } from "#db/connect.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { demonstrationFolder, forgetDemonstration, isCutShort } from "#demonstration/folder.ts";
import { type Demonstration, startDemonstration } from "#demonstration/start.ts";
import type { Site } from "#kernel/api.ts";
import { type Measures, openMeasures } from "#metrics-store/open.ts";
import { boundsOf, descriptorLimit } from "#plugins/descriptors.ts";
import { type Health, serveHealth } from "#plugins/health.ts";
import { openTelemetry } from "#telemetry/open.ts";
import { serveTelemetry } from "#telemetry/serve.ts";
import { createApp } from "./app.ts";
import { lockData } from "./data-lock.ts";
import { firstPassword, watchFirstLogin } from "./first-password.ts";
import { healthChecks } from "./health-checks.ts";
import { createLogger } from "./log.ts";
import { OwnRow } from "./own-row.ts";
import { holdPorts, type Ports } from "./ports.ts";
import { holdPresence } from "./presence.ts";
import { startRoles } from "./roles.ts";
import type { Settings } from "./settings.ts";
import { vaultKey } from "./vault-key.ts";

/** What the settings say of the site. */
const siteOf = ({ title, loginSms, smtpUrl, smsUrl, identityNetworks }: Settings): Site => ({
  title: (language) => title ?? formatMessage(documentTitle, language),
  loginSms,
  sendsMail: smtpUrl !== undefined,
  sendsSms: smsUrl !== undefined,
  identityNetworks,
});

export interface Controller {
  /** Where console and API answer: http://127.0.0.1:8080. */
  readonly url: string;
  readonly app: FastifyInstance;
  readonly pools: Pools<Database>;
  /** Set when this start made the first administrator and its password. */
  readonly madePassword: string | null;
  /** Takes no more calls, finishes those under way, ends roles, connections and stores. */
  close(): Promise<void>;
}

/** Where the repository's build puts the console (tools/src/console-build.ts). */
const builtConsole = join(import.meta.dirname, "../../../../build/console");

/** Where `npm run build:edge` puts the packages of the edge. */
const builtEdge = join(import.meta.dirname, "../../../../build/edge");

interface Given {
  readonly logger?: Logger;
  /** Leaves the demonstration; absent: there is none, or it cannot be left. */
  readonly leaveDemonstration?: (adminPasswordHash: string) => Promise<void>;
  /** Of the first administrator, instead of a password that is set or made. */
  readonly adminPasswordHash?: string;
  /** Breaks the start off at its next step. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a controller: stores, migrations, first rows, roles and the HTTP server.
 * @throws Error with a message for the operator; what was started on the way is ended.
 */
export async function createController(
  settings: Settings,
  {
    leaveDemonstration,
    adminPasswordHash,
    logger = createLogger(settings.logLevel),
    signal = new AbortController().signal,
  }: Given = {},
): Promise<Controller> {
  const dataDir = resolve(settings.dataDir);
  const { demonstration } = settings;
  const folder = demonstration ? demonstrationFolder(dataDir) : dataDir;
  const ends: (() => Promise<unknown>)[] = [];
  const close = once(async () => {
    // One end that fails must not keep the others from theirs.
    for (const end of ends.reverse()) {
      await end().catch((error: unknown) => logger.error({ err: error }, "shutdown failed"));
    }
  });
  try {
    const ports = await takePlace(settings, dataDir, folder, ends);
    const place = { settings, dataDir, folder, logger, signal };
    const stores = await openStores(place, adminPasswordHash, ends);
    const { database, key, measures, first } = stores;
    const { pools } = database;
    const listens = { api: settings.roles.has("api"), gateway: settings.roles.has("gateway") };
    const bounds = boundsOf(await descriptorLimit(), listens);
    const app = await createApp({
      bounds: bounds.console,
      measures: measures.store,
      pools,
      logger,
      trustProxy: settings.trustProxy,
      consoleDir: resolve(settings.consoleDir ?? builtConsole),
      protocolImportUrl: settings.protocolImportUrl,
      features: settings.roles.has("api"),
      downloads: builtEdge,
      site: siteOf(settings),
      vaultKey: key,
      demonstration: leaveDemonstration ? { leave: leaveDemonstration } : null,
    });
    ends.push(() => app.close());
    signal.throwIfAborted();
    const ownRow = await startWatch(place, ports.metrics, { app, pools, measures }, ends);
    await ports.edge?.release();
    const served = servedEdges(settings, ports.edge?.port ?? settings.edgePort, logger);
    const parts = { settings: served, app, database, dataDir, logger, measures, bounds };
    let shown: Demonstration | undefined;
    ends.push(async () => shown?.closeDevices());
    const running = await startRoles(parts);
    ends.push(...running.map((role) => () => role.close()));
    await ports.http.release();
    const health = healthChecks({ pools, measures, roles: settings.roles, running });
    const { url, port } = await listen(app, { ...settings, port: ports.http.port }, health);
    ends.push(ownRow.keep(port, health));
    if (demonstration) {
      const password = settings.adminPassword ?? first.password;
      const made = await startDemonstration({
        url,
        folder,
        password,
        logger,
        measures,
        pools,
        signal,
      });
      shown = made;
      ends.push(() => made.close());
    }
    if (first.password !== null) ends.push(await watchFirstLogin(pools, folder, logger));
    return { url, app, pools, madePassword: first.isMade ? first.password : null, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Begins to measure this process, before its roles, so that nothing of them is missed; it outlives them. */
async function startWatch(
  { settings: { metricsListener, roles }, dataDir, logger }: Place,
  held: Ports["metrics"],
  parts: { app: FastifyInstance; pools: Pools<Database>; measures: Measures },
  ends: (() => Promise<unknown>)[],
): Promise<OwnRow> {
  // The metrics are served if a setting asks for them.
  if (metricsListener && held) {
    const telemetry = openTelemetry({ ...parts, roles, dataDir });
    await held.release();
    ends.push(await serveTelemetry(telemetry, { ...metricsListener, port: held.port }, logger));
  }
  const { pools, measures } = parts;
  const ownRow = new OwnRow({ pools, roles, intake: measures.intake, dataDir, logger });
  ends.push(async () => ownRow.close());
  return ownRow;
}

/**
 * The settings with the port that was taken for devices. Simulated devices are on this machine; real
 * ones hardly ever are, and a claim that sends them to their own loopback would be useless.
 */
function servedEdges(settings: Settings, edgePort: number, logger: Logger): Settings {
  const { demonstration, edgeAddresses, roles } = settings;
  if (edgeAddresses.length > 0) return { ...settings, edgePort };
  if (demonstration) {
    return { ...settings, edgePort, edgeAddresses: [`wss://127.0.0.1:${edgePort}`] };
  }
  if (roles.has("gateway")) {
    logger.warn(
      "WEFT_EDGE_ADDRESSES is not set: without the addresses of the controller no activation codes are created",
    );
  }
  return { ...settings, edgePort };
}

interface Place {
  readonly settings: Settings;
  readonly dataDir: string;
  /** What is the demonstration's or the installation's alone. */
  readonly folder: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Opens both stores, and gives a new database its first rows. */
async function openStores(
  { settings, dataDir, folder, logger, signal }: Place,
  passwordHash: string | undefined,
  ends: (() => Promise<unknown>)[],
) {
  const { databaseUrl, clickhouseUrl, demonstration, operatorName, statementSeconds } = settings;
  const isFresh = demonstration && isCutShort(dataDir);
  if (isFresh) await forgetDemonstration(dataDir);
  const name = demonstration ? "weft_demonstration" : undefined;
  const database = await openDatabase<Database>(
    {
      dataDir,
      databaseUrl,
      database: name,
      isFresh,
      keepRunning: true,
      statementTimeoutMs: statementSeconds * 1_000,
    },
    logger,
  );
  ends.push(() => database.stop());
  signal.throwIfAborted();
  // Before anything else connects: a change of the key is for a process that is alone.
  const key = await vaultKey({ ...settings, dataDir }, database.pools);
  const presence = holdPresence(database.pools, logger);
  ends.push(() => presence.close());
  signal.throwIfAborted();
  const first = await firstPassword({
    pools: database.pools,
    folder,
    operatorName,
    passwordHash,
    password: settings.adminPassword,
    alarms: !demonstration,
  });
  const measures = openMeasures({ clickhouseUrl, dataDir, demonstration, logger });
  ends.push(() => measures.close());
  return { database, key, measures, first };
}

/** The data folder and the ports of this process, before anything is made or adopted. */
async function takePlace(
  settings: Settings,
  dataDir: string,
  folder: string,
  ends: (() => Promise<unknown>)[],
): Promise<Ports> {
  // Processes that share stores elsewhere may share what is left in the folder, their keys.
  const isAlone = settings.databaseUrl === undefined || settings.clickhouseUrl === undefined;
  const lock = isAlone ? await lockData(dataDir) : undefined;
  if (lock) ends.push(() => lock.release());
  const ports = await holdPorts(settings, folder);
  ends.push(() => ports.release());
  await lock?.announce(ports.url);
  return ports;
}

async function listen(
  app: FastifyInstance,
  settings: Settings,
  health: Health,
): Promise<{ readonly url: string; readonly port: number }> {
  serveHealth(app, health);
  await app.listen({
    host: settings.host,
    port: settings.port,
    // Fastify says it for each address that it listens on; a line of ours would repeat it.
    listenTextResolver: (at) => `controller started at ${at}: ${[...settings.roles].join(", ")}`,
  });
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("no TCP address");
  const host = settings.host.includes(":") ? `[${settings.host}]` : settings.host;
  return { url: `http://${host}:${address.port}`, port: address.port };
}

function once(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  return () => {
    ended ??= end();
    return ended;
  };
}
