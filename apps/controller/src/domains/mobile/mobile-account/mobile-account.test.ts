import {
  accountBatchExpire,
  accountEditEnable,
  accountEditKey,
  accountEditPass,
  accountExport,
  accountGetById,
  accountImport,
  mobileAccount,
} from "@weft/contract/domains/mobile/mobile-account.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type TestApi, testApi, textFile } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let home: Tenant;
let other: Tenant;
let made = 0;
beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
}, 60_000);
afterAll(() => api.close());

const add = async (replaced: object = {}, who = home): Promise<number> => {
  made += 1;
  const draft = wireDraft("account", "valid", who.ids, { loginName: `user${made}`, ...replaced });
  return newIdOf(await api.post(mobileAccount.ops.add.path, draft, who.token));
};
const post = (path: string, fields: object, who = home) => api.post(path, fields, who.token);
const read = async (id: number, who = home) =>
  (await api.get(accountGetById.path, { id }, who.token)).data as Record<string, unknown>;
const day = 86_400_000;

test("B-1-14: accounts are listed, added, edited and removed", async () => {
  const id = await add({ alias: "round" });
  expect(await read(id)).toMatchObject({ alias: "round", txbps: 10_000_000, hasPassword: 0 });
  const draft = wireDraft("account", "edited", home.ids, { id, loginName: "edited1" });
  expect(await post(mobileAccount.ops.edit.path, draft)).toMatchObject({ code: 0 });
  expect(await read(id)).toMatchObject({ loginName: "edited1", txbps: null, expire: 1 });
  expect(await post(mobileAccount.ops.remove.path, { ids: id })).toMatchObject({ code: 0 });
  expect(await read(id)).toBeNull();
});

test("B-5-23: -1 and 1 are both no end, and anything else is a moment", async () => {
  for (const expire of [-1, 1])
    expect(await read(await add({ expire }))).toMatchObject({ expire: 1 });
  const at = Date.UTC(2031, 0, 2);
  expect(await read(await add({ expire: at }))).toMatchObject({ expire: at, tokenState: 3 });
  const draft = wireDraft("account", "valid", home.ids, { loginName: "never", expire: "0" });
  expect(await post(mobileAccount.ops.add.path, draft)).toMatchObject({ code: 400 });
});

test("B-7.3-16: one end for many, all of them or none", async () => {
  const ids = [await add(), await add()];
  const stranger = await add({}, other);
  const expire = Date.now() + 3 * day;
  const refused = await post(accountBatchExpire.path, { ids: [...ids, stranger].join(), expire });
  expect(refused).toMatchObject({ code: 404 });
  expect(await post(accountBatchExpire.path, { ids: ids.join(), expire })).toMatchObject({
    code: 0,
  });
  for (const id of ids) expect(await read(id)).toMatchObject({ expire, tokenState: 4 });
  expect(await read(stranger, other)).not.toMatchObject({ expire });
});

test("key finds by alias, about to expire (4) and expired (5)", async () => {
  const due = await add({ alias: "key-due", expire: Date.now() + 2 * day });
  const over = await add({ alias: "key-over", expire: Date.now() - day });
  await add({ alias: "key-none", expire: 1 });
  const found = async (key: string) => {
    const query = { key, limit: 1000 };
    const { data } = await api.get(mobileAccount.ops.list.path, query, home.token);
    return (data as { id: number; alias: string }[]).filter(({ alias }) => /^key-/.test(alias));
  };
  expect((await found("4")).map(({ id }) => id)).toEqual([due]);
  expect((await found("5")).map(({ id }) => id)).toEqual([over]);
  expect(await found("KEY-")).toHaveLength(3);
});

test("disabled and enabled; the log records the user", async () => {
  const id = await add();
  expect(await post(accountEditEnable.path, { ids: id, enable: 0 })).toMatchObject({ code: 0 });
  expect(await read(id)).toMatchObject({ enable: 0 });
  const rows = await inScope(
    api.database.pools.apiAll,
    { kind: "all" },
    async (trx) =>
      (
        await sql<{ old_value: object; new_value: object }>`
        select old_value, new_value from audit
        where action = 'account.editEnable' and row_id = ${id}`.execute(trx)
      ).rows,
  );
  expect(rows).toMatchObject([{ old_value: { enable: true }, new_value: { enable: false } }]);
});

test("a password is kept as a hash, is in no answer and in no log", async () => {
  const id = await add();
  expect(await post(accountEditPass.path, { id, password: "a b c d" })).toMatchObject({
    code: 400,
  });
  expect(await post(accountEditPass.path, { id, password: "Zq81kkPw" })).toMatchObject({ code: 0 });
  expect(await read(id)).toMatchObject({ hasPassword: 1 });
  const everything = await inScope(
    api.database.pools.apiAll,
    { kind: "all" },
    async (trx) =>
      (
        await sql<{ stored: string }>`
        select string_agg(a::text, '') || (select string_agg(m::text, '') from mobile_account m) as stored
        from audit a`.execute(trx)
      ).rows,
  );
  expect(everything[0]?.stored).not.toContain("Zq81kkPw");
  expect(JSON.stringify(await read(id))).not.toContain("argon2");
});

