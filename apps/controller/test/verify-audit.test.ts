/** `npm run audit:verify` as a process: what it says of the database that it looked at. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#db/schema.ts";
import { type TestDatabase, testDatabase } from "#db/testing.ts";

const program = join(import.meta.dirname, "../src/commands/verify-audit.ts");
let database: TestDatabase<Database>;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), "weft-verify-"));
}, 60_000);
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

test("an empty log is not called intact, and the database is named without its password", async () => {
  const env = { ...process.env, WEFT_DATABASE_URL: database.url, WEFT_DATA: folder };
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, [program], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
  const { pathname, host, password } = new URL(database.url);
  expect(output).toContain(`Database: ${pathname.slice(1)} on ${host}\n`);
  expect(output).toContain("nothing was verified");
  expect(output).not.toContain("Intact");
  if (password !== "") expect(output).not.toContain(password);
  expect(code).toBe(2);
}, 60_000);
