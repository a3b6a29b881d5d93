/** A controller with few descriptors, and more connections than it has: it stays, answers, and takes its children with it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isAlive } from "#db/embedded/cluster.ts";
import { readPidFile } from "#db/embedded/pid-file.ts";
import { stopServer } from "#db/embedded/server.ts";
import { inherited } from "./controller-process.ts";
import { eventually } from "./loop-world.ts";

/** Descriptors of the process; its own files and stores need about 130. */
const descriptors = 400;
/** Connections to each port: twice as many as there are descriptors. */
const flood = 800;
const patience = 300_000;

const main = join(import.meta.dirname, "../src/main.ts");
const poll = { timeout: 120_000, interval: 100 };

let folder: string;
let child: ChildProcess;
let url: string;
let password: string;
let edgePort: number;
let output = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-flood-"));
  const limited = 'ulimit -n "$1"; shift; exec "$@"';
  child = spawn("/bin/sh", ["-c", limited, "sh", String(descriptors), process.execPath, main], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...inherited,
      WEFT_DATA: folder,
      WEFT_PORT: "0",
      WEFT_EDGE_PORT: "0",
      NODE_ENV: "test",
    },
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const isStarted = async () => /^Weft: /m.test(output) && /password \S+\n/.test(output);
  await eventually(isStarted, "the controller has started", patience);
  url = /^Weft: (\S+)$/m.exec(output)?.[1] ?? "";
  password = /password (\S+)/.exec(output)?.[1] ?? "";
  edgePort = Number(await readFile(join(folder, "edge-port"), "utf8"));
}, patience);

afterAll(async () => {
  child.kill("SIGKILL");
  await stopServer(join(folder, "postgres/data"));
  await rm(folder, { recursive: true, force: true });
}, patience);

const logIn = async (): Promise<number> => {
  const body = new URLSearchParams({ loginName: "admin", password });
  const reply = await fetch(`${url}/api/v1/customer/login`, { method: "POST", body });
  return ((await reply.json()) as { code: number }).code;
};

const openDescriptors = async (): Promise<number> =>
  (await readdir(`/proc/${child.pid}/fd`)).length;

/** One of a thousand addresses of this machine: strangers are many. */
const stranger = (at: number): string => `127.0.${1 + (at % 4)}.${1 + (at % 250)}`;

async function silent(port: number, at: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: stranger(at) });
  socket.on("error", () => undefined);
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  return socket;
}

test("silent connections to both ports use up no descriptor that the controller needs", {
  timeout: patience,
}, async () => {
  expect(await logIn()).toBe(0);
  const limits = await readFile(`/proc/${child.pid}/limits`, "utf8");
  expect(limits).toMatch(new RegExp(`^Max open files +${descriptors} `, "m"));
  const sockets: Socket[] = [];
  let most = 0;
  for (let at = 0; at < flood; at += 1) {
    sockets.push(await silent(Number(new URL(url).port), at), await silent(edgePort, at));
    if (at % 50 === 0) most = Math.max(most, await openDescriptors());
  }
  // Its own work goes on meanwhile: a file for each look at PostgreSQL, connections of pools, a login.
  expect(most).toBeLessThan(descriptors - 40);
  expect(await logIn()).toBe(0);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // All of them end though they ask nothing.
  await expect.poll(() => sockets.filter(({ destroyed }) => !destroyed).length, poll).toBe(0);
  expect(child.exitCode).toBe(null);
  expect(output).not.toContain("EMFILE");
  expect(output).toContain("connections to the console were ended");
});

test("a controller that is killed leaves no program behind", { timeout: patience }, async () => {
  const server = (await readPidFile(join(folder, "postgres/data")))?.pid ?? 0;
  const children = await childrenOf(child.pid ?? 0);
  expect(isAlive(server)).toBe(true);
  expect(children.length).toBeGreaterThan(1);
  child.kill("SIGKILL");
  await expect.poll(() => [server, ...children].filter(runs), poll).toEqual([]);
});

async function childrenOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, "utf8")),
  );
  return lists.join(" ").split(/\s+/).filter(Boolean).map(Number);
}

/** Whether a process still runs; a parent that does not look leaves what has ended in the table. */
function runs(pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false;
  }
}
