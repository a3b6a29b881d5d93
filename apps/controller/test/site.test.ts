/** CPEs and POPs through the API, as the specification's sections 3 and 7.3 have them. */

import { cpe, cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import * as actions from "@weft/contract/domains/devices/cpe-actions.ts";
import * as config from "@weft/contract/domains/devices/cpe-config.ts";
import { dnsEntry } from "@weft/contract/domains/devices/dns-entry.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { popLines } from "@weft/contract/domains/devices/pop.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { cpeEditCtg } from "@weft/contract/domains/enterprises/enterprise.ts";
import * as space from "@weft/contract/domains/overlay/net-space.ts";
import * as topology from "@weft/contract/domains/overlay/topology.ts";
import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "./loop-world.ts";
import { wireTime } from "./measures.ts";
import { done, type Row, type SiteWorld, siteWorld } from "./site-world.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let world: SiteWorld;
beforeAll(async () => {
  world = await siteWorld();
}, 120_000);
afterAll(() => world.loop.close());

const configOf = async (cpeId: number): Promise<Row> => {
  const { data } = await world.get(config.cfgInit, { cpeId });
  return (data as { cpeConfig: Row }).cpeConfig;
};

describe("the list of CPEs", () => {
  test("B-7.3-01: is sorted as requested", async () => {
    for (const alias of ["b-order", "a-order", "c-order"]) await world.addCpe({ alias });
    for (const isAsc of ["asc", "desc"]) {
      const found = await world.rows(cpe.ops.list, {
        alias: "-order",
        orderByColumn: "alias",
        isAsc,
      });
      const names = found.map((row) => row.alias);
      const sorted = ["a-order", "b-order", "c-order"];
      expect(names).toEqual(isAsc === "asc" ? sorted : sorted.reverse());
    }
  });

  test.each(["password", "id; drop table weft.node", "(select 1)", "alias desc, id"])(
    "B-7.3-02: an order by %s is refused and never run",
    async (orderByColumn) => {
      expect(await world.get(cpe.ops.list, { orderByColumn, isAsc: "asc" })).toMatchObject({
        code: 400,
        issues: [{ path: "orderByColumn", rule: "oneOf" }],
      });
      expect((await world.rows(cpe.ops.list, {})).length).toBeGreaterThan(0);
    },
  );

  test("key 4 is what is due soon, key 5 what has expired, any other text a part of alias or SN", async () => {
    const inDays = (days: number) => wireTime(Date.now() + days * 86_400_000);
    await world.addCpe({ alias: "due-29", expireTime: inDays(29) });
    await world.addCpe({ alias: "due-31", expireTime: inDays(31) });
    await world.addCpe({ alias: "due-past", expireTime: inDays(-1) });
    const named = async (key: string) =>
      (await world.rows(cpe.ops.list, { key })).map(({ alias, tokenState }) => [alias, tokenState]);
    expect(await named("4")).toEqual([["due-29", 4]]);
    expect(await named("5")).toEqual([["due-past", 5]]);
    expect((await named("due-")).sort()).toEqual([
      ["due-29", 4],
      ["due-31", 3],
      ["due-past", 5],
    ]);
    await world.addCpe({ alias: "by-number", sn: "FIND-0077" });
    expect(await named("find-00")).toEqual([["by-number", 3]]);
  });

  test("findAllByGroup returns the CPEs of one enterprise, and none of another tenant", async () => {
    const { groupid } = world.home.ids;
    const own = await world.rows(actions.cpeFindAllByGroup, { groupid });
    expect(own.length).toBeGreaterThan(3);
    expect(new Set(own.map((row) => row.groupid))).toEqual(new Set([groupid]));
    expect(await world.rows(actions.cpeFindAllByGroup, { groupid }, world.other)).toEqual([]);
  });
});

describe("a CPE", () => {
  test("endpoints:cpe.insert endpoints:cpe.addChild a CPE behind another one of its enterprise", async () => {
    const draft = (name: string) =>
      wireDraft("cpe", "valid", world.home.ids, { alias: name, sn: `SN-${name}` });
    const parent = newIdOf(await world.post(actions.cpeInsert, draft("parent")));
    const child = newIdOf(
      await world.post(actions.cpeAddChild, { ...draft("child"), cpeId: parent }),
    );
    const found = await world.rows(cpe.ops.list, { alias: "child" });
    expect(found).toMatchObject([{ id: child, parentCpeId: parent }]);
    const foreign = wireDraft("cpe", "valid", world.other.ids, { alias: "x", sn: "SN-x-child" });
    expect(
      await world.post(actions.cpeAddChild, { ...foreign, cpeId: parent }, world.other),
    ).toMatchObject({
      code: 404,
    });
  });

  test("is enabled and disabled, but not when another device serves it by now", async () => {
    const id = await world.addCpe();
    const set = (fields: object) => world.post(actions.cpeSaveEnable, { id, ...fields });
    expect(await set({ enable: 0, hostid: "" })).toMatchObject(done);
    expect(await world.rows(cpe.ops.list, { alias: `c${world.made}` })).toMatchObject([
      { enable: 0 },
    ]);
    expect(await set({ enable: 1, hostid: "feedfeedfeedfeed" })).toMatchObject({
      code: 400,
      issues: [{ path: "hostid", rule: "unknown" }],
    });
    expect(
      await world.post(actions.cpeSaveEnable, { id, enable: 1, hostid: "" }, world.other),
    ).toMatchObject({
      code: 404,
    });
  });

  test("its place in a user group is switched and given a bandwidth", async () => {
    const cpeId = await world.addCpe();
    const cug = async () => {
      const { data } = await world.get(cpeFindById, { id: cpeId });
      const { cugEnable, cugBandwidth, isPush } = data as Row;
      return { cugEnable, cugBandwidth, isPush };
    };
    expect(await cug()).toEqual({ cugEnable: 1, cugBandwidth: null, isPush: 0 });
    expect(
      await world.post(actions.cpeEditCugConfig, { cpeId, bandwidth: 10_000_000 }),
    ).toMatchObject(done);
    expect(
      await world.post(actions.cpeSaveCugEnable, { id: cpeId, enable: 0, hostid: "" }),
    ).toMatchObject(done);
    expect(await world.post(cpeEditCtg, { cpeId, isPush: 1 })).toMatchObject(done);
    expect(await cug()).toEqual({ cugEnable: 0, cugBandwidth: 10_000_000, isPush: 1 });
    expect(await world.post(actions.cpeEditCugConfig, { cpeId, bandwidth: 63_999 })).toMatchObject({
      code: 400,
    });
  });

  test("B-7.3-03: emailSend queues a mail with a claim for that address", async () => {
    const id = await world.addCpe();
    const fields = { id, title: "开局 SITE", email: "site@example.com" };
    expect(await world.post(actions.cpeEmailSend, fields)).toMatchObject({ code: 0, data: null });
    const { rows: messages } = await sql<{ recipient: string; subject: string; body: string }>`
      select recipient, subject, body from weft.outbox where channel = 'mail'`.execute(
      world.loop.pools.worker.db,
    );
    expect(messages).toEqual([
      {
        recipient: "site@example.com",
        subject: "开局 SITE",
        body: expect.stringContaining(`SITE-${world.made}`),
      },
    ]);
    expect((await world.get(actions.cpeGetActive, { id })).data).toMatchObject({ active: 0 });
    expect(await world.post(actions.cpeEmailSend, { ...fields, email: "nobody" })).toMatchObject({
      code: 400,
      issues: [{ path: "email" }],
    });
    expect(await world.post(actions.cpeEmailSend, fields, world.other)).toMatchObject({
      code: 404,
    });
  });

  test("B-7.3-04: unbind releases the hostid and cuts the device off", async () => {
    const site = await world.loop.addSite();
    const device = await (await world.loop.enrolled(site)).connect();
    const { admin } = world;
    const hostid = async () =>
      (
        (await world.get({ ...cpe.ops.list, path: "/customer/cpe/findById" }, site, admin))
          .data as Row
      ).hostid;
    expect(await hostid()).toMatch(/^[0-9a-f]{16}$/);
    expect((await world.get(actions.cpeGetActive, site, admin)).data).toMatchObject({ active: 1 });
    expect(await world.post(actions.cpeUnbind, { id: site.id })).toMatchObject({ code: 404 });
    expect(await world.post(actions.cpeUnbind, { id: site.id }, admin)).toMatchObject(done);
    expect(await hostid()).toBeNull();
    expect(await device.next("refused")).toMatchObject({ reason: "rejected" });
    expect(await world.post(actions.cpeUnbind, { id: site.id }, admin)).toMatchObject({
      code: 422,
    });
    const log = await world.rows(topology.cpeLinkLog, { cpeId: site.id }, admin);
    await eventually(
      async () => (await world.rows(topology.cpeLinkLog, { cpeId: site.id }, admin)).length === 2,
      "both ends of the contact",
    );
    expect(log.at(-1)).toMatchObject({ status: 1, content: expect.any(String) });
  });
});

describe("what is set on a CPE", () => {
  test("B-3-04: dynamic DHCP is 1 and 0", async () => {
    const cpeId = await world.addCpe();
    for (const nDynamicdhcp of [1, 0]) {
      expect(await world.post(config.cpeCfgAdd, { cpeId, nDynamicdhcp })).toMatchObject(done);
      expect(await configOf(cpeId)).toMatchObject({ nDynamicdhcp });
      expect(await world.rows(cpe.ops.list, { alias: `c${world.made}` })).toMatchObject([
        { nDynamicdhcp },
      ]);
    }
  });

  test("B-3-05: the daily restart at 02:30 is 30 2 * * *, and close is off", async () => {
    const cpeId = await world.addCpe();
    for (const szCrontab of ["30 2 * * *", "0 0 * * *", "close"]) {
      expect(await world.post(config.cpeCfgAdd, { cpeId, szCrontab })).toMatchObject(done);
      expect(await configOf(cpeId)).toMatchObject({ szCrontab });
    }
    for (const szCrontab of ["2 30 * * *", "* * * * *", "02:30", "30 2 * * 1"]) {
      expect(await world.post(config.cpeCfgAdd, { cpeId, szCrontab })).toMatchObject({
        code: 400,
        issues: [{ path: "szCrontab", rule: "schedule" }],
      });
    }
    expect(await configOf(cpeId)).toMatchObject({ szCrontab: "close" });
  });

  test("B-7.3-05: a batch sets all three, and none when one is refused", async () => {
    const ids = [await world.addCpe(), await world.addCpe(), await world.addCpe()];
    const batch = (fields: object) => world.post(config.cpeBatchEditXwan, fields);
    expect(await batch({ ids: ids.join(","), mtu: 1300, byteLog: 0 })).toMatchObject(done);
    for (const id of ids) expect(await configOf(id)).toMatchObject({ mtu: 1300, byteLog: 0 });
    const mixed = `${ids.join(",")},${world.other.ids.cpeId}`;
    expect(await batch({ ids: mixed, mtu: 1400 })).toMatchObject({ code: 404 });
    expect(await batch({ ids: ids.join(","), mtu: 999 })).toMatchObject({ code: 400 });
    for (const id of ids) expect(await configOf(id)).toMatchObject({ mtu: 1300, byteLog: 0 });
  });

  test("encryption cannot be turned off, and the X-mode is the node's own", async () => {
    const cpeId = await world.addCpe();
    expect(await world.post(config.cpeCfgEditXwan, { cpeId, nDataEncrypt: 0 })).toMatchObject({
      code: 400,
      issues: [{ path: "nDataEncrypt", rule: "alwaysOn" }],
    });
    expect(await world.post(config.cpeCfgEditXwan, { cpeId, xMode: 2 })).toMatchObject(done);
    expect(await world.rows(cpe.ops.list, { alias: `c${world.made}` })).toMatchObject([
      { xMode: 2 },
    ]);
  });

  test("B-7.3-14: cfgInit and pop/getLineInfoById answer with what is set and reported", async () => {
    const cpeId = await world.addCpe();
    const add = wireDraft("line", "valid", { ...world.home.ids, cpeId });
    expect(await world.post(line.ops.add, add)).toMatchObject(done);
    const { data } = await world.get(config.cfgInit, { cpeId });
    expect(data).toMatchObject({
      cpeConfig: { cpeId, nXACLEnabled: 1, szCrontab: "close", updateTime: null },
      ports: [{ cpeId, name: "wan4", role: "wan", status: null }],
      types: [{ name: "X86" }, ...Array(5).fill({})],
    });
    const { popId } = world.home.ids;
    const wan = { slot: 1, ip: "203.0.113.9/24", gateway: "203.0.113.1" };
    const hub = wireDraft("line", "valid", { ...world.home.ids, cpeId: popId }, wan);
    expect(await world.post(line.ops.add, hub)).toMatchObject(done);
    expect(await world.rows(popLines, { id: popId })).toMatchObject([{ nodeId: popId, slot: 1 }]);
    expect(await world.get(config.cfgInit, { cpeId }, world.other)).toMatchObject({ code: 404 });
  });

  test("B-7.3-06: types, ports, picture and log of contact answer", async () => {
    const cpeId = await world.addCpe();
    await world.post(line.ops.add, wireDraft("line", "valid", { ...world.home.ids, cpeId }));
    const ports = ((await world.get(config.cfgInit, { cpeId })).data as { ports: Row[] }).ports;
    const id = ports[0]?.id;
    expect(await world.get(config.cpeTypeList, { limit: 2 })).toMatchObject({ code: 0, count: 6 });
    expect(await world.post(config.cpePortEdit, { id, speed: 1000, remark: "主" })).toMatchObject(
      done,
    );
    expect((await world.get(config.cpePortById, { id })).data).toMatchObject({
      speed: 1000,
      remark: "主",
    });
    expect(await world.get(config.cpePortById, { id }, world.other)).toMatchObject({ code: 404 });
    const { groupid } = world.home.ids;
    const all = (await world.get(topology.topAllInfo, { groupid })).data as { nodes: Row[] };
    expect(all.nodes.map((node) => node.id)).toContain(cpeId);
    const past = { groupid, date: "2020-01-01 00:00:00" };
    expect((await world.get(topology.topDateInfo, past)).data).toEqual({ nodes: [], links: [] });
    const now = { groupid, date: "2099-01-01 00:00:00" };
    expect(
      ((await world.get(topology.topDateInfo, now)).data as { nodes: Row[] }).nodes.length,
    ).toBeGreaterThan(3);
    expect((await world.get(topology.topSingle, { cpeId })).data).toMatchObject({
      node: { id: cpeId, links: 0 },
      lines: [],
    });
    expect(await world.rows(topology.cpeLinkLog, { cpeId })).toEqual([]);
    const range = { startTime: "2026-01-01 00:00:00", endTime: "2026-01-01 01:00:00" };
    expect(await world.get(topology.topLineHistory, { lineId: 1, ...range })).toMatchObject({
      code: 404,
    });
  });

  test("B-7.3-07: the three calls of a space answer with devices of the data scope", async () => {
    const [one, two] = [await world.addCpe(), await world.addCpe()];
    const { groupid, popId } = world.home.ids;
    const draft = wireDraft("netSpace", "valid", world.home.ids, {
      name: "n-site",
      popIds: popId,
      cpeIds: `${one},${two}`,
    });
    const netSpaceId = newIdOf(await world.post(space.netSpace.ops.add, draft));
    const ids = (found: Row[]) => found.map((row) => row.id);
    const family = await world.rows(space.netSpaceCpes, { groupid });
    expect(ids(family)).toEqual(expect.arrayContaining([one, two, world.home.ids.cpeId]));
    expect(ids(await world.rows(space.netSpaceCpes, { groupid, netSpaceId })).sort()).toEqual([
      one,
      two,
    ]);
    expect(await world.rows(space.netSpaceCpes, { groupid }, world.other)).toEqual([]);
    const both = (await world.get(space.netSpaceCpesAndLines, { groupid })).data as {
      cpeList: Row[];
      lineList: Row[];
    };
    const { length } = family;
    expect(both.cpeList.length).toBe(length);
    expect(both.lineList.length).toBeGreaterThan(0);
    expect(ids(both.cpeList)).toEqual(expect.arrayContaining(both.lineList.map((l) => l.nodeId)));
    expect(ids(await world.rows(space.netSpaceTargets, { cpeId: one }))).toEqual([two]);
    expect(await world.get(space.netSpaceTargets, { cpeId: one }, world.other)).toMatchObject({
      code: 400,
    });
  });

  test("B-7.3-09: cpeCfg/add and editXwan keep the configuration and queue a task", async () => {
    const { id } = await world.loop.addSite();
    const { admin } = world;
    await world.loop.startWorker();
    const tasks = async () =>
      (await world.loop.api.get("/customer/task/list", { cpeId: id }, world.loop.admin)).count ?? 0;
    const before = await eventually(tasks, "the first task");
    expect(
      await world.post(config.cpeCfgAdd, { cpeId: id, szCrontab: "30 2 * * *" }, admin),
    ).toMatchObject(done);
    await eventually(async () => (await tasks()) > before, "a task of cpeCfg/add");
    const between = await tasks();
    expect(
      await world.post(config.cpeCfgEditXwan, { cpeId: id, szCrontab: "15 3 * * *" }, admin),
    ).toMatchObject(done);
    await eventually(async () => (await tasks()) > between, "a task of cpeCfg/editXwan");
    expect((await world.get(config.cfgInit, { cpeId: id }, admin)).data).toMatchObject({
      cpeConfig: { szCrontab: "15 3 * * *" },
    });
  });

  test("B-7.2-13: task/list gives the tasks of that device alone", async () => {
    const [one, two] = [await world.loop.addSite(), await world.loop.addSite()];
    for (const { id } of [one, two]) {
      await eventually(
        async () =>
          (await world.loop.api.get("/customer/task/list", { cpeId: id }, world.loop.admin)).count,
        "a task",
      );
      const { data } = await world.loop.api.get(
        "/customer/task/list",
        { cpeId: id },
        world.loop.admin,
      );
      expect(new Set((data as Row[]).map((task) => task.cpeId))).toEqual(new Set([id]));
    }
  });

  test("configInit puts a CPE back to how a new one is, but for lines and LANs", async () => {
    const cpeId = await world.addCpe();
    const ids = { ...world.home.ids, cpeId };
    await world.post(config.cpeCfgAdd, { cpeId, mtu: 1200 });
    for (const [resource, name] of [
      [dnsEntry, "dnsmasq"],
      [aclRule, "xaclrules"],
      [staticRoute, "staticroute"],
      [line, "line"],
    ] as const) {
      expect(await world.post(resource.ops.add, wireDraft(name, "valid", ids))).toMatchObject(done);
    }
    expect(await world.post(config.cpeConfigInit, { cpeId })).toMatchObject(done);
    expect(await configOf(cpeId)).toMatchObject({ mtu: 0 });
    for (const { ops } of [dnsEntry, aclRule, staticRoute]) {
      expect(await world.rows(ops.list, { nCpeID: cpeId })).toEqual([]);
    }
    expect((await world.rows(line.ops.list, { nodeId: cpeId })).length).toBe(1);
  });
});
