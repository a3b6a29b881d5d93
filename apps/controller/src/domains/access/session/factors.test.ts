import { sql } from "kysely";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { adminPassword, formData } from "../../../../test/api.ts";
import { setUpMfa } from "../../../../test/mfa.ts";
import { type People, type Person, people } from "../../../../test/people.ts";
import { wireDraft } from "../../../../test/tenants.ts";

let all: People;
/** Of the operator, with MFA: who demands it of others has it. */
let guard: string;
beforeAll(async () => {
  all = await people();
  guard = (await all.person(1, [1])).token;
  await setUpMfa(all.api, guard);
}, 60_000);
afterAll(() => all.api.close());

const whole = <T>(statement: ReturnType<typeof sql<T>>) =>
  statement.execute(all.api.database.pools.owner.db);
beforeEach(() => whole(sql`delete from login_record`));

const oldPsw = adminPassword;
const post = (path: string, fields: object, token: string) => all.api.post(path, fields, token);
const logIn = (loginName: string, sms?: string, password = adminPassword) =>
  all.api.post("/api/v1/customer/login", { loginName, password, ...(sms && { sms }) });
const factorsOf = async (token: string) =>
  (await all.api.get("/customer/factor/list", {}, token)).data as Record<string, unknown>;
/** The code of a time step; each counts once, so tests go forward through the window. */
const codeOf = (secret: string, stepsAhead = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + stepsAhead * 30_000 });

/** Wrong codes with the right password, of somebody who never logged in. */
const guessElsewhere = (id: number, loginName: string) =>
  whole(sql`insert into login_record
    (enterprise_id, user_id, login_name, address, place, stranger, success, reason, at)
    select 1, ${id}, ${loginName}, '192.0.2.1', '192.0.2.1', true, false, 'code',
      now() - interval '20 minutes' from generate_series(1, 22)`);

/** A person with an authenticator app. */
async function guarded(): Promise<Person & { secret: string; recovery: string[] }> {
  const person = await all.person(all.agent, []);
  const started = await post("/customer/factor/totpBegin", { oldPsw }, person.token);
  const { secret } = started.data as { secret: string };
  const done = await post(
    "/customer/factor/totpConfirm",
    { sms: codeOf(secret, -1) },
    person.token,
  );
  expect(done).toMatchObject({ code: 0 });
  const { recoveryCodes: recovery } = done.data as { recoveryCodes: string[] };
  await whole(sql`delete from login_record`);
  return { ...person, secret, recovery };
}

