import { expect, test } from "vitest";
import { publish } from "../../test/gateway.ts";
import { cpeState } from "../../test/states.ts";
import { World } from "../../test/world.ts";

const silent = { ...cpeState(), system: { restartAt: null, byteRecords: false as const } };
const rate = { inRate: 1_000, outRate: 500 };

/** A device whose link and WAN link carry traffic. */
const worldOf = async (): Promise<World> => {
  const world = new World();
  const quality = { rttMs: 9, jitterMs: 1, lossPercent: 0 };
  world.machine.measures = async () => [{ id: 1, up: true, ...quality, ...rate }];
  world.machine.metrics = async () => ({
    lines: [{ interfaceName: "wan1", ...rate }],
    cpuPercent: 3,
    memoryPercent: 4,
  });
  world.gateway.storesMetrics = true;
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  await world.start();
  return world;
};

/** What it reports last of its links and WAN links. */
const reported = async (world: World) => {
  await world.pass(60);
  const { links, lines } = world.gateway.of("metrics").at(-1) ?? {};
  return { live: world.gateway.of("measures").at(-1)?.links, links, lines };
};

test("a device reports the bytes of its links and WAN links, and none while its site keeps no records of them", async () => {
  const world = await worldOf();
  const all = await reported(world);
  expect(all.live).toMatchObject([rate]);
  expect(all.links).toMatchObject([rate]);
  expect(all.lines).toEqual([{ interfaceName: "wan1", ...rate }]);
  world.gateway.want(publish(silent, { epoch: 1, serial: 2 }));
  const none = { inRate: null, outRate: null };
  const kept = await reported(world);
  // Quality is measured and reported all the same.
  expect(kept.live).toMatchObject([{ rttMs: 9, lossPercent: 0, ...none }]);
  expect(kept.links).toMatchObject([{ rttMs: 9, lossPercent: 0, ...none }]);
  expect(kept.lines).toEqual([]);
  expect(world.gateway.of("metrics").at(-1)).toMatchObject({ cpuPercent: 3 });
  world.gateway.want(publish(cpeState(), { epoch: 1, serial: 3 }));
  expect(await reported(world)).toMatchObject({ live: [rate], links: [rate], lines: [rate] });
});
