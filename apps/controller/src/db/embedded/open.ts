import { mkdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { copyInstallation, findInstallation, type Installation, withLinks } from "./binaries.ts";
import {
  adjustOwner,
  type Cluster,
  checkMajor,
  choosePort,
  createCluster,
  isAlive,
  keepPort,
  logIn,
  readCluster,
} from "./cluster.ts";
import { chooseIdentity, type Identity, openToNobody, runsAs } from "./identity.ts";
import { ensureDatabase, superuserUrl, tryLogin } from "./login.ts";
import { isServerOf, readPidFile, removeStale } from "./pid-file.ts";
import { startServer, stopServer } from "./server.ts";

export interface EmbeddedOptions {
  /** WEFT_DATA; the cluster lies in its folder `postgres`. */
  readonly dataDir: string;
  readonly logger: Pick<Logger, "info" | "warn">;
  /** Database that the returned URL names; made if absent. */
  readonly database?: string | undefined;
  /** Server settings that override the defaults, for a start (an adopted server keeps its own). */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Port that it must have; absent: that of its last start if free, else any. */
  readonly port?: number | undefined;
  /** Identities that may be tried when this process is root; all by default. */
  readonly identities?: readonly Identity[] | undefined;
}

export interface EmbeddedServer {
  /** Superuser's URL of the database. */
  readonly url: string;
  readonly port: number;
  /** PostgreSQL's own data folder. */
  readonly data: string;
  /** True when a server was found running, left by a process that died or runs beside this one. */
  readonly adopted: boolean;
  /** Ends the server, adopted or not, and returns when it is gone. */
  stop(): Promise<void>;
}

/** How often a start is tried again when another start or a port gets in its way. */
const attempts = 20;
const busyLimitMs = 15 * 60_000;
const emptyLimitMs = 2_000;

/**
 * Opens the embedded PostgreSQL of a data folder: adopts the server that runs there, else starts
 * it, making the cluster first where there is none. Any number of processes may call this at
 * once; one starts, the others adopt.
 * @throws Error with the reason and what to do, when it cannot run here.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { logger } = options;
  await mkdir(options.dataDir, { recursive: true });
  const folder = join(await realpath(resolve(options.dataDir)), "postgres");
  let prepared: { identity: Identity; installation: Installation } | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const existing = await readCluster(folder);
    const live = existing && (await findLive(existing));
    if (existing && live) {
      logger.info({ port: live }, "using the PostgreSQL that is already running");
      return opened(existing, live, true, options);
    }
    prepared ??= await prepare(folder, options);
    const { identity, installation } = prepared;
    const cluster = existing ?? (await createCluster(folder, installation, identity));
    await checkMajor(cluster, installation);
    await adjustOwner(cluster, identity);
    const port = options.port ?? (await choosePort(folder));
    const outcome = await startServer(
      cluster,
      port,
      installation,
      identity,
      options.settings ?? {},
    );
    if (outcome.kind === "running") {
      await keepPort(folder, outcome.port);
      logger.info({ port, identity }, "PostgreSQL started");
      return opened(cluster, port, false, options);
    }
    if (outcome.kind === "failed") {
      throw new Error(`PostgreSQL did not start: ${outcome.log} (see ${logIn(folder)})`);
    }
    await sleep(50 + 50 * attempt);
  }
  throw new Error(
    `PostgreSQL did not start: another process holds ${folder}. End it, or use another WEFT_DATA.`,
  );
}

async function opened(
  cluster: Cluster,
  port: number,
  adopted: boolean,
  options: EmbeddedOptions,
): Promise<EmbeddedServer> {
  const database = options.database ?? "weft";
  await ensureDatabase(superuserUrl(port, cluster.password, "postgres"), database);
  return {
    url: superuserUrl(port, cluster.password, database),
    port,
    data: cluster.data,
    adopted,
    stop: () => stopServer(cluster.data),
  };
}

/**
 * The port of the server that runs on this cluster; undefined when none does. Waits for one that
 * is starting, recovering or shutting down.
 */
async function findLive(cluster: Cluster): Promise<number | undefined> {
  const began = Date.now();
  for (;;) {
    const file = await readPidFile(cluster.data);
    if (!file) return undefined;
    if (file.port !== undefined) {
      const answer = await tryLogin(file.port, cluster.password);
      // A copied data folder knows the original's password: the folder must be the same as well.
      if (answer.state === "open" && answer.dataFolder === cluster.data) return file.port;
    }
    if (
      file.pid === 0
        ? Date.now() > began + emptyLimitMs
        : !(await isServerOf(file.pid, cluster.data))
    ) {
      // A dead process's file stays: PostgreSQL itself looks in it for orphans of that server.
      if (file.pid === 0 || isAlive(file.pid)) await removeStale(cluster.data, file);
      return undefined;
    }
    if (Date.now() > began + busyLimitMs) {
      throw new Error(
        `PostgreSQL (process ${file.pid}) runs on ${cluster.data} but takes no login. ` +
          `See ${logIn(cluster.folder)}.`,
      );
    }
    await sleep(30);
  }
}

async function prepare(
  folder: string,
  options: EmbeddedOptions,
): Promise<{ identity: Identity; installation: Installation }> {
  const found = await findInstallation();
  // Beside the cluster, not in it: the cluster's folder appears by a rename.
  const copyTo = `${folder}-programs`;
  const installation = await withLinks(found, copyTo);
  if (installation !== found) {
    options.logger.warn(
      { copyTo },
      "the PostgreSQL package lacks symbolic links; using a repaired copy",
    );
  }
  const allowed = options.identities;
  return chooseIdentity(installation, {
    root: process.getuid?.() === 0,
    runs: async (identity, programs) =>
      (identity === "self" || !allowed || allowed.includes(identity)) &&
      (await runsAs(identity, programs)),
    dataOpenToNobody: () => openToNobody(join(folder, "..")),
    copy: () => copyInstallation(installation, copyTo),
  });
}
