import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resealClientSecrets } from "#domains/access/identity-provider/public.ts";
import { createVault, vaultKeyBytes } from "#kernel/vault.ts";
import { type Answer, adminPassword } from "./api.ts";
import { setUpMfa } from "./mfa.ts";
import {
  clientSecret,
  clientWithAuthTime,
  type OidcServer,
  oidcServer,
  type PersonThere,
  type TestBrowser,
} from "./oidc-server.ts";
import { type People, people, userFamily } from "./people.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

/** Of a test's injected requests. */
const origin = "http://localhost";
const site = {
  title: () => "Weft",
  loginSms: false,
  sendsMail: false,
  sendsSms: false,
  identityNetworks: ["127.0.0.0/8"],
};

let all: People;
let there: OidcServer;
/** Roles of the agent's enterprise. */
let reading: number;
let writing: number;
let provider: number;
beforeAll(async () => {
  there = await oidcServer(`${origin}/login`);
  all = await people(site);
  const role = async (authorities: string, fields: object = {}) =>
    newIdOf(
      await all.addRole(all.admin, { groupid: all.agent, roleType: 1, authorities, ...fields }),
    );
  [reading, writing] = [await role(""), await role("cpeEdit")];
  provider = newIdOf(await add({}));
}, 60_000);
afterAll(async () => {
  await there?.close();
  await all?.api.close();
});
beforeEach(async () => {
  await whole(sql`delete from login_record`);
  Object.assign(there, { forge: null, foreignKey: false, loggedInAgo: 0 });
});

let names = 0;
const draftOf = (fields: object) =>
  wireDraft(
    "identityProvider",
    "valid",
    { groupid: all.agent, cpeId: 0, popId: 0 },
    {
      name: `idp${++names}`,
      issuer: there.issuer,
      clientSecret,
      emailDomains: "",
      scopes: "openid email profile",
      roleMap: `${reading} readers\n${writing} net ops, all`,
      ...fields,
    },
  );
const add = (fields: object, token = all.admin) =>
  all.api.post("/customer/identityProvider/add", draftOf(fields), token);
const edit = (id: number, fields: object, token = all.admin) =>
  all.api.post("/customer/identityProvider/edit", { ...draftOf(fields), id }, token);
const whole = <T>(statement: ReturnType<typeof sql<T>>) =>
  statement.execute(all.api.database.pools.apiAll.db);

interface Started {
  readonly url: string;
  readonly ticket: string;
}
const start = (id: number, more: object = {}) =>
  all.api.post("/api/v1/customer/oidc/start", { providerId: id, origin, ...more });
const finish = (ticket: string, answer: string, headers: Record<string, string> = {}) =>
  all.api.send({
    method: "POST",
    url: "/api/v1/customer/oidc/finish",
    headers,
    payload: { ticket, answer },
  });
interface LogInMore {
  /** Of the authorization URL. */
  readonly change?: (url: string) => string;
  readonly browser?: TestBrowser;
  /** 1: the provider is asked to authenticate the person again. */
  readonly again?: number;
}
/** Up to the answer of the provider. */
const untilAnswer = async (
  id: number,
  person: PersonThere,
  { change = (url) => url, browser = new Map(), again = 0 }: LogInMore = {},
) => {
  const started = (await start(id, { again })).data as Started;
  there.person = { name: "Li Qiang", email: `${person.sub}@example.com`, ...person };
  const back = await there.visit(change(started.url), browser);
  return { ticket: started.ticket, back };
};
const logIn = async (id: number, person: PersonThere, more: LogInMore = {}) => {
  const { ticket, back } = await untilAnswer(id, person, more);
  return finish(ticket, back.search);
};
const session = async (answer: Answer) =>
  all.api.get("/customer/session", {}, (answer.data as { token: string }).token);
const rolesOf = async (loginName: string) => {
  const { rows } = await whole(sql<{ role_id: number }>`select role_id from user_role ur
    join sys_user u on u.id = ur.user_id where u.login_name = ${loginName} order by role_id`);
  return rows.map((row) => row.role_id);
};
const refusedFor = (answer: Answer, reason: string) => {
  expect(answer).toMatchObject({ code: 466, data: null });
  expect(answer.msg).toContain(reason);
};

