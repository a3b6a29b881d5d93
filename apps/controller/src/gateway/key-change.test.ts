/** What the controller records and sends while its key is changed: real sockets, a device that does what a test asks of it. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptsCapability, nextKeyCapability } from "@weft/contract/device/v1/additions.ts";
import type { MessageFromController } from "@weft/contract/device/v1/messages.ts";
import * as proof from "@weft/contract/device/v1/proof.ts";
import fastify from "fastify";
import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { restoreBackup } from "#backup/restore-backup.ts";
import { writeBackup } from "#backup/write-backup.ts";
import { openPools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { bareDatabase } from "#db/testing.ts";
import { createVault, vaultKeyBytes } from "#kernel/vault.ts";
import { activateKey, cancelKey, keyStatus, NotHeld, prepareKey } from "#start/change-identity.ts";
import type { FakeEdge, Line } from "../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld, type Site } from "../../test/loop-world.ts";
import { keyHash, resealIdentity } from "./identity.ts";
import { LiveKeys } from "./live-keys.ts";
import { startGateway } from "./start.ts";

let world: LoopWorld;
beforeEach(async () => {
  world = await loopWorld();
}, 60_000);
afterEach(() => world.close());

const pools = () => world.pools;
const vault = () => world.api.app.weft.vault;
const able = [acceptsCapability, nextKeyCapability];

interface Device {
  readonly site: Site;
  readonly edge: FakeEdge;
}

async function device(): Promise<Device> {
  const site = await world.addSite();
  return { site, edge: await world.enrolled(site) };
}

/** A connection on which the device has reported, with what it holds. */
async function connected({ edge }: Device, held: string | null = null): Promise<Line> {
  const line = await edge.connect();
  const capabilities = able.map((name) => ({ name, can: true, reason: null }));
  line.send(edge.report({ version: "2.0", capabilities }));
  const { names } = await line.seek("accepts");
  expect(names).toContain("pins");
  line.send({ type: "pins", next: held });
  return line;
}

/** The next key of an announcement whose signatures are right. */
function announced({ edge }: Device, message: MessageFromController<"nextKey">): string | null {
  const { challenge, nonce } = edge.asked;
  const key = message.next?.key ?? null;
  const text = proof.nextKeyProof(challenge, nonce, edge.node, key);
  expect(edge.isController(text, message.signature)).toBe(true);
  if (message.next) {
    const held = proof.heldKeyProof(challenge, nonce, edge.node, message.next.key);
    expect(edge.isController(held, message.next.signature, message.next.key)).toBe(true);
  }
  return key;
}

/** The device receives the next key, and confirms it. */
async function confirms(one: Device, line: Line): Promise<string> {
  const key = announced(one, await line.seek("nextKey"));
  line.send({ type: "pins", next: key });
  return key ?? "";
}

const lacks = async () =>
  Object.fromEntries((await keyStatus(pools())).lacking.map(({ node, lack }) => [node, lack]));

const audited = async (action: string) => {
  const { rows } = await sql<{ old: object | null; now: object; row: number | null }>`
    select old_value as old, new_value as now, row_id as row from audit where action = ${action} order by id`.execute(
    pools().owner.db,
  );
  return rows;
};

/** Whether the gateway does not prove itself by the key that the device knows. */
const refusesKey = (edge: FakeEdge): Promise<boolean> =>
  edge.connect().then(
    (line) => {
      line.socket.terminate();
      return false;
    },
    () => true,
  );

const inPlace = async (): Promise<string> =>
  (await pools().owner.db.selectFrom("installation").select("controller_key").executeTakeFirst())
    ?.controller_key ?? "";

