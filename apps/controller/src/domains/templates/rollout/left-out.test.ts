/** CPEs of a wave on which nothing can be seen of the version, on the real controller. */

import { taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import { stateGoBack, stateRelease } from "@weft/contract/domains/delivery/history.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FollowingEdge } from "../../../../test/following-edge.ts";
import { WavesWorld } from "../../../../test/waves-world.ts";

let waves: WavesWorld;
beforeAll(async () => {
  waves = await WavesWorld.start();
}, 60_000);
afterAll(() => waves.close());

/** Of two CPEs that follow version 1, of which the first is held at it. */
async function withPinned() {
  const [one, two] = (await waves.fleet(2)) as [FollowingEdge, FollowingEdge];
  const templateId = await waves.templateOf([one, two]);
  await waves.publish(templateId);
  await waves.untilLog(templateId, one, { version: 1, status: taskStatus.completed });
  const serialOf = async () => (await waves.world.stateOf(one.id)).confirmed?.serial ?? 0;
  const serial = await serialOf();
  // Only what differs can be gone back to.
  await waves.world.addLan(one, 100 + (one.id % 100));
  await expect.poll(serialOf, { timeout: 30_000 }).toBeGreaterThan(serial);
  await waves.world.post(stateGoBack.path, { id: one.id, serial });
  await waves.addObject(templateId);
  return { one, two, templateId, rolloutId: await waves.startWaves(templateId) };
}

test("a wave of a pinned CPE does not fail: it waits for an operator, and the CPE gets the version when it is unpinned", async () => {
  const { one, two, templateId, rolloutId } = await withPinned();
  await waves.untilMember(rolloutId, one, { outcome: "held", heldBy: "pin", failure: null });
  await waves.age(rolloutId);
  await waves.untilRollout(templateId, {
    state: "waiting",
    isBad: 0,
    waves: [{ state: "passed", counts: { held: 1 } }, { state: "ahead" }],
  });
  await waves.decide("goOn", rolloutId);
  await waves.untilMember(rolloutId, two, { outcome: "observed", heldBy: null });
  await waves.world.post(stateRelease.path, { id: one.id });
  await waves.untilLog(templateId, one, { version: 2, status: taskStatus.completed });
  expect((await waves.rollout(templateId)).state).toBe("running");
});

test("a CPE that gets the version after its wave is held to the gates of the rollout", async () => {
  const { one, two, templateId, rolloutId } = await withPinned();
  await waves.untilMember(rolloutId, one, { outcome: "held" });
  await waves.age(rolloutId);
  await waves.untilRollout(templateId, { state: "waiting" });
  await waves.decide("goOn", rolloutId);
  await waves.untilMember(rolloutId, two, { outcome: "observed" });
  await waves.world.post(stateRelease.path, { id: one.id });
  await waves.untilMember(rolloutId, one, { outcome: "observed", wave: 1 });
  one.leave();
  await waves.untilRollout(templateId, {
    state: "halted",
    reason: "gate",
    isBad: 1,
    wave: 2,
    waves: [{ state: "passed", failures: { contact: 1 } }, { state: "rolledBack" }],
  });
  await one.comeBack("routerConnlimit");
  for (const device of [one, two]) {
    await waves.untilLog(templateId, device, { version: 1, status: taskStatus.completed });
  }
  // Both get it again when an operator goes on.
  await waves.decide("goOn", rolloutId);
  for (const device of [one, two]) {
    await waves.untilMember(rolloutId, device, { outcome: "observed", failure: null });
  }
});

test("a CPE that cannot be previewed is named with the reason, and the others go on", async () => {
  const [one, two] = (await waves.fleet(2)) as [FollowingEdge, FollowingEdge];
  const templateId = await waves.templateOf([one, two]);
  await waves.addObject(templateId);
  await waves.rows(sql`insert into weft.acl_rule (enterprise_id, node_id, section, name, action,
      protocol, src_ip, created_by)
    select enterprise_id, id, 0, 'r1', 0, 'any', '10.1.1.0/24', 1
    from weft.node where id = ${two.id}`);
  await waves.rows(sql`alter policy compiled on weft.acl_rule using (false)`);
  const rolloutId = await waves.startWaves(templateId);
  await waves.untilMember(rolloutId, one, { outcome: "observed", unchecked: null });
  await waves.untilMember(rolloutId, two, {
    outcome: "ahead",
    unchecked: { code: "unreadable" },
  });
  await waves.rows(sql`alter policy compiled on weft.acl_rule
    using (enterprise_id = any ((select weft.scope_enterprises())::bigint[]))`);
  // It is looked at again, a minute later, as long as its wave has not started.
  await waves.rows(sql`update weft.template_rollout_node
    set expected = expected || '{"at": 0}' where rollout_id = ${rolloutId}`);
  await waves.untilMember(rolloutId, two, { outcome: "ahead", unchecked: null });
});

test("a compile that fails without the version as well is not its failure", async () => {
  const [one] = (await waves.fleet(1)) as [FollowingEdge];
  const templateId = await waves.templateOf([one]);
  await waves.publish(templateId);
  await waves.untilLog(templateId, one, { version: 1, status: taskStatus.completed });
  await waves.addObject(templateId);
  await waves.rows(sql`insert into weft.acl_rule (enterprise_id, node_id, section, name, action,
      protocol, src_ip, created_by)
    select enterprise_id, id, 0, 'r1', 0, 'any', '10.1.1.0/24', 1
    from weft.node where id = ${one.id}`);
  await waves.rows(sql`alter policy compiled on weft.acl_rule using (false)`);
  const rolloutId = await waves.startWaves(templateId);
  await waves.untilMember(rolloutId, one, { outcome: "underway", suspects: ["task"] });
  // As if that had been so for the grace time.
  await waves.rows(sql`update weft.template_rollout_node set suspects = '{"task": 0}'
    where rollout_id = ${rolloutId}`);
  await waves.untilMember(rolloutId, one, { outcome: "held", heldBy: "compile", failure: null });
  // The only wave ends on it, and says that nothing was seen.
  await waves.age(rolloutId);
  await waves.untilRollout(templateId, {
    state: "completed",
    reason: "unseen",
    isBad: 0,
    waves: [{ state: "passed", counts: { held: 1 } }],
  });
  await waves.rows(sql`alter policy compiled on weft.acl_rule
    using (enterprise_id = any ((select weft.scope_enterprises())::bigint[]))`);
});

test("findings of a CPE that confirmed nothing before are no failure of the version, and later ones are", async () => {
  const [one] = (await waves.fleet(1)) as [FollowingEdge];
  const templateId = await waves.templateOf([one]);
  const about = { section: "underlay", kind: "line", reason: "noDhcp", params: {} };
  one.findings = [{ ...about, object: "wan2" }];
  // As on a machine so busy that its device has confirmed none of its states yet.
  await waves.rows(
    sql`update weft.node_state set outcome = 'superseded' where node_id = ${one.id}`,
  );
  await waves.addObject(templateId);
  const rolloutId = await waves.startWaves(templateId);
  await waves.untilMember(rolloutId, one, { outcome: "observed", failure: null });
  await waves.rows(sql`update weft.node_state
    set findings = findings || ${JSON.stringify([{ ...about, object: "wan3" }])}::jsonb
    where node_id = ${one.id} and template_id = ${templateId}`);
  await waves.untilMember(rolloutId, one, {
    failure: { gate: "findings", params: { objects: "line wan3 noDhcp", count: 1 } },
  });
  expect(await waves.rollout(templateId)).toMatchObject({ state: "halted", reason: "gate" });
});