test("a POP must be the caller's or shared, a login name is unique in its enterprise only", async () => {
  await add({ loginName: "twin" });
  await add({ loginName: "twin" }, other);
  const twin = wireDraft("account", "valid", home.ids, { loginName: "twin" });
  expect(await post(mobileAccount.ops.add.path, twin)).toMatchObject({
    code: 400,
    issues: [{ path: "loginName", rule: "taken" }],
  });
  const far = { ...twin, loginName: "far", popId: other.ids.popId };
  const foreign = await post(mobileAccount.ops.add.path, far);
  expect(foreign).toMatchObject({ code: 400, issues: [{ path: "popId", rule: "unknown" }] });
});

test("accounts come in from a file and go out again", async () => {
  const file = (rows: string) => textFile("accounts.csv", `loginName,alias,terminalType\n${rows}`);
  const groupid = home.ids.groupid;
  const bad = { groupid, check: 0, file: file("in1,in-one,6\nin 2,two,6") };
  expect(await post(accountImport.path, bad)).toMatchObject({ code: 400 });
  const good = { groupid, check: 0, file: file("in1,in-one,6\nin2,two,5") };
  const taken = await post(accountImport.path, good);
  expect(taken).toMatchObject({ code: 0, data: { added: 2 } });
  const answer = await api.get(accountExport.path, { alias: "in-one" }, home.token);
  expect(answer).toMatchObject({ code: 0, data: { rows: 1 } });
});

test("a file for an enterprise of somebody else is refused as for none, also a check and one that cannot be read", async () => {
  for (const check of [1, 0]) {
    for (const text of ["loginName,alias,terminalType\nin9,in-nine,6", "nonsense\n1"]) {
      const send = (groupid: number) =>
        post(accountImport.path, { groupid, check, file: textFile("accounts.csv", text) });
      const foreign = await send(other.ids.groupid);
      expect(foreign).toMatchObject({
        code: 400,
        issues: [{ path: "groupid", rule: "unknown", params: {} }],
      });
      expect((await send(987_654_321)).issues).toEqual(foreign.issues);
    }
  }
});

test("the specification's import takes the columns and words of the export", async () => {
  const groupid = home.ids.groupid;
  const head =
    "编号,所属企业,登录名,别名,终端类型,下行带宽 (Mbit/s),到期时间 (Asia/Shanghai),创建时间";
  const row = "1,home,out1,out-one,PC,20,2030-01-01 00:00:00,2026-01-01 00:00:00";
  const send = (file: string) =>
    post(accountImport.path, { groupid, check: 0, file: textFile("accounts.csv", file) });
  expect(await send(`${head}\n${row}`)).toMatchObject({ code: 0, data: { added: 1 } });
  const rows = await api.get(mobileAccount.ops.list.path, { alias: "out-one" }, home.token);
  expect(rows.data).toMatchObject([{ loginName: "out1", terminalType: 5 }]);
  // A column that no file of ours has is refused as before.
  expect(await send(`${head},nonsense\n${row},1`)).toMatchObject({ code: 400 });
});

test("a key more than a POP has peers for is refused, and a new one in place of another is not", async () => {
  const [mine, last, more] = [await add({}, other), await add({}, other), await add({}, other)];
  await inScope(api.database.pools.apiAll, { kind: "all" }, async (trx) => {
    await sql`insert into client_service (enterprise_id, enabled, pool, routes, terminal_types)
      values (${other.ids.groupid}, true, '10.64.0.0/16', '{}', '{}')
      on conflict (enterprise_id) do update set pool = excluded.pool`.execute(trx);
    await sql`insert into mobile_account (enterprise_id, login_name, alias, terminal_type, public_key)
      select ${other.ids.groupid}::bigint, 'keyed' || n, '', 1, 'key ' || n
      from generate_series(1, 9998) n`.execute(trx);
  });
  const keyOf = (byte: number) => Buffer.alloc(32, byte).toString("base64");
  const setKey = (id: number, byte: number) =>
    post(accountEditKey.path, { id, publicKey: keyOf(byte) }, other);
  expect(await setKey(mine, 201)).toMatchObject({ code: 0 });
  expect(await setKey(last, 202)).toMatchObject({ code: 0 });
  expect(await setKey(more, 203)).toMatchObject({ code: 422 });
  expect(await setKey(last, 204)).toMatchObject({ code: 0 });
});
