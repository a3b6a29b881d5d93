import type { DriftPolicy } from "@weft/contract/domains/devices/enums.ts";
import { expect, test } from "vitest";
import { publish } from "../../test/gateway.ts";
import { cpeState } from "../../test/states.ts";
import { World } from "../../test/world.ts";
import { DriftWatch } from "./drift.ts";

const stateWith = (drift?: DriftPolicy) => ({
  ...cpeState(),
  ...(drift && { system: { restartAt: null, drift } }),
});
const first = publish(stateWith(), { epoch: 1, serial: 1 });

/** A device that runs this state, confirmed. */
const running = async (state = first, healsDrift = true): Promise<World> => {
  const world = new World();
  world.healsDrift = healsDrift;
  world.gateway.desired = state;
  await world.start();
  await world.pass(10);
  expect(world.edge?.status).toMatchObject({ connected: true, running: { epoch: 1, serial: 1 } });
  return world;
};

/** Removes on the device what this driver made. */
const takeAway = (world: World, driver: string) =>
  world.machine.drivers.find(({ name }) => name === driver)?.applied.clear();

test("drift is reported, and healed when it is there at the second check", async () => {
  const world = await running();
  await world.pass(20);
  expect(world.gateway.of("heartbeat").at(-1)?.drift).toMatchObject({ steps: 0 });
  const before = world.applied();
  world.machine.drivers.find(({ name }) => name === "tunnel")?.applied.clear();
  await world.pass(15);
  expect(world.edge?.status.drift).toEqual(["tunnel: set link wl1"]);
  await world.pass(16);
  const reported = world.gateway.of("heartbeat").find(({ drift }) => drift?.steps === 1);
  expect(reported?.drift?.plan).toEqual(["tunnel: set link wl1"]);
  expect(world.gateway.of("heartbeat")[0]?.drift?.plan).toBeUndefined();
  expect(world.applied()).toEqual(before);
  expect(world.log.filter(({ text }) => text === "drift healed").length).toBe(1);
  expect(world.edge?.status.drift).toEqual([]);
});

test("with the policy flag drift is shown and left", async () => {
  const world = new World();
  world.healsDrift = false;
  world.gateway.desired = first;
  await world.start();
  await world.pass(20);
  world.machine.drivers.find(({ name }) => name === "routing")?.applied.clear();
  await world.pass(90);
  expect(world.edge?.status.drift?.length).toBe(2);
  expect(world.applied().routing).toEqual({});
});

test.each([
  ["flag", true, false],
  ["heal", false, true],
] as const)(
  "the running state's policy %s takes precedence over the device's own setting",
  async (drift, healsDrift, isHealed) => {
    const world = await running(publish(stateWith(drift), { epoch: 1, serial: 1 }), healsDrift);
    const before = world.applied();
    takeAway(world, "tunnel");
    await world.pass(60);
    expect(world.edge?.status.drift).toEqual(isHealed ? [] : ["tunnel: set link wl1"]);
    if (isHealed) expect(world.applied()).toEqual(before);
    else expect(world.applied().tunnel).toEqual({});
  },
);

test("IPv6 of a link that dies undoes no change by hand that the policy leaves", async () => {
  const world = new World();
  const dead = new Set<number>();
  Object.assign(world.machine, { deadIpv6: () => dead });
  world.gateway.desired = publish(stateWith("flag"), { epoch: 1, serial: 1 });
  await world.start();
  await world.pass(30);
  takeAway(world, "tunnel");
  await world.pass(30);
  expect(world.edge?.status.drift).toEqual(["tunnel: set link wl1"]);
  for (const { links } of cpeState().tunnels) for (const { id } of links) dead.add(id);
  await world.pass(60);
  expect(world.edge?.status.drift).toEqual(["tunnel: set link wl1"]);
  expect(world.applied().tunnel).toEqual({});
});

test("an operator's check lists each step immediately and corrects only on request", async () => {
  const world = await running(publish(stateWith("flag"), { epoch: 1, serial: 1 }));
  const before = world.applied();
  takeAway(world, "tunnel");
  world.gateway.command({ kind: "drift", heal: false }, 1);
  await world.pass(1);
  world.gateway.command({ kind: "drift", heal: true }, 2);
  await world.pass(1);
  world.gateway.command({ kind: "drift", heal: true }, 3);
  await world.pass(1);
  const steps = ["tunnel: set link wl1"];
  const answer = { type: "answer", outcome: "done", reason: null } as const;
  expect(world.gateway.of("answer")).toEqual([
    { ...answer, id: 1, result: { count: 1, steps, healed: false } },
    { ...answer, id: 2, result: { count: 1, steps, healed: true } },
    { ...answer, id: 3, result: { count: 0, steps: [], healed: false } },
  ]);
  expect(world.applied()).toEqual(before);
  expect(world.edge?.status.drift).toEqual([]);
});

