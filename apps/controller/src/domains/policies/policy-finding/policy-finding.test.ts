/** What the console says of policy objects: from rows by a compile and a device to the calls. */
import type { StateHead } from "@weft/contract/device/v1/state.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { cpeCfgEditXwan } from "@weft/contract/domains/devices/cpe-config.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import {
  aclSummary,
  blacklistSummary,
  nodeFindings,
  nodeSummary,
  type PolicySummary,
  templateCapabilities,
  templateSummary,
  unsupportedReasons,
} from "@weft/contract/domains/policies/policy-finding.ts";
import {
  routerTemplate,
  routerTemplateIssue,
  routerTemplateRelAdd,
} from "@weft/contract/domains/templates/router-template.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { holdLock, locks } from "#db/locks.ts";
import { type FakeEdge, type Line, runningOf } from "../../../../test/fake-edge.ts";
import { type LoopWorld, loopWorld, type Site } from "../../../../test/loop-world.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld();
  await world.startWorker();
}, 60_000);
afterAll(() => world.close());

type Owner = { readonly templateId: number } | { readonly cpeId: number };
const add = async (family: string, owner: Owner, fields: object): Promise<number> => {
  const { template, manage } = policyFamily(family);
  const { ops } = ("templateId" in owner ? template : manage).resource;
  return newIdOf(await world.post(ops.add?.path ?? "", { remark: "", ...owner, ...fields }));
};
const get = async (path: string, query: object) => {
  const answer = await world.api.get(path, query, world.admin);
  expect(answer).toMatchObject({ code: 0 });
  return answer;
};
const limit = { enable: 1, ipgroupId: "", maxConnections: 100, maxNewPerSecond: "" };
const summaryOf = async (templateId: number, id: number, family = "routerConnlimit") => {
  const { data } = await get(templateSummary.path, { templateId, family, ids: id });
  return (data as PolicySummary[])[0];
};
const findingsOf = async (cpeId: number) =>
  (await get(nodeFindings.path, { cpeId, limit: 100 })).data as Record<string, unknown>[];

const able = (...names: string[]) =>
  ["wireguard.kernel", ...names].map((name) => ({ name, can: true, reason: null }));

/** A connected device with a LAN and these capabilities. */
async function device(site: Site, ...can: string[]): Promise<{ edge: FakeEdge; line: Line }> {
  await world.addLan(site, site.id);
  const edge = await world.enrolled(site);
  const line = await edge.connect();
  line.send(edge.report({ capabilities: able(...can) }));
  return { edge, line };
}
/** Takes every state that comes, until its connection is closed: the first may be from before an issue. */
const follows = (device: { edge: FakeEdge; line: Line }): Promise<void> =>
  device.line.follow("head", ({ head }) => takes(device, head));
async function takes(
  { edge, line }: { edge: FakeEdge; line: Line },
  head: StateHead,
): Promise<void> {
  const { epoch, serial } = head;
  line.send({ type: "need", epoch, serial, sections: Object.values(head.sections) });
  await line.seek("sections");
  line.send({ type: "outcome", epoch, serial, outcome: "applied", reason: null });
  expect((await edge.confirm(head)).status).toBe(200);
  const drift = { steps: 0, hash: "0".repeat(64) };
  line.send({ type: "heartbeat", running: runningOf(head), drift });
}

