/** A controller with few descriptors, and more connections than it has: it stays, answers, and takes its children with it. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isAlive } from "#db/embedded/cluster.ts";
import { readPidFile } from "#db/embedded/pid-file.ts";
import { childrenOf } from "./controller-process.ts";
import { type LimitedController, startLimited } from "./limited-controller.ts";
import { eventually } from "./loop-world.ts";

/** Descriptors of the process; its own files and stores need about 130. */
const descriptors = 400;
/** Connections to each port: twice as many as there are descriptors, so many at a time. */
const flood = 800;
const atOnce = 50;
const patience = 600_000;
const poll = { timeout: 120_000, interval: 100 };

let controller: LimitedController;
beforeAll(async () => {
  controller = await startLimited(descriptors);
}, patience);

afterAll(() => controller.remove(), patience);

const logIn = async (): Promise<number> => {
  const { url, password } = controller;
  const body = new URLSearchParams({ loginName: "admin", password });
  const reply = await fetch(`${url}/api/v1/customer/login`, { method: "POST", body });
  return ((await reply.json()) as { code: number }).code;
};

/** By a connection that was kept and has ended meanwhile, a call fails once. */
const isServed = (call: () => Promise<boolean>, what: string): Promise<boolean> =>
  eventually(() => call().catch(() => false), what, 120_000);

/** One of a thousand addresses of this machine: strangers are many. */
const stranger = (at: number): string => `127.0.${1 + (at % 4)}.${1 + (at % 250)}`;

async function silent(port: number, at: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: stranger(at) });
  socket.on("error", () => undefined);
  // Some get an answer before their end, 408 for example: unread, it would keep the end from being seen.
  socket.resume();
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  return socket;
}

test("silent connections to both ports use up no descriptor that the controller needs", {
  timeout: patience,
}, async () => {
  const { child, url, edgePort, openDescriptors, output } = controller;
  expect(await logIn()).toBe(0);
  const limits = await readFile(`/proc/${child.pid}/limits`, "utf8");
  expect(limits).toMatch(new RegExp(`^Max open files +${descriptors} `, "m"));
  const sockets: Socket[] = [];
  let most = 0;
  for (let first = 0; first < flood; first += atOnce) {
    const group = Array.from({ length: atOnce }, (_, at) => first + at).flatMap((at) => [
      silent(Number(new URL(url).port), at),
      silent(edgePort, at),
    ]);
    sockets.push(...(await Promise.all(group)));
    most = Math.max(most, await openDescriptors());
  }
  // Its own work goes on meanwhile: a file for each look at PostgreSQL, connections of pools, a login.
  expect(most).toBeLessThan(descriptors - 40);
  await isServed(async () => (await logIn()) === 0, "a log-in");
  await isServed(async () => (await fetch(`${url}/healthz`)).status === 200, "its health");
  // All of them end though they ask nothing.
  await expect.poll(() => sockets.filter(({ destroyed }) => !destroyed).length, poll).toBe(0);
  expect(child.exitCode).toBe(null);
  expect(output()).not.toContain("EMFILE");
  expect(output()).toContain("connections to the console were ended");
});

test("a controller that is killed leaves no program behind", { timeout: patience }, async () => {
  const { child, folder } = controller;
  const server = (await readPidFile(join(folder, "postgres/data")))?.pid ?? 0;
  const children = await childrenOf(child.pid ?? 0);
  expect(isAlive(server)).toBe(true);
  expect(children.length).toBeGreaterThan(1);
  child.kill("SIGKILL");
  await expect.poll(() => [server, ...children].filter(runs), poll).toEqual([]);
});

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
