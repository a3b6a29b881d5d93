/** A hundred thousand rows leave the controller in the memory that it has anyway. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#db/schema.ts";
import { type TestDatabase, testDatabase } from "#db/testing.ts";
import { type ControllerProcess, startController } from "./controller-process.ts";

const password = "export-Pass1";
const mib = 2 ** 20;

let database: TestDatabase<Database>;
let folder: string;
let controller: ControllerProcess;
let token = "";

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), "weft-export-memory-"));
  const env = { WEFT_ADMIN_PASSWORD: password };
  controller = await startController({ databaseUrl: database.url, folder, env });
  const body = new URLSearchParams({ loginName: "admin", password });
  const reply = await fetch(`${controller.url}/api/v1/customer/login`, { method: "POST", body });
  token = ((await reply.json()) as { data: { token: string } }).data.token;
  await database.pools.owner.pg.query(
    `insert into weft.login_record (enterprise_id, user_id, login_name, address, agent, success, at)
     select 1, 1, case when n <= 100000 then 'many' else 'some' end, '192.0.2.1', 'Agent/' || n, true,
       now() - make_interval(secs => n)
     from generate_series(1, 130000) n`,
  );
}, 120_000);
afterAll(async () => {
  controller?.child.kill("SIGKILL");
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Bytes of memory that the process had at most since it was last asked. */
async function memory(): Promise<{ most: number }> {
  const text = await readFile(`/proc/${controller.child.pid}/status`, "utf8");
  // proc_pid_clear_refs(5): 5 begins the peak again.
  await writeFile(`/proc/${controller.child.pid}/clear_refs`, "5");
  const of = (name: string) =>
    1024 * Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]);
  return { most: of("VmHWM") };
}

/** Takes the file as a browser does. @returns its bytes */
async function take(format: string, loginName: string): Promise<number> {
  const query = new URLSearchParams({ token, format, loginName });
  const asked = await fetch(`${controller.url}/customer/loginRecord/export?${query}`);
  const { data } = (await asked.json()) as { data: { ticket: string } };
  const answer = await fetch(`${controller.url}/customer/download?ticket=${data.ticket}`);
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
  }
  return bytes;
}

test.each(["xlsx", "csv"])(
  "100,000 rows as %s take at most 64 MiB more",
  async (format) => {
    // What fewer of them take is what the process has at work anyway: code, buffers, and the heap
    // that V8 lets fill before it collects. Rows that were kept would come on top of that.
    expect(await take(format, "some")).toBeGreaterThan(150_000);
    const before = await memory();
    expect(await take(format, "many")).toBeGreaterThan(500_000);
    const after = await memory();
    expect(after.most - before.most).toBeLessThanOrEqual(64 * mib);
  },
  120_000,
);
