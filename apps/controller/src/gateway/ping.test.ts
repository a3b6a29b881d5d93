import { expect, test } from "vitest";
import { memoryDevice } from "../../test/memory-device.ts";

const reverted = { type: "outcome", epoch: 1, serial: 1, outcome: "reverted", reason: "test" };

test("a ping is answered once all that came before it is committed", async () => {
  let commit = (): void => {};
  const device = await memoryDevice(async (call, work) => {
    if (call === "keepOutcome") await new Promise<void>((resolve) => (commit = resolve));
    return work();
  });
  device.send(reverted);
  device.ping();
  await new Promise((resolve) => setImmediate(resolve));
  expect(device.pongs).toEqual([]);
  commit();
  await expect.poll(() => device.pongs).toEqual(["7"]);
  expect(device.rows.newest(1)?.outcome).toBe("reverted");
  await device.hub.close();
});

test("and not at all when that failed", async () => {
  const device = await memoryDevice(async (call, work) => {
    if (call === "keepOutcome") throw new Error("the connection to the database was lost");
    return work();
  });
  device.send(reverted);
  device.ping();
  await expect
    .poll(() => device.messages.at(-1))
    .toMatchObject({ type: "refused", reason: "busy" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(device.pongs).toEqual([]);
  await device.hub.close();
});

test("while it waits the device hears that the connection lives, which answers none of its pings", async () => {
  let commit = (): void => {};
  const device = await memoryDevice(async (call, work) => {
    if (call === "keepOutcome") await new Promise<void>((resolve) => (commit = resolve));
    return work();
  });
  device.ping();
  await expect.poll(() => device.pongs.splice(0)).toEqual(["7"]);
  await new Promise((resolve) => setImmediate(resolve));
  device.clock.advance(5_000);
  expect(device.pongs).toEqual([]);
  device.send(reverted);
  device.ping();
  await new Promise((resolve) => setImmediate(resolve));
  device.clock.advance(5_000);
  device.clock.advance(5_000);
  expect(device.pongs).toEqual(["", ""]);
  commit();
  await expect.poll(() => device.pongs).toEqual(["", "", "7"]);
  device.clock.advance(5_000);
  expect(device.pongs).toEqual(["", "", "7"]);
  await device.hub.close();
});
