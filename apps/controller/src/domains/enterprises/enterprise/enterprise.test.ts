import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, adminPassword, type TestApi, testApi } from "../../../../test/api.ts";

let api: TestApi;
let admin: string;

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
}, 60_000);
afterAll(() => api.close());

const draft = (name: string, parentId: number | null) => ({
  name,
  enterpriseType: 0,
  parentId: parentId ?? "",
  isAgent: 0,
  provice: "浙江省",
  city: "杭州市",
  region: "西湖区",
  contact: "",
  phone: "",
  email: "",
  remark: "",
});
/** An edit comes with the password of who makes it, as moves need. */
const call = (verb: string, fields: object, token = admin) => {
  const proof = verb === "edit" ? { oldPsw: adminPassword } : {};
  return api.post(`/customer/enterprise/${verb}`, { ...fields, ...proof }, token);
};
const list = (query: object, token = admin) => api.get("/customer/enterprise/list", query, token);
const names = (answer: Answer) => (answer.data as { name: string }[]).map(({ name }) => name);

async function add(name: string, parentId: number | null, token = admin): Promise<number> {
  const answer = await call("add", draft(name, parentId), token);
  expect(answer).toMatchObject({ code: 0 });
  return (answer.data as { id: number }).id;
}

describe("the tree", () => {
  test("takes a new enterprise below the caller's own when no parent is named", async () => {
    const id = await add("顶-无上级", null);
    const { data } = await api.get("/customer/enterprise/getByGroupId", { groupid: id }, admin);
    expect(data).toMatchObject({
      parentId: 1,
      parentName: "运营中心",
      regions: "浙江省,杭州市,西湖区",
    });
  });

  test("refuses a circle, whichever is moved below which", async () => {
    const a = await add("环-a", 1);
    const b = await add("环-b", a);
    const c = await add("环-c", b);
    for (const parent of [a, b, c]) {
      expect(await call("edit", { ...draft("环-a", parent), groupid: a })).toMatchObject({
        code: 400,
        issues: [{ path: "parentId", rule: "cycle" }],
      });
    }
    expect(await call("edit", { ...draft("环-c", a), groupid: c })).toMatchObject({ code: 0 });
  });

  test("stays a tree when two moves at once would close a circle together", async () => {
    const a = await add("并-a", 1);
    const b = await add("并-b", 1);
    const answers = await Promise.all([
      call("edit", { ...draft("并-a", b), groupid: a }),
      call("edit", { ...draft("并-b", a), groupid: b }),
    ]);
    const codes = answers.map(({ code }) => code).sort();
    expect(codes[0]).toBe(0);
    expect(codes[1]).not.toBe(0);
  });

  test("shows nodes without their parent at the top, to whom the parent is foreign", async () => {
    const a = await add("树-a", 1);
    const b = await add("树-b", a);
    const token = await api.userToken({ enterpriseId: a, dataScope: 3 });
    const tree = await api.get("/customer/enterprise/treeList", {}, token);
    expect(tree.data).toMatchObject([
      { groupid: a, parentId: null, name: "树-a", isAgent: 0, enable: 1 },
      { groupid: b, parentId: a, name: "树-b" },
    ]);
  });
});

