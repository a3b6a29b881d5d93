import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
const codes = ["cpeAlarmMsg", "popAlarmMsg", "clientAlarmMsg"] as const;

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  for (const name of ["own", "other"]) await makeTenant(api, admin, name);
}, 60_000);
afterAll(() => api.close());

/** Sets when the nodes of an enterprise expire, seen from now; null: never. */
const expireIn = (groupid: number, interval: string | null) =>
  inScope(api.database.pools.apiAll, { kind: "all" }, (trx) =>
    sql`update node set expire_at = now() + ${interval}::interval
        where enterprise_id = ${groupid}`.execute(trx),
  );

interface Notices {
  readonly cpeList: { alias: string; expireTime: string }[];
  readonly popList: { name: string }[];
  readonly clientList: { alias: string; account: { expire: string } }[];
}
const noticesOf = async (token: string): Promise<Notices> => {
  const answer = await api.get("/temp/expireDevice", {}, token);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as Notices;
};
const groups = async (): Promise<number[]> => {
  const { data } = await api.get("/customer/enterprise/combo", {}, admin);
  return (data as { groupid: number }[]).map(({ groupid }) => groupid).filter((id) => id !== 1);
};

describe("expiry notices", () => {
  test("name what is due within 30 days or past, the earliest first", async () => {
    const [own = 0, other = 0] = await groups();
    await expireIn(own, "29 days");
    await expireIn(other, "-1 day");
    const both = await noticesOf(admin);
    expect(both.cpeList.length).toBeGreaterThanOrEqual(2);
    const times = both.cpeList.map(({ expireTime }) => expireTime);
    expect(times).toEqual([...times].sort());
    await expireIn(other, "31 days");
    expect((await noticesOf(admin)).cpeList).toHaveLength(both.cpeList.length - 1);
    await expireIn(own, null);
    expect((await noticesOf(admin)).cpeList).toEqual([]);
  });

  test("name nothing of another enterprise, and nothing without the permission", async () => {
    const [own = 0, other = 0] = await groups();
    await expireIn(own, "1 day");
    await expireIn(other, "1 day");
    const scope = { enterpriseId: own, dataScope: 3 } as const;
    const every = await noticesOf(await api.userToken({ ...scope, permissions: codes }));
    expect(every.cpeList).toHaveLength(1);
    const none = await noticesOf(await api.userToken({ ...scope, permissions: [] }));
    expect(none).toEqual({ cpeList: [], popList: [], clientList: [] });
    const pops = await noticesOf(await api.userToken({ ...scope, permissions: ["popAlarmMsg"] }));
    expect([pops.cpeList, pops.popList.length]).toEqual([[], every.popList.length]);
  });

  test("count days as the reader's own enterprise set them", async () => {
    const [own = 0] = await groups();
    await expireIn(own, "29 days");
    const reader = await api.userToken({ enterpriseId: own, dataScope: 3, permissions: codes });
    expect((await noticesOf(reader)).cpeList).toHaveLength(1);
    const params = { groupid: own, expireNoticeDays: 7, timezone: "UTC", logDays: 30 };
    expect(await api.post("/customer/paramConfig/edit", params, admin)).toMatchObject({ code: 0 });
    expect((await noticesOf(reader)).cpeList).toEqual([]);
    expect((await noticesOf(admin)).cpeList.length).toBeGreaterThan(0);
    await api.post("/customer/paramConfig/edit", { ...params, expireNoticeDays: 30 }, admin);
  });

  test("name mobile accounts that end, by alias, with the time as an account has it", async () => {
    const [own = 0] = await groups();
    const at = Math.floor(Date.now() / 1_000) * 1_000 + 3 * 86_400_000;
    const draft = {
      groupid: own,
      enable: 1,
      terminalType: 6,
      remark: "",
      txbps: "",
      rxbps: "",
      popId: "",
      phone: "",
      email: "",
    };
    for (const [loginName, alias, expire] of [
      ["due1", "Due-one", at],
      ["never1", "Never", 1],
    ] as const) {
      const made = await api.post(
        "/customer/account/add",
        { ...draft, loginName, alias, expire },
        admin,
      );
      expect(made).toMatchObject({ code: 0 });
    }
    const { clientList } = await noticesOf(admin);
    const due = clientList.filter(({ alias }) => alias === "Due-one" || alias === "Never");
    expect(due).toMatchObject([{ alias: "Due-one" }]);
    expect(new Date(`${due[0]?.account.expire}Z`).getTime()).toBe(at);
    const blind = await api.userToken({
      enterpriseId: own,
      dataScope: 3,
      permissions: codes.slice(0, 2),
    });
    expect((await noticesOf(blind)).clientList).toEqual([]);
  });

  test("agree with the states of the list and its filter", async () => {
    const [own = 0, other = 0] = await groups();
    await expireIn(own, "-1 hour");
    await expireIn(other, "10 days");
    const list = async (key: number | null) => {
      const query = { page: "1", limit: "100", key: String(key ?? "") };
      const { data } = await api.get("/customer/cpe/findAll", query, admin);
      return data as { alias: string; groupid: number; tokenState: number }[];
    };
    const all = await list(null);
    expect(new Set(all.map((row) => row.tokenState))).toEqual(new Set([4, 5]));
    for (const state of [4, 5]) {
      expect(await list(state)).toEqual(all.filter((row) => row.tokenState === state));
    }
    expect(all.find((row) => row.groupid === own)?.tokenState).toBe(5);
  });
});
