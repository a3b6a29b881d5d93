import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { link, readFile, readlink, rename, rm, writeFile } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { isAlive } from "#db/embedded/cluster.ts";
import { makeDataFolder } from "./data-folder.ts";

/**
 * A socket that is answered as long as its process lives, whatever ends it: process ids show nothing
 * across containers, where each first process is number 1, and a shared folder does.
 */
interface LifeSocket {
  /** Name in the folder; empty: it cannot hold one (its path is too long, or its file system has none). */
  readonly name: string;
  close(): Promise<void>;
}

async function openLifeSocket(folder: string): Promise<LifeSocket> {
  const name = `running-${randomBytes(4).toString("hex")}.sock`;
  const server = createServer((socket) => socket.on("error", () => {}).end());
  const isOpen = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(join(folder, name), () => resolve(true));
  });
  if (!isOpen) return { name: "", close: async () => {} };
  // A process without a descriptor left cannot answer for a moment, and must not end for it.
  server.on("error", () => undefined);
  // It ends with the process, and does not keep one alive.
  server.unref();
  return {
    name,
    close: async () => {
      server.close();
      await rm(join(folder, name), { force: true });
    },
  };
}

const answers = (folder: string, name: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(join(folder, name));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

/** Which processes can be seen from here, as the system names it; empty: it has no such namespaces. */
const processNamespace = (): Promise<string> => readlink("/proc/self/ns/pid").catch(() => "");

/** Which process works on a data folder. */
interface Owner {
  readonly pid: number;
  /** When it started, as the system says it: a process id is given out again. */
  readonly started: string;
  /** Where its process id counts; absent in locks of earlier versions. */
  readonly namespace?: string;
  /** Name of its socket in the folder; absent or empty: it has none. */
  readonly socket?: string;
  /** Where it answers; empty while it starts. */
  readonly url: string;
}

export interface DataLock {
  /** Records for later processes where this one answers. */
  announce(url: string): Promise<void>;
  release(): Promise<void>;
}

/** Times that a lock whose process is gone is taken away before giving up. */
const attempts = 5;

/**
 * Takes the data folder for this process. A second controller on one folder would adopt the first
 * one's stores and end them with itself. The lock of a process that is gone is taken over.
 * @throws Error naming the process that runs
 */
export async function lockData(dataDir: string): Promise<DataLock> {
  const file = join(dataDir, "running.json");
  const draft = `${file}.${process.pid}`;
  makeDataFolder(dataDir);
  const life = await openLifeSocket(dataDir);
  const owner: Owner = {
    pid: process.pid,
    started: await startOf(process.pid),
    url: "",
    namespace: await processNamespace(),
    socket: life.name,
  };
  const write = (url: string) =>
    writeFile(draft, JSON.stringify({ ...owner, url }), { mode: 0o644 });
  await write("");
  try {
    await take(file, draft, dataDir);
  } catch (error) {
    await life.close();
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return {
    async announce(url) {
      await write(url);
      await rename(draft, file);
    },
    async release() {
      await rm(file, { force: true });
      await life.close();
    },
  };
}

async function take(file: string, draft: string, dataDir: string): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    // A link appears whole and only where nothing is: of two that come at once one gets it.
    const isTaken = await link(draft, file).then(
      () => false,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
        return true;
      },
    );
    if (!isTaken) return;
    const owner = await read(file);
    if (owner && (await runs(owner, dataDir))) await refuseSecond(owner, dataDir);
    await removeStale(file, owner);
  }
  throw new Error(
    `${file} cannot be created: other processes are starting on this folder at the same time.`,
  );
}

async function refuseSecond(owner: Owner, dataDir: string): Promise<never> {
  const { pid, url } = owner;
  const who = (await isNear(owner)) ? `process ${pid}` : `process ${pid} of another container`;
  const where = url === "" ? "still starting" : `at ${url}`;
  throw new Error(
    `Weft runs already on ${dataDir}: ${who}, ${where}. End it, or set WEFT_DATA to ` +
      "another folder.",
  );
}

/** Undefined where the file is gone, or a power cut emptied it. */
async function read(file: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Owner;
  } catch {
    return undefined;
  }
}

/** Whether its process id means something here. */
const isNear = async ({ namespace }: Owner): Promise<boolean> =>
  namespace === undefined || namespace === (await processNamespace());

async function runs(owner: Owner, dataDir: string): Promise<boolean> {
  const { pid, started, socket } = owner;
  if (socket && !(await isNear(owner))) return answers(dataDir, socket);
  return isAlive(pid) && (await startOf(pid)) === started;
}

/** Another start may have put its own lock there between the check and the rename: it gets it back. */
async function removeStale(file: string, stale: Owner | undefined): Promise<void> {
  const aside = `${file}.stale-${process.pid}`;
  await rename(file, aside).catch(() => undefined);
  const taken = await read(aside);
  if (taken && (taken.pid !== stale?.pid || taken.started !== stale.started)) {
    await link(aside, file).catch(() => undefined);
  } else if (taken?.socket) await rm(join(dirname(file), basename(taken.socket)), { force: true });
  await rm(aside, { force: true });
}

/** When a process started, as the system reports it; empty: it is gone. */
async function startOf(pid: number): Promise<string> {
  if (process.platform === "linux") {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // The name, in brackets, may hold anything; the start is the 22nd field (proc(5)).
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  }
  const started = promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]);
  return started.then(
    ({ stdout }) => stdout.trim(),
    () => "",
  );
}
