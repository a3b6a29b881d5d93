import { generateKeyPairSync } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { publish, TestGateway } from "../test/gateway.ts";
import { claimFor, quiet, tempFolder, until } from "../test/real-device.ts";
import { cpeState } from "../test/states.ts";
import { serve } from "../test/tls-server.ts";
import { systemClock, systemRandom } from "./clock.ts";
import { requestStatus } from "./control.ts";
import { keepClaim, useClaim } from "./enrolment.ts";
import { networkDial } from "./link/dial.ts";
import { runEdge } from "./run.ts";
import { type SimulatedMachine, simulatedMachine } from "./simulate/machine.ts";
import { openFolder } from "./store/disk.ts";
import { openStore } from "./store/edge-store.ts";

const ends: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const freshFolder = (): string => {
  const { folder, remove } = tempFolder();
  ends.push(remove);
  return folder;
};

const served = async () => {
  const gateway = new TestGateway();
  gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  const server = await serve(gateway);
  ends.push(server.close);
  const { address } = server;
  const claim = claimFor(gateway, [address]);
  return { gateway, server, claim, host: new URL(address).host };
};

/** Starts `run` on a folder; `made` are the controllers that each machine was made with. */
const running = (folder: string, machine: SimulatedMachine) => {
  const end = new AbortController();
  const made: (readonly string[])[] = [];
  const done = runEdge({
    folder,
    runFolders: [path.join(folder, "../run")],
    healsDrift: true,
    version: "0.0.0",
    log: quiet,
    signal: end.signal,
    makeMachine: (_key, controllers) => {
      made.push(controllers);
      return machine;
    },
  });
  ends.push(() => {
    end.abort();
    return done.catch(() => {});
  });
  return { end, done, made };
};

const claimIn = async (folder: string, claim: string) =>
  keepClaim(await openStore(await openFolder(folder)), claim, "SN-0001");

const statusIs = async (folder: string, wanted: object) =>
  until(async () => {
    const status = await requestStatus(folder);
    return Object.entries(wanted).every(
      ([key, value]) => JSON.stringify(status?.[key as never]) === JSON.stringify(value),
    );
  }, JSON.stringify(wanted));

test("run waits for a claim, then enrols, applies and confirms; a second one may not start", async () => {
  const { gateway, claim, host } = await served();
  const folder = freshFolder();
  const { end, done, made } = running(folder, simulatedMachine(systemClock, "box"));
  await statusIs(folder, { node: null });
  await expect(running(folder, simulatedMachine(systemClock, "x")).done).rejects.toThrow("another");
  await claimIn(folder, claim);
  await statusIs(folder, { node: 7, connected: true, running: { epoch: 1, serial: 1 } });
  expect(gateway.confirmed.length).toBe(1);
  expect(made).toEqual([[], [host]]);
  end.abort();
  await done;
  expect(await requestStatus(folder)).toBeNull();
});

test("a claim that another process used while run was starting is taken up", async () => {
  const { gateway, claim } = await served();
  const folder = freshFolder();
  await claimIn(folder, claim);
  const store = await openStore(await openFolder(folder));
  const machine = simulatedMachine(systemClock, "box");
  const { start } = machine;
  // `enrol` was there first: it is approved while the drivers look at the device.
  machine.start = async () => {
    const world = { clock: systemClock, random: systemRandom, dial: networkDial };
    await useClaim({ ...world, log: quiet, store }, new AbortController().signal);
    await start.call(machine);
  };
  running(folder, machine);
  await statusIs(folder, { node: 7, connected: true, running: { epoch: 1, serial: 1 } });
  expect(gateway.confirmed.length).toBe(1);
});

test("a controller that changes its key is followed without a new start", async () => {
  const { gateway, server, claim, host } = await served();
  const folder = freshFolder();
  const { made } = running(folder, simulatedMachine(systemClock, "box"));
  await claimIn(folder, claim);
  await statusIs(folder, { connected: true, running: { epoch: 1, serial: 1 } });
  const next = generateKeyPairSync("ed25519").privateKey;
  await until(() => gateway.of("pins").length === 1, "the device says that it holds one key");
  gateway.announce(next);
  await until(() => gateway.of("pins").length === 2, "the device holds both keys");
  gateway.privateKey = next;
  server.show(next);
  server.cut();
  const store = await openStore(await openFolder(folder));
  const kept = async () => {
    const found = await store.enrolment.read();
    return found.kind === "value" && found.value.controllerKey === gateway.publicKey;
  };
  await until(kept, "the new key is the enrolment's");
  await until(() => gateway.of("pins").length === 3, "the device holds one key again");
  // It looks for another enrolment every two seconds.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(made).toEqual([[], [host]]);
  expect(await requestStatus(folder)).toMatchObject({ connected: true });
});

test("a socket file that a killed edge left is no edge", async () => {
  const folder = freshFolder();
  const { end, done } = running(folder, simulatedMachine(systemClock, "box"));
  await statusIs(folder, { node: null });
  end.abort();
  await done;
  const again = running(folder, simulatedMachine(systemClock, "box"));
  await statusIs(folder, { node: null });
  again.end.abort();
  await again.done;
  expect(existsSync(path.join(folder, "edge.sock"))).toBe(false);
});

test("a device whose node was removed restores its machine, and accepts a new claim", async () => {
  const { gateway, claim } = await served();
  const folder = freshFolder();
  const machine = simulatedMachine(systemClock, "box");
  const { end, done } = running(folder, machine);
  await claimIn(folder, claim);
  await statusIs(folder, { connected: true, running: { epoch: 1, serial: 1 } });
  const applied = () => machine.drivers.reduce((sum, one) => sum + one.applied.size, 0);
  expect(applied()).toBeGreaterThan(3);
  gateway.refuse = "removed";
  gateway.drop();
  // Of its own files nothing but the socket by which it answers is left.
  const isBack = async () => readdirSync(folder).join() === "edge.sock" && applied() === 0;
  await until(isBack, "the machine is restored");
  gateway.refuse = null;
  const again = await served();
  await claimIn(folder, again.claim);
  await statusIs(folder, { connected: true, running: { epoch: 1, serial: 1 } });
  expect(applied()).toBeGreaterThan(3);
  end.abort();
  await done;
});

test("a claim of another controller moves a running device over, and it starts again there", async () => {
  const one = await served();
  one.gateway.desired = publish(cpeState({ links: 2 }), { epoch: 1, serial: 900 });
  const folder = freshFolder();
  const machine = simulatedMachine(systemClock, "box");
  const { end, done } = running(folder, machine);
  await claimIn(folder, one.claim);
  await statusIs(folder, { running: { epoch: 1, serial: 900 } });
  const other = await served();
  await claimIn(folder, other.claim);
  await statusIs(folder, { connected: true, running: { epoch: 1, serial: 1 } });
  await until(() => !one.gateway.isConnected, "the old controller is left");
  expect(machine.drivers.find(({ name }) => name === "tunnel")?.applied.size).toBe(1);
  end.abort();
  await done;
});
