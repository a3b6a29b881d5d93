/** The key for secrets is changed, by the command and by a start: processes on a real database. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { bareDatabase, waitingSessions } from "#db/testing.ts";
import { createVault, fingerprintOf } from "#kernel/vault.ts";
import { type ControllerProcess, inherited, startController } from "./controller-process.ts";

let database: Awaited<ReturnType<typeof bareDatabase>>;
let folder: string;
let running: ControllerProcess[];
beforeEach(async () => {
  database = await bareDatabase();
  folder = await mkdtemp(join(tmpdir(), "weft-rotated-"));
  running = [];
}, 60_000);
afterEach(async () => {
  for (const one of running) if (one.child.exitCode === null) await one.end("SIGTERM");
  await database.drop();
  await rm(folder, { recursive: true });
}, 60_000);

const patience = { timeout: 120_000 };
const totpOwner = "totp:1";
const secret = "a secret of an authenticator app";

async function start(env: Record<string, string> = {}): Promise<ControllerProcess> {
  const given = { WEFT_ROLES: "gateway", WEFT_EDGE_PORT: "0", ...env };
  const one = await startController({ databaseUrl: database.url, folder, env: given });
  running.push(one);
  return one;
}

/** A first start, and a secret under its key. @returns the key */
async function prepared(env: Record<string, string> = {}): Promise<Buffer> {
  const first = await start(env);
  expect(first.url).not.toBe("");
  await first.end("SIGTERM");
  const key = env.WEFT_SECRET_KEY ? Buffer.from(env.WEFT_SECRET_KEY, "base64") : await keyIn();
  await inDatabase((client) =>
    client.query("insert into weft.totp (user_id, enterprise_id, secret) values (1, 1, $1)", [
      createVault(key).seal(secret, totpOwner),
    ]),
  );
  return key;
}

const inDatabase = <T>(run: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient(database.url, run);

const keyIn = async (file = "secrets.key"): Promise<Buffer> =>
  Buffer.from(await readFile(join(folder, file), "utf8"), "base64");

interface Now {
  readonly hash: string;
  readonly totp: Buffer;
  readonly identity: Buffer;
  readonly audited: { readonly login_name: string; readonly new_value: object }[];
}

const now = (): Promise<Now> =>
  inDatabase(async (client) => {
    const { rows } = await client.query<Now>(`select secret_key_hash as hash,
      sealed_identity as identity, (select secret from weft.totp) as totp,
      (select coalesce(jsonb_agg(to_jsonb(a) order by id), '[]') from weft.audit a
        where action = 'installation.rotateKey') as audited from weft.installation`);
    return rows[0] as Now;
  });

/** Everything is under the key, and nothing under another. */
async function expectUnder(key: Buffer): Promise<Now> {
  const found = await now();
  expect(found.hash).toBe(fingerprintOf(key));
  expect(createVault(key).open(found.totp, totpOwner)).toBe(secret);
  const pem = createVault(key).open(found.identity, "the controller's identity");
  expect(pem).toBe(await readFile(join(folder, "identity.pem"), "utf8"));
  return found;
}

const command = join(import.meta.dirname, "../src/commands/rotate-secrets.ts");

function rotating(env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [command], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...inherited, WEFT_DATA: folder, WEFT_DATABASE_URL: database.url, ...env },
  });
}

async function rotate(env: Record<string, string> = {}) {
  const child = rotating(env);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  await once(child, "close");
  return { code: child.exitCode, output };
}

test("the command puts everything under a new key, and the log has it", patience, async () => {
  const old = await prepared();
  const beside = await start();
  const refused = await rotate();
  expect(refused.output).toMatch(/Other processes of Weft work on this database|runs already/);
  expect(refused.code).toBe(1);
  await expectUnder(old);
  await beside.end("SIGTERM");

  expect(await rotate()).toEqual({
    code: 0,
    output:
      "weft: identity 1, authenticators 1, policies 0, channels 0, identityProviders 0\nThe key for secrets was changed.\n",
  });
  const key = await keyIn();
  expect(key.equals(old)).toBe(false);
  const { audited } = await expectUnder(key);
  expect(audited).toMatchObject([
    {
      login_name: "system",
      old_value: { fingerprint: fingerprintOf(old) },
      new_value: { fingerprint: fingerprintOf(key), authenticators: { moved: 1, unreadable: 0 } },
    },
  ]);
  expect((await start()).url).not.toBe("");
});

