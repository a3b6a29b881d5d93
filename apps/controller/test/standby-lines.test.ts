/** Hot standby by LAN lines of policies: of CPEs' own, and of templates (ADR 0027). */
import { standbyCapability } from "@weft/contract/device/v1/standby.ts";
import { cpeEditStandby } from "@weft/contract/domains/devices/cpe-standby.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import {
  routerTemplate,
  routerTemplateIssue,
  routerTemplateRelAdd,
} from "@weft/contract/domains/templates/router-template.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { compile, readView } from "#domains/delivery/compile/public.ts";
import { findingsOf } from "#domains/delivery/publish/compile-node.ts";
import { done, type SiteWorld, siteWorld } from "./site-world.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let world: SiteWorld;
beforeAll(async () => {
  world = await siteWorld();
}, 120_000);
afterAll(() => world.loop.close());

const { template, manage } = policyFamily("routerInterfaceline");
type Owner = { readonly templateId: number } | { readonly cpeId: number };
const opsOf = (owner: Owner) => {
  const { add, edit, remove } = ("templateId" in owner ? template : manage).resource.ops;
  if (!add || !edit || !remove) throw new Error("interface lines can be added, edited and removed");
  return { add, edit, remove };
};
const line = {
  name: "lan",
  kind: "lan",
  accessType: 1,
  ip: "10.67.1.1",
  mask: "255.255.255.0",
  hotStandbyPriority: 100,
};
/** Of the enterprise: each test has one of its own. */
let group = 20;
const empty = Object.fromEntries(
  Object.keys(policyFamily("routerInterfaceline").spec.fields.shape).map((field) => [field, ""]),
);
const draftOf = (owner: Owner, fields: object) => ({
  ...empty,
  lineQuality: 0,
  ...line,
  hotStandbyGroup: group,
  ...owner,
  ...fields,
});
const send = (owner: Owner, fields: object = {}) =>
  world.post(opsOf(owner).add, draftOf(owner, fields));
const edit = (owner: Owner, id: number, fields: object) =>
  world.post(opsOf(owner).edit, { id, ...draftOf(owner, fields) });
const remove = (owner: Owner, id: number) =>
  world.post(opsOf(owner).remove, { ids: String(id), ...owner });
const addLan = (nCpeID: number, more: object) =>
  world.post(
    lanSection.ops.add,
    wireDraft("lansection", "valid", world.home.ids, {
      nCpeID,
      interfaceName: "lan0",
      network: "10.67.1.1/24",
      network6: "",
      enableForward: 1,
      ...more,
    }),
  );
const viewOf = async (id: number) => {
  const view = await world.loop.pools.worker.db.transaction().execute((trx) => readView(trx, id));
  if (!view) throw new Error(`CPE ${id} has no view`);
  return view;
};
/** What the device does in its LAN: the section, or the addresses that it has all the time. */
const stateOf = async (id: number) => {
  const { standby, underlay } = compile(await viewOf(id));
  return { standby, addresses: underlay.lans.flatMap(({ addresses }) => addresses) };
};
const reasonsOf = async (id: number) =>
  findingsOf(await viewOf(id), null)
    .filter(({ family }) => family === "routerInterfaceline")
    .map(({ reason, effect, params }) => [reason, effect, ...Object.values(params)]);
const lanOf = (own: string) => [
  { interfaceName: "lan0", own: `${own}/24`, gateways: ["10.67.1.1/24"] },
];
/** CPEs that wait to be compiled again. */
const waiting = async () => {
  const { rows } = await sql<{ ids: string[] }>`
    delete from weft.change returning node_ids as ids`.execute(world.loop.pools.owner.db);
  return new Set(rows.flatMap(({ ids }) => ids.map(Number)));
};

let ids: [number, number, number];
let made = 0;
/** Three CPEs of one space, whose devices have VRRP. */
beforeEach(async () => {
  ids = [await world.addCpe(), await world.addCpe(), await world.addCpe()];
  made += 1;
  group += 1;
  const space = {
    name: `lines-${made}`,
    cpeIds: ids.join(),
    popIds: "",
    groupid: world.home.ids.groupid,
  };
  expect(
    await world.post(netSpace.ops.add, wireDraft("netSpace", "valid", world.home.ids, space)),
  ).toMatchObject(done);
  const able = JSON.stringify([{ name: standbyCapability, can: true, reason: null }]);
  await sql`
    insert into weft.node_status (node_id, enterprise_id, capabilities)
    select id, enterprise_id, ${able}::jsonb from weft.node where id = any(${ids}::bigint[])
    on conflict (node_id) do update set capabilities = excluded.capabilities`.execute(
    world.loop.pools.owner.db,
  );
});

