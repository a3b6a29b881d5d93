/** The calls of enterprises and of what they own, by the list of calls (spec/endpoints.json). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allResources } from "@weft/contract/all-endpoints.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

interface Listed {
  readonly id: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly paging: boolean;
}

const listFile = join(
  import.meta.dirname,
  "../../../../../../packages/contract/spec/endpoints.json",
);
const listed: Listed[] = JSON.parse(readFileSync(listFile, "utf8")).endpoints;
const prefixes = [
  "enterprise",
  "branch",
  "enterpriseInfo",
  "comAudit",
  "enterpriseReport",
  "dealRecord",
  "rechargeRecord",
  "paramConfig",
  "dashboard",
  "configList",
  "popStrategy",
  "popGroup",
  "popGroupDef",
  "ipgroup",
  "urlgroup",
  "sysSearchRel",
  "userconsole",
  "ckcommon",
];
const own = listed.filter(
  ({ path }) =>
    prefixes.some((prefix) => path.startsWith(`/customer/${prefix}/`)) ||
    ["/customer/common/L7page", "/customer/cpe/editCTGConfig"].includes(path),
);
/** Makes metrics or files: tests of their own have them. */
const elsewhere = ["enterpriseReport.line"];

let api: TestApi;
let admin: string;
let tenant: Tenant;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  tenant = await makeTenant(api, admin, "calls");
}, 60_000);
afterAll(() => api.close());

const post = (path: string, fields: object, token = admin) => api.post(path, fields, token);
const get = (path: string, query: object = {}, token = admin) => api.get(path, query, token);
const rowOf = async (groupid: number) =>
  (await get("/customer/enterprise/getByGroupId", { groupid })).data as Record<string, unknown>;
const addEnterprise = async (name: string, fields: object = {}) => {
  const draft = wireDraft("enterprise", "valid", tenant.ids, { name, ...fields });
  return newIdOf(await post("/customer/enterprise/add", draft));
};

let made = 0;
/** Input that each call accepts; rows that it needs are made. */
async function inputOf({ id }: Listed): Promise<object> {
  const [area = "", verb = ""] = id.split(".");
  made += 1;
  const groupid = await addEnterprise(`调用-${made}`);
  const ids = { ...tenant.ids, groupid };
  const name = `调用-${made}`;
  if (area === "enterprise") {
    const draft = wireDraft("enterprise", "valid", tenant.ids, { name: `${name}-${verb}` });
    const byVerb: Record<string, object> = {
      add: draft,
      edit: { ...draft, groupid },
      remove: { ids: groupid },
      editEn: { groupid, enable: 0 },
      editConfig: { groupid, nodeConfig: "a=1" },
      editCTGConfig: { groupid, isPush: 1 },
      editStrategy: { groupid, strategyType: 1, popStrategyId: tenant.ids.strategyId },
      charge: { groupid, credit: 5 },
    };
    return byVerb[verb] ?? { groupid };
  }
  if (area in allResources && ["add", "edit", "remove"].includes(verb)) {
    const resource = allResources[area as "branch"];
    const own = area === "popGroup" ? { strategyId: tenant.ids.strategyId } : {};
    const nodes = area === "branch" ? { cpeIds: "" } : {};
    const draft = wireDraft(area as "branch", "valid", ids, { ...own, ...nodes });
    if (area === "popGroup") Object.assign(draft, { name });
    if (verb === "add") return draft;
    const row = newIdOf(
      await post(resource.ops.add.path, {
        ...draft,
        ...(area === "popGroup" && { name: `${name}-x` }),
      }),
    );
    return verb === "edit" ? { ...draft, id: row } : { ids: row };
  }
  const others: Record<string, object> = {
    "auth.sysSearchRelEdit": { userId: 1, cols: "alias,sn", classType: "cpe" },
    "cpe.editCTGConfig": { cpeId: tenant.ids.cpeId, isPush: 1 },
    "ipgroup.listByGroupId": { enterpriseId: groupid },
    "paramConfig.edit": { groupid, expireNoticeDays: 14, timezone: "UTC", logDays: 30 },
    "enterpriseInfo.edit": {
      regions: "上海市",
      provice: "上海市",
      city: "",
      region: "",
      contact: "赵",
      phone: "",
      email: "",
    },
    "popGroupDef.list": { groupid: 1 },
  };
  return others[id] ?? { groupid };
}

