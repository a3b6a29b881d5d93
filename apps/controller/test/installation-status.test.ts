/** The status of an installation of several processes, and what /readyz says of those that run elsewhere. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import type { Database } from "#db/schema.ts";
import { type TestDatabase, testDatabase } from "#db/testing.ts";
import { noteBackup } from "#telemetry/last-backup.ts";
import { type ControllerProcess, startController } from "./controller-process.ts";

const password = "status-Pass1";
let database: TestDatabase<Database>;
let folder: string;
let console: ControllerProcess;
let token: string;
const running = new Set<ControllerProcess>();

async function start(env: Record<string, string>): Promise<ControllerProcess> {
  const started = await startController({
    databaseUrl: database.url,
    folder,
    env: { WEFT_ADMIN_PASSWORD: password, WEFT_EDGE_PORT: "0", ...env },
  });
  running.add(started);
  return started;
}

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), "weft-status-"));
  await noteBackup(folder, "2026-11-21T03:00:00.000Z");
  console = await start({ WEFT_ROLES: "api,worker" });
  const body = new URLSearchParams({ loginName: "admin", password });
  const reply = await fetch(`${console.url}/api/v1/customer/login`, { method: "POST", body });
  token = ((await reply.json()) as { data: { token: string } }).data.token;
}, 60_000);
afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await database.drop();
  await rm(folder, { recursive: true });
});

interface Status {
  readonly state: string;
  readonly processes: readonly { state: string; roles: string[]; port: number }[];
  readonly missingRoles: readonly string[];
  readonly queues: readonly { queue: string; state: string; depth: number | null }[];
  readonly stores: readonly { store: string; state: string; bytes: number | null }[];
  readonly keys: readonly { kind: string; state: string }[];
  readonly ingestion: { readonly state: string; readonly devices: number | null };
  readonly backup: { readonly at: string | null; readonly state: string };
}
async function status(): Promise<Status> {
  const reply = await fetch(`${console.url}/customer/installation/status`, {
    headers: { authorization: token },
  });
  const answer = (await reply.json()) as { code: number; data: Status };
  expect(answer).toMatchObject({ code: 0 });
  return answer.data;
}
const parts = async (): Promise<unknown> => {
  const reply = await fetch(`${console.url}/readyz`);
  // What another process lacks takes no process out of a balancer.
  expect(reply.status).toBe(200);
  return ((await reply.json()) as { parts: unknown }).parts;
};
const processes = async () => (await status()).processes.map(({ roles }) => roles);
const ask = (text: string) => withClient(database.url, (client) => client.query(text));

test("a role that no process runs is named, a store that does not answer is bad", async () => {
  await expect.poll(processes).toEqual([["api", "worker"]]);
  const alone = await status();
  expect(alone).toMatchObject({ state: "bad", missingRoles: ["gateway"] });
  expect(alone.stores).toMatchObject([
    { store: "postgresql", state: "ok", bytes: expect.any(Number) },
    { store: "clickhouse", state: "bad", bytes: null },
  ]);
  expect(alone.queues).toHaveLength(6);
  expect(alone.queues).toContainEqual({
    queue: "outbox",
    state: "ok",
    depth: 0,
    oldestSeconds: null,
  });
  expect(alone.ingestion).toMatchObject({ state: "unknown", devices: null });
  expect(alone.backup.at).toContain("2026-11-21");
  expect(await parts()).toMatchObject({ worker: true, queue: true, gateway: false });
});

test("a process joins, is missed when it was killed, and not when it ended in order", async () => {
  const env = { WEFT_ROLES: "gateway" };
  const gateway = await start(env);
  await expect.poll(processes).toContainEqual(["gateway"]);
  const both = await status();
  expect(both.missingRoles).toEqual([]);
  expect(both.keys[0]).toMatchObject({ kind: "gateway", state: "ok" });
  expect(both.ingestion.devices).toBe(0);
  expect(await parts()).toMatchObject({ gateway: true });
  expect(await gateway.end("SIGKILL")).toBe(null);
  const { port } = new URL(gateway.url);
  await ask(`update weft.process set seen_at = now() - interval '1 minute' where port = ${port}`);
  const killed = await status();
  expect(killed.processes.find((one) => one.port === Number(port))?.state).toBe("bad");
  expect(killed.missingRoles).toEqual(["gateway"]);
  expect(await parts()).toMatchObject({ gateway: false });
  // The next one on the port takes the row.
  const again = await start({ ...env, WEFT_PORT: port });
  await expect.poll(async () => (await status()).missingRoles).toEqual([]);
  expect(await processes()).toHaveLength(2);
  expect(await again.end("SIGTERM")).toBe(0);
  expect(await processes()).toEqual([["api", "worker"]]);
}, 60_000);

test("a queue that does not move is named, whichever process has to move it", async () => {
  expect(await console.end("SIGTERM")).toBe(0);
  console = await start({ WEFT_ROLES: "api" });
  await ask(`insert into weft.change (enterprise_id, node_ids, cause, created_by, at)
    values (1, '{}', 'test', 1, now() - interval '10 minutes')`);
  expect((await status()).queues[0]).toMatchObject({ queue: "changes", state: "bad", depth: 1 });
  expect(await parts()).toMatchObject({ queue: false, worker: false, database: true });
}, 60_000);
