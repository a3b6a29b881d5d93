import { grantedMenus } from "@weft/contract/grants.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminPassword, formData } from "../../../../test/api.ts";
import { type People, people, userFamily } from "../../../../test/people.ts";
import { sendFile } from "../../../../test/sheet-files.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { createTries } from "./tries.ts";

let all: People;
/** A role of the agent's enterprise with the user family, over all below. */
let wide: number;
beforeAll(async () => {
  all = await people();
  const fields = { groupid: all.agent, roleType: 1, dataScope: 3 };
  const authorities = [...userFamily, "cpeEdit"].join(",");
  wide = newIdOf(await all.addRole(all.admin, { ...fields, authorities }));
}, 60_000);
afterAll(() => all.api.close());

let names = 0;
const draftOf = (roleId: number, fields: object = {}) =>
  wireDraft(
    "apiKey",
    "valid",
    { groupid: all.agent, cpeId: 1, popId: 1, roleId },
    { name: `key${++names}`, ...fields },
  );
const add = (token: string, roleId: number, fields: object = {}) =>
  all.api.post("/customer/apiKey/add", draftOf(roleId, fields), token);
const make = async (token: string, roleId: number, fields: object = {}) => {
  const answer = await add(token, roleId, fields);
  expect(answer.code).toBe(0);
  return answer.data as { id: number; key: string };
};
const run = (statement: ReturnType<typeof sql>) =>
  statement.execute(all.api.database.pools.apiAll.db);
const session = (key: string) => all.api.get("/customer/session", {}, key);
const enterprises = async (key: string) => {
  const answer = await all.api.get("/customer/enterprise/list", { limit: 100 }, key);
  expect(answer.code).toBe(0);
  return new Set((answer.data as { groupid: number }[]).map(({ groupid }) => groupid));
};

describe("an API key", () => {
  test("takes the path of a session, in query and header, with its role and scope", async () => {
    const { id, key } = await make(all.manager.token, wide);
    expect(key).toMatch(/^weft_[\w-]{43}$/);
    expect(await enterprises(key)).toEqual(new Set([all.agent, all.below]));
    for (const authorization of [key, `Bearer ${key}`]) {
      const answer = await all.api.get("/customer/session", {}, undefined, { authorization });
      expect(answer).toMatchObject({
        code: 0,
        data: { userId: -id, groupid: all.agent, roleType: 1 },
      });
      expect(answer.headers.authorization).toBeUndefined();
    }
    const own = newIdOf(await all.addRole(all.admin, { groupid: all.agent, authorities: "" }));
    const narrow = await make(all.manager.token, own);
    expect(await all.api.get("/customer/user/list", {}, narrow.key)).toMatchObject({ code: 403 });
  });

  test("is shown once: the database and the lists hold a hash and how it begins", async () => {
    const { id, key } = await make(all.manager.token, wide);
    const { data } = await all.api.get("/customer/apiKey/list", { limit: 100 }, all.manager.token);
    const row = (data as Record<string, unknown>[]).find((one) => one.id === id);
    expect(row).toMatchObject({ prefix: key.slice(0, 11), createBy: all.manager.loginName });
    const { rows } = await run(sql`select k::text as text from api_key k union all
      select a::text from audit a where resource = 'apiKey'`);
    expect(JSON.stringify([data, rows, all.api.logged])).not.toContain(key);
  });

  test("writes under its maker's and its own name", async () => {
    const { id, key } = await make(all.manager.token, wide, { name: "writer" });
    const { id: userId } = await all.person(all.agent, []);
    const off = { userId, enable: 0 };
    expect(await all.api.post("/customer/user/editEnable", off, key)).toMatchObject({ code: 0 });
    const { rows } = await run(
      sql`select user_id, login_name from audit where user_id < 0 and resource = 'user'`,
    );
    expect(rows).toEqual([{ user_id: -id, login_name: `${all.manager.loginName}/writer` }]);
  });

  test("shows time and address of its last use", async () => {
    const { id, key } = await make(all.manager.token, wide);
    const row = async () => {
      const { data } = await all.api.get("/customer/apiKey/list", { limit: 100 }, all.admin);
      return (data as Record<string, unknown>[]).find((one) => one.id === id);
    };
    expect(await row()).toMatchObject({ lastUsed: null, lastIp: null });
    await session(key);
    expect(await row()).toMatchObject({ lastUsed: expect.any(String), lastIp: "127.0.0.1" });
  });

  test("ends with its time, its removal, its maker and its enterprise", async () => {
    const dead = { code: 500, msg: "token无效" };
    const expired = await make(all.manager.token, wide);
    await run(sql`update api_key set expires_at = now() where id = ${expired.id}`);
    expect(await session(expired.key)).toMatchObject(dead);
    const removed = await make(all.manager.token, wide);
    const ids = { ids: removed.id };
    expect(await all.api.post("/customer/apiKey/remove", ids, all.manager.token)).toMatchObject({
      code: 0,
    });
    expect(await session(removed.key)).toMatchObject(dead);
    const { id, token } = await all.person(all.agent, [all.managing]);
    const orphan = await make(token, wide);
    expect(await session(orphan.key)).toMatchObject({ code: 0 });
    const disable = { userId: id, enable: 0 };
    await all.api.post("/customer/user/editEnable", disable, all.admin);
    expect(await session(orphan.key)).toMatchObject(dead);
    const late = { expireTime: "2001-01-01 00:00:00" };
    expect(await add(all.manager.token, wide, late)).toMatchObject({
      code: 400,
      issues: [{ path: "expireTime", rule: "notAllowed" }],
    });
  });
});