describe("every call of enterprises and of what they own", () => {
  test("is in the list", () => {
    expect(own.length).toBeGreaterThan(65);
  });

  test.each(own.filter(({ id }) => !elsewhere.includes(id)))(
    "endpoints:$id answers $method $path",
    async (call) => {
      const input = await inputOf(call);
      const answer: Answer = await (call.method === "GET" ? get : post)(call.path, input);
      expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, code: 0 });
      if (call.paging) {
        expect(answer.data).toBeInstanceOf(Array);
        expect(answer.count).toEqual(expect.any(Number));
      }
    },
  );

  test.each(own)("endpoints:$id requires a token", async (call) => {
    const ask = call.method === "GET" ? api.get : api.post;
    expect(await ask(call.path, {})).toMatchObject({ code: 500, msg: "token无效" });
  });
});

describe("enterprise", () => {
  test("B-3-01: regions are comma-joined, with provice, city and region beside them", async () => {
    const id = await addEnterprise("地区", {
      regions: "江苏省,苏州市,昆山市",
      provice: "江苏省",
      city: "苏州市",
      region: "昆山市",
    });
    expect(await rowOf(id)).toMatchObject({
      regions: "江苏省,苏州市,昆山市",
      provice: "江苏省",
      city: "苏州市",
      region: "昆山市",
    });
    const unlike = wireDraft("enterprise", "valid", tenant.ids, {
      name: "地区-2",
      regions: "江苏省,苏州市",
      provice: "浙江省",
      city: "",
      region: "",
    });
    expect(await post("/customer/enterprise/add", unlike)).toMatchObject({
      code: 400,
      issues: [{ path: "regions" }],
    });
  });

  test.each([
    ["B-3-02: on", 1],
    ["B-3-03: off", 0],
  ])("%s, the agent switch is %i", async (name, isAgent) => {
    const id = await addEnterprise(`代理-${name.slice(0, 6)}`, { isAgent });
    expect((await rowOf(id)).isAgent).toBe(isAgent);
  });

  test("B-7.2-01: list filters by type and parent, pages and counts", async () => {
    const parentId = await addEnterprise("列表");
    for (const n of [1, 2, 3]) {
      await addEnterprise(`列表-${n}`, { parentId, enterpriseType: n % 2 });
    }
    const query = { parentId, enterpriseType: 1, page: 2, limit: 1 };
    expect(await get("/customer/enterprise/list", query)).toMatchObject({
      code: 0,
      count: 2,
      data: [{ name: "列表-3", parentId, enterpriseType: 1 }],
    });
  });

  test("B-7.2-02: getByGroupId gives that enterprise; B-1-10: with its parent and kind", async () => {
    const parentId = await addEnterprise("上级-1");
    const id = await addEnterprise("下级-1", { parentId, isAgent: 1 });
    expect(await rowOf(id)).toMatchObject({
      groupid: id,
      isAgent: 1,
      parentId,
      parentName: "上级-1",
    });
  });

  test("B-1-11: no enterprise is below its own subordinate", async () => {
    const above = await addEnterprise("环-上");
    const below = await addEnterprise("环-下", { parentId: above });
    const draft = wireDraft("enterprise", "valid", tenant.ids, { name: "环-上", parentId: below });
    expect(await post("/customer/enterprise/edit", { ...draft, groupid: above })).toMatchObject({
      code: 400,
      issues: [{ path: "parentId", rule: "cycle" }],
    });
    expect((await rowOf(above)).parentId).toBe(tenant.ids.groupid);
  });

  test("B-7.2-05: editConfig stores the node config and changes nothing else", async () => {
    const id = await addEnterprise("配置");
    const before = await rowOf(id);
    const nodeConfig = 'ntp = "10.0.0.1"\n# 备注';
    await post("/customer/enterprise/editConfig", { groupid: id, nodeConfig });
    const { updateTime: _, ...after } = await rowOf(id);
    const { updateTime: __, ...old } = before;
    expect(after).toEqual({ ...old, nodeConfig });
  });

  test("B-7.2-06: editCTGConfig stores isPush for an enterprise and for a CPE", async () => {
    const id = await addEnterprise("推送");
    const { cpeId } = tenant.ids;
    const pushed = async () => {
      const { rows } = await api.database.pools.owner.pg.query<{ is_push: boolean }>(
        "select is_push from weft.node where id = $1",
        [cpeId],
      );
      return rows[0]?.is_push;
    };
    for (const isPush of [1, 0]) {
      await post("/customer/enterprise/editCTGConfig", { groupid: id, isPush });
      expect((await rowOf(id)).isPush).toBe(isPush);
      expect(await post("/customer/cpe/editCTGConfig", { cpeId, isPush })).toMatchObject({
        code: 0,
      });
      expect(await pushed()).toBe(isPush === 1);
    }
    const { popId } = tenant.ids;
    expect(await post("/customer/cpe/editCTGConfig", { cpeId: popId, isPush: 1 })).toMatchObject({
      code: 404,
    });
  });

  test("B-7.2-07: treeList with isAgent 1 has agents only", async () => {
    const agent = await addEnterprise("树-代理", { isAgent: 1 });
    await addEnterprise("树-客户", { parentId: agent });
    const { data } = await get("/customer/enterprise/treeList", { isAgent: 1 });
    const nodes = data as { groupid: number; isAgent: number }[];
    expect(nodes.map(({ groupid }) => groupid)).toContain(agent);
    expect(nodes.filter(({ isAgent }) => isAgent !== 1)).toEqual([]);
  });

  test("B-7.2-08: combo has groupid and name, inside the data scope", async () => {
    const id = await addEnterprise("组合");
    const token = await api.userToken({ enterpriseId: id, dataScope: 1 });
    const answer = await get("/customer/enterprise/combo", {}, token);
    expect(answer.data).toEqual([{ groupid: id, name: "组合" }]);
  });

  test("a strategy's POPs only, and only strategies of the own scope", async () => {
    const id = await addEnterprise("策略");
    const { strategyId, popId } = tenant.ids;
    const edit = (fields: object, token = admin) =>
      post("/customer/enterprise/editStrategy", { groupid: id, ...fields }, token);
    expect(await edit({ strategyType: 1 })).toMatchObject({
      issues: [{ path: "popStrategyId", rule: "required" }],
    });
    const selected = { strategyType: 1, popStrategyId: strategyId };
    expect(await edit({ ...selected, checkServerData: popId })).toMatchObject({
      issues: [{ path: "checkServerData", rule: "unknown" }],
    });
    const strategy = wireDraft("popStrategy", "valid", tenant.ids, { name: "含POP" });
    const withPop = newIdOf(await post("/customer/popStrategy/add", strategy));
    const whole = { strategyType: 1, popStrategyId: withPop, checkServerData: popId };
    expect(await edit(whole)).toMatchObject({ code: 0 });
    expect(await rowOf(id)).toMatchObject({ ...whole, checkServerData: String(popId) });
    expect(await post("/customer/popStrategy/remove", { ids: withPop })).toMatchObject({
      code: 409,
      msg: "仍被使用：企业，先删除或解除引用",
    });
    const stranger = await makeTenant(api, admin, "strangers");
    expect(
      await post(
        "/customer/enterprise/editStrategy",
        { groupid: stranger.ids.groupid, ...whole },
        stranger.token,
      ),
    ).toMatchObject({ code: 400, issues: [{ path: "popStrategyId", rule: "unknown" }] });
    expect(await edit({ strategyType: 0 })).toMatchObject({ code: 0 });
    expect(await rowOf(id)).toMatchObject({ strategyType: 0, popStrategyId: null });
  });

  test("cascaders hold the tree; All is not cut by the scope, for controllers", async () => {
    const top = await addEnterprise("级联-上");
    const below = await addEnterprise("级联-下", { parentId: top, isAgent: 1 });
    const cut = await api.userToken({ enterpriseId: top, dataScope: 1, roleType: 0 });
    const call = async (name: string, token: string) =>
      (await get(`/customer/enterprise/${name}`, {}, token)).data;
    expect(await call("cascader", cut)).toEqual([{ value: top, label: "级联-上", children: [] }]);
    expect(await call("cascaderAll", cut)).toEqual([
      {
        value: top,
        label: "级联-上",
        children: [{ value: below, label: "级联-下", children: [] }],
      },
    ]);
    expect(await call("cascaderAllNew", cut)).toMatchObject([
      { value: top, children: [{ value: below, isAgent: 1, enterpriseType: 0 }] },
    ]);
    const customer = await api.userToken({ enterpriseId: top, dataScope: 1, roleType: 2 });
    expect(await call("cascaderAll", customer)).toEqual([
      { value: top, label: "级联-上", children: [] },
    ]);
  });
});

