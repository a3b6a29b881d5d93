import { randomBytes } from "node:crypto";
import {
  chmod,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { portsToTry } from "#kernel/free-port.ts";
import { type Installation, initdbOf } from "./binaries.ts";
import { callAs, type Identity, ownerFor } from "./identity.ts";
import { run } from "./run.ts";

/** Name of the superuser that initdb makes. */
export const superuser = "postgres";

/**
 * What lies in `<WEFT_DATA>/postgres`. The folder comes into being whole, by one rename: it has
 * either everything that a start needs or does not exist.
 */
export interface Cluster {
  /** The folder itself. */
  readonly folder: string;
  /** PostgreSQL's own data folder. */
  readonly data: string;
  /** The superuser's password. */
  readonly password: string;
}

const dataIn = (folder: string): string => join(folder, "data");
const passwordIn = (folder: string): string => join(folder, "superuser-password");
const portIn = (folder: string): string => join(folder, "port");

/** File that the server writes its messages to. */
export const logIn = (folder: string): string => join(folder, "server.log");

/**
 * Reads the cluster in `folder`; undefined when there is none yet.
 * @throws Error when the folder holds something else.
 */
export async function readCluster(folder: string): Promise<Cluster | undefined> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (entries.length === 0) return undefined;
  const password = await readFile(passwordIn(folder), "utf8").catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    },
  );
  if (password === undefined || !entries.includes("data")) {
    throw new Error(`${folder} is not a database folder of Weft: data or password is missing.`);
  }
  return { folder, data: dataIn(folder), password: password.trim() };
}

/** Refuses a cluster whose files another major version of PostgreSQL wrote. */
export async function checkMajor(cluster: Cluster, installation: Installation): Promise<void> {
  const written = (await readFile(join(cluster.data, "PG_VERSION"), "utf8")).trim();
  if (written !== installation.major) {
    throw new Error(
      `${cluster.data} was written by PostgreSQL ${written}, and this Weft brings ` +
        `${installation.major}. Restore a backup into a new data folder.`,
    );
  }
}

/**
 * Makes the cluster in `folder` unless another process makes it first; either way returns the one
 * that is there afterwards. Interrupted attempts leave folders that the next one sweeps.
 */
export async function createCluster(
  folder: string,
  installation: Installation,
  identity: Identity,
): Promise<Cluster> {
  await sweepAttempts(folder);
  const staging = await mkdtemp(`${folder}.init-${process.pid}-`);
  try {
    await initialise(staging, installation, identity);
    await rename(staging, folder);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  }
  const cluster = await readCluster(folder);
  if (!cluster) throw new Error(`${folder} disappeared while the database was created.`);
  return cluster;
}

async function initialise(
  folder: string,
  installation: Installation,
  identity: Identity,
): Promise<void> {
  const password = randomBytes(32).toString("base64url");
  await writeFile(passwordIn(folder), `${password}\n`, { mode: 0o600 });
  await mkdir(dataIn(folder), { mode: 0o700 });
  // initdb reads the password under the identity; the lasting file stays this process's own.
  const handed = join(folder, "initdb-password");
  await writeFile(handed, `${password}\n`, { mode: 0o600 });
  const owner = ownerFor(identity);
  if (identity === "nobody") await chmod(folder, 0o711);
  if (owner !== undefined) {
    await lchown(dataIn(folder), owner, owner);
    await lchown(handed, owner, owner);
  }
  const call = callAs(identity, initdbOf(installation), [
    `--pgdata=${dataIn(folder)}`,
    `--username=${superuser}`,
    `--pwfile=${handed}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    ...localeFlags(),
  ]);
  const result = await run(call);
  await rm(handed);
  if (result.code !== 0) {
    throw new Error(`initdb failed (${result.code}): ${result.output.trim().slice(-2000)}`);
  }
}

/**
 * C.UTF-8 sorts by code point and yet knows the letters of all scripts, which trigram search over
 * Chinese names needs. macOS has no such locale: there only the letters are taken from another.
 */
function localeFlags(): readonly string[] {
  if (process.platform === "darwin") return ["--locale=en_US.UTF-8", "--lc-collate=C"];
  return ["--locale=C.UTF-8"];
}

async function sweepAttempts(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.init-`;
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length).split("-")[0]);
    if (!isAlive(pid)) await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

/** Whether a process with this id exists, whichever user owns it. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Gives the data to the identity's user, where a start under another identity left it otherwise. */
export async function adjustOwner(cluster: Cluster, identity: Identity): Promise<void> {
  const owner = ownerFor(identity);
  if (owner === undefined) return;
  if (identity === "nobody") await chmod(cluster.folder, 0o711);
  if ((await stat(cluster.data)).uid === owner) return;
  const entries = await readdir(cluster.data, { recursive: true });
  for (const entry of entries) await lchown(join(cluster.data, entry), owner, owner);
  // The folder itself comes last: it marks the change as complete.
  await lchown(cluster.data, owner, owner);
}

/** The port of the last start if it is free, else another free one. */
export async function choosePort(folder: string): Promise<number> {
  const last = Number(await readFile(portIn(folder), "utf8").catch(() => "0"));
  const usable = Number.isInteger(last) && last > 0 && last < 65536;
  for (const port of [...(usable ? [last] : []), ...portsToTry()]) {
    const bound = await tryPort(port);
    if (bound !== undefined) return bound;
  }
  return 0;
}

/** Keeps the port, so that tools that were pointed at the database find it after a restart. */
export async function keepPort(folder: string, port: number): Promise<void> {
  await writeFile(portIn(folder), `${port}\n`);
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host: "127.0.0.1" }, () => {
      const address = server.address();
      const bound = typeof address === "object" ? address?.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}
