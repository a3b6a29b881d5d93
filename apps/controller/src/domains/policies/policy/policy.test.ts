/** What the families of policy objects promise together (specification section 7.4). */
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { ownApplicationId } from "@weft/contract/rules/applications.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import {
  makeTemplate,
  newName,
  type OwnerInput,
  policyDraft,
} from "../../../../test/policy-world.ts";
import { sendFile } from "../../../../test/sheet-files.ts";
import { makeTenant, newIdOf, type Tenant } from "../../../../test/tenants.ts";
import { secretOf } from "./secrets.ts";

let api: TestApi;
let home: Tenant;
let template: OwnerInput;
let node: OwnerInput;
beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  template = { templateId: await makeTemplate(api, home.token) };
  node = { cpeId: home.ids.cpeId };
}, 120_000);
afterAll(() => api.close());

const scopeOf = (owner: OwnerInput) => ("templateId" in owner ? "template" : "manage");
const pathOf = (name: string, verb: string, owner: OwnerInput) =>
  `/customer/${name}/${"templateId" in owner ? "" : "manage/"}${verb}`;
const draft = (name: string, owner: OwnerInput, replaced: object, refs = {}) => ({
  ...policyDraft(policyFamily(name), scopeOf(owner), owner, refs),
  ...replaced,
});
const send = (name: string, owner: OwnerInput, replaced: object = {}, refs = {}, verb = "add") =>
  api.post(pathOf(name, verb, owner), draft(name, owner, replaced, refs), home.token);
const add = async (name: string, owner: OwnerInput, replaced: object = {}, refs = {}) =>
  newIdOf(await send(name, owner, replaced, refs));
const remove = (name: string, owner: OwnerInput, ids: unknown) =>
  api.post(pathOf(name, "remove", owner), { ...owner, ids }, home.token);
const ask = (name: string, verb: string, owner: OwnerInput, query: object = {}) =>
  api.get(pathOf(name, verb, owner), { ...owner, ...query }, home.token);
const names = async (name: string, verb: string, owner: OwnerInput) =>
  ((await ask(name, verb, owner)).data as { name: string }[]).map((row) => row.name);

test("B-7.4-01: the same name in both scopes; neither sees the other's", async () => {
  const name = newName();
  const inTemplate = await add("routerTimenode", template, { name });
  const onNode = await add("routerTimenode", node, { name });
  for (const [owner, own] of [
    [template, inTemplate],
    [node, onNode],
  ] as const) {
    const rows = (await ask("routerTimenode", "list", owner, { name })).data;
    expect(rows).toMatchObject([{ id: own, name }]);
  }
  expect(await remove("routerTimenode", node, inTemplate)).toMatchObject({ code: 404 });
});

describe("the window of a time group", () => {
  test.each([
    ["00:00", "00:00"],
    ["08:00", "08:00"],
    ["24:00", "24:00"],
    ["24:00", "00:00"],
  ])("from %s to %s is empty: refused with the reason", async (startTime, endTime) => {
    for (const owner of [template, node]) {
      expect(
        await send("routerTimenode", owner, { name: newName(), startTime, endTime }),
      ).toMatchObject({
        code: 400,
        issues: [{ path: "endTime", rule: "noTime" }],
      });
    }
  });

  test("may reach over midnight; a node's has its clock and its next switch, a template's none", async () => {
    const window = { name: newName(), weekdays: "", startTime: "22:00", endTime: "06:00" };
    await add("routerTimenode", node, window);
    await add("routerTimenode", template, window);
    const read = async (owner: OwnerInput) =>
      (await ask("routerTimenode", "list", owner, { name: window.name })).data as {
        timezone: string | null;
        activeNow: number | null;
        nextSwitch: string | null;
      }[];
    const [onNode] = await read(node);
    expect(onNode).toMatchObject({ timezone: "Asia/Shanghai" });
    expect(onNode?.nextSwitch).not.toBeNull();
    const [inTemplate] = await read(template);
    expect(inTemplate).toMatchObject({ timezone: null, activeNow: null, nextSwitch: null });
    const always = { ...window, name: newName(), startTime: "00:00", endTime: "24:00" };
    await add("routerTimenode", node, always);
    const rows = (await ask("routerTimenode", "list", node, { name: always.name })).data;
    expect(rows).toMatchObject([{ activeNow: 1, nextSwitch: null }]);
  });
});

