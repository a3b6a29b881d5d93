import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
}, 60_000);
afterAll(() => api.close());

const post = (path: string, fields: object, token = admin) => api.post(path, fields, token);
const get = (path: string, query: object = {}, token = admin) => api.get(path, query, token);
const addEnterprise = async (name: string, fields: object = {}) => {
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  const draft = wireDraft("enterprise", "valid", ids, { name, ...fields });
  return newIdOf(await post("/customer/enterprise/add", draft));
};

describe("the workplace", () => {
  test("shows what ends soon by the enterprise's own days, and customers by their credit", async () => {
    const agent = await addEnterprise("工作台", { isAgent: 1 });
    const token = await api.userToken({ enterpriseId: agent, dataScope: 3, roleType: 1 });
    const inDays = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace("T", " ");
    const soon = await addEnterprise("先到期", { parentId: agent, endTime: inDays(20) });
    await addEnterprise("后到期", { parentId: agent, endTime: inDays(60) });
    await post("/customer/enterprise/charge", { groupid: soon, credit: 9 }, token);
    const read = async () =>
      (await get("/customer/dashboard/workplace", {}, token)).data as {
        expiring: { name: string }[];
        customers: { name: string; balance: number }[];
        counts: { enterprise: number };
      };
    const first = await read();
    expect(first.expiring.map(({ name }) => name)).toEqual(["先到期"]);
    expect(first.customers).toMatchObject([
      { name: "后到期", balance: 0 },
      { name: "先到期", balance: 9 },
    ]);
    expect(first.counts.enterprise).toBe(3);
    const params = { groupid: agent, expireNoticeDays: 90, timezone: "UTC", logDays: 30 };
    expect(await post("/customer/paramConfig/edit", params, token)).toMatchObject({ code: 0 });
    expect((await read()).expiring.map(({ name }) => name)).toEqual(["先到期", "后到期"]);
  });
});