test("each device is named with what keeps it from the next key, and the change waits for all", async () => {
  const [ready, slow, old, gone] = [await device(), await device(), await device(), await device()];
  const line = await connected(ready);
  await connected(slow);
  const outdated = await old.edge.connect();
  const capabilities = [{ name: acceptsCapability, can: true, reason: null }];
  outdated.send(old.edge.report({ version: "1.0", capabilities }));
  await outdated.seek("accepts");
  const { present } = await prepareKey(pools(), vault());
  expect(present).toBe(keyHash(ready.edge.controllerKey));
  await expect(prepareKey(pools(), vault())).rejects.toThrow("prepared already");
  const key = await confirms(ready, line);
  await eventually(async () => !(ready.site.id in (await lacks())), "the pin is recorded");
  expect(await lacks()).toEqual({
    [slow.site.id]: "notYet",
    [old.site.id]: "tooOld",
    [gone.site.id]: "offline",
  });
  // An edge of an earlier version would end the connection over a message that it does not know.
  await outdated.nothingCame();
  const ids = [slow, old, gone].map(({ site }) => site.id);
  const some = activateKey(pools(), vault(), new Set(ids.slice(1)));
  await expect(some).rejects.toThrow(NotHeld);
  await expect(some).rejects.toMatchObject({ lacking: [{ node: slow.site.id }] });
  expect(await inPlace()).toBe(ready.edge.controllerKey);
  expect(await audited("installation.activateKey")).toEqual([]);
  expect(await audited("edge.pin")).toMatchObject([
    { now: { nodeId: ready.site.id, controllerKey: key } },
  ]);
});

test("with the change open connections end, and both gateways answer by the next key alone", async () => {
  const one = await device();
  const unused = await world.claim((await world.addSite()).id);
  const dataDir = await mkdtemp(join(tmpdir(), "weft-second-"));
  const app = fastify();
  app.decorate("weft", world.api.app.weft);
  const second = await startGateway({
    app,
    pools: pools(),
    dataDir,
    logger: pino({ level: "silent" }),
    times: world.times,
    settings: { edgePort: 0, edgeAddresses: ["wss://127.0.0.1:0"] },
  });
  try {
    const line = await connected(one);
    await prepareKey(pools(), vault());
    const key = await confirms(one, line);
    await eventually(async () => (await keyStatus(pools())).holding === 1, "the pin is recorded");
    const { abandoned, revokedClaims } = await activateKey(pools(), vault(), new Set());
    expect(abandoned).toEqual([]);
    expect(revokedClaims).toBe(1);
    const { reason, retryAfterMs } = await line.seek("refused");
    expect(reason).toBe("busy");
    expect(retryAfterMs).toBeLessThanOrEqual(10_000);
    // By the old key no gateway proves itself any more; by the next one both do.
    const { edge } = one;
    const elsewhere = edge.copy("127.0.0.1");
    Object.assign(elsewhere, { url: `https://127.0.0.1:${second.port}` });
    for (const at of [edge, elsewhere]) {
      await eventually(() => refusesKey(at), "the old key is gone");
      at.controllerKey = key;
      (await at.connect()).socket.terminate();
    }
    const pem = await readFile(join(world.dataDir, "identity.pem"), "utf8");
    expect(await readFile(join(dataDir, "identity.pem"), "utf8")).toBe(pem);
    expect(await audited("claim.revoke")).toHaveLength(1);
    expect(await world.edge("LOOP-2").enrol(unused)).toMatchObject({
      body: { reason: "claimExpired" },
    });
    expect(await audited("installation.activateKey")).toMatchObject([
      { now: { present: keyHash(key), abandoned: [], revokedClaims: 1 } },
    ]);
  } finally {
    await second.close();
    await rm(dataDir, { recursive: true });
  }
});

