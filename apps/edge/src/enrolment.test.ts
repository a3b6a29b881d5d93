import { encodeClaim } from "@weft/contract/device/v1/claim.ts";
import { expect, test } from "vitest";
import { openStore } from "#store/edge-store.ts";
import { CrashDisk } from "../test/crash-disk.ts";
import { TestGateway } from "../test/gateway.ts";
import { MemoryNetwork } from "../test/memory-dial.ts";
import { seededRandom, VirtualClock } from "../test/virtual-clock.ts";
import { keepClaim, useClaim } from "./enrolment.ts";

const address = "wss://controller.test:8443";
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A device with a disk of its own, and a claim for it. */
const withClaim = async (gateway: TestGateway) => {
  const time = new VirtualClock();
  const { clock } = time.process();
  const random = seededRandom(1);
  const store = await openStore(new CrashDisk().open());
  const dial = new MemoryNetwork({ [address]: gateway }).dial(clock);
  const identity = await store.makeIdentity(random);
  const tunnelKey = (await store.tunnelKeys(random))[0]?.publicKey;
  const claim = encodeClaim({
    token: gateway.token,
    addresses: [address],
    controllerKeyHash: gateway.keyHash,
  });
  await keepClaim(store, claim, "SN-0001");
  const deps = { clock, random, dial, log: silent, store };
  const ended = useClaim(deps, new AbortController().signal);
  await time.advance(30_000);
  return { store, random, identity, tunnelKey, enrolment: await ended };
};

test("a device whose key is in quarantine enrols with a new one, and with a new tunnel key", async () => {
  const gateway = new TestGateway();
  const first = await withClaim(gateway);
  // The same seed gives the same keys: this is the copied disk.
  gateway.quarantined.add(first.identity.publicKey);
  const { store, random, identity, tunnelKey, enrolment } = await withClaim(gateway);
  expect(identity.publicKey).toBe(first.identity.publicKey);
  expect(enrolment?.node).toBe(gateway.node);
  const now = await store.identity();
  expect(now?.publicKey).not.toBe(identity.publicKey);
  expect(gateway.deviceKey).toBe(now?.publicKey);
  expect((await store.tunnelKeys(random))[0]?.publicKey).not.toBe(tunnelKey);
});

test("any other claim is used with the key that the device has", async () => {
  const gateway = new TestGateway();
  const { store, identity, enrolment } = await withClaim(gateway);
  expect(enrolment?.node).toBe(gateway.node);
  expect((await store.identity())?.publicKey).toBe(identity.publicKey);
});
