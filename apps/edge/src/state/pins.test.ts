/** A device whose controller changes its key: what it accepts at every moment, and what a crash leaves. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { expect, test } from "vitest";
import { openStore } from "#store/edge-store.ts";
import { CrashDisk } from "../../test/crash-disk.ts";
import { quiet } from "../../test/real-device.ts";
import { World } from "../../test/world.ts";
import { Pins } from "./pins.ts";

const newKey = (): KeyObject => generateKeyPairSync("ed25519").privateKey;

const connected = async (): Promise<World> => {
  const world = new World();
  await world.start();
  await world.pass(10);
  expect(world.edge?.status.connected).toBe(true);
  return world;
};

const reportedPins = (world: World) => world.gateway.of("pins").map(({ next }) => next);

/** The controller is another one from now on, for new connections and for those that are open. */
const changeKey = (world: World, key: KeyObject): void => {
  world.gateway.privateKey = key;
  world.network.closeAll();
};

/** The gateway's public key with this private key. */
const publicOf = (world: World, key: KeyObject): string => {
  const before = world.gateway.privateKey;
  world.gateway.privateKey = key;
  const { publicKey } = world.gateway;
  world.gateway.privateKey = before;
  return publicKey;
};

test("a device that holds both keys follows its controller to the next one, and not back", async () => {
  const world = await connected();
  const [old, next] = [world.gateway.privateKey, newKey()];
  const nextKey = publicOf(world, next);
  expect(reportedPins(world)).toEqual([null]);
  world.gateway.announce(next);
  await world.pass(1);
  expect(reportedPins(world)).toEqual([null, nextKey]);
  // Until the next key has been seen, the present one goes on.
  world.network.closeAll();
  await world.pass(30);
  expect(world.edge?.status.connected).toBe(true);
  expect(reportedPins(world).at(-1)).toBe(nextKey);
  changeKey(world, next);
  await world.pass(60);
  expect(world.edge?.status.connected).toBe(true);
  expect(reportedPins(world).at(-1)).toBeNull();
  expect(world.disk.names()).not.toContain("next-pin.json");
  changeKey(world, old);
  await world.pass(120);
  expect(world.edge?.status.connected).toBe(false);
  // Neither after a restart: the disk has the new key only.
  world.kill(true);
  await world.start();
  await world.pass(60);
  expect(world.edge?.status.connected).toBe(false);
  changeKey(world, next);
  await world.pass(60);
  expect(world.edge?.status.connected).toBe(true);
});

test("a device that does not know the next key does not accept it", async () => {
  const world = await connected();
  const old = world.gateway.privateKey;
  changeKey(world, newKey());
  await world.pass(120);
  expect(world.edge?.status.connected).toBe(false);
  changeKey(world, old);
  await world.pass(120);
  expect(world.edge?.status.connected).toBe(true);
});

test("a change that was given up is forgotten", async () => {
  const world = await connected();
  const next = newKey();
  world.gateway.announce(next);
  await world.pass(1);
  world.gateway.announce(null);
  await world.pass(1);
  expect(reportedPins(world).at(-1)).toBeNull();
  expect(world.disk.names()).not.toContain("next-pin.json");
  changeKey(world, next);
  await world.pass(120);
  expect(world.edge?.status.connected).toBe(false);
});

test.each(["announcedBy", "heldBy"] as const)(
  "a key that is not %s who it must be ends the connection, and nothing is kept",
  async (by) => {
    const world = await connected();
    world.gateway[by] = newKey();
    world.gateway.announce(newKey());
    await world.pass(0.1);
    expect(world.gateway.isConnected).toBe(false);
    expect(world.log.some(({ fields }) => JSON.stringify(fields).includes("did not sign"))).toBe(
      true,
    );
    expect(world.disk.names()).not.toContain("next-pin.json");
  },
);

test("an older controller that does not read the message is not sent it", async () => {
  const world = new World();
  world.gateway.accepts = false;
  await world.start();
  await world.pass(10);
  expect(reportedPins(world)).toEqual([]);
});