describe("an authenticator app", () => {
  test("endpoints:factor.totpBegin endpoints:factor.totpConfirm endpoints:factor.list: counts once a code of it was confirmed", async () => {
    const { token, loginName } = await all.person(all.agent, []);
    const startEnrolment = (password: string) =>
      post("/customer/factor/totpBegin", { oldPsw: password }, token);
    expect(await startEnrolment("guess")).toMatchObject({ code: 402 });
    const { secret, uri } = (await startEnrolment(oldPsw)).data as { secret: string; uri: string };
    expect(uri).toContain(`secret=${secret}`);
    expect(uri).toMatch(/^otpauth:\/\/totp\//);
    expect(await factorsOf(token)).toMatchObject({ totp: 0, recoveryLeft: 0, demanded: 0 });
    expect(await logIn(loginName)).toMatchObject({ code: 0 });
    const confirm = (sms: string) => post("/customer/factor/totpConfirm", { sms }, token);
    expect(await confirm("000000")).toMatchObject({ code: 462 });
    const done = await confirm(codeOf(secret));
    expect(done.data).toMatchObject({ recoveryCodes: expect.any(Array) });
    expect(await factorsOf(token)).toMatchObject({ totp: 1, recoveryLeft: 10 });
    expect(await startEnrolment(oldPsw)).toMatchObject({ code: 422 });
    const stored = await whole<{ secret: Buffer }>(sql`select secret from totp`);
    for (const row of stored.rows) expect(row.secret.toString("latin1")).not.toContain(secret);
    const log = await whole<{ text: string }>(
      sql`select row_to_json(a)::text as text from audit a`,
    );
    expect(log.rows.map(({ text }) => text).join()).toContain("totpAdded");
    expect(log.rows.map(({ text }) => text).join()).not.toContain(secret);
  });

  test("is required after the password; each code works once, also in parallel logins", async () => {
    const { loginName, secret } = await guarded();
    expect(await logIn(loginName, undefined, "wrong")).toMatchObject({ code: 401 });
    expect(await logIn(loginName)).toMatchObject({ code: 461, data: null });
    expect(await logIn(loginName, "123456", "wrong")).toMatchObject({ code: 401 });
    const code = codeOf(secret);
    const codes = await Promise.all([1, 2, 3].map(async () => (await logIn(loginName, code)).code));
    expect(codes.sort()).toEqual([0, 462, 462]);
    // A code of an earlier step than the last one taken is over as well.
    expect(await logIn(loginName, codeOf(secret, -1))).toMatchObject({ code: 462 });
    expect(await logIn(loginName, codeOf(secret, 1))).toMatchObject({ code: 0 });
    expect(await logIn(loginName, codeOf(secret, 5))).toMatchObject({ code: 462 });
  });

  test("guessing codes with the right password gets slower and slower", async () => {
    const { loginName, id } = await guarded();
    await guessElsewhere(id, loginName);
    expect(await logIn(loginName, "123456")).toMatchObject({ code: 429 });
    await whole(sql`update login_record set at = now() - interval '61 minutes'`);
    expect(await logIn(loginName, "123456")).toMatchObject({ code: 462 });
  });

  test("guesses from elsewhere keep out neither a device nor a place that logged in before", async () => {
    const { loginName, id, secret } = await guarded();
    const before = await logIn(loginName, codeOf(secret));
    const { device } = before.data as { device: string };
    const later = () => whole(sql`update login_record set at = at - interval '1 hour'`);
    await later();
    await guessElsewhere(id, loginName);
    const far = { remoteAddress: "198.51.100.9" };
    const from = (fields: object, place: object) =>
      all.api.send({
        method: "POST",
        url: "/api/v1/customer/login",
        ...place,
        ...formData({ loginName, password: adminPassword, ...fields }),
      });
    expect(await from({ sms: codeOf(secret, 1) }, far)).toMatchObject({ code: 429 });
    expect(await from({ sms: codeOf(secret, 1), device }, far)).toMatchObject({ code: 0 });
    await later();
    await guessElsewhere(id, loginName);
    // Looked at, and over: its time step is too far ahead.
    expect(await from({ sms: codeOf(secret, 2) }, {})).toMatchObject({ code: 462 });
  });

  test("endpoints:factor.recoveryRenew: recovery codes open once each, however they are typed, and new ones replace them", async () => {
    const { loginName, recovery, token } = await guarded();
    const [first = "", second = ""] = recovery;
    expect(new Set(recovery).size).toBe(10);
    expect(await logIn(loginName, first.toLowerCase().replaceAll("-", " "))).toMatchObject({
      code: 0,
    });
    expect(await logIn(loginName, first)).toMatchObject({ code: 462 });
    expect(await factorsOf(token)).toMatchObject({ recoveryLeft: 9 });
    const renewed = await post("/customer/factor/recoveryRenew", { oldPsw }, token);
    const fresh = (renewed.data as { recoveryCodes: string[] }).recoveryCodes;
    expect(await logIn(loginName, second)).toMatchObject({ code: 462 });
    expect(await logIn(loginName, fresh[0])).toMatchObject({ code: 0 });
    const { data } = await all.api.get("/customer/message/list", { limit: 10 }, token);
    expect((data as { title: string }[]).map(({ title }) => title)).toEqual([
      "有人用恢复码登录",
      "恢复码已更换",
      "有人用恢复码登录",
      "已添加验证器",
    ]);
  });

  test("endpoints:factor.totpRemove: needs the password, and removes the recovery codes as well", async () => {
    const { token, loginName, recovery } = await guarded();
    const remove = (password: string) =>
      post("/customer/factor/totpRemove", { oldPsw: password }, token);
    expect(await remove("guess")).toMatchObject({ code: 402 });
    expect(await remove(oldPsw)).toMatchObject({ code: 0 });
    expect(await remove(oldPsw)).toMatchObject({ code: 404 });
    expect(await factorsOf(token)).toMatchObject({ totp: 0, recoveryLeft: 0 });
    expect(await logIn(loginName, recovery[0])).toMatchObject({ code: 0 });
  });

  test("the password is not guessed by a stolen session either", async ({ onTestFinished }) => {
    const { token } = await guarded();
    // The delay of a second is not over while a busy machine computes.
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => clock.mockRestore());
    const codes = await Promise.all(
      Array.from(
        { length: 9 },
        async () => (await post("/customer/factor/totpRemove", { oldPsw: "guess" }, token)).code,
      ),
    );
    expect(codes.filter((code) => code === 402)).toHaveLength(5);
    expect(codes.filter((code) => code === 429)).toHaveLength(4);
  });

  test("endpoints:user.resetFactors: is done by a user who may set the password, not to a stronger user, and ends the sessions", async () => {
    const { api, manager, admin } = all;
    const { id, token, loginName } = await guarded();
    const stronger = await all.person(all.agent, [all.stronger]);
    const reset = (by: string, userId: number) =>
      post("/customer/user/resetFactors", { userId, oldPsw }, by);
    expect(await reset(manager.token, stronger.id)).toMatchObject({ code: 422 });
    expect(await reset(manager.token, manager.id)).toMatchObject({ code: 422 });
    const sister = await all.person(all.sister, []);
    expect(await reset(manager.token, sister.id)).toMatchObject({ code: 404 });
    expect(await reset(manager.token, id)).toMatchObject({ code: 0 });
    expect(await api.get("/customer/session", {}, token)).toMatchObject({ code: 500 });
    expect(await logIn(loginName)).toMatchObject({ code: 0 });
    expect(await reset(admin, id)).toMatchObject({ code: 0 });
  });
});

