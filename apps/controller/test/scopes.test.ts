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

test("own data: what is written about a device fits to what colleagues wrote about it", async () => {
  const { groupid } = a.ids;
  const token = await api.userToken({ enterpriseId: groupid, dataScope: 2 });
  const cpeId = await addCpe(groupid, "shared", token);
  const ids = { ...a.ids, cpeId };
  const lan = (network: string, interfaceName: string, by: string) => {
    const fields = { network, network6: "", interfaceName, ownAddress: "" };
    return api.post("/customer/lansection/add", wireDraft("lansection", "valid", ids, fields), by);
  };
  const line = (fields: object, by: string) => {
    const where = { nodeId: cpeId, addressing: "static", gateway: "", ...fields };
    return api.post("/customer/line/add", wireDraft("line", "valid", ids, where), by);
  };
  newIdOf(await lan("192.168.50.1/24", "lan1", a.token));
  const wan = { slot: 1, name: "uplink", interfaceName: "wan1", ip: "198.51.100.2/24" };
  newIdOf(await line({ ...wan, gateway: "198.51.100.1" }, a.token));
  const overlaps = (path: string, value: string, other: string) => ({
    code: 400,
    issues: [{ path, rule: "overlap", params: { value, other } }],
  });
  expect(await lan("192.168.50.129/25", "lan2", token)).toMatchObject(
    overlaps("network", "192.168.50.1/24", "shared"),
  );
  expect(await lan("198.51.100.129/25", "lan2", token)).toMatchObject(
    overlaps("network", "198.51.100.2/24", "uplink"),
  );
  expect(await lan("192.168.51.1/24", "wan1", token)).toMatchObject({
    code: 400,
    issues: [{ rule: "interfaceOwner", params: { value: "wan1", other: "uplink" } }],
  });
  const inLan = { slot: 2, name: "second", interfaceName: "wan2", ip: "192.168.50.130/25" };
  expect(await line({ ...inLan, gateway: "192.168.50.129" }, token)).toMatchObject(
    overlaps("ip", "192.168.50.1/24", "lan1"),
  );
  const onLan = { ...inLan, interfaceName: "lan1", ip: "203.0.113.2/24" };
  expect(await line({ ...onLan, gateway: "203.0.113.1" }, token)).toMatchObject({
    code: 400,
    issues: [{ rule: "interfaceOwner", params: { value: "lan1", other: "192.168.50.1/24" } }],
  });
});

test("own data: terminal accounts get addresses that no colleague's account has", async () => {
  const { groupid, popId } = a.ids;
  const token = await api.userToken({ enterpriseId: groupid, dataScope: 2 });
  const space = wireDraft("netSpace", "valid", a.ids, { name: "own-space", cpeIds: "" });
  const netSpaceId = newIdOf(await api.post("/customer/netSpace/add", space, a.token));
  // One that the user sees: another space of the enterprise would be refused.
  await sql`update weft.net_space set created_by = (select max(id) from weft.sys_user) where id = ${netSpaceId}`.execute(
    api.database.pools.owner.db,
  );
  const serve = (ipPool: string, by: string) =>
    api.post(
      "/customer/clientConfig/edit",
      {
        groupid,
        enable: 1,
        netSpaceId,
        popId,
        ipPool,
        serverHost: "",
        dns: "",
        routes: "",
        defaultTxbps: "",
        defaultRxbps: "",
        allowTerminalTypes: "",
      },
      by,
    );
  expect(await serve("10.250.0.0/24", a.token)).toMatchObject({ code: 0 });
  const account = async (loginName: string, mark: string, by: string) => {
    const fields = { loginName, alias: loginName, popId: "" };
    const draft = wireDraft("account", "valid", a.ids, fields);
    const id = newIdOf(await api.post("/customer/account/add", draft, by));
    const publicKey = Buffer.alloc(32, mark).toString("base64");
    expect(await api.post("/customer/account/editKey", { id, publicKey }, by)).toMatchObject({
      code: 0,
    });
  };
  await account("colleague", "a", a.token);
  await account("own", "b", token);
  const addresses = async () => {
    const { data } = await api.get("/customer/account/list", { limit: 10 }, a.token);
    return (data as { address: string }[]).map(({ address }) => address);
  };
  expect(await addresses()).toEqual(["10.250.0.2", "10.250.0.3"]);
  const config = await api.get("/customer/clientConfig/get", { groupid }, token);
  expect(config.data).toMatchObject({ clients: 2 });
  expect(await serve("10.251.0.0/29", token)).toMatchObject({ code: 0 });
  expect(await addresses()).toEqual(["10.251.0.2", "10.251.0.3"]);
});
