import { expect, test } from "vitest";
import type { StandbyState } from "#drivers/driver.ts";
import { publish } from "../../test/gateway.ts";
import { cpeState } from "../../test/states.ts";
import { World } from "../../test/world.ts";

test("the place in the group is reported when it changes, and again on a new connection", async () => {
  const world = new World();
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  let state: StandbyState | null = null;
  world.machine.standby = () => state;
  await world.start();
  await world.pass(10);
  const places = () => world.gateway.of("standby").map(({ place }) => place);
  expect(places()).toEqual([]);
  state = { place: "standby", since: 0 };
  await world.pass(10);
  expect(places()).toEqual(["standby"]);
  expect(world.gateway.of("standby")[0]?.forMs).toBeGreaterThan(0);
  world.gateway.drop();
  await world.pass(60);
  expect(places()).toEqual(["standby", "standby"]);
  state = { place: "active", since: 0 };
  await world.pass(10);
  state = null;
  await world.pass(10);
  expect(places().slice(2)).toEqual(["active", null]);
});

test("a controller of an earlier version gets none", async () => {
  const world = new World();
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  world.gateway.accepts = false;
  world.machine.standby = () => ({ place: "active", since: 0 });
  await world.start();
  await world.pass(60);
  expect(world.gateway.of("standby")).toEqual([]);
});
