/** Everything that a controller does repeatedly, while its stores and files fail: it goes on trying, and nothing ends it. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepEmbedded } from "#db/embedded/keep-running.ts";
import { openPools, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { startGateway } from "#gateway/start.ts";
import { startWorker } from "#jobs/start.ts";
import { pauseAfter, repeat } from "#kernel/repeat.ts";
import { watchFirstLogin } from "#start/first-password.ts";
import { OwnRow } from "#start/own-row.ts";
import { loopRan } from "#telemetry/events.ts";
import { type LoopWorld, loopWorld } from "./loop-world.ts";
import { Wire } from "./wire.ts";

const poll = { timeout: 120_000, interval: 50 };
const patience = { timeout: 400_000 };

let world: LoopWorld;
let wire: Wire;
let pools: Pools<Database>;
let folder: string;
const logger = pino({ level: "silent" });
/** Names of loops by how they ended last. */
const ran = { failed: new Set<string>(), ok: new Set<string>() };
let stopCounting: () => void;

beforeAll(async () => {
  world = await loopWorld();
  wire = new Wire(new URL(world.api.database.url));
  await wire.mend();
  pools = await openPools<Database>(wire.url.href);
  folder = await mkdtemp(join(tmpdir(), "weft-loops-"));
  stopCounting = loopRan.listen(({ loop, failed }) => ran[failed ? "failed" : "ok"].add(loop));
}, 120_000);
afterAll(async () => {
  stopCounting();
  await pools.end();
  await wire.cut();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

/** Every loop of the sources: a new one has to be brought to fail here as well. */
async function loopsOfSources(): Promise<string[]> {
  const src = join(import.meta.dirname, "../src");
  const files = (await readdir(src, { recursive: true })).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const texts = await Promise.all(files.map((file) => readFile(join(src, file), "utf8")));
  return texts
    .flatMap((text) => [...text.matchAll(/\brepeat\(\s*"([^"]+)"/g)].map(([, name]) => name ?? ""))
    .sort();
}

const files = ["embedded PostgreSQL"];

test(
  "each loop goes on while the database is away, and works once it is back",
  patience,
  async () => {
    const app = fastify();
    app.decorate("weft", world.api.app.weft);
    const gateway = await startGateway({
      app,
      pools,
      dataDir: world.dataDir,
      logger,
      settings: { edgePort: 0, edgeAddresses: ["wss://127.0.0.1:0"] },
      times: { ...world.times, pollMs: 100, settleMs: 50 },
    });
    const endFirstLogin = await watchFirstLogin(pools, folder, logger);
    await wire.cut();
    const worker = await startWorker({ pools, vault: world.api.app.weft.vault, logger });
    const intake = { waitingRows: 0, oldestSeconds: 0, refused: 0 };
    const row = new OwnRow({ pools, roles: new Set(["worker"]), intake, dataDir: folder, logger });
    const forget = row.keep(0, { poll: async () => [] });
    const expected = (await loopsOfSources()).filter((name) => !files.includes(name));
    expect(expected.length).toBeGreaterThan(17);
    await expect.poll(() => expected.filter((name) => !ran.failed.has(name)), poll).toEqual([]);
    ran.ok.clear();
    await wire.mend();
    // Also what runs once an hour: it failed, and does not wait for the next hour.
    await expect.poll(() => expected.filter((name) => !ran.ok.has(name)), poll).toEqual([]);
    await forget();
    row.close();
    await worker.close();
    await endFirstLogin();
    await gateway.close();
    await app.close();
  },
);

test("the watch of PostgreSQL continues while its files cannot be read", patience, async () => {
  const data = join(folder, "postgres/data");
  // Instead of a descriptor that is missing: a file that cannot be read as one.
  await mkdir(join(data, "postmaster.pid"), { recursive: true });
  const errors: string[] = [];
  const log = {
    info: () => undefined,
    warn: (fields: { err?: Error }) => errors.push(String(fields.err)),
  };
  const server = { url: "", port: 1, data, adopted: true, stop: async () => undefined };
  const end = keepEmbedded(server, { dataDir: folder, logger: log as never });
  await expect.poll(() => errors.length, poll).toBeGreaterThan(1);
  expect(errors[0]).toContain("EISDIR");
  await end();
});

test(
  "the watch of the first login goes on while the password's file cannot be removed",
  patience,
  async () => {
    const file = join(folder, "first-password");
    await mkdir(join(file, "in the way"), { recursive: true });
    const errors: string[] = [];
    const log = pino({ level: "error" }, { write: (line: string) => void errors.push(line) });
    const end = await watchFirstLogin(world.api.database.pools, folder, log);
    await world.api.logIn("admin");
    await expect.poll(() => errors.join(), poll).toContain("EISDIR");
    await rm(file, { recursive: true });
    await writeFile(file, "the password\n");
    await expect.poll(() => readFile(file, "utf8").catch(() => "gone"), poll).toBe("gone");
    await end();
  },
);

test("a loop that keeps failing waits longer each time, whatever hints it gets, and no longer than its bound", async () => {
  expect([1, 2, 3, 4, 5, 6, 99].map((failures) => pauseAfter(failures, 500))).toEqual([
    500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000,
  ]);
  expect(pauseAfter(99, 3_600_000)).toBe(3_600_000);
  let runs = 0;
  const task = async (): Promise<undefined> => {
    runs += 1;
    throw new Error("it fails");
  };
  const loop = repeat("test", 60_000, task, logger);
  await expect.poll(() => runs, poll).toBe(1);
  for (let turn = 0; turn < 100; turn += 1) loop.hint();
  await loop.close();
  expect(runs).toBe(1);
});
