/** What acts on a site, by the merge that its configuration is made by. */
import { allResources } from "@weft/contract/all-endpoints.ts";
import {
  type EffectiveEntry,
  effectivePolicy,
  systemDefault,
} from "@weft/contract/domains/delivery/effective-policy.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FollowingEdge } from "../../../../test/following-edge.ts";
import { makeTenant, newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { WavesWorld } from "../../../../test/waves-world.ts";

type Effective = OutputOf<typeof effectivePolicy>;
type Owner = { readonly templateId: number } | { readonly cpeId: number };

let waves: WavesWorld;
beforeAll(async () => {
  waves = await WavesWorld.start();
}, 120_000);
afterAll(() => waves.close());

const add = async (family: string, owner: Owner, fields: object): Promise<number> => {
  const { template, manage } = policyFamily(family);
  const { ops } = ("templateId" in owner ? template : manage).resource;
  return newIdOf(await waves.world.post(ops.add.path, { remark: "", ...owner, ...fields }));
};
const find = (query: object, token = waves.world.admin) =>
  waves.world.api.get(effectivePolicy.path, query, token);
const effective = async (cpeId: number): Promise<Effective> => {
  const answer = await find({ cpeId });
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as Effective;
};
const listOf = async (cpeId: number, family: string): Promise<readonly EffectiveEntry[]> =>
  (await effective(cpeId)).lists.find((list) => list.family === family)?.entries ?? [];
/** Limits of the newest state of a device, in its order. */
const sentTo = async (nodeId: number): Promise<number[]> => {
  const { rows } = await waves.world.api.database.pools.owner.pg.query(
    `select s.content from weft.node_state n
      join weft.state_section s on s.hash = n.sections ->> 'policy'
      where n.node_id = $1 order by n.serial desc limit 1`,
    [nodeId],
  );
  const [found] = rows as { content: { limits: { id: number }[] } }[];
  return found?.content.limits.map(({ id }) => id) ?? [];
};
const limit = { enable: 1, ipgroupId: "", maxConnections: 100, maxNewPerSecond: "" };

describe("a site with rules of its own, of its template and of its enterprise", () => {
  let device: FollowingEdge;
  let templateId: number;
  let [own, shared, group] = [0, 0, 0];

  test("has them in the order in which they are tried, each with where it is from", async () => {
    device = await FollowingEdge.at(
      waves.world,
      "routerConnlimit",
      "routerIpgroup",
      "routerIpgroupdefine",
    );
    await expect
      .poll(async () => (await waves.world.stateOf(device.id)).confirmed, { timeout: 60_000 })
      .not.toBeNull();
    templateId = await waves.templateOf([device]);
    group = await add("routerIpgroup", { templateId }, { name: "tills" });
    await add(
      "routerIpgroupdefine",
      { templateId },
      { name: "a", ipgroupId: group, ip: "10.0.0.9" },
    );
    shared = await add(
      "routerConnlimit",
      { templateId },
      { name: "of-all", ...limit, ipgroupId: group },
    );
    const off = await add("routerConnlimit", { templateId }, { name: "off", ...limit, enable: 0 });
    own = await add("routerConnlimit", { cpeId: device.id }, { name: "of-here", ...limit });
    await waves.publish(templateId);
    await expect.poll(() => sentTo(device.id), { timeout: 60_000 }).toEqual([own, shared]);
    await expect
      .poll(async () => (await effective(device.id)).isConfirmed, { timeout: 60_000 })
      .toBe(true);
    await expect
      .poll(() => listOf(device.id, "routerConnlimit"), { timeout: 60_000 })
      .toMatchObject([
        { objectId: own, name: "of-here", origin: "node", place: 1, state: "acts", finding: null },
        { objectId: shared, name: "of-all", origin: "template", place: 2, state: "acts" },
      ]);
    const found = await effective(device.id);
    expect(JSON.stringify(found.lists)).not.toContain(`routerConnlimit template ${off}`);
    expect(found).toMatchObject({
      isConfirmed: true,
      template: { templateId, version: 1, name: expect.any(String) },
    });
    const [, second] = await listOf(device.id, "routerConnlimit");
    expect(second?.fields).toContainEqual({ field: "ipgroupId", value: "tills" });
  });

  test("are those that its device got, in its order", async () => {
    const sent = await sentTo(device.id);
    const shown = await listOf(device.id, "routerConnlimit");
    expect(shown.filter(({ place }) => place !== null).map(({ objectId }) => objectId)).toEqual(
      sent,
    );
  });

  test("show what is not applied and what the site's own objects replace", async () => {
    await add("routerIpgroup", { cpeId: device.id }, { name: "tills" });
    await expect
      .poll(() => listOf(device.id, "routerIpgroup"), { timeout: 60_000 })
      .toMatchObject([
        { name: "tills", origin: "node", place: null },
        { objectId: group, origin: "template", state: "replaced", finding: { reason: "replaced" } },
      ]);
    await expect
      .poll(() => listOf(device.id, "routerConnlimit"), { timeout: 60_000 })
      .toMatchObject([
        { objectId: own },
        { objectId: shared, state: "cannot", finding: { reason: "emptyGroup" } },
      ]);
  });

  test("with the entries of its blacklist before its ACL, and what no rule fits last", async () => {
    const ids = { groupid: 1, cpeId: device.id, popId: 0 };
    const blocked = wireDraft("blacklist", "valid", ids, { value: "203.0.113.9", cpeIds: "" });
    await waves.world.post(allResources.blacklist.ops.add.path, blocked);
    const rule = (name: string, nSection: number) =>
      waves.world.post(
        allResources.xaclrules.ops.add.path,
        wireDraft("xaclrules", "valid", ids, { name, nSection, nCpeID: device.id }),
      );
    await rule("late", 20);
    await rule("early", 10);
    const { lists } = await effective(device.id);
    expect(lists.slice(0, 2)).toMatchObject([
      { family: "blacklist", entries: [{ name: "203.0.113.9", origin: "enterprise", place: 1 }] },
      {
        family: "xaclrules",
        entries: [
          { name: "early", origin: "node", place: 1 },
          { name: "late", place: 2 },
          { name: systemDefault, origin: "system", place: 3 },
        ],
      },
    ]);
    device.leave();
  });
});

test("a site of another tenant is answered like a missing one, and each kind needs its permission", async () => {
  const home = await makeTenant(waves.world.api, waves.world.admin, "home");
  const other = await makeTenant(waves.world.api, waves.world.admin, "other");
  const foreign = await find({ cpeId: home.ids.cpeId }, other.token);
  const absent = await find({ cpeId: 987_654_321 }, other.token);
  expect(foreign).toMatchObject({ code: 400, issues: [{ path: "cpeId", rule: "unknown" }] });
  expect(foreign.issues).toEqual(absent.issues);
  expect(await find({ popId: home.ids.popId }, home.token)).toMatchObject({
    code: 0,
    data: { template: null },
  });
  const ofPops = await waves.world.api.userToken({
    enterpriseId: home.ids.groupid,
    dataScope: 3,
    permissions: ["popConfig"],
  });
  expect(await find({ cpeId: home.ids.cpeId }, ofPops)).toMatchObject({ code: 403 });
});
