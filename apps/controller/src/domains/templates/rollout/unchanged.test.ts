/** CPEs whose configuration a version, or the rollback of it, does not change. */

import { taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import { stateGoBack } from "@weft/contract/domains/delivery/history.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FollowingEdge } from "../../../../test/following-edge.ts";
import { WavesWorld } from "../../../../test/waves-world.ts";

let waves: WavesWorld;
beforeAll(async () => {
  waves = await WavesWorld.start();
}, 60_000);
afterAll(() => waves.close());

const { completed, cancelled } = taskStatus;

/** A CPE that runs version 1. */
async function published() {
  const [one] = (await waves.fleet(1)) as [FollowingEdge];
  const templateId = await waves.templateOf([one]);
  await waves.addObject(templateId);
  await waves.publish(templateId);
  await waves.untilLog(templateId, one, { version: 1, status: completed });
  return { one, templateId };
}

test("a version that changes nothing is completed in the log, and its wave is observed", async () => {
  const { one, templateId } = await published();
  const { confirmed } = await waves.world.stateOf(one.id);
  const rolloutId = await waves.startWaves(templateId);
  await waves.untilMember(rolloutId, one, { outcome: "observed" });
  await waves.untilLog(templateId, one, { version: 2, status: completed });
  expect((await waves.world.stateOf(one.id)).confirmed?.serial).toBe(confirmed?.serial);
  await waves.decide("rollBack", rolloutId);
  await waves.untilLog(templateId, one, { version: 1, status: completed });
});

test("a version that was rolled back before anything was compiled leaves no task open", async () => {
  const { one, templateId } = await published();
  await waves.addObject(templateId, "staff");
  await waves.world.worker?.close();
  const rolloutId = await waves.startWaves(templateId);
  await waves.untilMember(rolloutId, one, { outcome: "underway" });
  await waves.decide("rollBack", rolloutId);
  await waves.world.startWorker();
  await waves.untilLog(templateId, one, { version: 1, status: completed });
  expect(await waves.log(templateId, one)).toMatchObject([
    { version: 1, status: completed },
    { version: 2, status: cancelled },
    { version: 1, status: completed },
  ]);
});

test("a CPE that is pinned at the version to which its wave returns is completed there", async () => {
  const { one, templateId } = await published();
  const { confirmed } = await waves.world.stateOf(one.id);
  // A node goes back only where something goes back with it.
  await waves.world.addLan(one, 200);
  const serial = async () => (await waves.world.stateOf(one.id)).confirmed?.serial;
  await expect.poll(serial).not.toBe(confirmed?.serial);
  await waves.world.post(stateGoBack.path, { id: one.id, serial: confirmed?.serial });
  await waves.addObject(templateId, "staff");
  const rolloutId = await waves.startWaves(templateId);
  await waves.untilMember(rolloutId, one, { outcome: "held", heldBy: "pin" });
  await waves.decide("rollBack", rolloutId);
  await waves.untilLog(templateId, one, { version: 1, status: completed });
});
