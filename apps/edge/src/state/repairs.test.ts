import { expect, test } from "vitest";
import { publish } from "../../test/gateway.ts";
import { cpeState } from "../../test/states.ts";
import { World } from "../../test/world.ts";

test("what was started again is reported once, and what died out of contact after contact returned", async () => {
  const world = new World();
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  await world.start();
  await world.pass(20);
  const reported = () => world.gateway.of("repairs").flatMap(({ items }) => items);
  expect(reported()).toEqual([]);
  world.machine.repairs.add("routing", "bgpd");
  world.machine.repairs.add("tunnel", "wl3");
  await world.pass(10);
  expect(reported()).toEqual([
    { part: "routing", object: "bgpd" },
    { part: "tunnel", object: "wl3" },
  ]);
  await world.pass(60);
  expect(reported()).toHaveLength(2);
  world.network.isCut = true;
  await world.pass(120);
  world.machine.repairs.add("dhcp", "wan2");
  await world.pass(30);
  expect(reported()).toHaveLength(2);
  world.network.isCut = false;
  await world.pass(120);
  expect(reported().slice(2)).toEqual([{ part: "dhcp", object: "wan2" }]);
});

test("a controller of an earlier version gets no report of it, and the next one does", async () => {
  const world = new World();
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  world.gateway.accepts = false;
  await world.start();
  world.machine.repairs.add("routing", "bgpd");
  await world.pass(60);
  expect(world.gateway.of("repairs")).toEqual([]);
  world.gateway.accepts = true;
  world.gateway.drop();
  await world.pass(60);
  expect(world.gateway.of("repairs").map(({ items }) => items)).toEqual([
    [{ part: "routing", object: "bgpd" }],
  ]);
});

test("of very many the newest are reported", () => {
  const { repairs } = new World().machine;
  for (let at = 0; at < 60; at += 1) repairs.add("tunnel", `wl${at}`);
  expect(repairs.waiting).toHaveLength(50);
  expect(repairs.waiting[0]?.object).toBe("wl10");
});