describe("an API key gives no additional rights:", () => {
  test("not by a role that holds more than its maker", async () => {
    expect(await add(all.manager.token, all.stronger)).toMatchObject({
      code: 400,
      issues: [{ path: "roleId", rule: "notAllowed" }],
    });
    const { id } = await make(all.admin, all.stronger);
    const { data } = await all.api.get("/customer/apiKey/list", { limit: 100 }, all.manager.token);
    expect((data as { id: number }[]).find((one) => one.id === id)).toMatchObject({
      manageable: 0,
    });
    for (const [verb, fields] of [
      ["remove", { ids: id }],
      ["edit", { ...draftOf(wide), id }],
    ] as const) {
      const answer = await all.api.post(`/customer/apiKey/${verb}`, fields, all.manager.token);
      expect(answer.code).toBe(422);
    }
  });

  test("not after its maker lost a permission or a scope", async () => {
    const fields = { groupid: all.agent, roleType: 1, dataScope: 3 };
    const authorities = [...userFamily, "cpeEdit"].join(",");
    const lost = newIdOf(await all.addRole(all.admin, { ...fields, authorities }));
    const { token } = await all.person(all.agent, [lost]);
    const { key } = await make(token, wide);
    const menu = "/system/rolemanage";
    expect(await enterprises(key)).toEqual(new Set([all.agent, all.below]));
    await run(sql`update role set data_scope = 1 where id = ${lost}`);
    expect(await enterprises(key)).toEqual(new Set([all.agent]));
    await run(sql`delete from role_permission where role_id = ${lost} and permission = 'cpeEdit'`);
    await run(sql`delete from role_permission where role_id = ${lost} and permission = ${menu}`);
    const { data } = await session(key);
    const left = [...userFamily, ...grantedMenus.filter((path) => path !== menu)];
    expect((data as { authorities: string[] }).authorities.sort()).toEqual(left.sort());
    expect(await all.api.get("/customer/role/list", {}, key)).toMatchObject({ code: 403 });
    await run(sql`delete from user_role where role_id = ${lost}`);
    expect(await session(key)).toMatchObject({ data: { authorities: [] } });
  });

  test("not by user 1's: the key of the first user holds what its role gives", async () => {
    const nothing = { groupid: all.agent, authorities: "", menus: [] };
    const own = newIdOf(await all.addRole(all.admin, nothing));
    const { key } = await make(all.admin, own);
    expect(await session(key)).toMatchObject({ data: { authorities: [] } });
    expect(await all.api.get("/customer/user/list", {}, key)).toMatchObject({ code: 403 });
  });

  test("not by what only a person may do", async () => {
    const { id, key } = await make(all.manager.token, wide);
    const password = { userId: all.manager.id, oldPsw: "x", newPsw: "abcde1", rePsw: "abcde1" };
    const answers = [
      await all.api.post("/customer/user/editpassword", password, key),
      await all.api.post("/customer/user/logout", {}, key),
      await all.api.get("/customer/user/info", {}, key),
      await add(key, wide),
      await all.api.post("/customer/apiKey/edit", { ...draftOf(wide), id }, key),
      await all.api.post("/customer/apiKey/remove", { ids: id }, key),
    ];
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 422));
    expect(await session(key)).toMatchObject({ code: 0 });
  });
});

