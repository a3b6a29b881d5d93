import { expect, test } from "vitest";
import type { LineReport } from "#drivers/driver.ts";
import { publish } from "../../test/gateway.ts";
import { cpeState } from "../../test/states.ts";
import { World } from "../../test/world.ts";

test("a WAN link by which nothing answers is reported as down, and as up once something does", async () => {
  const world = new World();
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  let isSilent = false;
  const line = { interfaceName: "wan1", addressing: null, address: "192.0.2.2/24", up: true };
  world.machine.lines = async (): Promise<LineReport[]> => [{ ...line, isSilent }];
  await world.start();
  await world.pass(60);
  const reported = () => world.gateway.of("report").at(-1)?.lines;
  expect(reported()).toEqual([line]);
  isSilent = true;
  await world.pass(60);
  expect(reported()).toEqual([{ ...line, up: false }]);
  isSilent = false;
  await world.pass(60);
  expect(reported()).toEqual([line]);
});