describe("who must have MFA", () => {
  test("by a role: nothing is open before, everything after, and the last one stays", async () => {
    const { api, admin, agent } = all;
    const fields = { groupid: agent, authorities: "cpeEdit", menus: [], dataScope: 1 };
    const added = await all.addRole(admin, { ...fields, demandFactor: 1 });
    const roleId = (added.data as { id: number }).id;
    const { token } = await all.person(agent, [roleId]);
    const session = async () =>
      (await api.get("/customer/session", {}, token)).data as Record<string, unknown>;
    expect(await session()).toMatchObject({
      mustAddFactor: 1,
      menus: [],
      authorities: [],
      perms: [],
    });
    for (const path of ["/customer/cpe/findAll", "/customer/user/info", "/customer/message/list"]) {
      expect(await api.get(path, { limit: 10 }, token), path).toMatchObject({ code: 464 });
    }
    const started = await post("/customer/factor/totpBegin", { oldPsw }, token);
    const { secret } = started.data as { secret: string };
    await post("/customer/factor/totpConfirm", { sms: codeOf(secret) }, token);
    expect(await session()).toMatchObject({ mustAddFactor: 0, authorities: ["cpeEdit"] });
    expect(await factorsOf(token)).toMatchObject({ demanded: 1 });
    expect(await post("/customer/factor/totpRemove", { oldPsw }, token)).toMatchObject({
      code: 422,
    });
    expect(await factorsOf(token)).toMatchObject({ totp: 1, recoveryLeft: 10 });
    // An edit that knows nothing of it leaves it.
    const role = {
      ...fields,
      roleId,
      roleCode: "kept",
      name: "kept",
      roleType: 2,
      groupids: "",
      remark: "",
    };
    expect(await post("/customer/role/edit", role, admin)).toMatchObject({ code: 0 });
    expect(await factorsOf(token)).toMatchObject({ demanded: 1 });
    expect(
      await post("/customer/role/edit", { ...role, oldPsw, demandFactor: 0 }, guard),
    ).toMatchObject({
      code: 0,
    });
    expect(await factorsOf(token)).toMatchObject({ demanded: 0 });
  });

  test("by the policy 8+MFA: of the enterprise and all below, immediately for sessions that are open, and with eight characters", async () => {
    const { api, agent, below, sister } = all;
    const [chief, clerk, stranger] = [
      await all.person(agent, []),
      await all.person(below, []),
      await all.person(sister, []),
    ];
    const ids = { groupid: 1, cpeId: 0, popId: 0 };
    const policy = (groupid: number, name: string, parentId: number, passwordPolicy: string) =>
      post(
        "/customer/enterprise/edit",
        { ...wireDraft("enterprise", "valid", ids, { name, parentId, passwordPolicy }), groupid },
        guard,
      );
    expect(await policy(agent, "代理", 1, "8+MFA")).toMatchObject({ code: 0 });
    const must = async ({ token }: Person) =>
      ((await api.get("/customer/session", {}, token)).data as { mustAddFactor: number })
        .mustAddFactor;
    expect([await must(chief), await must(clerk), await must(stranger)]).toEqual([1, 1, 0]);
    const change = (newPsw: string) =>
      post(
        "/customer/user/editpassword",
        { userId: clerk.id, oldPsw, newPsw, rePsw: newPsw },
        clerk.token,
      );
    expect(await change("k7#tRw2")).toMatchObject({
      issues: [{ path: "newPsw", rule: "password", params: { min: 8, max: 64 } }],
    });
    // One below that asks for longer passwords still has to have MFA.
    await policy(below, "下级", agent, "15+");
    expect(await must(clerk)).toBe(1);
    expect(await change("k7#tRw2q")).toMatchObject({ issues: [{ params: { min: 15, max: 64 } }] });
    await policy(below, "下级", agent, "spec");
    expect(await change("k7#tRw2q")).toMatchObject({ code: 0 });
    expect(await api.get("/api/config", {})).toMatchObject({ data: { passwordMax: 64 } });
    await policy(agent, "代理", 1, "spec");
    expect([await must(chief), await must(clerk)]).toEqual([0, 0]);
  });
});

