import { expect, test } from "vitest";
import { publish } from "../../test/gateway.ts";
import { cpeState, nothingApplied } from "../../test/states.ts";
import { World } from "../../test/world.ts";

const first = publish(cpeState(), { epoch: 1, serial: 1 });
const second = publish(cpeState({ links: 2, gateway: "100.64.1.9" }), { epoch: 1, serial: 2 });

interface Ending {
  readonly applied: unknown;
  readonly serial: number | undefined;
}

const deviceWith = async (state: typeof first | null): Promise<World> => {
  const world = new World();
  world.gateway.desired = state;
  await world.start();
  await world.pass(10);
  return world;
};

const endingOf = (world: World): Ending => ({
  applied: world.applied(),
  serial: world.edge?.status.running?.serial,
});

const isIn = (ending: Ending, allowed: readonly Ending[]): boolean =>
  allowed.some((one) => JSON.stringify(one) === JSON.stringify(ending));

/** The states without any fault: those that a crash may end in. */
const undisturbed = async (): Promise<readonly [before: Ending, after: Ending]> => {
  const world = await deviceWith(first);
  const before = endingOf(world);
  world.gateway.want(second);
  await world.pass(10);
  return [before, endingOf(world)];
};

/** Changes of the disk while the second state is delivered, from its head to its confirmation. */
const changesOfApply = async (): Promise<number> => {
  const world = await deviceWith(first);
  const { changes } = world.disk;
  world.gateway.want(second);
  await world.pass(10);
  return world.disk.changes - changes;
};

const restart = async (world: World, power: boolean): Promise<void> => {
  world.kill(power);
  world.beforeStep = () => {};
  world.network.refusesNew = false;
  await world.start();
  await world.pass(5);
};

/** After the crash: one of the two states, completely; and the second one when it is sent again. */
const expectSound = async (
  world: World,
  states: readonly Ending[],
  where: string,
  wanted = second,
) => {
  expect(isIn(endingOf(world), states), `${where}: ${JSON.stringify(endingOf(world))}`).toBe(true);
  expect(world.disk.names(), where).not.toContain("journal.json");
  await world.pass(130);
  expect(isIn(endingOf(world), states), `${where}, later`).toBe(true);
  world.gateway.want(wanted);
  await world.pass(10);
  expect(endingOf(world), `${where}, sent again`).toEqual(states[1]);
};

test.each([
  { name: "the program is killed", power: false },
  { name: "the power goes", power: true },
])("$name at any change of the disk: ends in the old or the new state", async ({ power }) => {
  const states = await undisturbed();
  const count = await changesOfApply();
  expect(count).toBeGreaterThan(20);
  let deaths = 0;
  for (let at = 1; at <= count; at += 1) {
    const world = await deviceWith(first);
    world.disk.dieAt(at);
    world.gateway.want(second);
    await world.pass(10);
    if (!world.isAlive) deaths += 1;
    await restart(world, power);
    await expectSound(world, states, `change ${at} of ${count}`);
  }
  expect(deaths).toBe(count);
});

const listed = (serial: number, count: number, revision?: number) => {
  const networks = Array.from(
    { length: count },
    (_, at) => `10.${100 + (at >> 8)}.${at & 255}.0/24`,
  );
  const state = { ...cpeState(), spaces: [{ spaceId: 3, netns: null, networks }] };
  const id = revision === undefined ? { epoch: 1, serial } : { epoch: 1, serial, revision };
  return publish(state, id, true);
};
/** By the names of their files: what is not whole has another one, with `.tmp` at its end. */
const sectionsOn = ({ disk }: World): Set<string> =>
  new Set(
    disk.names().flatMap((name) => (/^section\.[0-9a-f]{64}$/.test(name) ? [name.slice(8)] : [])),
  );

test.each([
  { name: "the program is killed", power: false },
  { name: "the power goes", power: true },
])(
  "$name at any change of the disk while parts of a list come as deltas: ends whole, and asks for what it lacks only",
  async ({ power }) => {
    const [before, after] = [listed(1, 600), listed(2, 603)];
    const whole = async (): Promise<readonly [World, readonly [Ending, Ending], number]> => {
      const world = await deviceWith(before);
      const [old, { changes }] = [endingOf(world), world.disk];
      world.gateway.want(after);
      await world.pass(10);
      return [world, [old, endingOf(world)], world.disk.changes - changes];
    };
    const [undisturbedWorld, states, count] = await whole();
    // Otherwise nothing of this is about deltas.
    expect(undisturbedWorld.gateway.of("need").some(({ bases }) => bases !== undefined)).toBe(true);
    let deaths = 0;
    for (let at = 1; at <= count; at += 1) {
      const where = `change ${at} of ${count}`;
      const world = await deviceWith(before);
      world.disk.dieAt(at);
      world.gateway.want(after);
      await world.pass(10);
      if (!world.isAlive) deaths += 1;
      world.gateway.received.length = 0;
      world.kill(power);
      const kept = sectionsOn(world);
      await restart(world, power);
      await expectSound(world, states, where, after);
      const requested = world.gateway.of("need").flatMap(({ sections }) => sections);
      expect(
        requested.filter((hash) => kept.has(hash)),
        `${where}, requested although it is there`,
      ).toEqual([]);
    }
    expect(deaths).toBe(count);
  },
);

