/** Lists inside a CPE and the areas that CPEs are in (sections 3, 6 and 7.3). */

import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import * as area from "@weft/contract/domains/devices/cpe-area.ts";
import * as config from "@weft/contract/domains/devices/cpe-config.ts";
import { dnsEntry, dnsEntryImport } from "@weft/contract/domains/devices/dns-entry.ts";
import * as lan from "@weft/contract/domains/devices/lan-section.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import { aclRule, aclRuleClear } from "@weft/contract/domains/policies/acl-rule.ts";
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { textFile } from "./api.ts";
import { done, type SiteWorld, siteWorld } from "./site-world.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let world: SiteWorld;
beforeAll(async () => {
  world = await siteWorld();
}, 120_000);
afterAll(() => world.loop.close());

describe("lists inside a CPE", () => {
  const lists = [
    ["dnsmasq", dnsEntry, "nID"],
    ["staticroute", staticRoute, "nID"],
    ["xaclrules", aclRule, "nID"],
    ["lansection", lan.lanSection, "id"],
  ] as const;

  test.each(lists)(
    "B-7.3-10: %s lists, adds, edits and removes, and needs nCpeID",
    async (name, resource, key) => {
      const cpeId = await world.addCpe();
      const ids = { ...world.home.ids, cpeId };
      const id = newIdOf(await world.post(resource.ops.add, wireDraft(name, "valid", ids)));
      const edited = wireDraft(name, "edited", ids);
      expect(await world.post(resource.ops.edit, { ...edited, [key]: id })).toMatchObject(done);
      expect(await world.rows(resource.ops.list, { nCpeID: cpeId })).toMatchObject([{ [key]: id }]);
      for (const { nCpeID: _, ...without } of [edited]) {
        expect(await world.post(resource.ops.add, without)).toMatchObject({
          code: 400,
          issues: [{ path: "nCpeID", rule: "required" }],
        });
      }
      expect(await world.get(resource.ops.list, {})).toMatchObject({ code: 400 });
      expect(await world.post(resource.ops.remove, { nCpeID: cpeId, ids: id })).toMatchObject(done);
      expect(await world.rows(resource.ops.list, { nCpeID: cpeId })).toEqual([]);
    },
  );

  /** What the operation log says that was done to a row of a removed node. */
  const logged = async (resource: string, id: number) => {
    const { rows } = await sql`select action, login_name, enterprise_id, old_value, new_value
      from weft.audit where resource = ${resource} and row_id = ${id} and action = 'cpe.remove'`.execute(
      world.loop.pools.owner.db,
    );
    return rows;
  };

  test("an alarm policy that loses its last node is disabled, and never one about all", async () => {
    const [one, other] = [await world.addCpe(), await world.addCpe()];
    const policy = async (name: string, cpeIds: readonly number[]) =>
      newIdOf(
        await world.post(
          alarmStrategy.ops.add,
          wireDraft("alarmStrategy", "valid", world.home.ids, {
            name,
            cpeIds: cpeIds.join(),
            popIds: "",
            enable: 1,
          }),
        ),
      );
    const [lost, kept, all] = [
      await policy("lost", [one]),
      await policy("kept", [one, other]),
      await policy("all", []),
    ];
    expect(await world.post(cpe.ops.remove, { ids: one }, world.admin)).toMatchObject(done);
    const rows = await world.rows(alarmStrategy.ops.list, { page: 1, limit: 100 });
    const enabled = new Map(rows.map(({ id, enable }) => [id, enable]));
    expect([lost, kept, all].map((id) => enabled.get(id))).toEqual([0, 1, 1]);
    expect(await logged("alarmStrategy", lost)).toMatchObject([
      {
        login_name: "admin",
        old_value: { enable: true },
        new_value: { name: "lost", enable: false },
      },
    ]);
    expect(await logged("alarmStrategy", kept)).toEqual([]);
  });

  test("a blacklist entry is removed with the last CPE that it names, and never applies to all instead", async () => {
    const [one, other, third] = [await world.addCpe(), await world.addCpe(), await world.addCpe()];
    const { groupid } = world.home.ids;
    const draft = (value: string, cpeIds: readonly number[]) => ({
      groupid,
      type: "ip",
      value,
      cpeIds: cpeIds.join(),
      enable: 1,
      remark: "",
    });
    const block = async (value: string, cpeIds: readonly number[]) =>
      newIdOf(await world.post(blacklist.ops.add, draft(value, cpeIds)));
    const named = await block("203.0.113.1", [one, other]);
    const shared = await block("203.0.113.2", [one, third]);
    const freed = await block("203.0.113.3", [third]);
    const remove = (ids: readonly number[]) =>
      world.post(cpe.ops.remove, { ids: ids.join() }, world.admin);
    expect(await remove([one, other])).toMatchObject(done);
    expect(
      await world.post(blacklist.ops.edit, { id: freed, ...draft("203.0.113.3", []) }),
    ).toMatchObject(done);
    const left = await world.rows(blacklist.ops.list, { page: 1, limit: 100 });
    expect(left.map(({ id }) => id)).not.toContain(named);
    // In the log of its enterprise, by the user who removed the CPEs.
    expect(await logged("blacklist", named)).toEqual([
      {
        action: "cpe.remove",
        login_name: "admin",
        enterprise_id: groupid,
        old_value: {
          type: "ip",
          value: "203.0.113.1",
          enable: true,
          remark: "",
          cpeIds: expect.arrayContaining([one, other]),
        },
        new_value: null,
      },
    ]);
    expect(left).toContainEqual(expect.objectContaining({ id: shared, cpeIds: String(third) }));
    expect(left).toContainEqual(expect.objectContaining({ id: freed, cpeIds: "" }));
    const both = { ids: [shared, freed].join() };
    expect(await world.post(blacklist.ops.remove, both)).toMatchObject(done);
  });

  test("an ACL rule or a blocked address more than a device takes is refused where it is written", async () => {
    const [cpeId, free] = [await world.addCpe(), await world.addCpe()];
    const { groupid } = world.home.ids;
    await inScope(world.loop.pools.apiAll, { kind: "all" }, (trx) =>
      sql`insert into acl_rule (enterprise_id, node_id, section, name, action, protocol, created_by)
        select ${groupid}::bigint, ${cpeId}::bigint, 0, 'r', 0, 'any', 1
        from generate_series(1, 9999)`.execute(trx),
    );
    const rule = (nCpeID: number) =>
      world.post(
        aclRule.ops.add,
        wireDraft("xaclrules", "valid", { ...world.home.ids, cpeId: nCpeID }),
      );
    const block = (value: string, cpeIds: string) =>
      world.post(blacklist.ops.add, { groupid, type: "ip", value, cpeIds, enable: 1, remark: "" });
    expect(await block("192.0.2.1", String(cpeId))).toMatchObject({ code: 422 });
    expect(await block("192.0.2.1", "")).toMatchObject({ code: 422 });
    expect(await block("192.0.2.1", String(free))).toMatchObject(done);
    expect(await rule(cpeId)).toMatchObject(done);
    expect(await rule(cpeId)).toMatchObject({ code: 422 });
    expect(await rule(free)).toMatchObject(done);
  });

  test.each([
    ["B-3-06: a DNS entry", "dnsmasq", dnsEntry],
    ["B-3-07: a static route", "staticroute", staticRoute],
  ] as const)("%s is switched off by nID, nCpeID and nEnable 0", async (_, name, resource) => {
    const cpeId = await world.addCpe();
    const draft = wireDraft(name, "valid", { ...world.home.ids, cpeId });
    const nID = newIdOf(await world.post(resource.ops.add, draft));
    const off = { ...draft, nID, nCpeID: cpeId, nEnable: 0 };
    expect(await world.post(resource.ops.edit, off)).toMatchObject(done);
    expect(await world.rows(resource.ops.list, { nCpeID: cpeId })).toMatchObject([
      { nID, nEnable: 0 },
    ]);
  });

  test("B-3-08: an edited ACL rule carries nSection, nCpeID and nEnable", async () => {
    const cpeId = await world.addCpe();
    const draft = wireDraft("xaclrules", "valid", { ...world.home.ids, cpeId });
    const nID = newIdOf(await world.post(aclRule.ops.add, draft));
    const change = { nID, nSection: 77, nCpeID: cpeId, nEnable: 0 };
    expect(await world.post(aclRule.ops.edit, { ...draft, ...change })).toMatchObject(done);
    expect(await world.rows(aclRule.ops.list, { nCpeID: cpeId })).toMatchObject([change]);
  });

  test("B-3-09 B-7.3-12: forwarding and redirect of LAN sections are switched", async () => {
    const cpeId = await world.addCpe();
    const draft = wireDraft(
      "lansection",
      "valid",
      { ...world.home.ids, cpeId },
      {
        network: "10.77.0.1/24",
        network6: "",
        enableForward: 0,
        enableDirect: 1,
      },
    );
    const id = newIdOf(await world.post(lan.lanSection.ops.add, draft));
    const call = { nCpeID: cpeId, ids: id };
    expect(
      await world.post(lan.lanSectionEnableForward, { ...call, enableForward: 1 }),
    ).toMatchObject(done);
    expect(
      await world.post(lan.lanSectionEnableDirect, { ...call, enableDirect: 0 }),
    ).toMatchObject(done);
    expect(await world.rows(lan.lanSection.ops.list, { nCpeID: cpeId })).toMatchObject([
      { id, nCpeID: cpeId, enableForward: 1, enableDirect: 0 },
    ]);
  });

  test("B-7.3-11: clear empties the ACL of that device only", async () => {
    const [one, two] = [await world.addCpe(), await world.addCpe()];
    for (const cpeId of [one, one, two]) {
      const draft = wireDraft("xaclrules", "valid", { ...world.home.ids, cpeId });
      expect(await world.post(aclRule.ops.add, draft)).toMatchObject(done);
    }
    expect(await world.post(aclRuleClear, { nCpeID: two }, world.other)).toMatchObject({
      code: 400,
    });
    expect(await world.post(aclRuleClear, { nCpeID: one })).toMatchObject(done);
    expect(await world.rows(aclRule.ops.list, { nCpeID: one })).toEqual([]);
    expect((await world.rows(aclRule.ops.list, { nCpeID: two })).length).toBe(1);
  });

  test("B-7.3-13: the entries of a DNS file are listed; a bad line keeps all of it out", async () => {
    const nCpeID = await world.addCpe();
    const send = (text: string, who = world.home) =>
      world.post(dnsEntryImport, { nCpeID, file: textFile("hosts", text) }, who);
    const text =
      "# names\n10.0.0.1 erp.example.com mail.example.com\nwiki.example.com,fd00::1,1,文档\n\n";
    expect(await send(text)).toMatchObject({ code: 0, data: { added: 3, known: 0 } });
    expect(await send(text)).toMatchObject({ code: 0, data: { added: 0, known: 3 } });
    const found = await world.rows(dnsEntry.ops.list, {
      nCpeID,
      orderByColumn: "domain",
      isAsc: "asc",
    });
    expect(found).toMatchObject([
      { domain: "erp.example.com", address: "10.0.0.1", nType: 0, nEnable: 1 },
      { domain: "mail.example.com", address: "10.0.0.1" },
      { domain: "wiki.example.com", address: "fd00::1", nType: 1, remark: "文档" },
    ]);
    expect(await send("10.0.0.9 ok.example.com\nnot a line\n")).toMatchObject({
      code: 400,
      issues: [{ path: "file", rule: "dnsLine", params: { line: 2, value: "not a line" } }],
    });
    expect((await world.rows(dnsEntry.ops.list, { nCpeID })).length).toBe(3);
    expect(await send(text, world.other)).toMatchObject({ code: 400 });
  });
});