describe("a login by an identity provider", () => {
  test("makes an account with the role of the group, and its session is one as of a password", async () => {
    const answer = await logIn(provider, { sub: "li", groups: ["readers", "other"] });
    expect(answer).toMatchObject({
      code: 0,
      data: { loginName: "li@examplecom", groupid: all.agent },
    });
    expect((answer.data as { logoutUrl: string }).logoutUrl).toMatch(
      new RegExp(`^${there.issuer}/session/end\\?.*id_token_hint=`),
    );
    expect(await session(answer)).toMatchObject({ code: 0, data: { loginName: "li@examplecom" } });
    expect(await rolesOf("li@examplecom")).toEqual([reading]);
    const records = await all.api.get("/customer/loginRecord/list", {}, all.admin);
    expect(records.data).toMatchObject([{ loginName: "li@examplecom", result: 1 }]);
    const { rows } = await whole(sql`select action, new_value from audit where resource = 'user'
      and login_name = 'li@examplecom'`);
    expect(rows).toMatchObject([{ action: "auth.oidcFinish", new_value: { roleIds: [reading] } }]);
  });

  test("finds the account again by its subject, and gives it the roles of its groups", async () => {
    const again = { sub: "li", email: "renamed@example.com", groups: ["net ops, all", "readers"] };
    expect(await logIn(provider, again)).toMatchObject({ data: { loginName: "li@examplecom" } });
    expect(await rolesOf("li@examplecom")).toEqual([reading, writing]);
    const other = { sub: "li-2", email: "li@example.com", groups: ["readers"] };
    expect(await logIn(provider, other)).toMatchObject({ data: { loginName: "li@examplecom2" } });
  });

  test("without a mapped group is refused with the reason, unless there is a default role", async () => {
    refusedFor(await logIn(provider, { sub: "none", groups: ["Readers"] }), "没有对应的角色");
    refusedFor(await logIn(provider, { sub: "none" }), "没有对应的角色");
    const records = await all.api.get("/customer/loginRecord/list", {}, all.admin);
    expect(records.data).toMatchObject([
      { loginName: expect.stringContaining("none@example.com"), result: 0, msg: "provider" },
      {},
    ]);
    const other = newIdOf(await add({ defaultRoleId: reading }));
    expect(await logIn(other, { sub: "none" })).toMatchObject({ code: 0 });
  });

  test("ends with the account: disabled, removed, of another enterprise", async () => {
    const { data } = await logIn(provider, { sub: "gone", groups: ["readers"] });
    const { userId } = data as { userId: number };
    const disable = { userId, enable: 0 };
    await all.api.post("/customer/user/editEnable", disable, all.admin);
    refusedFor(await logIn(provider, { sub: "gone", groups: ["readers"] }), "已停用");
    await all.api.post("/customer/user/remove", { ids: userId }, all.admin);
    expect(await logIn(provider, { sub: "gone", groups: ["readers"] })).toMatchObject({ code: 0 });
    const below = newIdOf(await all.addRole(all.admin, { groupid: all.below, authorities: "" }));
    const wide = newIdOf(await add({ roleMap: `${reading} a\n${below} b` }));
    expect(await logIn(wide, { sub: "x", groups: ["b"] })).toMatchObject({
      data: { groupid: all.below },
    });
    refusedFor(await logIn(wide, { sub: "x", groups: ["a"] }), "另一企业");
    refusedFor(await logIn(wide, { sub: "y", groups: ["a", "b"] }), "多个企业");
  });

  test("needs a verified address of an allowed domain where domains are given", async () => {
    const id = newIdOf(await add({ emailDomains: "example.com" }));
    const person = { sub: "mail", groups: ["readers"] };
    refusedFor(await logIn(id, person), "已验证邮箱");
    refusedFor(await logIn(id, { ...person, email_verified: false }), "已验证邮箱");
    const elsewhere = { email: "mail@example.com.evil.example", email_verified: true };
    refusedFor(await logIn(id, { ...person, ...elsewhere }), "已验证邮箱");
    expect(await logIn(id, { ...person, email_verified: true })).toMatchObject({ code: 0 });
  });

  test("passes by no MFA, unless the provider is trusted with it", async () => {
    const demandFactor = { groupid: all.agent, authorities: "", demandFactor: 1 };
    const guarded = newIdOf(await all.addRole(all.admin, demandFactor));
    const roleMap = `${guarded} readers`;
    const person = { sub: "mfa", groups: ["readers"] };
    refusedFor(await logIn(newIdOf(await add({ roleMap })), person), "两步验证");
    const guard = (await all.person(1, [1])).token;
    await setUpMfa(all.api, guard);
    const provider = newIdOf(await add({ roleMap, providerMfa: 1 }, guard));
    const trusted = await logIn(provider, person);
    expect(await session(trusted)).toMatchObject({ data: { mustAddFactor: 0 } });
  });
});

