import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { withClient } from "./embedded/login.ts";
import { testDatabase } from "./testing.ts";

test("databases created at the same time are separate, and are dropped", {
  timeout: 60_000,
}, async () => {
  const databases = await Promise.all([1, 2, 3, 4].map(() => testDatabase()));
  const [first] = databases;
  expect(new Set(databases.map(({ url }) => url)).size).toBe(4);
  await sql`create table weft.t (n int)`.execute(databases[0]?.pools.owner.db ?? expect.fail());
  const found = await Promise.all(
    databases.map(async ({ pools }) => {
      const { rows } = await sql<{ t: string | null; applied: number }>`
        select to_regclass('weft.t')::text as t,
               (select count(*) from weft_meta.migration) as applied`.execute(pools.owner.db);
      return rows[0];
    }),
  );
  expect(found.map((row) => row?.t)).toEqual(["t", null, null, null]);
  expect(found.every((row) => (row?.applied ?? 0) > 0)).toBe(true);
  await Promise.all(databases.map((database) => database.drop()));
  await expect(withClient(first?.url ?? "", async () => 1)).rejects.toMatchObject({
    code: "3D000",
  });
});

test("what a killed test run left is swept by the next", { timeout: 60_000 }, async () => {
  const temporary = await mkdtemp(join(tmpdir(), "weft-sweep-"));
  const run = (then: string): ChildProcess => {
    const script = `
      import { startTestServer } from ${JSON.stringify(join(import.meta.dirname, "testing.ts"))};
      const end = await startTestServer(${JSON.stringify(temporary)});
      ${then}`;
    const { WEFT_TEST_DATABASE_URL: _, ...env } = process.env;
    const args = ["--input-type=module", "--eval", script];
    return spawn(process.execPath, args, {
      cwd: import.meta.dirname,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
  };
  const killed = run("console.log('up'); setInterval(() => {}, 1000);");
  await once(killed.stdout ?? expect.fail(), "data");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const [left] = await readdir(temporary);
  const pidFile = join(temporary, left ?? "", "postgres/data/postmaster.pid");
  const pid = Number((await readFile(pidFile, "utf8")).split("\n")[0]);
  const isThere = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  expect(isThere()).toBe(true);
  expect(await once(run("await end();"), "exit")).toEqual([0, null]);
  // It is no child of the run that ended it: its number is there until the first process of the system has waited for it.
  await expect.poll(isThere, { timeout: 30_000 }).toBe(false);
  expect(await readdir(temporary)).toEqual([]);
  await rm(temporary, { recursive: true });
});

test("the error without the global setup names what is missing", async () => {
  const url = process.env.WEFT_TEST_DATABASE_URL;
  delete process.env.WEFT_TEST_DATABASE_URL;
  try {
    await expect(testDatabase()).rejects.toThrow(/global-setup\.ts/);
  } finally {
    process.env.WEFT_TEST_DATABASE_URL = url;
  }
});