describe("B-7.4-04 B-7.4-05: lines", () => {
  test("LAN and WAN apart; a fifth WAN line is refused, one removed makes room again", async () => {
    for (const owner of [template, node]) {
      const lan = newName();
      await add("routerInterfaceline", owner, { name: lan });
      const wan: number[] = [];
      for (const accessposition of [1, 2, 3, 4]) {
        wan.push(
          await add("routerInterfaceline", owner, {
            name: `w${accessposition}`,
            kind: "wan",
            accessposition,
          }),
        );
      }
      expect(await names("routerInterfaceline", "wanlist", owner)).toEqual([
        "w1",
        "w2",
        "w3",
        "w4",
      ]);
      expect(await names("routerInterfaceline", "lanlist", owner)).toEqual([lan]);
      const fifth = { name: "w5", kind: "wan", accessposition: 4 };
      expect(await send("routerInterfaceline", owner, fifth)).toMatchObject({
        code: 400,
        issues: [{ path: "accessposition", rule: "tooMany", params: { max: 4 } }],
      });
      await remove("routerInterfaceline", owner, wan[3]);
      expect(await send("routerInterfaceline", owner, fifth)).toMatchObject({ code: 0 });
    }
  });

  test("B-7.4-05: of two that take the last position at the same time one comes in", async () => {
    const owner = { templateId: await makeTemplate(api, home.token) };
    const both = await Promise.all(
      ["a", "b"].map((name) =>
        send("routerInterfaceline", owner, { name, kind: "wan", accessposition: 1 }),
      ),
    );
    expect(both.map(({ code }) => code).sort()).toEqual([0, 400]);
  });

  test("a PPPoE password is never given back, and kept by an edit that leaves it empty", async () => {
    const fields = { name: newName(), accessType: 2, pppoeUser: "u1", pppoePassword: "s3cret" };
    const id = await add("routerInterfaceline", template, fields);
    const edited = { ...fields, pppoePassword: "", id };
    expect(await send("routerInterfaceline", template, edited, {}, "update")).toMatchObject({
      code: 0,
    });
    const rows = (await ask("routerInterfaceline", "lanlist", template, { name: fields.name }))
      .data;
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/s3cret|pppoePassword/);
    const stored = await api.database.pools.apiAll.db
      .selectFrom("router_interface_line")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    const { pppoe_password: sealed } = stored as unknown as { pppoe_password: string };
    const owner = { template_id: template.templateId ?? null, node_id: null };
    const secret = secretOf(api.app.weft.vault, "router_interface_line", "pppoe_password", owner);
    expect(secret.open(sealed)).toBe("s3cret");
    const { rows: audited } = await api.database.pools.owner.pg.query(
      "select new_value::text as recorded from weft.audit where resource = 'routerInterfaceline' and row_id = $1",
      [id],
    );
    expect(audited.length).toBe(2);
    expect(JSON.stringify(audited)).not.toContain("s3cret");
  });
});

describe("B-7.4-08: what a rule names stays", () => {
  test.each([
    ["routerUrlgroup", "routerUrlrule", "urlgroupId"],
    ["routerIpgroup", "routerConnlimit", "ipgroupId"],
    ["routerTimenode", "routerUrlrule", "timeId"],
    ["routerDnsgroup", "routerDnscontrol", "dnsgroup"],
    ["routerDomains", "routerDnscontrol", "domainid"],
    ["routerAppgroup", "routerPolicyroute", "appgroupId"],
    ["routerBandwidthpipe", "routerBwpolicy", "pipeId"],
    ["routerInterfaceline", "routerPortmapping", "lineId"],
  ])(
    "%s by %s.%s: refused with the use's name, gone once the use is",
    async (group, rule, field) => {
      for (const owner of [template, node]) {
        const refs = {
          routerUrlgroup: await add("routerUrlgroup", owner),
          routerDnsgroup: await add("routerDnsgroup", owner),
          routerBandwidthpipe: await add("routerBandwidthpipe", owner),
        };
        const used = await add(group, owner, {}, refs);
        const user = await add(rule, owner, { [field]: used }, refs);
        const { label } = policyFamily(rule).spec;
        const list = (await ask(rule, "list", owner, { limit: 1000 })).data as Record<
          string,
          unknown
        >[];
        const name = String(list.find(({ id }) => id === user)?.[label]);
        const refused = await remove(group, owner, used);
        expect(refused).toMatchObject({ code: 409 });
        expect(refused.msg).toContain(policyFamily(rule).spec.title[0]);
        expect(refused.msg).toContain(name);
        expect(await remove(rule, owner, user)).toMatchObject({ code: 0 });
        expect(await remove(group, owner, used)).toMatchObject({ code: 0 });
      }
    },
  );

  test("a custom protocol in an application group stays; one of another tenant is refused", async () => {
    const own = await add("routerProtocolex", template);
    const strange = await add("routerProtocolex", node);
    const l7ids = [100, ownApplicationId(own)].join(",");
    const group = await add("routerAppgroup", template, { l7ids });
    expect(await remove("routerProtocolex", template, own)).toMatchObject({ code: 409 });
    expect(
      await send("routerAppgroup", template, { l7ids: ownApplicationId(strange) }),
    ).toMatchObject({ code: 400, issues: [{ path: "l7ids", rule: "unknown" }] });
    await remove("routerAppgroup", template, group);
    expect(await remove("routerProtocolex", template, own)).toMatchObject({ code: 0 });
  });

  test("a protocol that is taken away while a group names it: one of the two is refused", async () => {
    for (let round = 0; round < 5; round += 1) {
      const own = await add("routerProtocolex", template);
      const [written, removed] = await Promise.all([
        send("routerAppgroup", template, { l7ids: ownApplicationId(own) }),
        remove("routerProtocolex", template, own),
      ]);
      expect([written.code === 0, removed.code === 0].filter(Boolean)).toHaveLength(1);
    }
  });

  test("a group takes its entries along", async () => {
    const group = await add("routerIpgroup", template);
    await add("routerIpgroupdefine", template, {}, { routerIpgroup: group });
    const of = { ipgroupId: group };
    expect(await ask("routerIpgroupdefine", "list", template, of)).toMatchObject({ count: 1 });
    const listed = (await ask("routerIpgroup", "list", template, { limit: 1000 })).data;
    expect(listed).toContainEqual(expect.objectContaining({ id: group, members: 1 }));
    expect(await remove("routerIpgroup", template, group)).toMatchObject({ code: 0 });
    expect(await ask("routerIpgroupdefine", "list", template, of)).toMatchObject({ count: 0 });
  });
});

