/** States of megabytes by lines that take minutes to carry them. */
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { partsOf } from "@weft/contract/device/v1/space.ts";
import { expect, test } from "vitest";
import { type Published, publish } from "../../test/gateway.ts";
import { cpeState } from "../../test/states.ts";
import { World } from "../../test/world.ts";
import { KeptSections, type ReceivedSection } from "./fetch.ts";

const networks = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `10.${100 + (at >> 8)}.${at & 255}.0/24`).sort();
const stateOf = (count: number, serial: number, isDivided: boolean): Published =>
  publish(
    { ...cpeState(), spaces: [{ spaceId: 3, netns: null, networks: networks(count) }] },
    { epoch: 1, serial },
    isDivided,
  );
const indexOf = ({ head, contents }: Published): readonly string[] =>
  partsOf("space.3", contents.get(head.sections["space.3"] ?? ""));

/** A device with a small state. */
const started = async (): Promise<World> => {
  const world = new World();
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  await world.start();
  await world.pass(10);
  return world;
};
const asked = (world: World, from: number): string[][] =>
  world.gateway
    .of("need")
    .slice(from)
    .map(({ sections }) => sections);

test("a section that takes two minutes arrives by one connection, and is asked for once", async () => {
  const world = await started();
  const before = world.gateway.of("need").length;
  const { length } = world.gateway.of("report");
  const large = stateOf(20_000, 2, false);
  const bytes = canonicalJson(large.contents.get(large.head.sections["space.3"] ?? "")).length;
  world.network.bytesPerSecond = bytes / 120;
  world.gateway.want(large);
  await world.pass(300);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  expect(asked(world, before)).toHaveLength(1);
  // Each connection begins with one; another one says that the state runs.
  expect(world.gateway.of("report").length).toBe(length + 1);
});

test("what came before a connection was lost is not asked for again", async () => {
  const world = await started();
  const before = world.gateway.of("need").length;
  const large = stateOf(20_000, 2, true);
  const parts = indexOf(large);
  world.network.bytesPerSecond = 6_000;
  world.gateway.want(large);
  await world.pass(40);
  world.network.closeAll();
  await world.pass(20);
  const [head, all, rest] = asked(world, before);
  expect(head).toContain(large.head.sections["space.3"]);
  expect([...(all ?? [])].sort()).toEqual([...parts].sort());
  expect(rest?.length).toBeGreaterThan(0);
  expect(rest?.length).toBeLessThan(parts.length);
  expect(parts).toEqual(expect.arrayContaining(rest ?? []));
  world.network.bytesPerSecond = Number.POSITIVE_INFINITY;
  await world.pass(60);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
});

test("nor is what a newer state has in common with the one that was on its way", async () => {
  const world = await started();
  const before = world.gateway.of("need").length;
  const parts = indexOf(stateOf(20_000, 2, true));
  world.network.bytesPerSecond = 6_000;
  world.gateway.want(stateOf(20_000, 2, true));
  await world.pass(40);
  const { length } = asked(world, before);
  const newer = stateOf(20_001, 3, true);
  world.gateway.desired = newer;
  world.network.closeAll();
  world.network.bytesPerSecond = Number.POSITIVE_INFINITY;
  await world.pass(60);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 3 });
  const again = asked(world, before).slice(length).flat();
  expect(again).toContain(newer.head.sections["space.3"]);
  expect(again.length).toBeLessThan(parts.length);
});

test("of what is kept the latest stays, as far as there is room", () => {
  const kept = new KeptSections(25);
  const contents = (...hashes: string[]) =>
    new Map<string, ReceivedSection>(
      hashes.map((hash) => [hash, { content: hash, text: JSON.stringify(hash.padEnd(8)) }]),
    );
  kept.keep({ contents: contents("a", "b") });
  kept.keep({ contents: contents("b", "c") });
  const fetch = { missing: new Set(["a", "b", "c", "d"]), contents: new Map() };
  kept.give(fetch);
  expect([...fetch.missing]).toEqual(["a", "d"]);
  expect(fetch.contents.get("c")).toEqual({ content: "c       ", text: '"c       "' });
  kept.clear();
  const later = { missing: new Set(["b"]), contents: new Map() };
  kept.give(later);
  expect([...later.missing]).toEqual(["b"]);
});
