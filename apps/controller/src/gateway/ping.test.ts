import { expect, test } from "vitest";
import { provenDevice as proven } from "../../test/proven-device.ts";

const reverted = { type: "outcome", epoch: 1, serial: 1, outcome: "reverted", reason: "test" };

test("a ping is answered once all that came before it is committed", async () => {
  let commit = (): void => {};
  const device = await proven(async (call, work) => {
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
  const device = await proven(async (call, work) => {
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