test("B-7.4-07: endpoints:routerProtocolex.tree endpoints:routerProtocolex.manage.tree are flat lists", async () => {
  for (const owner of [template, node]) {
    const name = newName();
    const id = await add("routerProtocolex", owner, { name, nPid: 1 });
    const tree = (await ask("routerProtocolex", "tree", owner)).data as {
      id: number;
      pId: number;
      name: string;
    }[];
    expect(tree).toContainEqual({ id: ownApplicationId(id), pId: 1, name });
    const ids = new Set(tree.map((one) => one.id));
    expect(ids.size).toBe(tree.length);
    expect(tree.every(({ pId }) => pId === 0 || ids.has(pId))).toBe(true);
  }
  const inEnglish = await api.send({
    method: "GET",
    url: `/customer/routerProtocolex/tree?templateId=${template.templateId}`,
    headers: { authorization: home.token, "accept-language": "en" },
  });
  expect(JSON.stringify(inEnglish.data)).toContain("Databases");
});

test("B-7.4-09: nodes and domains of a custom policy apart", async () => {
  for (const owner of [template, node]) {
    const routerProtocolex = await add("routerProtocolex", owner);
    const refs = { routerProtocolex };
    await add("routerRuleCustom", owner, { name: "host-1" }, refs);
    const domain = { name: "site-1", kind: "domain", value: "*.example.com" };
    await add("routerRuleCustom", owner, domain, refs);
    expect(await names("routerRuleCustom", "nodeList", owner)).toEqual(["host-1"]);
    expect(await names("routerRuleCustom", "domainList", owner)).toEqual(["site-1"]);
    const elsewhere = { refId: routerProtocolex + 1 };
    expect(await ask("routerRuleCustom", "nodeList", owner, elsewhere)).toMatchObject({
      count: 0,
    });
  }
});

test("B-7.4-10, B-5-13: interfaces are listed and edited, without a VLAN too, never added or removed", async () => {
  for (const owner of [template, node]) {
    const listed = await ask("routerInterface", "list", owner);
    const cards = await ask("routerInterface", "netcardlist", owner);
    expect(listed.count).toBe(8);
    expect(cards.count).toBe(8);
    const [first] = listed.data as { id: number; netcard: string }[];
    const edited = {
      ...owner,
      id: first?.id,
      name: "office",
      vlan: "",
      mtu: 1_400,
      enable: 1,
      remark: "",
    };
    expect(
      await api.post(pathOf("routerInterface", "edit", owner), edited, home.token),
    ).toMatchObject({
      code: 0,
    });
    expect(await ask("routerInterface", "list", owner, { name: "office" })).toMatchObject({
      // B-5-13: empty is no tag.
      data: [{ id: first?.id, netcard: first?.netcard, mtu: 1_400, vlan: "" }],
    });
    for (const verb of ["add", "remove"]) {
      const answer = await api.post(pathOf("routerInterface", verb, owner), edited, home.token);
      expect(answer.code).not.toBe(0);
    }
  }
});