test("a prepared change can be given up; a device that was away meanwhile forgets it as well", async () => {
  const [one, other] = [await device(), await device()];
  const line = await connected(one);
  const away = await connected(other);
  const before = await inPlace();
  await prepareKey(pools(), vault());
  const key = await confirms(one, line);
  await confirms(other, away);
  await eventually(async () => (await keyStatus(pools())).holding === 2, "both hold it");
  away.socket.terminate();
  await cancelKey(pools());
  expect(announced(one, await line.seek("nextKey"))).toBeNull();
  line.send({ type: "pins", next: null });
  const back = await connected(other, key);
  expect(announced(other, await back.seek("nextKey"))).toBeNull();
  await expect(activateKey(pools(), vault(), new Set())).rejects.toThrow("No change");
  expect(await inPlace()).toBe(before);
  // The next attempt is another key, which both have to confirm.
  await eventually(async () => (await audited("edge.pin")).length === 4, "it was recorded");
  await prepareKey(pools(), vault());
  expect(await confirms(one, line)).not.toBe(key);
});

test("a device that cannot keep the key is asked once a connection", async () => {
  const one = await device();
  const line = await connected(one);
  await prepareKey(pools(), vault());
  await line.seek("nextKey");
  line.send({ type: "pins", next: null });
  await line.nothingCame();
  expect(await lacks()).toEqual({ [one.site.id]: "notYet" });
  line.socket.terminate();
  const again = await connected(one);
  await again.seek("nextKey");
});

test("a device that reports keys without end is refused, and only keys of the controller are recorded", async () => {
  const one = await device();
  const line = await connected(one, "A".repeat(43));
  for (let at = 0; at < 20; at += 1) line.send({ type: "pins", next: "B".repeat(43) });
  expect((await line.seek("refused")).reason).toBe("tooMany");
  const { rows } = await sql<{ key: string }>`select pinned_key as key from node_identity`.execute(
    pools().owner.db,
  );
  expect(rows).toEqual([{ key: one.edge.controllerKey }]);
  expect(await audited("edge.pin")).toEqual([]);
});

test("a change of the key for secrets carries both keys over", async () => {
  await device();
  await prepareKey(pools(), vault());
  const { next } = await keyStatus(pools());
  const other = createVault(randomBytes(vaultKeyBytes));
  const moved = await pools()
    .owner.db.transaction()
    .execute((trx) => resealIdentity(trx, vault(), other));
  expect(moved).toEqual({ moved: 2, unreadable: 0 });
  const logger = pino({ level: "silent" });
  const given = { dataDir: world.dataDir, pools: pools(), logger };
  const keys = await LiveKeys.open({ ...given, vault: other });
  expect(keyHash(keys.next?.publicKey ?? "")).toBe(next);
  await expect(LiveKeys.open({ ...given, vault: vault() })).rejects.toThrow("cannot be read");
});

test("a backup from the middle of a change has both keys, and every device confirms again", async () => {
  const one = await device();
  const line = await connected(one);
  await prepareKey(pools(), vault());
  const key = await confirms(one, line);
  await eventually(async () => (await keyStatus(pools())).holding === 1, "the pin is recorded");
  const folder = await mkdtemp(join(tmpdir(), "weft-restored-"));
  const file = join(folder, "one.backup");
  const common = { file, passphrase: "middle of a change" };
  await writeBackup({ ...common, url: world.api.database.url, dataDir: world.dataDir });
  const target = await bareDatabase();
  const dataDir = join(folder, "data");
  try {
    await restoreBackup({ ...common, url: target.url, dataDir });
    const restored = await openPools<Database>(target.url, { max: 2 });
    try {
      const logger = pino({ level: "silent" });
      const keys = await LiveKeys.open({ dataDir, pools: restored, vault: vault(), logger });
      expect(keys.publicKey).toBe(one.edge.controllerKey);
      expect(keys.next?.publicKey).toBe(key);
      // What the device has done since is not known: it reports again when it connects.
      expect((await keyStatus(restored)).lacking).toMatchObject([
        { node: one.site.id, lack: "offline" },
      ]);
      await activateKey(restored, vault(), new Set([one.site.id]));
      expect(await keys.refresh()).toEqual({ present: true, next: true });
      expect(keys.publicKey).toBe(key);
    } finally {
      await restored.end();
    }
  } finally {
    await target.drop();
    await rm(folder, { recursive: true });
  }
});
