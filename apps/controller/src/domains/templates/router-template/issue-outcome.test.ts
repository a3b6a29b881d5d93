/** An issue is over for a CPE when its objects act there, and has failed with their list where one does not. */
import { taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import {
  routerTemplate,
  routerTemplateIssue,
  routerTemplateLogList,
  routerTemplateRelAdd,
} from "@weft/contract/domains/templates/router-template.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { FollowingEdge } from "../../../../test/following-edge.ts";
import { type LoopWorld, loopWorld } from "../../../../test/loop-world.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let world: LoopWorld;
let made = 0;
const devices: FollowingEdge[] = [];
beforeAll(async () => {
  world = await loopWorld();
  await world.startWorker();
}, 60_000);
afterEach(() => {
  for (const device of devices.splice(0)) device.leave();
});
afterAll(() => world.close());

const { completed, failed } = taskStatus;
const deviceAt = async (...can: string[]): Promise<FollowingEdge> => {
  const device = await FollowingEdge.at(world, ...can);
  devices.push(device);
  return device;
};

const get = async (path: string, query: object) => {
  const answer = await world.api.get(path, query, world.admin);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as Record<string, unknown>[];
};
const add = async (family: string, templateId: number, fields: object): Promise<number> => {
  const { path = "" } = policyFamily(family).template.resource.ops.add ?? {};
  return newIdOf(await world.post(path, { remark: "", templateId, ...fields }));
};
const limit = { enable: 1, ipgroupId: "", maxConnections: 100, maxNewPerSecond: "" };
async function templateOf(...members: readonly FollowingEdge[]): Promise<number> {
  made += 1;
  const fields = { templateName: `T-${made}`, remark: "" };
  const templateId = newIdOf(await world.post(routerTemplate.ops.add.path, fields));
  const cpeIds = members.map(({ id }) => id).join();
  await world.post(routerTemplateRelAdd.path, { templateId, cpeIds });
  return templateId;
}
/** Of the newest issue: CPE -> state, objects that do not act at all, and why each does not act as asked. */
const outcomes = async (templateId: number) => {
  const rows = await get(routerTemplateLogList.path, { templateId, limit: 100 });
  const newest = Math.max(...rows.map(({ version }) => Number(version)));
  return Object.fromEntries(
    rows
      .filter(({ version }) => version === newest)
      .map(({ cpeId, status, cannot, findings }) => [
        cpeId,
        [
          status,
          cannot,
          (findings as { name: string; effect: string; reason: string }[]).map(
            ({ name, effect, reason }) => `${name} ${effect} ${reason}`,
          ),
        ],
      ]),
  );
};
const finishedOf = async (templateId: number) =>
  (await get(routerTemplate.ops.list.path, { size: 1_000 })).find(
    (row) => row.templateId === templateId,
  )?.cpeFinishNum;

test("a CPE on which an object does not act has failed, with the list; the others are completed", async () => {
  const [capable, unable] = [await deviceAt("routerConnlimit"), await deviceAt()];
  const templateId = await templateOf(capable, unable);
  await add("routerConnlimit", templateId, { name: "guests", ...limit });
  await add("routerConnlimit", templateId, { name: "off", ...limit, enable: 0 });
  await get(routerTemplateIssue.path, { templateId });
  const lost = [failed, 1, ["guests cannot notCarriedOut"]];
  await expect
    .poll(() => outcomes(templateId))
    .toEqual({ [capable.id]: [completed, 0, []], [unable.id]: lost });
  expect(await finishedOf(templateId)).toBe(1);

  // Another state with the same version is confirmed: what the version came to stays so.
  const ids = { groupid: 1, cpeId: unable.id, popId: 0 };
  const lan = wireDraft("lansection", "valid", ids, { network: "10.79.1.1/24", network6: "" });
  const confirmed = async () => (await world.stateOf(unable.id)).confirmed?.serial;
  const before = await confirmed();
  await world.post(lanSection.ops.add.path, lan);
  await expect.poll(confirmed).not.toBe(before);
  expect(await outcomes(templateId)).toMatchObject({ [unable.id]: lost });

  // The device learns it: the issue is over, without another.
  unable.learns("routerConnlimit");
  await expect.poll(() => outcomes(templateId)).toMatchObject({ [unable.id]: [completed, 0, []] });
  expect(await finishedOf(templateId)).toBe(2);
});

test("an object that acts in part is in the list of a completed one; one that no longer acts fails it", async () => {
  const device = await deviceAt("routerPolicyroute");
  const ids = { groupid: 1, cpeId: device.id, popId: 0 };
  const slot = { nodeId: device.id, slot: 1 };
  await world.post(line.ops.add.path, wireDraft("line", "valid", ids, slot));
  const templateId = await templateOf(device);
  const route = { srcIpgroupId: "", dstIpgroupId: "", appgroupId: "", timeId: "", natType: 0 };
  const rest = { enable: 1, sort: "", nextHop: "", ttlIncrement: 0, natLbextra: 0 };
  await add("routerPolicyroute", templateId, { ...route, ...rest, name: "both", lineGroup: 1 + 4 });
  await get(routerTemplateIssue.path, { templateId });
  await expect
    .poll(() => outcomes(templateId))
    .toEqual({ [device.id]: [completed, 0, ["both fallback noLine"]] });
  device.learns();
  await expect
    .poll(() => outcomes(templateId))
    .toEqual({ [device.id]: [failed, 1, ["both cannot notCarriedOut"]] });
});
