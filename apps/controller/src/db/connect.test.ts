import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { databaseUrl, openDatabase } from "./connect.ts";
import { withClient } from "./embedded/login.ts";
import { readLogins, roleName } from "./role-logins.ts";
import { bootstrapRoles } from "./roles.ts";
import { bareDatabase } from "./testing.ts";

let dataDir: string;
const messages: unknown[] = [];
const logger = {
  info: (...text: unknown[]) => messages.push(text),
  warn: (...text: unknown[]) => messages.push(text),
} as unknown as Parameters<typeof openDatabase>[1];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "weft-connect-"));
  messages.length = 0;
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

test("opens the embedded database from nothing and ends it", { timeout: 180_000 }, async () => {
  const first = await openDatabase({ dataDir }, logger);
  expect(first.migrated[0]).toBe("2026-12-04-00-01-ground.sql");
  const { rows } = await sql<{ me: string }>`select current_user as me`.execute(
    first.pools.gateway.db,
  );
  expect(rows).toEqual([{ me: expect.stringMatching(/^weft_gateway_/) }]);
  await first.stop();
  expect(await exists(join(dataDir, "postgres/data/postmaster.pid"))).toBe(false);
  const second = await openDatabase({ dataDir, database: "weft_demo" }, logger);
  expect(second.migrated).toEqual(first.migrated);
  expect(second.url).toMatch(/\/weft_demo$/);
  await second.stop();
  // no password is ever logged
  const password = new URL(second.url).password;
  expect(JSON.stringify(messages)).not.toContain(password);
});

test("WEFT_DATABASE_URL wins, and its server is left alone", { timeout: 180_000 }, async () => {
  const external = await bareDatabase();
  try {
    expect(await databaseUrl({ dataDir, databaseUrl: external.url }, logger)).toEqual({
      url: external.url,
      embedded: undefined,
    });
    const opened = await openDatabase({ dataDir, databaseUrl: external.url }, logger);
    expect(opened.migrated[0]).toBe("2026-12-04-00-01-ground.sql");
    await opened.stop();
    const again = await openDatabase({ dataDir, databaseUrl: external.url }, logger);
    expect(again.migrated).toEqual([]);
    await again.stop();
    expect(await exists(join(dataDir, "postgres"))).toBe(false);
  } finally {
    await external.drop();
  }
});

test("a failed start ends the server that it started", { timeout: 180_000 }, async () => {
  const { url, embedded } = await databaseUrl({ dataDir }, logger);
  await bootstrapRoles(url);
  const role = roleName(await readLogins(url), "api");
  await withClient(url, (client) => client.query(`alter role ${role} superuser`));
  await embedded?.stop();
  await expect(openDatabase({ dataDir }, logger)).rejects.toThrow(/weft_api_.* has SUPERUSER/);
  expect(await exists(join(dataDir, "postgres/data/postmaster.pid"))).toBe(false);
});
