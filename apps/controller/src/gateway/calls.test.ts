import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { confirmPath, confirmUnable, enrolPath } from "@weft/contract/device/v1/messages.ts";
import { unableProof } from "@weft/contract/device/v1/proof.ts";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPools, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { testDatabase } from "#db/testing.ts";
import { createVault, vaultKeyBytes } from "#kernel/vault.ts";
import { FakeEdge } from "../../test/fake-edge.ts";
import { type Answer, createCalls } from "./calls.ts";
import { systemClock } from "./clock.ts";
import { databaseStore } from "./database-store.ts";
import { enrol } from "./enrol.ts";
import { type ControllerIdentity, isSignedBy, openIdentity } from "./identity.ts";
import { createTryLimit } from "./limits.ts";

let folder: string;
let lost: Pools<Database>;
let identity: ControllerIdentity;
let answer: Answer;
let now = 0;

/** A gateway whose database went away. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-calls-"));
  const database = await testDatabase<Database>();
  identity = await openIdentity(folder, database.pools, createVault(randomBytes(vaultKeyBytes)));
  lost = await openPools(database.url);
  await database.drop();
  const deps = { pools: lost, identity, tries: createTryLimit(10, 1_000, () => 0) };
  answer = createCalls({
    store: databaseStore(lost),
    identity,
    logger: pino({ level: "silent" }),
    enrol: (body, address) => enrol(deps, body, { address, requestId: "r" }),
    confirmed: () => undefined,
    keyOf: (node) => (node === device.node ? device.publicKey : null),
    clock: { ...systemClock, monotonic: () => now },
  });
}, 60_000);
afterAll(async () => {
  await lost.end();
  await rm(folder, { recursive: true });
});

const device = new FakeEdge("https://127.0.0.1:1", "SN-0001");
device.node = 7;

test("a device that asks for a confirmation gets a signed answer that none can be given now", async () => {
  const asked = device.confirmation({ epoch: 3, serial: 4, sections: {} });
  const { status, body } = await answer(confirmPath, JSON.stringify(asked), "127.0.0.1");
  expect(status).toBe(503);
  const { epoch, serial, nonce, signature } = confirmUnable.parse(JSON.parse(body));
  expect({ epoch, serial, nonce }).toEqual({ epoch: 3, serial: 4, nonce: asked.nonce });
  const text = unableProof(7, { epoch, serial }, nonce);
  expect(isSignedBy(identity.publicKey, text, signature)).toBe(true);
  expect(isSignedBy(identity.publicKey, `${text} `, signature)).toBe(false);
});

test("a caller that asks too often is rejected without a check, and takes nothing from others", async () => {
  const ask = async (node: number, address: string): Promise<number> => {
    const asked = device.confirmation({ epoch: 3, serial: 4, sections: {} }, { node });
    return (await answer(confirmPath, JSON.stringify(asked), address)).status;
  };
  const statuses = (asks: readonly Promise<number>[]) => Promise.all(asks);
  const flood = await statuses(Array.from({ length: 12 }, () => ask(9, "192.0.2.1")));
  expect(flood).toEqual([...Array(10).fill(503), 403, 403]);
  // The same node from elsewhere is served; so is another from here.
  expect(await statuses([ask(9, "192.0.2.2"), ask(8, "192.0.2.1")])).toEqual([503, 503]);
  const wide = await statuses(Array.from({ length: 200 }, (_, at) => ask(100 + at, "192.0.2.1")));
  expect(wide.filter((status) => status === 503)).toHaveLength(187);
  now += 1_000;
  expect(await statuses([ask(9, "192.0.2.1"), ask(400, "192.0.2.1")])).toEqual([503, 503]);
});

test("a flood in the name of a device takes nothing from the device, not even at its address", async () => {
  const head = { epoch: 3, serial: 4, sections: {} };
  const forger = new FakeEdge("https://127.0.0.1:1", "SN-0002");
  forger.node = device.node;
  const ask = async (from: FakeEdge, address: string): Promise<number> =>
    (await answer(confirmPath, JSON.stringify(from.confirmation(head)), address)).status;
  const floods = ["192.0.2.3", "127.0.0.1"];
  for (const address of floods) {
    const flood = await Promise.all(Array.from({ length: 250 }, () => ask(forger, address)));
    expect(flood.filter((status) => status === 403).length).toBeGreaterThan(230);
    expect(await ask(device, address)).toBe(503);
  }
  // A device that asks too often itself is limited all the same.
  const own = await Promise.all(Array.from({ length: 12 }, () => ask(device, "192.0.2.4")));
  expect(own.filter((status) => status === 403)).toHaveLength(4);
});

test("nothing else is signed for want of a database", async () => {
  const broken = await answer(confirmPath, "{}", "127.0.0.1");
  expect(broken.status).toBe(403);
  const token = "t".repeat(43);
  const nonce = "n".repeat(24);
  const signature = device.sign(`weft-edge-v1\nenrol\n${token}\nSN-0001\n${nonce}`);
  const enrolment = {
    token,
    serialNumber: "SN-0001",
    publicKey: device.publicKey,
    nonce,
    signature,
  };
  const failed = await answer(enrolPath, JSON.stringify(enrolment), "127.0.0.1");
  expect(failed).toEqual({ status: 500, body: "" });
});
