import { expect, test } from "vitest";
import { publish } from "../../test/gateway.ts";
import { cpeState } from "../../test/states.ts";
import { World } from "../../test/world.ts";

const lease = (name: string) => ({
  address: "10.1.7.128",
  mac: "02:00:00:00:00:07",
  name,
  until: 1_795_392_000_000,
});

test("leases are reported when they change, again on a new connection, and when the last ended", async () => {
  const world = new World();
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  let items = [lease("till-7")].slice(1);
  world.machine.hostLeases = () => ({ items, total: items.length });
  await world.start();
  await world.pass(30);
  const reported = () => world.gateway.of("leases").map((one) => one.items.map(({ name }) => name));
  expect(reported()).toEqual([]);
  items = [lease("till-7")];
  await world.pass(30);
  expect(reported()).toEqual([["till-7"]]);
  world.gateway.drop();
  await world.pass(60);
  expect(reported()).toEqual([["till-7"], ["till-7"]]);
  items = [];
  await world.pass(30);
  expect(reported().slice(2)).toEqual([[]]);
});

test("a controller of an earlier version gets no leases", async () => {
  const world = new World();
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  world.gateway.accepts = false;
  world.machine.hostLeases = () => ({ items: [lease("till-7")], total: 1 });
  await world.start();
  await world.pass(60);
  expect(world.gateway.of("leases")).toEqual([]);
});
