/** A wave that fails, as an alarm: from a device that refuses a version to the list of alarms. */
import { alarmRule, alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import { alarmEventList } from "@weft/contract/domains/notifications/alarm-event.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import * as rollouts from "@weft/contract/domains/templates/rollout.ts";
import * as templates from "@weft/contract/domains/templates/router-template.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FollowingEdge } from "../../../../test/following-edge.ts";
import { type LoopWorld, loopWorld } from "../../../../test/loop-world.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

type Event = OutputOf<typeof alarmEventList>[number];
type Rollout = OutputOf<typeof rollouts.routerTemplateRolloutList>[number];

const family = "routerConnlimit";
const untilLong = { timeout: 60_000, interval: 100 };
let world: LoopWorld;
const devices: FollowingEdge[] = [];

beforeAll(async () => {
  world = await loopWorld();
  await world.startWorker();
  const ids = { groupid: 1, cpeId: 1, popId: 1 };
  const fields = wireDraft("alarmStrategy", "valid", ids, {
    name: "waves",
    cpeIds: "",
    popIds: "",
  });
  const strategyId = newIdOf(await world.post(alarmStrategy.ops.add.path, fields));
  const rule = { metric: "rollout", level: 2, duration: 0, recovery: 0, enable: 1 };
  await world.post(alarmRule.ops.add.path, { strategyId, ...rule });
}, 60_000);
afterAll(async () => {
  for (const device of devices) device.leave();
  await world?.close();
});

const read = async <Row>(path: string, query: object): Promise<Row[]> => {
  const answer = await world.api.get(path, { limit: 100, page: 1, ...query }, world.admin);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as Row[];
};
const events = (active: 0 | 1) => read<Event>(alarmEventList.path, { active });
/** Of two CPEs, which get the first version in one wave. @returns the rollout and its template */
const send = async (name: string, members: readonly FollowingEdge[]) => {
  const { path = "" } = policyFamily(family).template.resource.ops.add ?? {};
  const templateId = newIdOf(
    await world.post(templates.routerTemplate.ops.add.path, { templateName: name, remark: "" }),
  );
  const cpeIds = members.map(({ id }) => id).join();
  await world.post(templates.routerTemplateRelAdd.path, { templateId, cpeIds });
  const limit = { name: "guests", maxConnections: 9, ipgroupId: "", maxNewPerSecond: "" };
  await world.post(path, { templateId, enable: 1, remark: "", ...limit });
  const plan = { templateId, waves: "100%", soak: 3_600, grace: 5 };
  const { data } = await world.post(rollouts.routerTemplateRolloutStart.path, plan);
  return { templateId, rolloutId: (data as { rolloutIds: number[] }).rolloutIds[0] ?? 0 };
};
const state = async (templateId: number) =>
  (await read<Rollout>(rollouts.routerTemplateRolloutList.path, { templateId }))[0];
const fleet = async (): Promise<FollowingEdge[]> => {
  const made = [await FollowingEdge.at(world, family), await FollowingEdge.at(world, family)];
  devices.push(...made);
  for (const { id } of made)
    await expect.poll(async () => (await world.stateOf(id)).confirmed, untilLong).not.toBeNull();
  return made;
};

test("a wave that fails is an event of the CPE that failed, until an operator continues", async () => {
  const members = await fleet();
  const [one] = members as [FollowingEdge, FollowingEdge];
  one.refusal = "no such interface";
  const { templateId, rolloutId } = await send("lunch", members);
  await expect.poll(async () => (await events(1)).length, untilLong).toBe(1);
  expect(await state(templateId)).toMatchObject({ state: "halted", reason: "gate" });
  const [event] = await events(1);
  expect(event).toMatchObject({ metric: "rollout", cpeId: one.id, level: 2 });
  expect(event?.content).toMatch(
    /^CPE \S+ 分批下发未通过: 模板“lunch”版本 1 第 1 批：设备未接受配置：no such interface$/,
  );
  await world.post(rollouts.routerTemplateRolloutGoOn.path, { rolloutId });
  await expect.poll(async () => (await events(1)).length, untilLong).toBe(0);
  expect(await events(0)).toHaveLength(1);
  await world.post(rollouts.routerTemplateRolloutHalt.path, { rolloutId });
  expect(await state(templateId)).toMatchObject({ state: "halted", reason: "operator" });
  // Each node is looked at again every 3 s: the alarm of the same CPE that comes next shows that it was.
  const next = await fleet();
  (next[0] as FollowingEdge).refusal = "no such port";
  const again = await send("dinner", next);
  await expect.poll(async () => (await events(1)).length, untilLong).toBe(1);
  expect((await events(1))[0]?.content).toContain("“dinner”");
  await world.post(rollouts.routerTemplateRolloutRollBack.path, { rolloutId: again.rolloutId });
  await expect.poll(async () => (await events(1)).length, untilLong).toBe(0);
  expect(await events(0)).toHaveLength(2);
});