test("B-7.4-11: endpoints:router.initPolicy endpoints:router.initPolicyPop give every choice of the forms", async () => {
  for (const [owner, path] of [
    [node, "initPolicy"],
    [{ popId: home.ids.popId }, "initPolicyPop"],
  ] as const) {
    const name = newName();
    const id = await add("routerIpgroup", owner as OwnerInput, { name });
    const { data, code } = await api.get(`/customer/router/${path}`, owner, home.token);
    expect(code).toBe(0);
    expect(data).toMatchObject({
      ipGroups: expect.arrayContaining([{ id, name }]),
      protocols: expect.arrayContaining([{ id: 1, pId: 0, name: "网页" }]),
    });
    expect((data as { interfaces: object[] }).interfaces).toHaveLength(8);
  }
  const wrong = await api.get("/customer/router/initPolicy", { cpeId: home.ids.popId }, home.token);
  expect(wrong).toMatchObject({ code: 400, issues: [{ path: "cpeId", rule: "unknown" }] });
});

test("rules keep their order; a new one goes last, a moved one where requested", async () => {
  const owner = { templateId: await makeTemplate(api, home.token) };
  const refs = { routerUrlgroup: await add("routerUrlgroup", owner) };
  const ids: number[] = [];
  for (const name of ["a", "b", "c"]) ids.push(await add("routerUrlrule", owner, { name }, refs));
  expect(await names("routerUrlrule", "list", owner)).toEqual(["a", "b", "c"]);
  const moved = { name: "a", sort: 4, id: ids[0] };
  await send("routerUrlrule", owner, moved, refs, "edit");
  expect(await names("routerUrlrule", "list", owner)).toEqual(["b", "c", "a"]);
  await send("routerUrlrule", owner, { name: "a", sort: 0, id: ids[0] }, refs, "edit");
  expect(await names("routerUrlrule", "list", owner)).toEqual(["b", "c", "a"]);
});

describe("who may reach a node's rows", () => {
  test("a CPE's field reaches no POP, and two owners at once are refused", async () => {
    const pop = { popId: home.ids.popId };
    const id = await add("routerTimenode", pop);
    const crossed = { cpeId: home.ids.popId };
    expect(await ask("routerTimenode", "list", crossed)).toMatchObject({ code: 0, count: 0 });
    expect((await ask("routerTimenode", "combo", crossed)).data).toEqual([]);
    expect(await remove("routerTimenode", crossed, id)).toMatchObject({ code: 404 });
    expect(await send("routerTimenode", crossed)).toMatchObject({ code: 400 });
    expect(await ask("routerTimenode", "list", { ...pop, ...node })).toMatchObject({
      code: 400,
      issues: [{ path: "popId", rule: "notAllowed" }],
    });
  });

  test("a POP's rows need popConfig, a CPE's cpeConfig", async () => {
    const pop = { popId: home.ids.popId };
    for (const [permission, allowed, refused] of [
      ["popConfig", pop, node],
      ["cpeConfig", node, pop],
    ] as const) {
      const token = await api.userToken({
        enterpriseId: home.ids.groupid,
        dataScope: 3,
        permissions: [permission],
      });
      const list = (owner: object) => api.get("/customer/routerUrl/manage/list", owner, token);
      expect(await list(allowed)).toMatchObject({ code: 0 });
      expect(await list(refused)).toMatchObject({ code: 403 });
      const path = "/customer/routerTimenode/manage/add";
      const added = (owner: OwnerInput) =>
        api.post(path, draft("routerTimenode", owner, { name: newName() }), token);
      expect(await added(allowed as OwnerInput)).toMatchObject({ code: 0 });
      expect(await added(refused as OwnerInput)).toMatchObject({ code: 403 });
    }
  });

  test("a field that names no POP does not stand for one: a CPE's rows still need cpeConfig", async () => {
    const { groupid: enterpriseId } = home.ids;
    const token = await api.userToken({
      enterpriseId,
      dataScope: 3,
      permissions: ["popConfig"],
    });
    const add = "/customer/routerTimenode/manage/add";
    for (const popId of [0, "0", ""]) {
      const owner = { ...node, popId };
      const list = await api.get("/customer/routerUrl/manage/list", owner, token);
      expect(list, `list ${popId}`).toMatchObject({ code: 403 });
      const fields = { ...draft("routerTimenode", node, { name: newName() }), popId };
      expect(await api.post(add, fields, token), `add ${popId}`).toMatchObject({ code: 403 });
    }
    // Of files the field is JSON, which has more ways to name none.
    for (const popId of [0, "0", "", null]) {
      const of = { resource: "routerTimenode.manage", token, inside: { ...node, popId } };
      const query = JSON.stringify(of.inside);
      const out = { resource: of.resource, query };
      const exported = await api.get("/customer/sheet/export", out, token);
      expect(exported, `export ${popId}`).toMatchObject({ code: 403 });
      const sent = await sendFile(api, of, "name\r\nx\r\n", { check: 1 });
      expect(sent, `import ${popId}`).toMatchObject({ code: 403 });
    }
  });
});
