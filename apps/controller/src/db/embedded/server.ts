import { type ChildProcess, spawn } from "node:child_process";
import { open, readFile, rename, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type Installation, postgresOf } from "./binaries.ts";
import { type Cluster, isAlive, logIn } from "./cluster.ts";
import { callAs, type Identity } from "./identity.ts";
import { tryLogin } from "./login.ts";
import { isServerOf, readPidFile } from "./pid-file.ts";
import { programEnvironment } from "./run.ts";

/** How an attempt to start ended. */
export type StartOutcome =
  | { readonly kind: "running"; readonly port: number }
  /** Another process started the same cluster, or its last server is not quite gone. */
  | { readonly kind: "taken" }
  | { readonly kind: "port-used" }
  | { readonly kind: "failed"; readonly log: string };

/** Recovery after a crash replays the log and may take long; nothing else does. */
const readyLimitMs = 60_000;
const recoveryLimitMs = 15 * 60_000;
const stopLimitMs = 60_000;
const logLimitBytes = 8 * 1024 * 1024;

/**
 * Server settings that Weft wants. Durability settings keep PostgreSQL's defaults: what was
 * acknowledged survives a power cut.
 */
const serverSettings: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  random_page_cost: "1.1",
  // Statements are short: compiling them to machine code costs more than it gains.
  jit: "off",
  timezone: "UTC",
  lc_messages: "C",
  log_timezone: "UTC",
  log_checkpoints: "off",
  log_line_prefix: "%m [%p] %u@%d ",
};

/**
 * Starts the server on a port and waits until it takes logins. It runs detached, in a session of
 * its own, and writes to a file: a Ctrl-C in the terminal or the death of this process does not
 * touch it.
 */
export async function startServer(
  cluster: Cluster,
  port: number,
  installation: Installation,
  identity: Identity,
  settings: Readonly<Record<string, string>>,
): Promise<StartOutcome> {
  const log = await openLog(cluster.folder);
  try {
    const call = callAs(
      identity,
      postgresOf(installation),
      [
        ["-D", cluster.data],
        ["-p", String(port)],
        ...Object.entries({ ...serverSettings, ...settings }).map(([name, value]) => [
          "-c",
          `${name}=${value}`,
        ]),
      ].flat(),
    );
    const child = spawn(call.file, call.args, {
      ...call.ids,
      cwd: "/",
      env: programEnvironment(),
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    child.unref();
    return await awaitReady(child, cluster, port, log.start);
  } finally {
    await log.close();
  }
}

async function openLog(
  folder: string,
): Promise<{ fd: number; start: number; close(): Promise<void> }> {
  const path = logIn(folder);
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > logLimitBytes) await rename(path, `${path}.1`);
  const handle = await open(path, "a", 0o600);
  return {
    fd: handle.fd,
    start: (await handle.stat()).size,
    close: () => handle.close(),
  };
}

async function awaitReady(
  child: ChildProcess,
  cluster: Cluster,
  port: number,
  logStart: number,
): Promise<StartOutcome> {
  let ended: string | undefined;
  child.once("error", (error) => {
    ended = error.message;
  });
  child.once("exit", (code, signal) => {
    ended = `exit ${code ?? signal}`;
  });
  const began = Date.now();
  while (ended === undefined) {
    const answer = await tryLogin(port, cluster.password);
    // The pid file decides whose server answered: two starts may have picked one port.
    if (answer.state === "open" && (await readPidFile(cluster.data))?.pid === child.pid) {
      return { kind: "running", port };
    }
    const limit = answer.state === "busy" ? recoveryLimitMs : readyLimitMs;
    if (Date.now() - began > limit) {
      child.kill("SIGQUIT");
      const why = answer.state === "closed" ? answer.reason : answer.state;
      return { kind: "failed", log: `not ready after ${limit / 1000} s (${why})` };
    }
    await sleep(20);
  }
  const text = (await readFile(logIn(cluster.folder))).subarray(logStart).toString("utf8");
  return classifyFailure(text || ended);
}

/** Reads from the server's messages why it ended immediately. */
export function classifyFailure(log: string): StartOutcome {
  if (/lock file "postmaster\.pid"|shared memory block .* is still in use/.test(log)) {
    return { kind: "taken" };
  }
  if (/could not bind|could not create any TCP\/IP sockets/.test(log)) return { kind: "port-used" };
  return { kind: "failed", log: log.trim().slice(-2000) };
}

/**
 * Ends the server of a data folder: a fast shutdown (SIGINT), which waits for the checkpoint but
 * not for clients; after a minute an immediate one (SIGQUIT), which recovers at the next start.
 * Returns when the process is gone. Does nothing when none runs.
 */
export async function stopServer(data: string): Promise<void> {
  const file = await readPidFile(data);
  // After a reboot the id in a left file may be any program's.
  if (!file || !(await isServerOf(file.pid, data))) return;
  signal(file.pid, "SIGINT");
  if (await gone(data, file.pid, stopLimitMs)) return;
  signal(file.pid, "SIGQUIT");
  if (await gone(data, file.pid, 10_000)) return;
  throw new Error(`PostgreSQL (process ${file.pid}) does not stop.`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function gone(data: string, pid: number, limitMs: number): Promise<boolean> {
  const until = Date.now() + limitMs;
  while (Date.now() < until) {
    // Removing its file is the server's last act; the process may stay as a zombie of a parent
    // that does not check, or run on for an instant.
    const file = await readPidFile(data);
    if (!isAlive(pid) || file?.pid !== pid) return true;
    await sleep(10);
  }
  return false;
}
