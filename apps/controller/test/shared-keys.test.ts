/** Several processes on one database, each with a data folder of its own: who they are to the fleet. */
import { randomBytes } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { restoreBackup } from "#backup/restore-backup.ts";
import { writeBackup } from "#backup/write-backup.ts";
import { withClient } from "#db/embedded/login.ts";
import { bareDatabase } from "#db/testing.ts";
import { type ControllerProcess, startController } from "./controller-process.ts";

let database: Awaited<ReturnType<typeof bareDatabase>>;
let top: string;
let running: ControllerProcess[];

beforeEach(async () => {
  database = await bareDatabase();
  top = await mkdtemp(join(tmpdir(), "weft-keys-"));
  running = [];
}, 60_000);

afterEach(async () => {
  for (const one of running) if (one.child.exitCode === null) await one.end("SIGTERM");
  await database.drop();
  await rm(top, { recursive: true });
}, 60_000);

const patience = { timeout: 120_000 };

async function start(name: string, env: Record<string, string> = {}): Promise<ControllerProcess> {
  const folder = join(top, name);
  await mkdir(folder, { recursive: true });
  const given = { WEFT_ROLES: "gateway", WEFT_EDGE_PORT: "0", ...env };
  const one = await startController({ databaseUrl: database.url, folder, env: given });
  running.push(one);
  return one;
}

const inFolder = (name: string, file: string) => readFile(join(top, name, file), "utf8");

/** The key that a device sees at this gateway's TLS port. */
async function identityAt(name: string): Promise<unknown> {
  const port = Number(await inFolder(name, "edge-port"));
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.publicKey.export({ format: "jwk" }).x);
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

test(
  "gateways with one secret key are one controller, whichever started first",
  patience,
  async () => {
    const env = { WEFT_SECRET_KEY: randomBytes(32).toString("base64") };
    await Promise.all(["one", "two", "three"].map((name) => start(name, env)));
    const keys = await Promise.all(["one", "two", "three"].map(identityAt));
    expect(keys[0]).toEqual(expect.any(String));
    expect(new Set(keys).size).toBe(1);
    expect(await inFolder("two", "identity.pem")).toBe(await inFolder("one", "identity.pem"));
  },
);

test("one without the key, or with another, is refused and changes nothing", patience, async () => {
  const first = await start("first");
  const key = await inFolder("first", "secrets.key");
  const reported = /the one that this database's secrets are under\. Copy secrets\.key/;
  for (const [name, env] of [
    ["bare", {}],
    ["stranger", { WEFT_SECRET_KEY: randomBytes(32).toString("base64") }],
    ["api", { WEFT_ROLES: "api" }],
  ] as const) {
    const refused = await start(name, env);
    expect(refused.url).toBe("");
    expect(refused.output()).toMatch(reported);
    await expect(inFolder(name, "secrets.key")).rejects.toThrow();
    await expect(inFolder(name, "identity.pem")).rejects.toThrow();
  }
  // As the refusal says.
  await cp(join(top, "first/secrets.key"), join(top, "bare/secrets.key"));
  await start("bare");
  expect(await identityAt("bare")).toBe(await identityAt("first"));
  // The key is lost on the first machine: it does not make itself another.
  expect(await first.end("SIGTERM")).toBe(0);
  await rm(join(top, "first/secrets.key"));
  expect((await start("first")).output()).toMatch(reported);
  await start("first", { WEFT_SECRET_KEY: key.trim() });
  // Another identity's file is no way round.
  await mkdir(join(top, "elsewhere"));
  const other = await bareDatabase();
  const strange = await startController({
    databaseUrl: other.url,
    folder: join(top, "elsewhere"),
    env: { WEFT_ROLES: "gateway", WEFT_EDGE_PORT: "0", WEFT_SECRET_KEY: key.trim() },
  });
  await strange.end("SIGTERM");
  await other.drop();
  expect((await start("elsewhere", { WEFT_SECRET_KEY: key.trim() })).output()).toMatch(
    /identity\.pem holds another key/,
  );
});

test(
  "a backup holds the key under its passphrase, and a restore puts it back",
  patience,
  async () => {
    const first = await start("first");
    await first.end("SIGTERM");
    const file = join(top, "weft.backup");
    const passphrase = "a long passphrase";
    const dataDir = join(top, "first");
    await writeBackup({ url: database.url, dataDir, file, passphrase });
    const key = await inFolder("first", "secrets.key");
    expect((await readFile(file)).includes(key.trim())).toBe(false);
    await expect(
      writeBackup({
        url: database.url,
        dataDir,
        file: `${file}.2`,
        passphrase,
        secretKey: randomBytes(32),
      }),
    ).rejects.toThrow(/does not hold the key that this database's secrets are under/);
    const target = await bareDatabase();
    const restored = join(top, "restored");
    try {
      await restoreBackup({ url: target.url, dataDir: restored, file, passphrase });
      expect(await inFolder("restored", "secrets.key")).toBe(key);
      const { rows } = await withClient(target.url, (client) =>
        client.query("select secret_key_hash is not null as known from weft.installation"),
      );
      expect(rows).toEqual([{ known: true }]);
      const again = await startController({
        databaseUrl: target.url,
        folder: restored,
        env: { WEFT_ROLES: "gateway", WEFT_EDGE_PORT: "0" },
      });
      expect(again.url).not.toBe("");
      expect(await again.end("SIGTERM")).toBe(0);
    } finally {
      await target.drop();
    }
  },
);
