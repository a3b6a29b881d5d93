/** Networks of a space in parts (ADR 0037): what a device asks for, and that a state acts only with the whole list. */
import { partsOf } from "@weft/contract/device/v1/space.ts";
import { expect, test } from "vitest";
import { type Published, publish } from "../../test/gateway.ts";
import { cpeState } from "../../test/states.ts";
import { World } from "../../test/world.ts";

const networks = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `10.${100 + (at >> 8)}.${at & 255}.0/24`).sort();
const stateOf = (list: readonly string[], serial: number, isDivided = true): Published =>
  publish(
    { ...cpeState(), spaces: [{ spaceId: 3, netns: null, networks: [...list] }] },
    { epoch: 1, serial },
    isDivided,
  );
const indexOf = ({ head, contents }: Published): readonly string[] =>
  partsOf("space.3", contents.get(head.sections["space.3"] ?? ""));

const all = networks(1_000);
const first = stateOf(all, 1);
const second = stateOf([...all, "10.99.0.0/24"].sort(), 2);

const started = async (published: Published): Promise<World> => {
  const world = new World();
  world.gateway.desired = published;
  await world.start();
  await world.pass(10);
  return world;
};
const keptSections = (world: World): string[] =>
  world.disk
    .names()
    .filter((name) => name.startsWith("section."))
    .map((name) => name.slice("section.".length))
    .sort();

test("a device without any part requests all of them and stores what the whole list has", async () => {
  const world = await started(first);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 1 });
  const [sections, parts] = world.gateway.of("need").map((need) => need.sections);
  expect(sections).toHaveLength(Object.keys(first.head.sections).length);
  expect([...(parts ?? [])].sort()).toEqual([...indexOf(first)].sort());
  const other = await started(stateOf(all, 1, false));
  expect(world.applied()).toEqual(other.applied());
});

test("for another list it requests the index and new parts, and removes old ones", async () => {
  const world = await started(first);
  const before = world.gateway.of("need").length;
  world.gateway.want(second);
  await world.pass(10);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  const asked = world.gateway.of("need").slice(before);
  const known = new Set(indexOf(first));
  expect(asked.map(({ sections }) => sections)).toEqual([
    [second.head.sections["space.3"]],
    indexOf(second).filter((hash) => !known.has(hash)),
  ]);
  expect(asked[1]?.sections.length).toBeLessThanOrEqual(2);
  expect(keptSections(world)).toEqual(
    [...new Set([...Object.values(second.head.sections), ...indexOf(second)])].sort(),
  );
});

test("it names what it has of the missing sections, and is given the difference", async () => {
  const world = await started(first);
  const before = world.gateway.of("need").length;
  world.gateway.want(second);
  await world.pass(10);
  const known = new Set(indexOf(first));
  const [index, parts] = world.gateway.of("need").slice(before);
  const [section = ""] = index?.sections ?? [];
  expect(index?.bases).toEqual({ [section]: first.head.sections["space.3"] });
  const [[part, base] = []] = Object.entries(parts?.bases ?? {});
  expect(parts?.sections).toContain(part);
  expect(known.has(base ?? "")).toBe(true);
  expect(indexOf(second)).not.toContain(base);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  const full = await started(second);
  expect(world.applied()).toEqual(full.applied());
  expect(keptSections(world)).toEqual(keptSections(full));
});

test("a delta that does not give its section changes nothing, and the section is requested in full", async () => {
  const world = await started(first);
  const applied = world.applied();
  const before = world.gateway.of("need").length;
  world.gateway.spoilsDeltas = true;
  world.gateway.want(second);
  await world.pass(10);
  expect(world.applied()).not.toEqual(applied);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  const asked = world.gateway.of("need").slice(before);
  expect(asked.map(({ bases }) => bases !== undefined)).toEqual([true, false, false]);
  expect(asked[1]?.sections).toEqual(asked[0]?.sections);
});

test("of several deltas that do not give their sections all are requested in full once", async () => {
  const world = new World();
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  await world.start();
  await world.pass(10);
  const before = world.gateway.of("need").length;
  world.gateway.spoilsDeltas = true;
  const state = cpeState({ gateway: "100.64.1.9" });
  const { routes } = state.static;
  const changed = {
    ...state,
    static: { routes: routes.map((route) => ({ ...route, metric: 7 })) },
  };
  world.gateway.want(publish(changed, { epoch: 1, serial: 2 }));
  await world.pass(10);
  const asked = world.gateway.of("need").slice(before);
  expect(Object.keys(asked[0]?.bases ?? {}).length).toBeGreaterThan(1);
  expect(asked.map(({ bases }) => bases !== undefined)).toEqual([true, false]);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
});

test("what the disk does not give is requested in full", async () => {
  const world = await started(first);
  const before = world.gateway.of("need").length;
  world.disk.damage(`section.${first.head.sections["space.3"]}`);
  world.gateway.want(second);
  await world.pass(10);
  expect(world.gateway.of("need")[before]?.bases).toBeUndefined();
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
});

test("a controller that does not read bases is sent none", async () => {
  const world = new World();
  world.gateway.accepts = false;
  world.gateway.desired = first;
  await world.start();
  await world.pass(10);
  world.gateway.want(second);
  await world.pass(10);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  expect(world.gateway.of("need").filter(({ bases }) => bases !== undefined)).toEqual([]);
});

test("while a part is missing the state before acts with its own list", async () => {
  const world = await started(first);
  const before = world.applied();
  const known = new Set(indexOf(first));
  const [lacking = ""] = indexOf(second).filter((hash) => !known.has(hash));
  const contents = new Map(second.contents);
  const part = contents.get(lacking);
  contents.delete(lacking);
  world.gateway.want({ head: second.head, contents });
  await world.pass(20);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 1 });
  expect(world.applied()).toEqual(before);
  contents.set(lacking, part);
  await world.pass(60);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
});

test("a part that does not match its hash is refused, and nothing is changed", async () => {
  const world = await started(first);
  const before = world.applied();
  const known = new Set(indexOf(first));
  const contents = new Map(second.contents);
  for (const hash of indexOf(second))
    if (!known.has(hash)) contents.set(hash, { networks: ["10.0.0.0/8"] });
  world.gateway.want({ head: second.head, contents });
  await world.pass(10);
  expect(world.gateway.of("outcome").at(-1)).toMatchObject({ serial: 2, outcome: "refused" });
  expect(world.applied()).toEqual(before);
});

test("the list comes from the disk after a restart without a controller, and a damaged part is fetched again", async () => {
  const world = await started(first);
  const before = world.applied();
  world.network.isCut = true;
  world.kill();
  await world.start();
  await world.pass(10);
  expect(world.applied()).toEqual(before);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 1 });
  const kept = indexOf(second).find((hash) => indexOf(first).includes(hash));
  world.disk.damage(`section.${kept}`);
  world.network.isCut = false;
  world.gateway.want(second);
  await world.pass(70);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
});

test("a device takes the list in either form, one after the other", async () => {
  const world = await started(stateOf(all, 1, false));
  const acting = world.applied();
  world.gateway.want(stateOf(all, 2));
  await world.pass(10);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  expect(world.applied()).toEqual(acting);
  world.gateway.want(stateOf(all, 3, false));
  await world.pass(10);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 3 });
  expect(world.applied()).toEqual(acting);
});