test("while another state is on its way a check is refused: the machine is meant to differ", async () => {
  const world = await running();
  world.gateway.refuseConfirm = "busy";
  world.gateway.want(publish(cpeState({ links: 2 }), { epoch: 1, serial: 2 }));
  await world.pass(5);
  world.gateway.command({ kind: "drift", heal: true });
  await world.pass(2);
  expect(world.gateway.of("answer")).toMatchObject([{ outcome: "refused", result: null }]);
});

/** A device whose machine says when something was changed, and names what is in the way. */
const watched = async () => {
  const world = new World();
  let changed = (): void => undefined;
  const strangers: string[] = [];
  let checks = 0;
  Object.assign(world.machine, {
    watchKernel: (notify: () => void) => {
      changed = notify;
      return () => undefined;
    },
    strangers: async () => {
      checks += 1;
      return [...strangers];
    },
  });
  world.gateway.desired = first;
  await world.start();
  await world.pass(10);
  return { world, strangers, change: () => changed(), checks: () => checks };
};

test("a change by hand is seen within a second and healed within two", async () => {
  const { world, change } = await watched();
  const before = world.applied();
  takeAway(world, "tunnel");
  change();
  await world.pass(0.9);
  const reported = world.gateway.of("heartbeat").filter(({ drift }) => drift?.steps === 1);
  expect(reported[0]?.drift?.plan).toEqual(["tunnel: set link wl1"]);
  await world.pass(1);
  expect(world.applied()).toEqual(before);
  expect(world.gateway.of("heartbeat").at(-1)?.drift?.steps).toBe(0);
});

test("what another program puts in the way is reported by name, and nothing is healed for it", async () => {
  const { world, strangers, change } = await watched();
  strangers.push("foreign: route 10.9.1.0/24 of another program shadows 10.9.0.0/16");
  change();
  await world.pass(1);
  expect(world.gateway.of("heartbeat").at(-1)?.drift?.plan).toEqual(strangers);
  await world.pass(60);
  expect(world.log.filter(({ text }) => text === "drift healed")).toEqual([]);
});

test("a machine that changes all the time is not looked at all the time", async () => {
  const { world, change, checks } = await watched();
  const before = checks();
  for (let times = 0; times < 600; times += 1) {
    change();
    await world.pass(0.1);
  }
  expect(checks() - before).toBeGreaterThan(5);
  expect(checks() - before).toBeLessThan(35);
});

test("hints that come while the machine is busy lead to one check after it", async () => {
  const world = new World();
  const { clock } = world.clock.process();
  let checks = 0;
  let free = (): void => undefined;
  const busy = new Promise<void>((resolve) => {
    free = resolve;
  });
  let last: Promise<unknown> = busy;
  const drift = new DriftWatch({
    clock,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    machine: world.machine,
    reconciler: {
      isBusy: true,
      running: null,
      found: () => undefined,
      exclusive: (work) => {
        const next = last.then(() => {
          checks += 1;
          return work();
        });
        last = next;
        return next;
      },
    },
    heals: true,
    changed: () => undefined,
  });
  for (let times = 0; times < 100; times += 1) {
    drift.hint();
    await world.pass(0.2);
  }
  free();
  await world.pass(20);
  expect(checks).toBe(1);
});

test("two programs that undo each other's work do so at a bounded rate", async () => {
  const { world, change } = await watched();
  const heals = () => world.log.filter(({ text }) => text === "drift healed").length;
  let last = heals();
  takeAway(world, "tunnel");
  change();
  await world.pass(1);
  expect(heals()).toBe(last + 1);
  // The other one answers each heal within a tenth of a second.
  for (let times = 0; times < 6_000; times += 1) {
    if (heals() > last) {
      last = heals();
      takeAway(world, "tunnel");
      change();
    }
    await world.pass(0.1);
  }
  // Ten minutes, with the checks that are made anyway.
  expect(last).toBeGreaterThan(20);
  expect(last).toBeLessThan(150);
});

test("a machine that reports changes is checked once a minute, and sooner while there is drift", async () => {
  const { world, checks } = await watched();
  Object.assign(world.machine, { checkMs: 60_000 });
  world.kill();
  await world.start();
  await world.pass(30);
  const before = checks();
  await world.pass(240);
  expect(checks() - before).toBeGreaterThanOrEqual(3);
  expect(checks() - before).toBeLessThanOrEqual(5);
  // Something that the machine does not report.
  takeAway(world, "tunnel");
  await world.pass(90);
  expect(world.edge?.status.drift).toEqual([]);
  expect(Object.keys(world.applied().tunnel ?? {})).toEqual(["link wl1"]);
});
