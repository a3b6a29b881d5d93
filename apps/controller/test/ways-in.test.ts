/** What makes a way in needs the caller's own password: a session alone is not enough (contract ways-in.ts). */
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import { wayInOf } from "@weft/contract/ways-in.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Answer, adminPassword } from "./api.ts";
import { type People, people } from "./people.ts";
import { sendFile } from "./sheet-files.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let all: People;
/** A role with nothing in it, and what the cases below are about. */
let plain: number;
let other: number;
let key: number;
let provider: number;
let ids: { groupid: number; cpeId: number; popId: number; roleId: number };

beforeAll(async () => {
  all = await people();
  plain = newIdOf(await all.addRole(all.admin, { groupid: all.agent, authorities: "" }));
  ids = { groupid: all.agent, cpeId: 0, popId: 0, roleId: plain };
  other = (await all.person(all.agent, [plain])).id;
  const keyDraft = wireDraft("apiKey", "valid", ids);
  key = newIdOf(await all.api.post("/customer/apiKey/add", keyDraft, all.manager.token));
  const draft = wireDraft("identityProvider", "valid", ids);
  provider = newIdOf(
    await all.api.post("/customer/identityProvider/add", draft, all.manager.token),
  );
}, 60_000);
afterAll(() => all.api.close());
beforeEach(() => whole(sql`delete from login_record`));

const whole = (statement: ReturnType<typeof sql>) =>
  statement.execute(all.api.database.pools.apiAll.db);

type Send = (oldPsw: string) => Promise<Answer>;

const post = (path: string, fields: object, token = all.manager.token) =>
  all.api.post(`/customer/${path}`, fields, token);

/** A user's own row with other fields. */
const userWith = async (fields: object) => {
  const row = await all.rowOf(other);
  return { ...wireDraft("user", "valid", ids), ...row, rowVersion: "", ...fields, userId: other };
};

/** The row with other fields; what is not asked for stays. */
const keyWith = (fields: object) => ({ ...wireDraft("apiKey", "valid", ids), ...fields, id: key });
const providerWith = (fields: object) => ({
  ...wireDraft("identityProvider", "valid", ids),
  clientSecret: "",
  ...fields,
  id: provider,
});
const roleWith = (fields: object) => ({
  ...wireDraft("role", "valid", ids, { roleCode: "ways", name: "ways", authorities: "" }),
  ...fields,
  roleId: plain,
});

let names = 0;
const named = (): string => `ways${++names}`;

/** Of each call how it makes a way in; one that needs the password and is not here fails below. */
const ways: Readonly<Record<string, Readonly<Record<string, Send>>>> = {
  "user.add": {
    "adds a person": (oldPsw) =>
      all.addUser(all.manager.token, { groupid: all.agent, roleIds: "", oldPsw }),
  },
  "user.edit": {
    "gives a role": async (oldPsw) =>
      post("user/edit", await userWith({ roleIds: `${all.managing}`, oldPsw })),
    "changes an address": async (oldPsw) =>
      post("user/edit", await userWith({ email: "attacker@example.net", oldPsw })),
    moves: async (oldPsw) =>
      post("user/edit", await userWith({ groupid: all.below, roleIds: "", oldPsw })),
  },
  "user.editEnable": {
    enables: async (oldPsw) => {
      await whole(sql`update sys_user set enabled = false where id = ${other}`);
      return post("user/editEnable", { userId: other, enable: 1, oldPsw });
    },
  },
  "user.resetPwd": {
    "sets a password": (oldPsw) =>
      post("user/resetPwd", { userId: other, newPsw: "n3w-words", oldPsw }),
  },
  "user.resetFactors": {
    "removes MFA": (oldPsw) => post("user/resetFactors", { userId: other, oldPsw }),
  },
  "apiKey.add": {
    "makes a key": (oldPsw) =>
      post("apiKey/add", { ...wireDraft("apiKey", "valid", ids, { name: named() }), oldPsw }),
  },
  "apiKey.edit": {
    "gives it more": (oldPsw) => post("apiKey/edit", keyWith({ roleId: all.managing, oldPsw })),
    "keeps it for longer": (oldPsw) =>
      post("apiKey/edit", keyWith({ expireTime: "2199-01-01 00:00:00", oldPsw })),
  },
  "identityProvider.add": {
    "trusts one more": (oldPsw) =>
      post("identityProvider/add", {
        ...wireDraft("identityProvider", "valid", ids, { name: named() }),
        oldPsw,
      }),
  },
  "identityProvider.edit": {
    "gives a role": (oldPsw) =>
      post("identityProvider/edit", providerWith({ roleMap: `${all.managing} a`, oldPsw })),
    "sends the browser elsewhere": (oldPsw) =>
      post(
        "identityProvider/edit",
        providerWith({ issuer: "https://192.0.2.41", clientSecret: "another-secret", oldPsw }),
      ),
  },
  "identityProvider.link": {
    "links an account": (oldPsw) =>
      post("identityProvider/link", { id: provider, userId: other, subject: named(), oldPsw }),
  },
  "role.edit": {
    "gives more": (oldPsw) => post("role/edit", roleWith({ authorities: "cpeEdit", oldPsw })),
    "sees further": (oldPsw) => post("role/edit", roleWith({ dataScope: 3, oldPsw })),
  },
  "role.saveMenus": {
    "gives more": (oldPsw) =>
      post("role/saveMenus", { roleId: plain, authorities: "cpeEdit,cpeConfig", oldPsw }),
  },
  "role.saveDataScope": {
    "sees further": (oldPsw) => post("role/saveDataScope", { roleId: plain, dataScope: 1, oldPsw }),
  },
  "enterprise.edit": {
    "takes shorter passwords": async (oldPsw) => {
      await whole(sql`update enterprise set password_policy = '15+' where id = ${all.below}`);
      const at = { groupid: all.below, cpeId: 0, popId: 0 };
      const fields = { name: "下级", parentId: all.agent, passwordPolicy: "spec", oldPsw };
      const draft = wireDraft("enterprise", "valid", at, fields);
      return post("enterprise/edit", { ...draft, groupid: all.below }, all.admin);
    },
    "moves its people below others": (oldPsw) => {
      const at = { groupid: all.below, cpeId: 0, popId: 0 };
      const draft = wireDraft("enterprise", "valid", at, { name: "下级", parentId: 1, oldPsw });
      return post("enterprise/edit", { ...draft, groupid: all.below }, all.admin);
    },
  },
  "enterprise.editEn": {
    "lets its people in again": async (oldPsw) => {
      await whole(sql`update enterprise set enabled = false where id = ${all.below}`);
      return post("enterprise/editEn", { groupid: all.below, enable: 1, oldPsw }, all.admin);
    },
  },
  "sheet.import": {
    "adds a person": (oldPsw) =>
      sendFile(
        all.api,
        { resource: "user", token: all.manager.token },
        `﻿登录名,所属企业,姓名\n${named()}@demo,代理,李\n`,
        { oldPsw },
      ),
  },
};