describe("an answer is refused:", () => {
  const person = { sub: "victim", groups: ["readers"] };

  test("used twice, of another login, without the ticket of the browser that began", async () => {
    const first = await untilAnswer(provider, person);
    const second = await untilAnswer(provider, person);
    refusedFor(await finish("x".repeat(43), first.back.search), "已过期或已使用");
    refusedFor(await finish(second.ticket, first.back.search), "应答无效");
    expect(await finish(first.ticket, first.back.search)).toMatchObject({ code: 0 });
    refusedFor(await finish(first.ticket, first.back.search), "已过期或已使用");
    const third = await untilAnswer(provider, person);
    const code = first.back.searchParams.get("code") ?? "";
    third.back.searchParams.set("code", code);
    refusedFor(await finish(third.ticket, third.back.search), "应答无效");
    const late = await untilAnswer(provider, person);
    await whole(sql`update identity_login set expires_at = now()`);
    refusedFor(await finish(late.ticket, late.back.search), "已过期或已使用");
  });

  test("with another state, issuer or nonce", async () => {
    for (const name of ["state", "iss"]) {
      const { ticket, back } = await untilAnswer(provider, person);
      back.searchParams.set(name, "https://evil.example");
      refusedFor(await finish(ticket, back.search), "应答无效");
      const missing = await untilAnswer(provider, person);
      missing.back.searchParams.delete(name);
      refusedFor(await finish(missing.ticket, missing.back.search), "应答无效");
    }
    const change = (url: string) => url.replace(/nonce=[^&]+/, "nonce=another");
    refusedFor(await logIn(provider, person, { change }), "应答无效");
  });

  test("with an ID token for another, of another, out of time or under another key", async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const forged of [
      { aud: "another-client" },
      { aud: ["another-client", "weft"], azp: "another-client" },
      { iss: "https://evil.example" },
      { exp: now - 120, iat: now - 600 },
      { iat: undefined },
      { sub: undefined },
    ]) {
      there.forge = (claims) => ({ ...claims, ...forged });
      refusedFor(await logIn(provider, person), "应答无效");
    }
    // Clocks may differ by a minute.
    there.forge = (claims) => ({ ...claims, exp: now - 20, iat: now - 600 });
    await whole(sql`delete from login_record`);
    expect(await logIn(provider, person)).toMatchObject({ code: 0 });
    there.forge = null;
    there.foreignKey = true;
    refusedFor(await logIn(provider, person), "应答无效");
  });

  test("of a person who was refused there", async () => {
    const { ticket, back } = await untilAnswer(provider, person);
    back.searchParams.delete("code");
    back.searchParams.set("error", "access_denied");
    back.searchParams.set("error_description", "call 555 0100");
    const answer = await finish(ticket, back.search);
    refusedFor(answer, "access_denied");
    expect(answer.msg).not.toContain("555");
  });
});

