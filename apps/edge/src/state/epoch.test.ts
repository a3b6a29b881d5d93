import { expect, test } from "vitest";
import { publish } from "../../test/gateway.ts";
import { cpeState } from "../../test/states.ts";
import { World } from "../../test/world.ts";

const late = publish(cpeState({ links: 3 }), { epoch: 1, serial: 9 });
const restored = publish(cpeState({ links: 2 }), { epoch: 2, serial: 4 });

/** A device that runs serial 9 of epoch 1, which a backup of yesterday knows nothing of. */
const ahead = async (): Promise<World> => {
  const world = new World();
  world.gateway.desired = late;
  await world.start();
  await world.pass(10);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 9 });
  return world;
};

/** The controller's restore: another epoch, and the state that it compiles in it. */
const restore = (world: World): void => {
  world.gateway.epoch = 2;
  world.gateway.desired = restored;
  world.network.closeAll();
};

test("a device takes a lower serial from a controller that signed a higher epoch", async () => {
  const world = await ahead();
  restore(world);
  await world.pass(30);
  expect(world.edge?.status.running).toEqual({ epoch: 2, serial: 4 });
  expect(Object.keys(world.applied().tunnel ?? {})).toEqual(["link wl1", "link wl2"]);
  expect(world.gateway.confirmed.at(-1)).toEqual({ epoch: 2, serial: 4 });
});

test("an epoch that is not the signed one is no welcome, and nothing is taken over", async () => {
  const world = await ahead();
  world.gateway.signedEpoch = 1;
  restore(world);
  await world.pass(120);
  expect(world.edge?.status).toMatchObject({
    connected: false,
    running: { epoch: 1, serial: 9 },
  });
});

test("a lower serial in the same epoch is left aside", async () => {
  const world = await ahead();
  world.gateway.want(publish(cpeState({ links: 1 }), { epoch: 1, serial: 8 }));
  await world.pass(30);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 9 });
});

test("the controller from before the restore is refused, also after a restart", async () => {
  const world = await ahead();
  restore(world);
  await world.pass(30);
  world.gateway.epoch = 1;
  world.gateway.desired = publish(cpeState({ links: 4 }), { epoch: 1, serial: 99 });
  world.network.closeAll();
  await world.pass(90);
  expect(world.edge?.status.connected).toBe(false);
  world.kill();
  await world.start();
  await world.pass(90);
  expect(world.edge?.status).toMatchObject({
    connected: false,
    running: { epoch: 2, serial: 4 },
  });
  world.gateway.epoch = 2;
  world.gateway.desired = restored;
  await world.pass(90);
  expect(world.edge?.status.connected).toBe(true);
});

test("a new epoch is kept before any state of it came", async () => {
  const world = await ahead();
  world.gateway.epoch = 2;
  world.network.closeAll();
  await world.pass(30);
  world.kill(true);
  world.gateway.epoch = 1;
  await world.start();
  await world.pass(60);
  expect(world.edge?.status.connected).toBe(false);
});