describe("objects of a template", () => {
  test("act where a device supports them, and report elsewhere that it does not", async () => {
    const [capable, unable, absent] = [
      await world.addSite(),
      await world.addSite(),
      await world.addSite(),
    ];
    await world.addLan(absent, absent.id);
    const templateId = newIdOf(
      await world.post(routerTemplate.ops.add.path, { templateName: "shops", remark: "" }),
    );
    const rule = await add("routerConnlimit", { templateId }, { name: "guests", ...limit });
    expect(await summaryOf(templateId, rule)).toMatchObject({ nodes: 0 });
    const cpeIds = [capable, unable, absent].map(({ id }) => id).join();
    await world.post(routerTemplateRelAdd.path, { templateId, cpeIds });
    const devices = [await device(capable, "policy.routerConnlimit"), await device(unable)];
    await get(routerTemplateIssue.path, { templateId });
    const running = devices.map(follows);
    // Of a CPE without a device nothing is known yet.
    await expect
      .poll(() => summaryOf(templateId, rule))
      .toEqual({
        id: rule,
        nodes: 3,
        acts: 1,
        fallback: 0,
        cannot: 1,
        replaced: 0,
        underway: 1,
        reasons: [{ reason: "notCarriedOut", params: {}, nodes: 1 }],
      });
    const { data: can } = await get(templateCapabilities.path, { templateId });
    expect(can).toEqual(["policy.routerConnlimit", "wireguard.kernel"]);
    expect(await findingsOf(capable.id)).toEqual([]);
    expect(await findingsOf(unable.id)).toMatchObject([
      {
        family: "routerConnlimit",
        objectId: rule,
        name: "guests",
        level: "template",
        effect: "cannot",
      },
    ]);
    for (const { line } of devices) line.socket.close();
    await Promise.all(running);
    // After a restore, what was confirmed before it says nothing of the state that was not sent yet.
    await sql`insert into weft.node_state
      select (jsonb_populate_record(s, jsonb_build_object('epoch', s.epoch + 1,
        'serial', s.serial + 1, 'outcome', 'waiting'))).*
      from weft.node_state s where s.node_id = ${capable.id}
      order by s.epoch desc, s.serial desc limit 1`.execute(world.pools.owner.db);
    expect(await summaryOf(templateId, rule)).toMatchObject({ acts: 0, cannot: 1, underway: 2 });
  });
});

describe("objects of a node", () => {
  test("count from the moment they are saved, with the reason why one does not act", async () => {
    const site = await world.addSite();
    const cpeId = site.id;
    const can = ["routerConnlimit", "routerIpgroup", "routerIpgroupdefine"];
    await device(site, ...can.map((family) => `policy.${family}`));
    const ipgroupId = await add("routerIpgroup", { cpeId }, { name: "guests" });
    const id = await add("routerConnlimit", { cpeId }, { name: "few", ...limit, ipgroupId });
    const reasons = async () =>
      (await findingsOf(cpeId)).map(({ reason, params }) => [reason, params]);
    await expect.poll(reasons).toEqual([["emptyGroup", { field: "ipgroupId" }]]);
    const { data } = await get(nodeSummary.path, { cpeId, family: "routerConnlimit", ids: id });
    expect(data).toMatchObject([{ id, nodes: 1, cannot: 1, acts: 0 }]);
    await add("routerIpgroupdefine", { cpeId }, { name: "a", ipgroupId, ip: "10.0.0.1" });
    await expect.poll(reasons).toEqual([]);
    // Sent, and not confirmed: no device reported that it acts.
    const { data: later } = await get(nodeSummary.path, {
      cpeId,
      family: "routerConnlimit",
      ids: id,
    });
    expect(later).toMatchObject([{ id, nodes: 1, cannot: 0, acts: 0, underway: 1 }]);
  });

  test("of a device that learns a family act without an edit", async () => {
    const site = await world.addSite();
    const { edge, line } = await device(site);
    const id = await add("routerConnlimit", { cpeId: site.id }, { name: "few", ...limit });
    await expect
      .poll(() => findingsOf(site.id))
      .toMatchObject([{ objectId: id, effect: "cannot" }]);
    line.send(edge.report({ capabilities: able("policy.routerConnlimit") }));
    await expect.poll(() => findingsOf(site.id)).toEqual([]);
  });
});

test("an object that acts is underway again from the moment its site is edited", async () => {
  const site = await world.addSite();
  const one = await device(site, "policy.routerConnlimit");
  const running = follows(one);
  const id = await add("routerConnlimit", { cpeId: site.id }, { name: "few", ...limit });
  const path = nodeSummary.path;
  const summary = async () =>
    (await get(path, { cpeId: site.id, family: "routerConnlimit", ids: id })).data;
  await expect.poll(summary).toMatchObject([{ acts: 1, underway: 0 }]);
  await world.pools.owner.db.transaction().execute(async (trx) => {
    // Changes are read under this lock: what is saved meanwhile waits as on a busy controller.
    await holdLock(trx, locks.changes);
    await add("routerConnlimit", { cpeId: site.id }, { name: "more", ...limit });
    expect(await summary()).toMatchObject([{ acts: 0, underway: 1 }]);
  });
  await expect.poll(summary).toMatchObject([{ acts: 1, underway: 0 }]);
  one.line.socket.close();
  await running;
});