describe("a login begins", () => {
  test("for the page that requests it, and redirects to no other", async () => {
    for (const bad of [
      "https://evil.example",
      "http://localhost.evil.example",
      "http://localhost:81",
      "http://localhost/path",
      "//localhost",
      "javascript:alert(1)",
      "http://u@localhost",
    ]) {
      expect(await start(provider, { origin: bad }), bad).toMatchObject({
        code: 400,
        issues: [{ path: "origin", rule: "notAllowed" }],
      });
    }
    const url = new URL(((await start(provider)).data as Started).url);
    expect(url.origin).toBe(there.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      redirect_uri: `${origin}/login`,
      response_type: "code",
      client_id: "weft",
      code_challenge_method: "S256",
    });
  });

  test("at the hosts of its enterprise only, whose pages show it", async () => {
    await whole(sql`insert into brand (enterprise_id, host)
      values (${all.agent}, 'agent.example'), (${all.sister}, 'sister.example')`);
    const own = newIdOf(await add({ groupid: 1, name: "operator", roleMap: "" }));
    const shown = async (name: string) => {
      const { data } = await all.api.get("/api/config", { site: name });
      const { providers = [] } = data as { providers?: { id: number }[] };
      return providers.map(({ id }) => id);
    };
    expect(await shown("localhost")).toEqual([own]);
    expect(await shown("agent.example")).toContain(provider);
    expect(await shown("agent.example")).not.toContain(own);
    expect(await shown("sister.example")).toEqual([]);
    const at = (host: string, providerId: number) =>
      all.api.send({
        method: "POST",
        url: "/api/v1/customer/oidc/start",
        headers: { host },
        payload: { providerId, origin: `https://${host}` },
      });
    expect(await at("agent.example", provider)).toMatchObject({ code: 0 });
    for (const [host, id] of [
      ["sister.example", provider],
      ["agent.example", own],
      ["agent.example", 999_999],
    ] as const) {
      expect(await at(host, id), host).toMatchObject({ code: 404, data: null });
    }
    await edit(own, { groupid: 1, name: "operator", roleMap: "", enable: 0 });
    expect(await start(own)).toMatchObject({ code: 404 });
    expect(await shown("localhost")).toEqual([]);
  });
});

describe("a provider", () => {
  const test1 = (id: number) => all.api.post("/customer/identityProvider/check", { id }, all.admin);

  test("is tested, and the test names what failed", async () => {
    expect(await test1(provider)).toMatchObject({ code: 0, data: { failed: null } });
    const at = async (issuer: string) => test1(newIdOf(await add({ issuer })));
    expect(await at(`${there.issuer}/elsewhere`)).toMatchObject({
      data: { failed: "discovery", detail: expect.stringContaining("404") },
    });
    expect(await at(there.issuer.replace("127.0.0.1", "localhost"))).toMatchObject({
      data: { failed: expect.stringMatching("issuer|discovery") },
    });
    for (const issuer of ["http://10.0.0.1", "https://[::1]", "https://169.254.169.254"]) {
      expect(await at(issuer)).toMatchObject({
        data: { failed: "discovery", detail: expect.stringContaining("WEFT_IDENTITY_NETWORKS") },
      });
    }
    const closed = newIdOf(await add({ issuer: "http://127.0.0.1:1" }));
    expect(await test1(closed)).toMatchObject({
      data: { failed: "discovery", detail: expect.stringContaining("ECONNREFUSED") },
    });
    refusedFor(await start(closed), "ECONNREFUSED");
  });

  test("keeps its secret: no answer, log or audit row has it, and it follows no other issuer", async () => {
    const { data } = await all.api.get(
      "/customer/identityProvider/list",
      { limit: 100 },
      all.admin,
    );
    expect(data).toContainEqual(expect.objectContaining({ id: provider, hasSecret: 1 }));
    const { rows } = await whole(sql`select p::text as text from identity_provider p union all
      select a::text from audit a where resource = 'identityProvider'`);
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify([data, rows, all.api.logged])).not.toContain(clientSecret);
    const moved = { clientSecret: "", issuer: "https://evil.example" };
    expect(await edit(provider, moved)).toMatchObject({
      issues: [{ path: "clientSecret", rule: "required" }],
    });
    expect(await edit(provider, { clientSecret: "" })).toMatchObject({ code: 0 });
    expect(await logIn(provider, { sub: "li", groups: ["readers"] })).toMatchObject({ code: 0 });
  });

  test("has its secret under the new key after that was changed, and under no third one", async () => {
    const { pools } = all.api.database;
    const [from, to] = [all.api.app.weft.vault, createVault(randomBytes(vaultKeyBytes))];
    const move = (...vaults: [typeof from, typeof to]) =>
      pools.owner.db.transaction().execute((trx) => resealClientSecrets(trx, ...vaults));
    const moved = await move(from, to);
    expect(moved).toMatchObject({ unreadable: 0 });
    expect(moved.moved).toBeGreaterThan(1);
    expect(await move(from, to)).toMatchObject({ moved: 0, unreadable: moved.moved });
    expect((await start(provider)).code).toBe(501);
    expect(await move(to, from)).toEqual(moved);
    expect(await start(provider)).toMatchObject({ code: 0 });
  });

  test("gives no more than its maker holds, and no role of elsewhere", async () => {
    const { token } = all.manager;
    const refused = (rule: string, path = "roleMap") => ({ code: 400, issues: [{ path, rule }] });
    expect(await add({ roleMap: `${all.stronger} a` }, token)).toMatchObject(refused("notAllowed"));
    expect(await add({ defaultRoleId: all.stronger }, token)).toMatchObject(
      refused("notAllowed", "defaultRoleId"),
    );
    const elsewhere = newIdOf(
      await all.addRole(all.admin, { groupid: all.sister, authorities: "" }),
    );
    for (const by of [token, all.admin]) {
      expect(await add({ roleMap: `${elsewhere} a` }, by)).toMatchObject(refused("unknown"));
    }
    const strong = newIdOf(await add({ roleMap: `${all.stronger} a` }));
    expect(await edit(strong, { roleMap: "" }, token)).toMatchObject({ code: 422 });
    const remove = { ids: strong };
    expect(await all.api.post("/customer/identityProvider/remove", remove, token)).toMatchObject({
      code: 422,
    });
  });
});