const enrolment = {
  node: 7,
  serialNumber: "SN-0001",
  addresses: ["wss://one.test"],
  controllerKey: "A".repeat(43),
};

/** Pins on a disk whose folder is durable only when the test lets it be. */
const slowPins = async () => {
  const disk = new CrashDisk().open();
  const { promise: durable, resolve: release } = Promise.withResolvers<void>();
  const store = await openStore({ ...disk, syncFolder: () => durable.then(disk.syncFolder) });
  return { pins: new Pins({ store, log: quiet, enrolment }), release };
};

test("a second key is reported only once the disk has it", async () => {
  const { pins, release } = await slowPins();
  const next = { key: "B".repeat(43), signature: "" };
  const answers: (string | null)[] = [];
  const taken = pins.take({ type: "nextKey", next, signature: "" }).then((held) => {
    answers.push(held);
  });
  const asked = pins.held().then((held) => {
    answers.push(held);
  });
  // All that can go on without the disk has gone on.
  await new Promise((resolve) => setImmediate(resolve));
  expect(answers).toEqual([]);
  expect(pins.accepted).toEqual([enrolment.controllerKey]);
  release();
  await Promise.all([taken, asked]);
  expect(answers).toEqual([next.key, next.key]);
  expect(pins.accepted).toEqual([enrolment.controllerKey, next.key]);
});

test("a full disk is no second key", async () => {
  const disk = new CrashDisk();
  const store = await openStore(disk.open());
  const pins = new Pins({ store, log: quiet, enrolment });
  disk.fault = new Error("the disk is full");
  const next = { key: "B".repeat(43), signature: "" };
  expect(await pins.take({ type: "nextKey", next, signature: "" })).toBeNull();
  expect(pins.accepted).toEqual([enrolment.controllerKey]);
});

/** Runs a change of the key, with a death at the given change of the disk from the message on. */
const changedWithDeath = async (at: number | null, power: boolean) => {
  const world = await connected();
  const [old, next] = [world.gateway.privateKey, newKey()];
  const key = publicOf(world, next);
  const { changes } = world.disk;
  if (at !== null) world.disk.dieAt(at);
  world.gateway.announce(next);
  await world.pass(1);
  const isReported = reportedPins(world).at(-1) === key;
  changeKey(world, world.isAlive || isReported ? next : old);
  await world.pass(30);
  return { world, old, next, key, isReported, count: world.disk.changes - changes, power };
};

test.each([
  { name: "the program is killed", power: false },
  { name: "the power goes", power: true },
])(
  "$name at any change of the disk: what was confirmed is held, and one key admits",
  async ({ power }) => {
    const { count } = await changedWithDeath(null, power);
    expect(count).toBeGreaterThan(5);
    let [deaths, confirmed] = [0, 0];
    for (let at = 1; at <= count; at += 1) {
      const one = await changedWithDeath(at, power);
      const { world, old, next, isReported } = one;
      const where = `change ${at} of ${count}`;
      if (!world.isAlive) deaths += 1;
      if (isReported) confirmed += 1;
      world.kill(power);
      // A controller goes on to the next key only once it was reported.
      changeKey(world, isReported ? next : old);
      await world.start();
      await world.pass(60);
      expect(world.edge?.status.connected, where).toBe(true);
      // What is on the disk of a device that did not report it is a complete second key, or none.
      if (!isReported) {
        const [now] = reportedPins(world).slice(-1);
        expect([null, one.key], where).toContain(now);
      }
      // Whatever was held: the impostor with the old key is refused once the next one was seen.
      if (isReported) {
        changeKey(world, old);
        await world.pass(90);
        expect(world.edge?.status.connected, where).toBe(false);
      }
    }
    expect(deaths).toBe(count);
    expect(confirmed).toBeGreaterThan(0);
    expect(confirmed).toBeLessThan(count);
  },
);
