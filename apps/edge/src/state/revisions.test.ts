/** Later lists of networks for the state that runs (docs/adr/0047-state-revisions.md). */
import { expect, test } from "vitest";
import { type Published, publish } from "../../test/gateway.ts";
import { cpeState } from "../../test/states.ts";
import { World } from "../../test/world.ts";

const networks = Array.from({ length: 600 }, (_, at) => `10.${100 + (at >> 8)}.${at & 255}.0/24`);
/** A state with so many networks more, or a revision of it. */
const stateOf = (more: number, serial: number, revision?: number): Published => {
  const added = Array.from({ length: more }, (_, at) => `10.99.${at}.0/24`);
  const space = { spaceId: 3, netns: null, networks: [...networks, ...added].sort() };
  const id = revision === undefined ? { epoch: 1, serial } : { epoch: 1, serial, revision };
  return publish({ ...cpeState(), spaces: [space] }, id, true);
};
const first = stateOf(0, 1);
const revised = stateOf(1, 1, 4);

const started = async (published: Published = first): Promise<World> => {
  const world = new World();
  world.gateway.desired = published;
  await world.start();
  await world.pass(10);
  return world;
};
/** What a machine has that was given this as a state. */
const actingBy = async (published: Published) => (await started(published)).applied();
const outcomes = (world: World) =>
  world.gateway
    .of("outcome")
    .map(({ serial, revision, outcome }) => `${serial}.${revision ?? 0} ${outcome}`);
const newestDigest = (world: World) => world.gateway.of("heartbeat").at(-1)?.running?.digest;

test("a revision is fetched, applied and confirmed as a state is, and the state stays the one that runs", async () => {
  const world = await started();
  const [needs, before] = [world.gateway.of("need").length, newestDigest(world)];
  world.gateway.revise(revised);
  await world.pass(30);
  expect(world.gateway.confirmed.at(-1)).toEqual({ epoch: 1, serial: 1, revision: 4 });
  expect(world.applied()).toEqual(await actingBy(stateOf(1, 2)));
  expect(outcomes(world)).toEqual(["1.0 applied", "1.4 applied"]);
  const asked = world.gateway.of("need").slice(needs);
  expect(asked.map(({ revision, sections }) => [revision, sections.length])).toEqual([
    [4, 1],
    [4, expect.toBeOneOf([1, 2])],
  ]);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 1 });
  expect(newestDigest(world)).not.toBe(before);
});

test("it stays over a restart without a controller, and the next revision and the next state follow it", async () => {
  const world = await started();
  world.gateway.revise(revised);
  await world.pass(10);
  const acting = world.applied();
  world.network.isCut = true;
  world.kill(true);
  await world.start();
  await world.pass(10);
  expect(world.applied()).toEqual(acting);
  world.network.isCut = false;
  await world.pass(70);
  world.gateway.revise(stateOf(2, 1, 5));
  await world.pass(10);
  expect(world.applied()).toEqual(await actingBy(stateOf(2, 2)));
  world.gateway.want(stateOf(0, 2));
  await world.pass(10);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  expect(world.applied()).toEqual(await actingBy(first));
});

test("one that is not confirmed is rolled back to the lists before, and reported with its number", async () => {
  const world = await started();
  world.gateway.revise(revised);
  await world.pass(10);
  const acting = world.applied();
  world.network.refusesNew = true;
  world.tunnelsAnswer = false;
  world.gateway.revise(stateOf(2, 1, 5));
  await world.pass(30);
  expect(world.applied()).not.toEqual(acting);
  await world.pass(60);
  expect(world.applied()).toEqual(acting);
  world.network.refusesNew = false;
  await world.pass(120);
  expect(outcomes(world).at(-1)).toBe("1.5 reverted");
  expect(world.disk.names()).not.toContain("outcome.json");
  world.gateway.revise(stateOf(3, 1, 6));
  await world.pass(10);
  expect(world.gateway.confirmed.at(-1)).toEqual({ epoch: 1, serial: 1, revision: 6 });
});

test("an earlier revision and one of a state that does not run change nothing", async () => {
  const world = await started();
  world.gateway.revise(revised);
  await world.pass(10);
  const acting = world.applied();
  world.gateway.revise(stateOf(5, 1, 3));
  world.gateway.revise(stateOf(5, 2, 9));
  await world.pass(20);
  expect(world.applied()).toEqual(acting);
  expect(outcomes(world)).toEqual(["1.0 applied", "1.4 applied"]);
});

test("one that comes while another state is under way is taken when that state fails", async () => {
  const world = await started();
  let isBroken = true;
  world.beforeStep = (step) => {
    if (!isBroken || step.driver !== "tunnel") return;
    isBroken = false;
    world.gateway.revise(revised);
    throw new Error("no tunnel");
  };
  world.gateway.want(publish(cpeState({ links: 2 }), { epoch: 1, serial: 2 }));
  await world.pass(20);
  expect(outcomes(world)).toContain("2.0 failed");
  expect(world.gateway.confirmed.at(-1)).toEqual({ epoch: 1, serial: 1, revision: 4 });
  expect(world.applied()).toEqual(await actingBy(stateOf(1, 2)));
});

test("a controller that knows no revisions is sent none of their outcomes", async () => {
  const world = await started();
  world.network.refusesNew = true;
  world.tunnelsAnswer = false;
  world.gateway.revise(revised);
  await world.pass(30);
  world.network.isCut = true;
  world.network.closeAll();
  await world.pass(60);
  world.gateway.accepts = false;
  world.gateway.desired = first;
  world.network.isCut = false;
  world.network.refusesNew = false;
  await world.pass(120);
  expect(world.gateway.isConnected).toBe(true);
  expect(outcomes(world)).toEqual(["1.0 applied", "1.4 applied"]);
  expect(world.disk.names()).toContain("outcome.json");
  world.gateway.accepts = true;
  world.gateway.drop();
  await world.pass(70);
  expect(outcomes(world).at(-1)).toBe("1.4 reverted");
});