describe("B-7.2-09: related lists of section 7.2 that are made here", () => {
  const paged = { page: 1, limit: 10 };
  test.each([
    ["ipgroup/listByGroupId", { enterpriseId: 1 }],
    ["ipgroup/listNoPage", {}],
    ["popGroupDef/list", { groupid: 1, ...paged }],
    ["common/L7page", paged],
    ["ckcommon/L7page", paged],
    ["comAudit/list", paged],
    ["popStrategy/combo", {}],
    ["popGroup/combo", { strategyId: 1 }],
    ["urlgroup/combo", {}],
  ])("GET /customer/%s answers code 0 with a list", async (path, query) => {
    const answer = await get(`/customer/${path}`, query);
    expect(answer).toMatchObject({ code: 0, data: expect.any(Array) });
  });
});

describe("groups, audits, columns", () => {
  test("a shared IP group reaches those below, and no one else", async () => {
    const agent = await addEnterprise("共享-代理", { isAgent: 1 });
    const shop = await addEnterprise("共享-门店", { parentId: agent });
    const ids = { ...tenant.ids, groupid: agent };
    const add = (name: string, share: number) =>
      post("/customer/ipgroup/add", wireDraft("ipgroup", "valid", ids, { name, share }));
    newIdOf(await add("共享的", 1));
    newIdOf(await add("不共享的", 0));
    const names = async (token: string, path: string, query: object = {}) =>
      ((await get(path, query, token)).data as { name: string }[]).map(({ name }) => name);
    const below = await api.userToken({ enterpriseId: shop, dataScope: 1 });
    expect(await names(below, "/customer/ipgroup/listNoPage")).toEqual(["共享的"]);
    const usable = { enterpriseId: shop };
    expect(await names(below, "/customer/ipgroup/listByGroupId", usable)).toEqual(["共享的"]);
    const aside = await api.userToken({ enterpriseId: await addEnterprise("旁人"), dataScope: 1 });
    expect(await names(aside, "/customer/ipgroup/listNoPage")).toEqual([]);
    expect(await names(aside, "/customer/ipgroup/listByGroupId", usable)).toEqual([]);
  });

  test("an enterprise submits its documents; only who is above approves them", async () => {
    const shop = await addEnterprise("受审");
    const token = await api.userToken({ enterpriseId: shop, dataScope: 1 });
    const ids = { ...tenant.ids, groupid: shop };
    const draft = wireDraft("comAudit", "valid", ids);
    const id = newIdOf(await post("/customer/comAudit/add", draft, token));
    const own = { ...draft, id, status: 1 };
    expect(await post("/customer/comAudit/edit", own, token)).toMatchObject({
      code: 400,
      issues: [{ path: "status", rule: "notAllowed" }],
    });
    expect(await post("/customer/comAudit/edit", own)).toMatchObject({ code: 0 });
    const read = async () =>
      ((await get("/customer/comAudit/list", { groupid: shop }, token)).data as object[])[0];
    expect(await read()).toMatchObject({ status: 1, auditBy: "admin", judgeable: 0 });
    const again = { ...draft, id, contact: "另一人" };
    expect(await post("/customer/comAudit/edit", again, token)).toMatchObject({ code: 0 });
    expect(await read()).toMatchObject({ status: 0, auditBy: null, auditTime: null });
  });

  test("B-7.1-14: sysSearchRel/edit keeps the columns of a person, and of no one else", async () => {
    const token = await api.userToken({ enterpriseId: 1, dataScope: 1 });
    const { userId } = (await get("/customer/session", {}, token)).data as { userId: number };
    const edit = (fields: object) => post("/customer/sysSearchRel/edit", fields, token);
    const wanted = { userId, cols: "state,alias,sn", classType: "cpe" };
    expect(await edit(wanted)).toMatchObject({ code: 0 });
    expect(await edit({ userId, cols: "name", classType: "/system/rolemanage" })).toMatchObject({
      code: 0,
    });
    expect((await get("/customer/session", {}, token)).data).toMatchObject({
      cpeColomn: "state,alias,sn",
      clientColomn: "",
      colums: { cpe: ["state", "alias", "sn"], "/system/rolemanage": ["name"] },
    });
    expect(await edit({ ...wanted, userId: 1 })).toMatchObject({
      code: 400,
      issues: [{ path: "userId", rule: "notAllowed" }],
    });
    expect((await get("/customer/session")).data).not.toMatchObject({
      cpeColomn: "state,alias,sn",
    });
  });

  test("B-7.1-11: userconsole/numbers brings numbers", async () => {
    const { code, data } = await get("/customer/userconsole/numbers");
    expect(code).toBe(0);
    for (const value of Object.values(data as object)) expect(value).toEqual(expect.any(Number));
    expect(data).toMatchObject({ cpe: expect.any(Number), enterprise: expect.any(Number) });
  });
});