describe("passkeys", () => {
  const { stringify } = JSON;
  test("endpoints:factor.passkeyBegin endpoints:factor.passkeyAdd: need a host name, their own ticket, and an answer that is one", async () => {
    const { api } = all;
    const { token } = await all.person(all.agent, []);
    const other = await all.person(all.agent, []);
    const startEnrolment = (by: string, host: string) =>
      api.send({
        method: "POST",
        url: "/customer/factor/passkeyBegin",
        query: { token: by },
        payload: { oldPsw },
        headers: { host },
      });
    expect(await startEnrolment(token, "192.0.2.1:8080")).toMatchObject({ code: 422 });
    expect(await startEnrolment(token, "[::1]:8080")).toMatchObject({ code: 422 });
    const started = await startEnrolment(token, "console.example");
    const { ticket, options } = started.data as { ticket: string; options: string };
    expect(JSON.parse(options)).toMatchObject({ rp: { id: "console.example" } });
    const add = (by: string, response: string, host = "console.example", of = ticket) =>
      api.send({
        method: "POST",
        url: "/customer/factor/passkeyAdd",
        query: { token: by },
        payload: { ticket: of, name: "key", response },
        headers: { host },
      });
    expect(await add(other.token, "{}")).toMatchObject({ code: 465 });
    expect(await add(token, "{}")).toMatchObject({ code: 465 });
    for (const response of [
      "null",
      "[]",
      "{x",
      stringify({ id: "x", rawId: "x", type: "public-key" }),
    ]) {
      const again = (await startEnrolment(token, "console.example")).data as { ticket: string };
      expect(await add(token, response, "console.example", again.ticket)).toMatchObject({
        code: 465,
      });
    }
    const elsewhere = (await startEnrolment(token, "console.example")).data as { ticket: string };
    expect(await add(token, "{}", "evil.example", elsewhere.ticket)).toMatchObject({ code: 465 });
    expect(await factorsOf(token)).toMatchObject({ passkeys: [] });
  });

  test("endpoints:auth.passkeyBegin endpoints:auth.passkeyLogin endpoints:factor.passkeyRemove: require the password first and reveal no key", async () => {
    const { api } = all;
    const { loginName, token } = await all.person(all.agent, []);
    const startEnrolment = (name: string, password: string) =>
      api.send({
        method: "POST",
        url: "/api/v1/customer/passkeyBegin",
        payload: { loginName: name, password },
        headers: { host: "console.example" },
      });
    expect(await startEnrolment(loginName, "guess")).toMatchObject({ code: 401 });
    expect(await startEnrolment("nobody", "guess")).toMatchObject({ code: 401 });
    expect(await startEnrolment(loginName, adminPassword)).toMatchObject({ code: 422 });
    const finish = (ticket: string) =>
      api.post("/api/v1/customer/passkeyLogin", { ticket, response: "{}" });
    for (const ticket of ["x", "a".repeat(43)]) {
      expect(await finish(ticket)).toMatchObject({ code: 465, data: null });
    }
    expect(
      await post("/customer/factor/passkeyRemove", { credential: "abc", oldPsw }, token),
    ).toMatchObject({ code: 404 });
  });
});

test("endpoints:user.sessions endpoints:user.endSession: the caller's own sessions are listed and ended one by one, no one else's", async () => {
  const { api } = all;
  const mine = await all.person(all.agent, []);
  const other = await all.person(all.agent, []);
  const second = await api.send({
    method: "POST",
    url: "/api/v1/customer/login",
    payload: { loginName: mine.loginName, password: adminPassword },
    headers: { "user-agent": "second browser" },
  });
  const { token: secondToken } = second.data as { token: string };
  const list = async (token: string) =>
    (await api.get("/customer/user/sessions", {}, token)).data as Record<string, unknown>[];
  const sessions = await list(mine.token);
  expect(sessions.map(({ current }) => current)).toEqual([1, 0]);
  expect(sessions[1]).toMatchObject({ agent: "second browser", ip: "127.0.0.1" });
  const end = (session: unknown, token: string) =>
    post("/customer/user/endSession", { session }, token);
  expect(await end(sessions[1]?.session, other.token)).toMatchObject({ code: 404 });
  expect(await end("not a session", mine.token)).toMatchObject({ code: 400 });
  expect(await end(sessions[1]?.session, mine.token)).toMatchObject({ code: 0 });
  expect(await api.get("/customer/session", {}, secondToken)).toMatchObject({ code: 500 });
  expect(await list(mine.token)).toHaveLength(1);
});