test("a process without any call is seen, too", patience, async () => {
  const old = await prepared();
  const idle = await start({ WEFT_ROLES: "api" });
  const first = join(folder, "first-password");
  const body = new URLSearchParams({
    loginName: "admin",
    password: (await readFile(first, "utf8")).trim(),
  });
  await fetch(`${idle.url}/api/v1/customer/login`, { method: "POST", body });
  // From then on nothing of it asks the database for anything by itself.
  await expect
    .poll(() => readFile(first, "utf8").catch(() => null), { timeout: 20_000 })
    .toBe(null);
  const connections = () =>
    inDatabase(async (client) => {
      const { rows } = await client.query<{ n: number }>(`select count(*)::int as n
        from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
      return rows[0]?.n;
    });
  // As its pools do with what is idle.
  await inDatabase((client) =>
    client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`),
  );
  await expect.poll(connections, { timeout: 15_000, interval: 100 }).toBeGreaterThan(0);
  const elsewhere = await mkdtemp(join(tmpdir(), "weft-rotated-"));
  await writeFile(join(elsewhere, "secrets.key"), old.toString("base64"));
  const refused = await rotate({ WEFT_DATA: elsewhere });
  await rm(elsewhere, { recursive: true });
  expect(refused.output).toMatch(/Other processes of Weft work on this database/);
  await expectUnder(old);
});

test(
  "a start with both keys changes it; one with the old key alone is refused then",
  patience,
  async () => {
    const [old, key] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
    await prepared({ WEFT_SECRET_KEY: old });
    const file = join(folder, "previous");
    await writeFile(file, `${old}\n`);
    const both = { WEFT_SECRET_KEY: key, WEFT_SECRET_KEY_PREVIOUS_FILE: file };
    const changed = await start(both);
    expect(changed.url, changed.output()).not.toBe("");
    await changed.end("SIGTERM");
    await expectUnder(Buffer.from(key, "base64"));
    // The setting may stay: what is done stays done.
    const again = await start(both);
    expect(again.url).not.toBe("");
    await again.end("SIGTERM");
    expect((await now()).audited.length).toBe(1);
    expect((await start({ WEFT_SECRET_KEY: old })).output()).toMatch(
      /WEFT_SECRET_KEY is another key/,
    );
    const strange = { ...both, WEFT_SECRET_KEY: randomBytes(32).toString("base64") };
    expect((await start(strange)).output()).toMatch(/WEFT_SECRET_KEY is another key/);
  },
);

test("cut short, everything is under the old key, or under the new one", patience, async () => {
  const old = await prepared();
  await inDatabase(async (client) => {
    await client.query("begin; select from weft.totp for update");
    const cut = rotating();
    await expect
      .poll(async () => (await client.query(waitingSessions)).rows[0]?.n, {
        timeout: 60_000,
        interval: 20,
      })
      .toBe(1);
    cut.kill("SIGKILL");
    await once(cut, "close");
    await client.query("commit");
  });
  await expectUnder(old);
  const next = await keyIn("secrets.key.next");
  const served = await start();
  expect(served.url, served.output()).not.toBe("");
  await served.end("SIGTERM");

  // After the commit, before the file has its name: both keys are in the folder.
  expect((await rotate()).code).toBe(0);
  expect(await keyIn()).toEqual(next);
  await writeFile(join(folder, "secrets.key.next"), next.toString("base64"));
  await writeFile(join(folder, "secrets.key"), old.toString("base64"));
  const between = await start();
  expect(between.url, between.output()).not.toBe("");
  await between.end("SIGTERM");
  const file = () =>
    inDatabase(async (client) => {
      const { rows } = await client.query("select pg_relation_filenode('weft.totp') as node");
      return rows[0]?.node;
    });
  const before = await file();
  expect((await rotate()).output).toBe("The key for secrets was changed.\n");
  // It may have been cut short before dead rows with values under the old key were gone.
  expect(await file()).not.toBe(before);
  expect(await keyIn()).toEqual(next);
  await expect(keyIn("secrets.key.next")).rejects.toThrow("ENOENT");
  expect((await expectUnder(next)).audited.length).toBe(1);
});