describe("rules of a site that are no policy objects", () => {
  const of = async (path: string, id: number) =>
    ((await get(path, { ids: id })).data as PolicySummary[])[0];
  const block = async (fields: object) => {
    const ids = { groupid: 1, cpeId: 1, popId: 0 };
    const draft = wireDraft("blacklist", "valid", ids, { cpeIds: "", ...fields });
    return newIdOf(await world.post(blacklist.ops.add.path, draft));
  };

  test("report where a blocked domain has no effect, and where a blocked address acts", async () => {
    const [one, other] = [await world.addSite(), await world.addSite()];
    const devices = [await device(one), await device(other)];
    const cpeIds = `${one.id},${other.id}`;
    const domain = await block({ type: "domain", value: "ads.example.com", cpeIds });
    const address = await block({ type: "ip", value: "203.0.113.7", cpeIds });
    const running = devices.map(follows);
    await expect
      .poll(() => of(blacklistSummary.path, address))
      .toMatchObject({ nodes: 2, acts: 2, cannot: 0, reasons: [] });
    expect(await of(blacklistSummary.path, domain)).toMatchObject({
      nodes: 2,
      acts: 0,
      cannot: 2,
      reasons: [{ reason: "notCarriedOut", nodes: 2 }],
    });
    // Without a choice it is about every CPE of its enterprise.
    const all = await block({ type: "ip", value: "203.0.113.8" });
    const cpes = (await get(cpe.ops.combo.path, {})).data as unknown[];
    expect(await of(blacklistSummary.path, all)).toMatchObject({ nodes: cpes.length });
    await world.post(blacklist.ops.remove.path, { ids: [domain, address, all].join() });
    expect(await of(blacklistSummary.path, domain)).toMatchObject({ nodes: 0 });
    for (const { line } of devices) line.socket.terminate();
    await Promise.all(running);
  });

  test("report for an ACL rule that the ACL of the device is off", async () => {
    const site = await world.addSite();
    await device(site);
    const ids = { groupid: 1, cpeId: site.id, popId: 0 };
    const rule = newIdOf(
      await world.post(aclRule.ops.add.path, wireDraft("xaclrules", "valid", ids)),
    );
    expect(await of(aclSummary.path, rule)).toMatchObject({ nodes: 1, cannot: 0, underway: 1 });
    await world.post(cpeCfgEditXwan.path, { cpeId: site.id, nXACLEnabled: 0 });
    await expect
      .poll(() => of(aclSummary.path, rule))
      .toMatchObject({ nodes: 1, cannot: 1, reasons: [{ reason: "aclOff" }] });
  });

  test("report for a denied address of a LAN with both families that the other family is open, until it is denied as well", async () => {
    const site = await world.addSite();
    await world.post(lanSection.ops.add.path, {
      nCpeID: site.id,
      interfaceName: "dual",
      network: "10.60.1.1/24",
      vlan: "",
      network6: "fd60:1::1/64",
      enableForward: 1,
      enableDirect: 1,
      remark: "",
    });
    await device(site);
    const ids = { groupid: 1, cpeId: site.id, popId: 0 };
    const deny = async (name: string, fields: object) => {
      const draft = wireDraft("xaclrules", "valid", ids, { name, dstIp: "", ...fields });
      return newIdOf(await world.post(aclRule.ops.add.path, draft));
    };
    const rule = await deny("four", { srcIp: "10.60.1.9/32" });
    const entry = await block({ type: "ip", value: "10.60.1.8", cpeIds: `${site.id}` });
    const open = {
      nodes: 1,
      cannot: 0,
      fallback: 1,
      reasons: [{ reason: "oneFamily", params: { only: "IPv4", other: "IPv6" }, nodes: 1 }],
    };
    await expect.poll(() => of(aclSummary.path, rule)).toMatchObject(open);
    await expect.poll(() => of(blacklistSummary.path, entry)).toMatchObject(open);
    await deny("six", { srcIp: "fd60:1::9/128" });
    await expect
      .poll(() => of(aclSummary.path, rule))
      .toMatchObject({ nodes: 1, fallback: 0, reasons: [] });
    await world.post(blacklist.ops.remove.path, { ids: `${entry}` });
  });
});

test("the database takes the reasons of the contract for facts about the product", async () => {
  const { rows } = await sql<{ text: string }>`
    select pg_get_expr(d.adbin, d.adrelid) as text from pg_attrdef d
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where d.adrelid = 'weft.policy_finding'::regclass and a.attname = 'unsupported'`.execute(
    world.pools.owner.db,
  );
  const named = [...(rows[0]?.text ?? "").matchAll(/'(\w+)'/g)].map(([, reason]) => reason);
  expect(named.sort()).toEqual([...unsupportedReasons].sort());
});