describe("LAN lines of CPEs' own", () => {
  test("that name one group share their address, and the priority decides", async () => {
    const [one, two] = ids;
    expect(await send({ cpeId: one }, { hotStandbyPriority: 200 })).toMatchObject(done);
    expect(await addLan(one, { ownAddress: "10.67.1.2" })).toMatchObject(done);
    expect(await reasonsOf(one)).toEqual([["standbyAlone", "fallback", `${group}`]]);
    // Not before the other one names the group as well.
    expect(await addLan(two, { ownAddress: "10.67.1.3" })).toMatchObject({
      issues: [{ path: "network", rule: "overlap" }],
    });
    await waiting();
    const second = newIdOf(await send({ cpeId: two }));
    expect(await waiting()).toEqual(new Set([one, two]));
    expect(await reasonsOf(two)).toEqual([["noLan", "cannot"]]);
    expect(await addLan(two, { ownAddress: "10.67.1.3" })).toMatchObject(done);
    const place = { group, lans: lanOf("10.67.1.2") };
    expect(await stateOf(one)).toEqual({
      standby: { ...place, role: "active", priority: 200 },
      addresses: ["10.67.1.2/24"],
    });
    const other = { group, lans: lanOf("10.67.1.3"), role: "standby" };
    expect(await stateOf(two)).toEqual({
      standby: { ...other, priority: 100 },
      addresses: ["10.67.1.3/24"],
    });
    expect([await reasonsOf(one), await reasonsOf(two)]).toEqual([[], []]);
    // The one with the higher priority becomes the active one, and both are compiled again.
    await waiting();
    expect(await edit({ cpeId: two }, second, { hotStandbyPriority: 201 })).toMatchObject(done);
    expect(await waiting()).toEqual(new Set([one, two]));
    expect((await stateOf(one)).standby).toMatchObject({ role: "standby", priority: 200 });
    expect((await stateOf(two)).standby).toMatchObject({ role: "active", priority: 201 });
  });

  test("stay in the group while the two share a LAN in one space", async () => {
    const [one, two] = ids;
    const first = newIdOf(await send({ cpeId: one }));
    expect(await send({ cpeId: two })).toMatchObject(done);
    await addLan(one, { ownAddress: "10.67.1.2" });
    const shared = newIdOf(await addLan(two, { ownAddress: "10.67.1.3" }));
    const refused = { code: 400, issues: [{ path: "hotStandbyGroup", rule: "overlap" }] };
    for (const fields of [
      { hotStandbyGroup: "", hotStandbyPriority: "" },
      { hotStandbyGroup: 220 },
      { name: "other", hotStandbyGroup: 220 },
    ])
      expect(await edit({ cpeId: one }, first, fields)).toMatchObject(refused);
    expect(await remove({ cpeId: one }, first)).toMatchObject(refused);
    expect(await edit({ cpeId: one }, first, { name: "renamed" })).toMatchObject(done);
    expect(
      await world.post(lanSection.ops.remove, { ids: String(shared), nCpeID: two }),
    ).toMatchObject(done);
    expect(await remove({ cpeId: one }, first)).toMatchObject(done);
    expect(await stateOf(one)).toEqual({ standby: undefined, addresses: ["10.67.1.1/24"] });
  });

  test.each([
    [{ accessType: 0, ip: "", mask: "" }, "ip", "required"],
    [{ hotStandbyGroup: "" }, "hotStandbyGroup", "required"],
    [{ kind: "wan", accessposition: 1 }, "hotStandbyGroup", "notAllowed"],
    [{ hotStandbyGroup: 256 }, "hotStandbyGroup", "outOfRange"],
  ] as const)("are refused when they cannot be a group: %j", async (fields, path, rule) => {
    expect(await send({ cpeId: ids[0] }, fields)).toMatchObject({
      code: 400,
      issues: expect.arrayContaining([expect.objectContaining({ path, rule })]),
    });
  });

  test("are refused as a second line of a device, as a third device, and with another address", async () => {
    const [one, two, three] = ids;
    const owner = { templateId: await makeTemplate() };
    for (const at of [{ cpeId: one }, owner]) {
      expect(await send(at)).toMatchObject(done);
      expect(await send(at, { name: "second" })).toMatchObject({
        issues: [{ path: "hotStandbyGroup", rule: "taken" }],
      });
    }
    for (const fields of [{ ip: "10.67.2.1" }, { ip: "10.67.1.9" }, { mask: "255.255.255.128" }])
      expect(await send({ cpeId: two }, fields)).toMatchObject({
        issues: [{ path: "ip", rule: "standbyAddress", params: { value: "10.67.1.1/24" } }],
      });
    expect(await send({ cpeId: two })).toMatchObject(done);
    expect(await send({ cpeId: three })).toMatchObject({
      issues: [{ path: "hotStandbyGroup", rule: "tooMany", params: { max: 2 } }],
    });
    const third = { cpeId: three, hotStandbyRole: "active", hotStandbyPriority: 9 };
    expect(await world.post(cpeEditStandby, { ...third, hotStandbyGroup: group })).toMatchObject({
      issues: [{ path: "hotStandbyGroup", rule: "tooMany" }],
    });
    // A group is one of an enterprise, and who is in it is nobody else's business.
    const foreign = draftOf({ cpeId: one }, { name: "x", ip: "10.9.9.9" });
    const answer = await world.post(manage.resource.ops.add, foreign, world.other);
    expect(answer).toMatchObject({ issues: [{ path: "cpeId" }] });
    expect(JSON.stringify(answer)).not.toContain("10.67.1.1");
  });

  test("name what keeps them from acting", async () => {
    const [one, two, three] = ids;
    await send({ cpeId: one });
    await addLan(one, { ownAddress: "" });
    expect(await reasonsOf(one)).toEqual([["standbyNoOwnAddress", "fallback", "10.67.1.1/24"]]);
    await send({ cpeId: one }, { name: "z", ip: "10.67.1.1", hotStandbyGroup: 230 });
    expect(await reasonsOf(one)).toContainEqual(["standbyOfLine", "fallback", "lan"]);
    const place = { cpeId: two, hotStandbyRole: "active", hotStandbyPriority: 9 };
    await world.post(cpeEditStandby, { ...place, hotStandbyGroup: 240 });
    await send({ cpeId: two }, { ip: "10.68.1.1", hotStandbyGroup: 241 });
    await addLan(two, { network: "10.68.1.1/24", ownAddress: "" });
    expect(await reasonsOf(two)).toEqual([["standbyOfNode", "fallback", "241"]]);
    await send({ cpeId: three }, { ip: "10.69.1.1", hotStandbyGroup: 242 });
    await addLan(three, { network: "10.69.1.1/24", ownAddress: "10.69.1.2" });
    await sql`update weft.node_status set capabilities = '[{"name":"vlan","can":true}]'
      where node_id = ${three}`.execute(world.loop.pools.owner.db);
    expect(await reasonsOf(three)).toEqual([["fieldNotCarriedOut", "fallback", "hotStandbyGroup"]]);
  });
});