test.each([
  { name: "the program is killed", power: false },
  { name: "the power goes", power: true },
])(
  "$name at any change of the disk while a revision is applied: ends with the old or the new list",
  async ({ power }) => {
    const before = listed(1, 600);
    const after = listed(1, 603, 2);
    const world = await deviceWith(before);
    const [old, { changes }] = [endingOf(world), world.disk];
    world.gateway.revise(after);
    await world.pass(10);
    const states = [old, endingOf(world)] as const;
    const count = world.disk.changes - changes;
    expect(states[1].applied).not.toEqual(old.applied);
    expect(count).toBeGreaterThan(10);
    let deaths = 0;
    for (let at = 1; at <= count; at += 1) {
      const where = `change ${at} of ${count}`;
      const world = await deviceWith(before);
      world.disk.dieAt(at);
      world.gateway.revise(after);
      await world.pass(10);
      if (!world.isAlive) deaths += 1;
      await restart(world, power);
      expect(isIn(endingOf(world), states), where).toBe(true);
      expect(world.disk.names(), where).not.toContain("journal.json");
      await world.pass(130);
      expect(isIn(endingOf(world), states), `${where}, later`).toBe(true);
      world.gateway.revise(after);
      await world.pass(10);
      expect(endingOf(world), `${where}, sent again`).toEqual(states[1]);
    }
    expect(deaths).toBe(count);
  },
);

test("the program is killed while the rollback is being written: the old state", async () => {
  const states = await undisturbed();
  let deaths = 0;
  for (let at = 1; at <= 60; at += 1) {
    const world = await deviceWith(first);
    world.network.refusesNew = true;
    world.tunnelsAnswer = false;
    world.gateway.want(second);
    await world.pass(30);
    world.disk.dieAt(at);
    await world.pass(40);
    if (world.isAlive) break;
    deaths += 1;
    world.gateway.desired = null;
    await restart(world, false);
    expect(endingOf(world), `change ${at}`).toEqual(states[0]);
    await world.pass(60);
    const reported = world.gateway.of("outcome").filter(({ outcome }) => outcome === "reverted");
    expect(reported.length, `change ${at} is reported`).toBeGreaterThan(0);
  }
  expect(deaths).toBeGreaterThan(5);
});

test("the program is killed in the middle of any step: the old state", async () => {
  const states = await undisturbed();
  for (let at = 1; at <= 5; at += 1) {
    const world = await deviceWith(first);
    let step = 0;
    world.beforeStep = () => {
      step += 1;
      if (step === at) world.kill();
    };
    world.gateway.want(second);
    await world.pass(10);
    expect(world.isAlive, `step ${at}`).toBe(false);
    await restart(world, false);
    expect(endingOf(world), `step ${at}`).toEqual(states[0]);
    const reported = world.gateway.of("outcome").at(-1);
    expect(reported).toMatchObject({ serial: 2, outcome: "reverted", stopped: true });
    expect(reported?.reason).toMatch(/stopped while the state was applying/);
  }
});

test("a state that was rolled back is not applied again before the controller has its report", async () => {
  const states = await undisturbed();
  const world = await deviceWith(first);
  world.network.refusesNew = true;
  world.gateway.want(second);
  await world.pass(30);
  world.network.isCut = true;
  world.network.closeAll();
  await world.pass(60);
  expect(endingOf(world)).toEqual(states[0]);
  world.kill();
  world.gateway.received.length = 0;
  world.network.isCut = false;
  world.network.refusesNew = false;
  // The gateway of this test sends its state after the report, before the outcome arrives.
  await world.start();
  await world.pass(10);
  expect(endingOf(world)).toEqual(states[0]);
  const reported = world.gateway.of("outcome").map(({ outcome }) => outcome);
  expect(reported).toContain("reverted");
  expect(reported).not.toContain("applied");
});

test("a damaged file is never read as its former content", async () => {
  const states = await undisturbed();
  const world = await deviceWith(first);
  world.disk.damage("confirmed.json");
  world.kill();
  world.gateway.desired = second;
  world.network.isCut = true;
  await world.start();
  await world.pass(10);
  // The running state is kept: nothing else is known.
  expect(world.applied()).toEqual(states[0].applied);
  expect(world.edge?.status.running).toBeNull();
  world.network.isCut = false;
  await world.pass(70);
  expect(endingOf(world)).toEqual(states[1]);
});

test("a damaged section is fetched again", async () => {
  const states = await undisturbed();
  const world = await deviceWith(first);
  const [section] = Object.values(first.head.sections);
  world.disk.damage(`section.${section}`);
  world.gateway.want(second);
  await world.pass(10);
  expect(endingOf(world)).toEqual(states[1]);
});

test("with a damaged journal the confirmed state is restored", async () => {
  const states = await undisturbed();
  const world = await deviceWith(first);
  world.network.refusesNew = true;
  world.gateway.want(second);
  await world.pass(10);
  world.disk.damage("journal.json");
  world.gateway.desired = null;
  await restart(world, false);
  expect(endingOf(world)).toEqual(states[0]);
});

test("killed during the very first state: the rollback restores the machine without a state", async () => {
  const world = new World();
  await world.start();
  await world.pass(10);
  world.beforeStep = (step) => {
    if (step.driver === "routing") world.kill();
  };
  world.gateway.want(first);
  await world.pass(5);
  expect(world.isAlive).toBe(false);
  world.gateway.desired = null;
  await restart(world, false);
  expect(world.applied()).toEqual(nothingApplied);
});
