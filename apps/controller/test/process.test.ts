/** The controller as a process: starts, serves, prints its first password once, ends in order. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { readLogins, roleName } from "#db/role-logins.ts";
import type { Database } from "#db/schema.ts";
import { bareDatabase, type TestDatabase, testDatabase } from "#db/testing.ts";
import { type ControllerProcess, startController } from "./controller-process.ts";

let database: TestDatabase<Database>;
let folder: string;
const running = new Set<ControllerProcess>();

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), "weft-process-"));
}, 60_000);
afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await database.drop();
  await rm(folder, { recursive: true });
});

async function start(env: Record<string, string>): Promise<ControllerProcess> {
  const started = await startController({ databaseUrl: database.url, folder, env });
  running.add(started);
  return started;
}

const logIn = async (url: string, password: string) => {
  const body = new URLSearchParams({ loginName: "admin", password });
  const reply = await fetch(`${url}/api/v1/customer/login`, { method: "POST", body });
  return ((await reply.json()) as { code: number }).code;
};

const required = ["database", "logins", "migrations"];

test("the first start prints a password that works, the second prints none", async () => {
  const first = await start({});
  const password = /password (\S+)/.exec(first.output())?.[1] ?? "";
  expect(password).toHaveLength(12);
  expect(await logIn(first.url, password)).toBe(0);
  expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
  expect(await (await fetch(`${first.url}/readyz`)).json()).toEqual({
    status: "degraded",
    parts: {
      database: true,
      logins: true,
      migrations: true,
      // It runs neither role, and no other process does.
      measures: false,
      queue: true,
      gateway: false,
      worker: false,
    },
    checks: [...required, "measures", "queue", "gateway", "worker"].map((name) => ({
      name,
      required: required.includes(name),
      state: [...required, "queue"].includes(name) ? "ready" : "not ready",
      since: expect.stringMatching(/^\d{4}-.*Z$/),
    })),
  });
  expect(await first.end("SIGTERM")).toBe(0);
  await expect(fetch(`${first.url}/healthz`)).rejects.toThrow();
  // The log is what goes to other machines: the password is on a line of its own, outside it.
  const log = first
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  expect(log.length).toBeGreaterThan(0);
  expect(log.join("\n")).not.toContain(password);

  const second = await start({ WEFT_ADMIN_PASSWORD: "other-Pass1" });
  expect(second.output()).not.toContain("First administrator");
  expect(first.output() + second.output()).not.toContain("store is not open");
  expect(await logIn(second.url, password)).toBe(0);
  expect(await second.end("SIGINT")).toBe(0);
}, 60_000);

test("a call under way is finished before the process ends", async () => {
  const running = await start({});
  const { hostname, port } = new URL(running.url);
  const connect = () => createConnection({ host: hostname, port: Number(port) });
  // As browsers open them in advance: nothing is ever sent on it, and nothing waits for it.
  const silent = connect();
  const silentEnds = once(silent, "close");
  await once(silent, "connect");
  const socket = connect();
  const body = "loginName=admin&password=wrong";
  socket.write(
    "POST /api/v1/customer/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n" +
      "Content-Type: application/x-www-form-urlencoded\r\n" +
      `Content-Length: ${body.length}\r\n\r\n`,
  );
  // Now it is under way: a call that the server has not read yet when it ends is refused.
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 100 Continue/);
  socket.write(body.slice(0, 10));
  running.child.kill("SIGTERM");
  await silentEnds;
  // A supervisor and the parent process may both send one.
  running.child.kill("SIGTERM");
  socket.write(body.slice(10));
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toContain('"code":401');
  expect(await running.ended).toBe(0);
}, 60_000);

test("one whose database roles were revoked is not ready, though its connections are open", async () => {
  const own = await bareDatabase();
  const victim = await startController({ databaseUrl: own.url, folder });
  running.add(victim);
  const ready = async () => (await fetch(`${victim.url}/readyz`)).json();
  expect(await ready()).toMatchObject({ status: "degraded", parts: { logins: true } });
  const role = roleName(await readLogins(own.url), "apiAll");
  await withClient(own.url, (client) => client.query(`alter role ${role} password 'stranger'`));
  await expect
    .poll(ready, { timeout: 20_000 })
    .toMatchObject({ status: "not ready", parts: { database: true, logins: false } });
  await withClient(own.url, (client) => client.query(`alter role ${role} nologin`));
  expect(await ready()).toMatchObject({ status: "not ready" });
  expect(await victim.end("SIGTERM")).toBe(0);
  await own.drop();
}, 60_000);

test("a setting that is wrong ends the start with its name", async () => {
  const { child, output, url } = await start({ WEFT_PORT: "many" });
  expect(url).toBe("");
  expect(child.exitCode).toBe(1);
  expect(output()).toBe("WEFT_PORT (port): must be 0 to 65535.\n");
}, 60_000);