test("an account that exists is linked by an administrator who could write it, and by nothing else", async () => {
  const id = newIdOf(await add({ createUsers: 0, roleMap: `${all.managing} a` }));
  const there1 = { sub: "manager-there", preferred_username: all.manager.loginName, groups: ["a"] };
  refusedFor(await logIn(id, there1), "manager-there");
  const link = (userId: number, token = all.admin, subject = "manager-there") =>
    all.api.post(
      "/customer/identityProvider/link",
      { id, userId, subject, oldPsw: adminPassword },
      token,
    );
  expect(await link(1)).toMatchObject({ issues: [{ path: "userId", rule: "notAllowed" }] });
  const strong = await all.person(all.agent, [all.stronger]);
  expect(await link(strong.id, all.manager.token)).toMatchObject({ code: 422 });
  const elsewhere = await all.person(all.sister, []);
  expect(await link(elsewhere.id)).toMatchObject({ issues: [{ path: "userId", rule: "unknown" }] });
  expect(await link(all.manager.id)).toMatchObject({ code: 0 });
  expect(await logIn(id, there1)).toMatchObject({ data: { userId: all.manager.id } });
  const links = () => all.api.get("/customer/identityProvider/links", { id }, all.admin);
  expect((await links()).data).toMatchObject([{ subject: "manager-there" }]);
  expect(await link(all.manager.id, all.admin, "")).toMatchObject({ code: 0 });
  refusedFor(await logIn(id, there1), "manager-there");
});