/** Calls that ask for the password; those about one's own MFA and password have tests of their own. */
const guarded = allEndpoints.filter(({ id, acts, auth }: Endpoint) => {
  const decision = acts && auth === "session" ? wayInOf(id) : null;
  return decision !== null && !("none" in decision) && !/^(factor|auth)\./.test(id);
});

test("each call that makes or widens a way in has a case here", () => {
  expect(Object.keys(ways).sort()).toEqual(guarded.map(({ id }) => id).sort());
});

const cases = Object.entries(ways).flatMap(([id, some]) =>
  Object.entries(some).map(([what, send]) => [id, what, send] as const),
);

describe("with a session alone", () => {
  test.each(cases)("%s %s: refused at the password, and done with it", async (_, __, send) => {
    const before = await state();
    expect(await send("")).toMatchObject({ code: 400, issues: [{ path: "oldPsw" }] });
    expect(await send("guess-1")).toMatchObject({
      code: 402,
      issues: [{ path: "oldPsw", rule: "wrongPassword" }],
    });
    expect(await state()).toEqual(before);
    expect(await send(adminPassword)).toMatchObject({ code: 0 });
  });
});

/** What there is to log in with. */
async function state() {
  const { rows } = await sql`
    select (select count(*) from sys_user) as users, (select count(*) from api_key) as keys,
      (select count(*) from identity_provider) as providers,
      (select count(*) from user_identity) as links,
      (select string_agg(password_hash || coalesce(email, ''), ',' order by id) from sys_user) as hashes,
      (select string_agg(role_id::text, ',' order by user_id, role_id) from user_role) as roles,
      (select string_agg(permission, ',' order by role_id, permission) from role_permission)
        as permissions`.execute(all.api.database.pools.owner.db);
  return rows[0];
}

describe("what is no way in needs no password:", () => {
  test("a name, a remark, what takes a way in away", async () => {
    const row = await all.rowOf(other);
    const same = { ...row, roleIds: String(row?.roleIds ?? ""), rowVersion: "", oldPsw: "" };
    const remark = { ...same, remark: "夜班", userId: other };
    expect(await post("user/edit", remark, all.admin)).toMatchObject({ code: 0 });
    const off = { userId: other, enable: 0, oldPsw: "" };
    expect(await post("user/editEnable", off, all.admin)).toMatchObject({ code: 0 });
    expect(await post("apiKey/remove", { ids: key }, all.admin)).toMatchObject({ code: 0 });
    const closed = { groupid: all.below, enable: 0, oldPsw: "" };
    expect(await post("enterprise/editEn", closed, all.admin)).toMatchObject({ code: 0 });
  });

  test("a check of a file, which writes nothing", async () => {
    const text = `﻿登录名,所属企业,姓名\n${named()}@demo,代理,李\n`;
    const of = { resource: "user", token: all.manager.token };
    expect(await sendFile(all.api, of, text, { check: 1, oldPsw: "" })).toMatchObject({
      code: 0,
      data: { counts: { new: 1, bad: 0 } },
    });
  });
});

test("a wrong password ends an import that leaves out bad rows, and is in the log of logins", async () => {
  const count = async () =>
    (await sql`select from login_record where not success`.execute(all.api.database.pools.owner.db))
      .rows.length;
  const before = await count();
  const text = "\uFEFF上级企业,名称,密码策略\n运营中心,代理,15+\n";
  const of = { resource: "enterprise", token: all.admin };
  const options = { mode: "change", skipBad: 1, oldPsw: "guess-1" };
  expect(await sendFile(all.api, of, text, options)).toMatchObject({
    code: 402,
    issues: [{ path: "oldPsw", rule: "wrongPassword" }],
  });
  expect(await count()).toBe(before + 1);
});

test("wrong passwords of all calls count together", async () => {
  const { token } = await all.person(all.agent, [all.managing]);
  const codes: number[] = [];
  for (let n = 0; n < 4; n++) {
    codes.push(
      (await all.addUser(token, { groupid: all.agent, oldPsw: `guess${n}` })).code,
      (await post("apiKey/add", { ...wireDraft("apiKey", "valid", ids), oldPsw: "guess" }, token))
        .code,
    );
  }
  expect(codes.slice(0, 4)).toEqual([402, 402, 402, 402]);
  expect(codes.at(-1)).toBe(429);
  const begin = { oldPsw: adminPassword };
  expect(await post("factor/totpBegin", begin, token)).toMatchObject({ code: 429 });
});
