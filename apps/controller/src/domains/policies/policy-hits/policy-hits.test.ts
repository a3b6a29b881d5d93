/** Hits of rules from a device's socket to the calls, over the real store: those of its own objects only. */

import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import {
  type PolicyFamilyName,
  policyFamily,
} from "@weft/contract/domains/policies/policy-families.ts";
import {
  type HitSummary,
  hitReport,
  hitSummary,
} from "@weft/contract/domains/policies/policy-hits.ts";
import {
  routerTemplate,
  routerTemplateRelAdd,
} from "@weft/contract/domains/templates/router-template.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Measures } from "#metrics-store/open.ts";
import { type LoopWorld, loopWorld, type Site } from "../../../../test/loop-world.ts";
import { testMeasures, wireTime } from "../../../../test/measures.ts";
import { newIdOf } from "../../../../test/tenants.ts";

let measures: Measures;
let world: LoopWorld;

beforeAll(async () => {
  measures = await testMeasures();
  world = await loopWorld({}, measures.intake, measures.store);
}, 120_000);
afterAll(async () => {
  await world.close();
  await measures.close();
});

const limit = { enable: 1, ipgroupId: "", maxConnections: 100, maxNewPerSecond: "", remark: "" };
const ruleOf = (nCpeID: number) => ({
  nCpeID,
  nEnable: 1,
  nSection: 10,
  sort: 0,
  name: "guests",
  action: 0,
  protocol: "any",
  srcIp: "10.9.0.0/16",
  dstIp: "",
  srcPort: "",
  dstPort: "",
  remark: "",
});
const entryOf = (cpeIds: string) => ({
  groupid: 1,
  type: "ip",
  value: "203.0.113.9",
  cpeIds,
  enable: 1,
  remark: "",
});
const add = async (call: string, fields: object) => newIdOf(await world.post(call, fields));
const mapping = {
  protocol: "tcp",
  externalPort: "8443",
  internalIp: "10.0.0.9",
  internalPort: "443",
  lineId: "",
  enable: 1,
  remark: "",
};
const pathOf = (scope: "template" | "manage", family: PolicyFamilyName = "routerConnlimit") =>
  policyFamily(family)[scope].resource.ops.add?.path ?? "";

/** Sends hits, and waits until they are stored. */
async function reports(site: Site, boot: string, hits: readonly object[]): Promise<void> {
  const line = await (await world.enrolled(site)).connect();
  line.send({
    type: "metrics",
    boot: boot.padEnd(22, "x"),
    sequence: 1,
    at: 5,
    sentAt: 5,
    dropped: 0,
    lines: [],
    links: [],
    cpuPercent: 1,
    memoryPercent: 2,
    hits,
  });
  await line.next("metricsAck", 60_000);
  line.socket.close();
}
const hit = (family: string, id: number, count: number) => ({ family, id, count });

const summary = async (family: string, ids: readonly number[], token = world.admin) => {
  const answer = await world.api.get(hitSummary.path, { family, ids: ids.join(",") }, token);
  expect(answer.code).toBe(0);
  return (answer.data as HitSummary[]).map(({ id, count }) => [id, count]);
};

test("hits of each object are those that its devices reported", async () => {
  const [one, two] = [await world.addSite(), await world.addSite()];
  const rules = [await add(aclRule.ops.add.path, ruleOf(one.id))];
  rules.push(await add(aclRule.ops.add.path, ruleOf(two.id)));
  const [ofOne = 0, ofTwo = 0] = rules;
  const everywhere = await add(blacklist.ops.add.path, entryOf(""));
  const own = await add(pathOf("manage"), { ...limit, cpeId: one.id, name: "own" });
  const templateId = await add(routerTemplate.ops.add.path, { templateName: "t", remark: "" });
  const shared = await add(pathOf("template"), { ...limit, templateId, name: "shared" });
  await world.post(routerTemplateRelAdd.path, { templateId, cpeIds: `${one.id},${two.id}` });

  const mapped = await add(pathOf("manage", "routerPortmapping"), { ...mapping, cpeId: one.id });
  await reports(one, "one", [
    hit("routerPortmapping", mapped, 4),
    hit("xaclrules", ofOne, 7),
    // Those of another device, and what nothing counts, go no further.
    hit("xaclrules", ofTwo, 1_000),
    hit("routerUrlrule", own, 1_000),
    hit("blacklist", everywhere, 2),
    hit("routerConnlimit", own, 3),
    hit("routerConnlimit", shared, 10),
  ]);
  await reports(two, "two", [
    hit("routerPortmapping", mapped, 1_000),
    hit("blacklist", everywhere, 5),
    hit("routerConnlimit", own, 1_000),
    hit("routerConnlimit", shared, 20),
  ]);

  expect(await summary("xaclrules", rules)).toEqual([
    [ofOne, 7],
    [ofTwo, 0],
  ]);
  expect(await summary("routerPortmapping", [mapped])).toEqual([[mapped, 4]]);
  expect(await summary("blacklist", [everywhere])).toEqual([[everywhere, 7]]);
  expect(await summary("routerConnlimit", [own, shared])).toEqual([
    [own, 3],
    [shared, 30],
  ]);
  const { data } = await world.api.get(
    hitSummary.path,
    { family: "xaclrules", ids: rules.join(",") },
    world.admin,
  );
  const [last, never] = data as { lastTime: string }[];
  expect(never?.lastTime).toBe("");
  expect(Math.abs(Date.parse(`${last?.lastTime}Z`) - Date.now())).toBeLessThan(120_000);

  const range = {
    startTime: wireTime(Date.now() - 600_000),
    endTime: wireTime(Date.now() + 1_000),
  };
  const asked = { family: "routerConnlimit", id: shared, ...range };
  const report = await world.api.get(hitReport.path, asked, world.admin);
  const { points } = report.data as { points: { count: number }[] };
  expect(points.filter(({ count }) => count > 0).reduce((sum, { count }) => sum + count, 0)).toBe(
    30,
  );
  expect(points.length).toBeGreaterThan(19);

  const stranger = await world.api.userToken({ enterpriseId: 1, dataScope: 2 });
  expect((await world.api.get(hitReport.path, asked, stranger)).code).toBe(404);
  expect(await summary("xaclrules", rules, stranger)).toEqual([
    [ofOne, 0],
    [ofTwo, 0],
  ]);
}, 60_000);
