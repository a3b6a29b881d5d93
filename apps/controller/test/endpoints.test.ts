/** What holds for every call of the contract, resource or not. */
import { type Grant, permissionOf } from "@weft/contract/access.ts";
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import { grantedMenus } from "@weft/contract/grants.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import { type Permission, permissionCodes } from "@weft/contract/permissions.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type TestApi, testApi } from "./api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
}, 60_000);
afterAll(() => api.close());

const call = ({ method, path }: Endpoint, token?: string): Promise<Answer> =>
  method === "GET" ? api.get(path, {}, token) : api.post(path, {}, token);
const guarded = allEndpoints.filter(({ auth }) => auth === "session");
const mounted = (one: Endpoint) => api.app.weft.mounted.has(one.path);

test("every declared endpoint is mounted, as it is declared", () => {
  const missing = allEndpoints.filter((endpoint) => !mounted(endpoint)).map(({ id }) => id);
  expect(missing).toEqual([]);
  for (const { endpoint } of api.app.weft.mounted.values())
    expect(allEndpoints).toContain(endpoint);
});

describe("without a token", () => {
  test("every call is answered 500 token无效", async () => {
    for (const endpoint of guarded.filter(mounted)) {
      expect(await call(endpoint), endpoint.id).toMatchObject({ code: 500, msg: "token无效" });
    }
  });
});

describe("without the permission", () => {
  const codes = [...new Set(guarded.flatMap(({ may }) => permissionOf(may) ?? []))];
  test.each(codes)(
    "permissions:%s no call that asks for it is let through",
    async (lacking: Permission) => {
      const permissions = permissionCodes.filter((code) => code !== lacking);
      const token = await api.userToken({ enterpriseId: 1, dataScope: 3, permissions });
      for (const endpoint of guarded.filter((one) => one.may === lacking).filter(mounted)) {
        expect(await call(endpoint, token), endpoint.id).toMatchObject({ code: 403, data: null });
      }
    },
  );
});

/** What a role gives that lets a call be made. */
const grantsOf = ({ may }: Endpoint): readonly Grant[] =>
  may !== null && typeof may !== "string" && "anyOf" in may ? may.anyOf : [];

describe("a role that gives nothing", () => {
  test("opens only the calls that declare why every session may make them", async () => {
    const token = await api.userToken({
      enterpriseId: 1,
      dataScope: 3,
      permissions: [],
      menus: [],
    });
    const admitted: string[] = [];
    for (const endpoint of guarded.filter(mounted)) {
      if (endpoint.may !== null && typeof endpoint.may === "object" && "open" in endpoint.may) {
        continue;
      }
      const { code, data } = await call(endpoint, token);
      if (code !== 403 || data !== null) admitted.push(`${endpoint.id} ${code}`);
    }
    expect(admitted).toEqual([]);
  });

  test("opens no call that writes but those of the caller's own account and of what checks itself", () => {
    const writing = guarded.filter(({ acts, may }) => {
      return acts && may !== null && typeof may === "object" && "open" in may;
    });
    expect(writing.map(({ id }) => id)).toEqual([
      "batch.cancel",
      "demonstration.leave",
      "factor.passkeyAdd",
      "factor.passkeyBegin",
      "factor.passkeyRemove",
      "factor.recoveryRenew",
      "factor.totpBegin",
      "factor.totpConfirm",
      "factor.totpRemove",
      "message.read",
      "message.readAll",
      "message.remove",
      "sheet.import",
      "auth.sysSearchRelEdit",
      "user.confirm",
      "user.confirmBegin",
      "auth.editPassword",
      "user.endSession",
      "auth.logout",
    ]);
  });
});

describe("with one entry of the menu and nothing else", () => {
  /** One call of each set of screens, the first: it is the same check for all. */
  const alike = [
    ...Map.groupBy(
      guarded.filter((one) => grantsOf(one).length > 0),
      (one) => grantsOf(one).join(),
    ).values(),
  ].flatMap(([first]) => first ?? []);
  test.each(grantedMenus)(
    "%s opens the calls of its screen and none of another one",
    async (entry) => {
      const token = await api.userToken({
        enterpriseId: 1,
        dataScope: 3,
        permissions: [],
        menus: [entry],
      });
      const own = guarded.filter((one) => grantsOf(one).includes(entry)).filter(mounted);
      for (const endpoint of own) {
        expect((await call(endpoint, token)).code, endpoint.id).not.toBe(403);
      }
      for (const endpoint of alike.filter((one) => !grantsOf(one).includes(entry))) {
        expect(await call(endpoint, token), endpoint.id).toMatchObject({ code: 403, data: null });
      }
    },
  );
});

test("what is unusual about a call has its reason, and the list is known", async () => {
  const unusual = [...api.app.weft.mounted.values()]
    .filter((one) => (one.unaudited ?? one.unscopedReason ?? one.personOnly) !== null)
    .map(({ endpoint, ...reasons }) => ({ call: endpoint.id, ...reasons }))
    .sort((a, b) => (a.call < b.call ? -1 : 1));
  await expect(`${JSON.stringify(unusual, null, 2)}\n`).toMatchFileSnapshot("./unusual-calls.json");
});

test("every table is under row-level security, forced, with a policy for each role", async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'weft'::regnamespace and c.relkind in ('r', 'p') and (
      not c.relrowsecurity or not c.relforcerowsecurity
      or not exists (select 1 from pg_policy p where p.polrelid = c.oid))
    order by 1`.execute(api.database.pools.owner.db);
  expect(rows.map(({ name }) => name)).toEqual([]);
  const { rows: all } = await sql<{ n: number }>`
    select count(*) as n from pg_class
    where relnamespace = 'weft'::regnamespace and relkind = 'r'`.execute(
    api.database.pools.owner.db,
  );
  expect(all[0]?.n).toBeGreaterThan(20);
});

test("no role but the owner may write the row of the installation", async () => {
  const { api: scoped, apiAll, worker, gateway, owner } = api.database.pools;
  const may = async (name: string): Promise<boolean | undefined> => {
    const { rows } = await sql<{ may: boolean }>`
      select has_table_privilege(${name}, 'weft.installation', 'insert, update, delete') as may`.execute(
      owner.db,
    );
    return rows[0]?.may;
  };
  const found = await Promise.all([scoped, apiAll, worker, gateway].map(({ name }) => may(name)));
  expect(found).toEqual([false, false, false, false]);
  expect(await may(owner.name)).toBe(true);
});

test("a session without a scope sees no row of any tenant", async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'weft'::regnamespace and c.relkind = 'r'`.execute(
    api.database.pools.owner.db,
  );
  const seen: string[] = [];
  for (const { name } of rows) {
    const found = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(
      api.database.pools.api.db,
    );
    if (found.rows[0]?.n !== 0) seen.push(name);
  }
  // The installation's own row belongs to no tenant.
  expect(seen).toEqual(["installation"]);
});