describe("a person of a provider has no password here, and proves to be there", () => {
  let providerOfManagers: number;
  let providerWithAuthTime: number;
  beforeAll(async () => {
    const fields = { groupid: all.agent, roleType: 1, authorities: userFamily.join(",") };
    const roleMap = `${newIdOf(await all.addRole(all.admin, fields))} managers`;
    providerOfManagers = newIdOf(await add({ roleMap }));
    providerWithAuthTime = newIdOf(await add({ roleMap, clientId: clientWithAuthTime }));
  });
  const manager = { sub: "p-proof", preferred_username: "proof", groups: ["managers"] };
  const atDesk = (id: number, browser: TestBrowser, more: LogInMore = {}) =>
    logIn(id, manager, { browser, ...more });
  const addPerson = (answer: Answer) =>
    all.addUser((answer.data as { token: string }).token, { groupid: all.agent, oldPsw: "" });
  const loginAgain = { code: 400, issues: [{ path: "oldPsw", rule: "loginAgain" }] };
  const anHour = 3600;

  test("by authenticating there again, within ten minutes of that", async () => {
    const browser: TestBrowser = new Map();
    const first = await atDesk(providerOfManagers, browser);
    expect(await session(first)).toMatchObject({
      data: { providerLogin: 1, providerId: providerOfManagers },
    });
    const asked = there.askedLogins;
    const again = await atDesk(providerOfManagers, browser, { again: 1 });
    expect(there.askedLogins).toBe(asked + 1);
    expect(await addPerson(again)).toMatchObject({ code: 0 });
    await whole(
      sql`update session set authenticated_at = authenticated_at - interval '11 minutes'`,
    );
    expect(await addPerson(again)).toMatchObject(loginAgain);
    expect(await addPerson(await atDesk(providerOfManagers, browser, { again: 1 }))).toMatchObject({
      code: 0,
    });
  });

  test("not by a log-in that the provider answers from an existing session", async () => {
    for (const id of [providerOfManagers, providerWithAuthTime]) {
      const browser: TestBrowser = new Map();
      there.loggedInAgo = anHour;
      await atDesk(id, browser);
      const asked = there.askedLogins;
      const silent = await atDesk(id, browser);
      expect(there.askedLogins).toBe(asked);
      expect(await addPerson(silent)).toMatchObject(loginAgain);
    }
  });

  test("by any log-in whose auth_time is recent, and by none whose auth_time is in the future", async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await addPerson(await atDesk(providerWithAuthTime, new Map()))).toMatchObject({
      code: 0,
    });
    // Clocks may differ by a minute; beyond, the claim says nothing.
    for (const [ahead, answer] of [
      [30, { code: 0 }],
      [600, loginAgain],
      // In microseconds, and more than a timestamp holds.
      [now * 1e6, loginAgain],
      [1e300, loginAgain],
    ] as const) {
      there.forge = (claims) => ({ ...claims, auth_time: now + ahead });
      expect(await addPerson(await atDesk(providerWithAuthTime, new Map()))).toMatchObject(answer);
    }
  });

  test("not by authenticating again at a provider whose auth_time is ahead of time, which is named as the reason", async () => {
    const now = Math.floor(Date.now() / 1000);
    // A clock that is ten minutes ahead, milliseconds, microseconds, and more than a timestamp holds.
    for (const authTime of [now + 600, now * 1e3, now * 1e6, 1e300]) {
      there.forge = (claims) => ({ ...claims, auth_time: authTime });
      refusedFor(await atDesk(providerWithAuthTime, new Map(), { again: 1 }), "auth_time");
      const again = await untilAnswer(providerWithAuthTime, manager, { again: 1 });
      const language = { "accept-language": "en" };
      const answer = await finish(again.ticket, again.back.search, language);
      expect(answer.msg).toContain("in the future (auth_time)");
    }
    there.forge = (claims) => ({ ...claims, auth_time: now + 30 });
    const answer = await atDesk(providerWithAuthTime, new Map(), { again: 1 });
    expect(await addPerson(answer)).toMatchObject({ code: 0 });
  });

  test("not by changing the address, nor by a provider that ignores the request", async () => {
    const browser: TestBrowser = new Map();
    there.loggedInAgo = anHour;
    await atDesk(providerWithAuthTime, browser);
    const silent = (url: string) => url.replace(/&(prompt|max_age)=[^&]*/g, "");
    const changed = { again: 1, change: silent };
    refusedFor(await atDesk(providerWithAuthTime, browser, changed), "未要求您重新认证");
    refusedFor(await atDesk(providerOfManagers, browser, changed), "auth_time");
    there.forge = (claims) => ({ ...claims, auth_time: undefined });
    const missing = await untilAnswer(providerOfManagers, manager, { again: 1 });
    const language = { "accept-language": "en" };
    const answer = await finish(missing.ticket, missing.back.search, language);
    expect(answer.msg).toContain("no auth_time in the ID token");
    // The login itself works as ever, and does not stand for a password.
    expect(await addPerson(await atDesk(providerOfManagers, browser))).toMatchObject(loginAgain);
  });

  test("as of when it authenticated, also once its token was replaced", async () => {
    const browser: TestBrowser = new Map();
    const answer = await atDesk(providerOfManagers, browser, { again: 1 });
    const { token } = answer.data as { token: string };
    await whole(sql`update session set rotate_after = now()`);
    const rotated = await all.api.send({
      method: "GET",
      url: "/customer/session",
      headers: { authorization: `Bearer ${token}` },
    });
    expect(rotated).toMatchObject({ code: 0 });
    const { rows } = await whole(sql<{ n: number; times: number }>`
      select count(*)::int as n, count(distinct authenticated_at)::int as times from session
      where family = (select family from session order by created_at desc limit 1)`);
    expect(rows).toEqual([{ n: 2, times: 1 }]);
  });
});
