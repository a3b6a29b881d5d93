/** What a new enterprise takes over from its parent's parameters. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
let tenant: Tenant;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  tenant = await makeTenant(api, admin, "parent");
}, 60_000);
afterAll(() => api.close());

test("a new subordinate uses its parent's default POP strategy, and may leave it", async () => {
  const { strategyId, groupid: parentId } = tenant.ids;
  const params = { groupid: parentId, expireNoticeDays: 30, timezone: "UTC", logDays: 180 };
  const setDefault = async (defaultPopStrategyId: number | string): Promise<void> => {
    const input = { ...params, defaultPopStrategyId };
    expect(await api.post("/customer/paramConfig/edit", input, admin)).toMatchObject({ code: 0 });
  };
  const add = async (name: string): Promise<number> => {
    const draft = wireDraft("enterprise", "valid", tenant.ids, { name, parentId });
    return newIdOf(await api.post("/customer/enterprise/add", draft, admin));
  };
  const rowOf = async (groupid: number) =>
    (await api.get("/customer/enterprise/getByGroupId", { groupid }, admin)).data;

  await setDefault(Number(strategyId));
  const below = await add("with-default");
  expect(await rowOf(below)).toMatchObject({ strategyType: 1, popStrategyId: strategyId });
  const automatic = { groupid: below, strategyType: 0 };
  await api.post("/customer/enterprise/editStrategy", automatic, admin);
  expect(await rowOf(below)).toMatchObject({ strategyType: 0, popStrategyId: null });
  await setDefault("");
  const plain = await add("without-default");
  expect(await rowOf(plain)).toMatchObject({ strategyType: 0, popStrategyId: null });
});
