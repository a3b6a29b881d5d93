/** The data scopes of section 6, as users see them. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, type TestApi, testApi } from "./api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "./tenants.ts";

let api: TestApi;
let admin: string;
let a: Tenant;
let b: Tenant;
let below: number;

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  a = await makeTenant(api, admin, "a");
  b = await makeTenant(api, admin, "b");
  const draft = wireDraft("enterprise", "valid", a.ids, { name: "a-below" });
  below = newIdOf(await api.post("/customer/enterprise/add", draft, a.token));
  await addCpe(below, "below", admin);
}, 60_000);
afterAll(() => api.close());

const addCpe = async (groupid: number, alias: string, token: string) =>
  newIdOf(
    await api.post(
      "/customer/cpe/insertNew",
      wireDraft("cpe", "valid", { ...a.ids, groupid }, { alias, sn: `sn-${alias}` }),
      token,
    ),
  );
const cpes = async (token: string) => {
  const query = { limit: 1000, orderByColumn: "id", isAsc: "asc" };
  const answer = await api.get("/customer/cpe/findAll", query, token);
  expect(answer.code).toBe(0);
  return (answer.data as { alias: string }[]).map(({ alias }) => alias);
};
const numbers = (token: string): Promise<Answer> =>
  api.get("/customer/userconsole/numbers", {}, token);

test("B-6-23: own enterprise: only it, and nothing below it", async () => {
  const token = await api.userToken({ enterpriseId: a.ids.groupid, dataScope: 1 });
  expect(await cpes(token)).toEqual(["a-cpe"]);
  expect(await numbers(token)).toMatchObject({ data: { enterprise: 1, cpe: 1, pop: 1 } });
});

test("B-6-25: own and subordinate enterprises, but no sibling", async () => {
  expect(await cpes(a.token)).toEqual(["a-cpe", "below"]);
  expect(await numbers(a.token)).toMatchObject({ data: { enterprise: 2, cpe: 2 } });
});

test("B-6-26: selected enterprises: only those, not even the caller's own", async () => {
  const selected = [below, b.ids.groupid];
  const token = await api.userToken({ enterpriseId: a.ids.groupid, dataScope: 4, selected });
  expect(await cpes(token)).toEqual(["b-cpe", "below"]);
});

test("B-6-24: own data: what the user created, and nothing of a colleague's", async () => {
  const { groupid } = a.ids;
  const token = await api.userToken({ enterpriseId: groupid, dataScope: 2 });
  expect(await cpes(token)).toEqual([]);
  const id = await addCpe(groupid, "mine", token);
  expect(await cpes(token)).toEqual(["mine"]);
  const route = (nCpeID: number) =>
    api.post(
      "/customer/staticroute/add",
      wireDraft("staticroute", "valid", { ...a.ids, cpeId: nCpeID }),
      token,
    );
  expect(await route(id)).toMatchObject({ code: 0 });
  expect(await route(a.ids.cpeId)).toMatchObject({
    code: 400,
    issues: [{ path: "nCpeID", rule: "unknown" }],
  });
  expect(await api.post("/customer/cpe/remove", { ids: a.ids.cpeId }, token)).toMatchObject({
    code: 404,
  });
  expect(await numbers(token)).toMatchObject({ data: { enterprise: 1, cpe: 1 } });
});

test("the whole tree: user 1, and users with the scope of the operator's subordinates", async () => {
  const everything = ["a-cpe", "b-cpe", "below", "mine"];
  expect(await cpes(admin)).toEqual(everything);
  const token = await api.userToken({ enterpriseId: 1, dataScope: 3 });
  expect(await cpes(token)).toEqual(everything);
});

test("a user without a role sees nothing and has no permissions", async () => {
  const token = await api.userToken({ enterpriseId: a.ids.groupid, dataScope: 1 });
  await sql`delete from user_role where user_id = (select max(user_id) from user_role)`.execute(
    api.database.pools.apiAll.db,
  );
  expect(await api.get("/customer/cpe/findAll", {}, token)).toMatchObject({ code: 403 });
  expect(await api.post("/customer/cpe/remove", { ids: 1 }, token)).toMatchObject({ code: 403 });
});