describe("people, what they log in with and what they may do are made by people:", () => {
  let key: string;
  let local: number;
  /** Has no more than the key. */
  let person: number;
  beforeAll(async () => {
    const fields = { groupid: all.agent, roleType: 1 };
    const authorities = [...userFamily, "cpeEdit"].join(",");
    local = newIdOf(await all.addRole(all.admin, { ...fields, authorities }));
    const maker = await all.person(all.agent, [local]);
    ({ key } = await make(maker.token, local));
    person = (await all.person(all.agent, [local])).id;
  }, 60_000);
  const notForKeys = { code: 422, msg: expect.stringContaining("API") };
  const post = (path: string, fields: object) => all.api.post(`/customer/${path}`, fields, key);

  test("a key adds no user, so that nothing it does outlives it", async () => {
    const fields = { groupid: all.agent, roleIds: `${local}` };
    expect(await all.addUser(key, fields)).toMatchObject(notForKeys);
    expect(await all.addUser(key, { ...fields, password: "" })).toMatchObject(notForKeys);
    const csv = "\uFEFF登录名,所属企业,姓名\nfrom-a-file@demo,代理,李\n";
    const of = { resource: "user", token: key };
    expect((await sendFile(all.api, of, csv)).code).not.toBe(0);
  });

  test("nor sets a password, resets MFA, enables, or moves", async () => {
    const reset = { userId: person, newPsw: "n3w-words" };
    expect(await post("user/resetPwd", reset)).toMatchObject(notForKeys);
    expect(await post("user/resetFactors", { userId: person })).toMatchObject(notForKeys);
    expect(await post("user/editEnable", { userId: person, enable: 0 })).toMatchObject({ code: 0 });
    expect(await post("user/editEnable", { userId: person, enable: 1 })).toMatchObject({
      issues: [{ path: "enable", rule: "personOnly" }],
    });
    const row = await all.rowOf(person);
    const ids = { groupid: all.agent, cpeId: 0, popId: 0 };
    const edit = (fields: object) => {
      const draft = wireDraft("user", "valid", ids, { ...row, ...fields });
      return post("user/edit", { ...draft, userId: person, rowVersion: "" });
    };
    expect(await edit({ roleIds: "" })).toMatchObject({
      issues: [{ path: "roleIds", rule: "personOnly" }],
    });
    expect(await edit({ remark: "夜班" })).toMatchObject({ code: 0 });
  });

  test("cannot enable an enterprise, whose users could log in again: refused at the field, in both languages", async () => {
    const fields = { groupid: all.agent, roleType: 1, dataScope: 3 };
    const authorities = [...userFamily, "enterpriseEdit"].join(",");
    const selling = newIdOf(await all.addRole(all.admin, { ...fields, authorities }));
    const maker = await all.person(all.agent, [selling]);
    const { key: token } = await make(maker.token, selling);
    const enable = (value: 0 | 1, language = "zh", more: object = {}) => {
      const form = formData({ groupid: all.below, enable: value, ...more });
      return all.api.send({
        method: "POST",
        url: "/customer/enterprise/editEn",
        query: { token },
        payload: form.payload,
        headers: { ...form.headers, "accept-language": language },
      });
    };
    expect(await enable(0)).toMatchObject({ code: 0 });
    for (const [language, text] of [
      ["zh", /API 密钥不能/],
      ["en", /An API key may not/],
    ] as const) {
      const answer = await enable(1, language, { oldPsw: adminPassword });
      expect(answer).toMatchObject({
        code: 400,
        msg: expect.stringMatching(text),
        issues: [{ path: "enable", rule: "personOnly" }],
      });
    }
    const byPerson = { groupid: all.below, enable: 1, oldPsw: adminPassword };
    expect(await all.api.post("/customer/enterprise/editEn", byPerson, all.admin)).toMatchObject({
      code: 0,
    });
  });

  test("nor makes a role, or gives one more", async () => {
    const fields = { groupid: all.agent, authorities: "cpeEdit" };
    expect(await all.addRole(key, fields)).toMatchObject(notForKeys);
    const roleId = newIdOf(await all.addRole(all.admin, { ...fields, authorities: "" }));
    const menus = { roleId, authorities: "cpeEdit" };
    expect(await post("role/saveMenus", menus)).toMatchObject({
      issues: [{ path: "authorities", rule: "personOnly" }],
    });
    expect(await post("role/saveDataScope", { roleId, dataScope: 2 })).toMatchObject({
      issues: [{ path: "dataScope", rule: "personOnly" }],
    });
  });
});

describe("wrong keys", () => {
  test("make their address wait, and no session from there", async () => {
    const wrong = `weft_${"x".repeat(43)}`;
    const answers = [];
    const { key } = await make(all.manager.token, wide);
    expect(await session(key)).toMatchObject({ code: 0 });
    for (let n = 0; n < 24; n++) answers.push((await session(wrong)).code);
    // The keys that ended in the tests above count as well.
    expect(new Set(answers.slice(0, 15))).toEqual(new Set([500]));
    expect(answers.at(-1)).toBe(429);
    expect(await session(all.manager.token)).toMatchObject({ code: 0 });
    // Nor a program there whose key was right before.
    expect(await session(key)).toMatchObject({ code: 0 });
  });

  test("expire", () => {
    let now = 0;
    const tries = createTries(() => now);
    for (let n = 0; n < 21; n++) tries.failed("192.0.2.1");
    expect(() => tries.admit("192.0.2.1")).toThrow("tooManyTries");
    expect(() => tries.admit("192.0.2.2")).not.toThrow();
    now += 1_001;
    expect(() => tries.admit("192.0.2.1")).not.toThrow();
    for (let n = 0; n < 20; n++) tries.failed("192.0.2.1");
    now += 299_000;
    expect(() => tries.admit("192.0.2.1")).toThrow("tooManyTries");
    now += 900_000;
    expect(() => tries.admit("192.0.2.1")).not.toThrow();
  });
});
