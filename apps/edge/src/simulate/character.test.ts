import { expect, test } from "vitest";
import { openStore } from "#store/edge-store.ts";
import { publish } from "../../test/gateway.ts";
import { cpeState } from "../../test/states.ts";
import { VirtualClock } from "../../test/virtual-clock.ts";
import { World } from "../../test/world.ts";
import { character } from "./character.ts";
import { runIncidents } from "./incidents.ts";
import { type MachineOptions, simulatedMachine } from "./machine.ts";
import { Neighbourhood } from "./neighbourhood.ts";

const applied = async (
  name: string,
  options: MachineOptions,
  clock = new VirtualClock().process().clock,
) => {
  const machine = simulatedMachine(clock, name, options);
  const state = cpeState({ links: 3 });
  for (const driver of machine.drivers) {
    const part = driver.pick(state);
    for (const step of driver.plan(part, await driver.observe(part))) await driver.run(step, part);
  }
  return machine;
};

test("a dead line takes its address and its links down, at both ends", async () => {
  const neighbourhood = new Neighbourhood();
  const dead = character.parse({ deadLines: ["wan1"] });
  const site = await applied("site", { character: dead, neighbourhood });
  const hub = await applied("hub", { neighbourhood });
  expect(await site.lines()).toMatchObject([{ interfaceName: "wan1", up: false }]);
  for (const machine of [site, hub, site])
    expect((await machine.measures()).every(({ up, rttMs }) => !up && rttMs === null)).toBe(true);
});

test("a link is up while both its devices are there", async () => {
  const neighbourhood = new Neighbourhood();
  const site = await applied("site", { neighbourhood });
  const hub = await applied("hub", { neighbourhood });
  const ups = async () => (await hub.measures()).filter(({ up }) => up).length;
  expect(await ups()).toBe(0);
  await site.measures();
  expect(await ups()).toBe(3);
  neighbourhood.leave("site");
  expect(await ups()).toBe(0);
});

test("both ends of a link measure one round trip, of their distance, and receive what the other sends", async () => {
  const neighbourhood = new Neighbourhood();
  const at = (place: readonly [number, number], more = {}) => character.parse({ place, ...more });
  const site = await applied("site", {
    character: at([121.47, 31.23], { lossPercent: 5 }),
    neighbourhood,
  });
  const hub = await applied("hub", { character: at([116.41, 39.9]), neighbourhood });
  const measures = async () => {
    // Each has to be there before the other one hears from it.
    for (const machine of [site, hub]) await machine.measures();
    return { here: await site.measures(), there: await hub.measures() };
  };
  const { here, there } = await measures();
  expect(here.map(({ rttMs }) => rttMs)).toEqual(there.map(({ rttMs }) => rttMs));
  // Shanghai to Beijing: 1,070 km.
  for (const { rttMs } of here) {
    expect(rttMs).toBeGreaterThan(24);
    expect(rttMs).toBeLessThan(40);
  }
  expect(here.map(({ inRate }) => inRate)).toEqual(there.map(({ outRate }) => outRate));
  expect(there.map(({ inRate }) => inRate)).toEqual(here.map(({ outRate }) => outRate));
  expect(here.every(({ lossPercent }) => (lossPercent ?? 0) > 2)).toBe(true);
  expect(there.every(({ lossPercent }) => (lossPercent ?? 0) < 2)).toBe(true);
});

test("a device that is far from everything is so for the other end too", async () => {
  const neighbourhood = new Neighbourhood();
  const slow = character.parse({ place: [114.06, 22.54], extraRttMs: 140 });
  const site = await applied("site", { character: slow, neighbourhood });
  const hub = await applied("hub", {
    character: character.parse({ place: [113.26, 23.13] }),
    neighbourhood,
  });
  await site.measures();
  const [there] = await hub.measures();
  expect(there?.rttMs).toBeGreaterThan(140);
  expect((await site.measures())[0]?.rttMs).toBe(there?.rttMs);
});

test("faults show in the metrics", async () => {
  const bad = await applied("box", {
    character: character.parse({ lossPercent: 5, extraRttMs: 200 }),
  });
  const good = await applied("box", {});
  const [one] = await bad.measures();
  const [other] = await good.measures();
  expect(one?.rttMs).toBeCloseTo((other?.rttMs ?? 0) + 200, 1);
  expect(one?.lossPercent).toBeGreaterThan((other?.lossPercent ?? 0) + 2);
});

test("of a link whose other end is only starting with the device nothing is said, and then that it is down", async () => {
  const clock = new VirtualClock();
  const process = clock.process().clock;
  const neighbourhood = new Neighbourhood(process.monotonic() + 10_000);
  const site = await applied("site", { neighbourhood }, process);
  expect(await site.measures()).toEqual([]);
  expect([...site.verdicts()]).toEqual([]);
  await clock.advance(10_000);
  const downs = (await site.measures()).map(({ up }) => up);
  expect(downs).toEqual([false, false, false]);
  expect(new Set(site.verdicts().values())).toEqual(new Set([false]));
});

/** A device of that character with its first state confirmed; the scene is played on its clock. */
const confirmed = async (traits: object) => {
  const world = new World();
  world.healsDrift = false;
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  let isStopped = false;
  const edge = {
    stop: async () => {
      isStopped = true;
    },
  };
  /** Starts the device and its scene. */
  const start = async (): Promise<void> => {
    const store = await openStore(world.disk.open());
    await world.start();
    const { clock } = world.clock.process();
    const scene = { clock, store, machine: world.machine, edge };
    void runIncidents(character.parse(traits), scene, new AbortController().signal);
  };
  await start();
  await world.pass(10);
  expect(world.gateway.confirmed.length).toBe(1);
  return { world, start, isStopped: () => isStopped };
};

test("a device that leaves stops a while after its state was confirmed", async () => {
  const { world, isStopped } = await confirmed({ leaves: true });
  expect(isStopped()).toBe(false);
  await world.pass(30);
  expect(isStopped()).toBe(true);
});

test("a device that drifts reports it and is not healed", async () => {
  const { world } = await confirmed({ drifts: true });
  expect(world.gateway.of("heartbeat").at(-1)?.drift?.steps ?? 0).toBe(0);
  await world.pass(90);
  expect(world.gateway.of("heartbeat").at(-1)?.drift?.steps).toBe(1);
});

test("a device that drifts does so from its first heartbeat on when it is started again", async () => {
  const { world, start } = await confirmed({ drifts: true });
  await world.pass(90);
  world.kill(true);
  const before = world.gateway.of("heartbeat").length;
  await start();
  await world.pass(60);
  const steps = world.gateway.of("heartbeat").slice(before);
  expect(new Set(steps.map(({ drift }) => drift?.steps))).toEqual(new Set([1]));
});