async function makeTemplate(): Promise<number> {
  made += 1;
  const fields = { templateName: `T-${made}`, remark: "", groupid: world.home.ids.groupid };
  return newIdOf(await world.post(routerTemplate.ops.add, fields));
}
const issue = async (templateId: number) =>
  expect(await world.get(routerTemplateIssue, { templateId })).toMatchObject(done);

describe("LAN lines of a template", () => {
  test("make the two CPEs that follow it a group; a line of a CPE's own gives it another priority", async () => {
    const [one, two] = ids;
    const owner = { templateId: await makeTemplate() };
    const given = newIdOf(await send(owner, { name: "t" }));
    await world.post(routerTemplateRelAdd, { ...owner, cpeIds: `${one},${two}` });
    // What was not issued makes no group.
    expect((await stateOf(one)).standby).toBeUndefined();
    await issue(owner.templateId);
    expect(await addLan(one, { ownAddress: "10.67.1.2" })).toMatchObject(done);
    expect(await addLan(two, { ownAddress: "10.67.1.3" })).toMatchObject(done);
    // Of two equal ones the first one is active until something moves it.
    expect((await stateOf(one)).standby).toMatchObject({ role: "active", priority: 100 });
    expect((await stateOf(two)).standby).toMatchObject({ role: "standby", priority: 100 });
    const own = { name: "t", hotStandbyPriority: 150 };
    expect(await send({ cpeId: two }, own)).toMatchObject(done);
    expect((await stateOf(one)).standby).toMatchObject({ role: "standby" });
    expect((await stateOf(two)).standby).toMatchObject({ role: "active", priority: 150 });
    // Without the group in the next version the CPEs are two sites: one of them has the gateway, never both.
    await edit(owner, given, { name: "t", hotStandbyGroup: "", hotStandbyPriority: "" });
    await waiting();
    await issue(owner.templateId);
    expect(await waiting()).toEqual(new Set([one, two]));
    expect(await stateOf(one)).toEqual({ standby: undefined, addresses: ["10.67.1.1/24"] });
    expect(await stateOf(two)).toMatchObject({ addresses: ["10.67.1.3/24"] });
  });

  test("leave a third CPE that follows it out, and say so", async () => {
    const [one, two, three] = ids;
    const owner = { templateId: await makeTemplate() };
    await send(owner, { name: "t" });
    await world.post(routerTemplateRelAdd, { ...owner, cpeIds: `${two},${three}` });
    await issue(owner.templateId);
    await addLan(two, { ownAddress: "10.67.1.2" });
    await addLan(three, { ownAddress: "10.67.1.3" });
    const before = [await stateOf(two), await stateOf(three)];
    expect(before.map(({ standby }) => standby?.role)).toEqual(["active", "standby"]);
    await world.post(routerTemplateRelAdd, { ...owner, cpeIds: String(one) });
    await issue(owner.templateId);
    expect([await stateOf(two), await stateOf(three)]).toEqual(before);
    expect((await stateOf(one)).standby).toBeUndefined();
    expect(await addLan(one, { ownAddress: "10.67.1.4" })).toMatchObject({
      issues: [{ path: "network", rule: "overlap" }],
    });
    await addLan(one, { network: "10.66.9.1/24" });
    expect(await reasonsOf(one)).toMatchObject([["ofLineItself", "fallback", "ip"]]);
  });
});