describe("an agent", () => {
  test("sees and makes enterprises below its own only", async () => {
    const own = await add("代理-1", 1);
    const other = await add("代理-2", 1);
    const token = await api.userToken({ enterpriseId: own, dataScope: 3 });
    const below = await add("客户-1", null, token);
    expect(names(await list({}, token))).toEqual(["代理-1", "客户-1"]);
    const rows = (await list({}, token)).data as object[];
    expect(rows[0]).toMatchObject({ parentId: null, parentName: null });
    for (const foreign of [1, other, 999_999]) {
      expect(await call("add", draft("越界", foreign), token)).toMatchObject({
        code: 400,
        issues: [{ path: "parentId", rule: "unknown" }],
      });
      expect(
        await call("edit", { ...draft("客户-1", foreign), groupid: below }, token),
      ).toMatchObject({ issues: [{ path: "parentId", rule: "unknown" }] });
    }
  });

  test("moves nothing without the permission to", async () => {
    const own = await add("代理-3", 1);
    const token = await api.userToken({
      enterpriseId: own,
      dataScope: 3,
      permissions: ["enterpriseAdd", "enterpriseEdit"],
    });
    const a = await add("客户-a", own, token);
    const b = await add("客户-b", own, token);
    expect(await call("edit", { ...draft("客户-b", a), groupid: b }, token)).toMatchObject({
      code: 403,
      msg: "缺少权限：编辑上级企业，可向管理员申请",
    });
    expect(await call("edit", { ...draft("客户-c", own), groupid: b }, token)).toMatchObject({
      code: 0,
    });
    expect(await call("edit", { ...draft("客户-d", null), groupid: b }, token)).toMatchObject({
      code: 0,
    });
  });

  test("cannot disable its own enterprise", async () => {
    const own = await add("代理-4", 1);
    const token = await api.userToken({ enterpriseId: own, dataScope: 3 });
    expect(await call("editEn", { groupid: own, enable: 0 }, token)).toMatchObject({
      issues: [{ path: "enable", rule: "fromAbove" }],
    });
    // Nobody is above the topmost one.
    expect(await call("editEn", { groupid: 1, enable: 0 })).toMatchObject({ code: 422 });
    expect(await call("editEn", { groupid: 1, enable: 0 }, token)).toMatchObject({ code: 404 });
  });
});

describe("removal", () => {
  test("is refused while something hangs on the enterprise, which is named", async () => {
    const parent = await add("删-上级", 1);
    const child = await add("删-下级", parent);
    expect(await call("remove", { ids: parent })).toMatchObject({
      code: 409,
      msg: "仍被使用：下级企业，先删除或解除引用",
    });
    await api.userToken({ enterpriseId: child, dataScope: 1 });
    expect(await call("remove", { ids: child })).toMatchObject({ code: 409 });
    expect(await call("remove", { ids: "1" })).toMatchObject({ code: 409 });
  });

  test("takes parent and child together, and the whole list or nothing", async () => {
    const parent = await add("并删-上级", 1);
    const child = await add("并删-下级", parent);
    expect(await call("remove", { ids: `${parent},${child},999999` })).toMatchObject({ code: 404 });
    expect((await list({ parentId: parent })).count).toBe(1);
    expect(await call("remove", { ids: `${parent},${child}` })).toMatchObject({ code: 0 });
    expect((await list({ name: "并删" })).count).toBe(0);
  });
});

describe("the list", () => {
  test("searches anywhere in the name, and characters of patterns mean themselves", async () => {
    await add("搜索_甲", 1);
    await add("搜索-甲", 1);
    expect(names(await list({ name: "索_" }))).toEqual(["搜索_甲"]);
    expect(names(await list({ name: "%" }))).toEqual([]);
    expect((await list({ name: "搜索" })).count).toBe(2);
  });

  test("sorts, pages and counts what the filter leaves", async () => {
    const parent = await add("分页", 1);
    for (const n of [1, 2, 3]) await add(`分页-${n}`, parent);
    const query = { parentId: parent, orderByColumn: "name", isAsc: "desc", limit: 2 };
    expect(await list({ ...query, page: 1 })).toMatchObject({
      count: 3,
      data: [{ name: "分页-3" }, { name: "分页-2" }],
    });
    expect(await list({ ...query, page: 2 })).toMatchObject({
      count: 3,
      data: [{ name: "分页-1" }],
    });
    expect(await list({ ...query, page: 9 })).toMatchObject({ count: 3, data: [] });
  });

  test("a name is taken among siblings only", async () => {
    const parent = await add("重名", 1);
    expect(await call("add", draft("重名", 1))).toMatchObject({
      code: 400,
      msg: "输入有误：名称: “重名”已被使用",
      issues: [{ path: "name", rule: "taken", params: { value: "重名" } }],
    });
    expect(await call("add", draft("重名", parent))).toMatchObject({ code: 0 });
  });
});