test("areas form a tree of their enterprise, without cycles or areas of other tenants", async () => {
  const { groupid } = world.home.ids;
  const draft = (name: string, pId: number) => ({ groupid, name, pId, sort: 1 });
  const east = newIdOf(await world.post(area.cpeAreaAdd, draft("华东", 0)));
  const city = newIdOf(await world.post(area.cpeAreaAdd, draft("上海", east)));
  expect(await world.post(area.cpeAreaAdd, draft("上海", east))).toMatchObject({
    code: 400,
    issues: [{ path: "name", rule: "taken" }],
  });
  const up = { ...draft("华东", city), id: east };
  expect(await world.post(area.cpeAreaEdit, up)).toMatchObject({
    issues: [{ path: "pId", rule: "cycle" }],
  });
  const foreign = { ...draft("x", east), groupid: world.other.ids.groupid };
  expect(await world.post(area.cpeAreaAdd, foreign, world.other)).toMatchObject({
    issues: [{ path: "pId", rule: "unknown" }],
  });
  const id = await world.addCpe({ areaId: city });
  expect(await world.rows(cpe.ops.list, { areaId: city })).toMatchObject([
    { id, areaName: "上海" },
  ]);
  expect(await world.rows(area.cpeAreaTree, {})).toMatchObject([
    { id: city, pId: east, cpeCount: 1 },
    { id: east, pId: 0, cpeCount: 0 },
  ]);
  expect(await world.post(area.cpeAreaRemove, { ids: east })).toMatchObject({ code: 409 });
  expect(await world.post(area.cpeAreaRemove, { ids: `${east},${city}` })).toMatchObject(done);
  expect(await world.rows(cpe.ops.list, { alias: `c${world.made}` })).toMatchObject([
    { id, areaId: null },
  ]);
});

test("a POP has settings and interfaces of its own", async () => {
  const { popId } = world.home.ids;
  expect(
    await world.post(config.popCfgEdit, { popId, mtu: 1400, szCrontab: "0 4 * * *" }),
  ).toMatchObject(done);
  expect((await world.get(config.popCfg, { popId })).data).toMatchObject({
    mtu: 1400,
    szCrontab: "0 4 * * *",
  });
  expect(await world.get(config.popCfg, { popId: world.home.ids.cpeId })).toMatchObject({
    code: 404,
  });
  expect(await world.post(config.popCfgEdit, { popId, mtu: 1400 }, world.other)).toMatchObject({
    code: 404,
  });
  expect(await world.rows(config.popInterfaceList, { popId })).toEqual([]);
  expect(await world.rows(pop.ops.list, { key: "5" })).toEqual([]);
});
