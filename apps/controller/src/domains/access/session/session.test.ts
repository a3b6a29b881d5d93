import { createHash } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { adminPassword, type TestApi, testApi } from "../../../../test/api.ts";

let api: TestApi;
let enterpriseId: number;

beforeAll(async () => {
  api = await testApi();
  const token = await api.logIn("admin");
  const added = await api.post(
    "/customer/enterprise/add",
    {
      name: "甲",
      enterpriseType: 0,
      parentId: 1,
      isAgent: 0,
      provice: "",
      city: "",
      region: "",
      contact: "",
      remark: "",
    },
    token,
  );
  enterpriseId = (added.data as { id: number }).id;
}, 60_000);
afterAll(() => api.close());

const inWhole = <T>(text: ReturnType<typeof sql<T>>) =>
  inScope(
    api.database.pools.apiAll,
    { kind: "all" },
    async (trx) => (await text.execute(trx)).rows,
  );

const sessionOf = (token: string) => api.get("/customer/session", {}, token);
const age = (token: string, column: "rotate_after" | "expires_at" | "created_at", by: string) =>
  inWhole(sql`update session set ${sql.ref(column)} = now() - ${by}::interval
    where token_hash = ${createHash("sha256").update(token).digest()}`);

const dead = { status: 200, code: 500, msg: "token无效" };

describe("a token", () => {
  test("opens calls as query parameter, bare header and Bearer header", async () => {
    const token = await api.logIn("admin");
    expect(await sessionOf(token)).toMatchObject({ code: 0, data: { userId: 1 } });
    for (const authorization of [token, `Bearer ${token}`, `bearer ${token}`]) {
      const answer = await api.get("/customer/session", {}, undefined, { authorization });
      expect(answer).toMatchObject({ code: 0, data: { loginName: "admin" } });
    }
  });

  test.each(["", "x", "a".repeat(43), "'; select 1 --"])(
    "%j is answered 500 token无效",
    async (t) => {
      expect(await sessionOf(t)).toMatchObject(dead);
    },
  );

  test("in a cookie opens nothing", async () => {
    const token = await api.logIn("admin");
    const answer = await api.get("/customer/session", {}, undefined, {
      cookie: `access_token=${token}; token=${token}`,
    });
    expect(answer).toMatchObject(dead);
  });

  test("is replaced after ten minutes, once, and the old one is valid for another minute", async () => {
    const token = await api.logIn("admin");
    expect((await sessionOf(token)).headers.authorization).toBeUndefined();
    await age(token, "rotate_after", "1 second");
    const answers = await Promise.all([1, 2, 3, 4].map(() => sessionOf(token)));
    const fresh = answers.flatMap(({ headers }) => headers.authorization ?? []);
    expect(fresh).toHaveLength(1);
    expect(answers.every(({ code }) => code === 0)).toBe(true);
    expect(await sessionOf(String(fresh[0]))).toMatchObject({ code: 0 });
    expect(await sessionOf(token)).toMatchObject({ code: 0 });
    await age(token, "expires_at", "1 second");
    expect(await sessionOf(token)).toMatchObject(dead);
    expect(await sessionOf(String(fresh[0]))).toMatchObject({ code: 0 });
  });

  test("outlives a lost answer: until the new one is used, it gets another", async () => {
    const token = await api.logIn("admin");
    const renewed = async () => {
      await age(token, "rotate_after", "1 second");
      return String((await sessionOf(token)).headers.authorization);
    };
    const lost = await renewed();
    const [row] = await inWhole(sql<{ left: boolean }>`
      select expires_at > now() + interval '1 hour' as left from session
      where token_hash = ${createHash("sha256").update(token).digest()}`);
    expect(row).toEqual({ left: true });
    const fresh = await renewed();
    expect(await sessionOf(lost)).toMatchObject(dead);
    expect(await sessionOf(fresh)).toMatchObject({ code: 0 });
    const [after] = await inWhole(sql<{ left: boolean }>`
      select expires_at > now() + interval '61 seconds' as left from session
      where token_hash = ${createHash("sha256").update(token).digest()}`);
    expect(after).toEqual({ left: false });
  });

  test("ends when unused too long, and thirty days after the login however used", async () => {
    const idle = await api.logIn("admin");
    await age(idle, "expires_at", "1 second");
    expect(await sessionOf(idle)).toMatchObject(dead);
    const old = await api.logIn("admin");
    await age(old, "created_at", "31 days");
    expect(await sessionOf(old)).toMatchObject(dead);
  });

  test("ends with logout, and with it those that it was rotated from", async () => {
    const token = await api.logIn("admin");
    const other = await api.logIn("admin");
    await age(token, "rotate_after", "1 second");
    const fresh = String((await sessionOf(token)).headers.authorization);
    expect(await api.post("/customer/user/logout", {}, fresh)).toMatchObject({ code: 0 });
    expect(await sessionOf(fresh)).toMatchObject(dead);
    expect(await sessionOf(token)).toMatchObject(dead);
    expect(await sessionOf(other)).toMatchObject({ code: 0 });
  });

  test("is nowhere in the database", async () => {
    const token = await api.logIn("admin");
    const rows = await inWhole(sql`select row_to_json(s)::text as text from session s`);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe("a user or an enterprise that is disabled", () => {
  test("loses access immediately and cannot log in", async () => {
    const token = await api.userToken({ enterpriseId, dataScope: 1 });
    const { data } = await sessionOf(token);
    const { userId, loginName } = data as { userId: number; loginName: string };
    await inWhole(sql`update sys_user set enabled = false where id = ${userId}`);
    expect(await sessionOf(token)).toMatchObject(dead);
    await expect(api.logIn(loginName)).rejects.toThrow("登录名或密码不正确");
    await inWhole(sql`update sys_user set enabled = true where id = ${userId}`);
    expect(await sessionOf(token)).toMatchObject({ code: 0 });
    const admin = await api.logIn("admin");
    const switchTo = (enable: number) =>
      api.post(
        "/customer/enterprise/editEn",
        { groupid: enterpriseId, enable, oldPsw: adminPassword },
        admin,
      );
    await switchTo(0);
    expect(await sessionOf(token)).toMatchObject(dead);
    await switchTo(1);
    expect(await sessionOf(token)).toMatchObject({ code: 0 });
  });
});

describe("login", () => {
  const tryIn = (
    loginName: string,
    password: string,
    remoteAddress = "192.0.2.1",
    device: string | null = null,
  ) =>
    api.send({
      method: "POST",
      url: "/api/v1/customer/login",
      payload: { loginName, password, ...(device !== null && { device }) },
      remoteAddress,
    });
  /** A user with the tests' password who has logged in from this place. */
  const owner = async (place: string) => {
    await api.userToken({ enterpriseId, dataScope: 1 });
    const [row] = await inWhole(sql<{ login_name: string }>`
      select login_name from sys_user order by id desc limit 1`);
    const loginName = row?.login_name ?? "";
    await inWhole(sql`delete from login_record where login_name = ${loginName}`);
    const { code, data } = await tryIn(loginName, adminPassword, place);
    expect(code).toBe(0);
    return { loginName, device: (data as { device: string }).device };
  };
  /** Failures of an account that outsiders have caused. */
  const failures = (loginName: string, count: number, seconds: number) =>
    inWhole(sql`insert into login_record
        (login_name, address, place, network, success, stranger, reason, at)
      select ${loginName}, '198.18.0.' || n, '198.18.0.' || n, '198.18.0.0', false, true, 'password',
        now() - make_interval(secs => ${seconds})
      from generate_series(1, ${count}::int) n`);

  /** As if all tries had been made then: delays of seconds do not end while a test computes. */
  const triedAt = (when: "in an hour" | "a second ago") =>
    inWhole(sql`update login_record
      set at = now() + ${when === "in an hour" ? "1 hour" : "-1 second"}::interval`);

  test("gives one answer for a wrong password and an unknown account", async () => {
    const wrong = await tryIn("admin", "not-it");
    const unknown = await tryIn("nobody", "not-it");
    expect(wrong).toMatchObject({ code: 401, data: null });
    expect({ ...unknown, headers: 0, requestId: 0 }).toEqual({
      ...wrong,
      headers: 0,
      requestId: 0,
    });
  });

  /** So many failures of an account from a place, now: the delay of many is long for a busy machine too. */
  const failedAt = (loginName: string, place: string, count = 12) =>
    inWhole(sql`insert into login_record (login_name, address, place, success, reason)
      select ${loginName}, ${place}, ${place}, false, 'password'
      from generate_series(1, ${count}::int)`);

  test("delays an account from one place, the longer the more it fails", async () => {
    await failedAt("victim", "198.51.100.1", 11);
    const refused = await tryIn("victim", "guess", "198.51.100.1");
    expect(refused).toMatchObject({ code: 429, msg: expect.stringMatching(/\d+ 秒后重试/) });
    expect(await tryIn("victim", "guess", "198.51.100.2")).toMatchObject({ code: 401 });
    await inWhole(sql`update login_record set at = at - interval '1 minute'`);
    expect(await tryIn("victim", "guess", "198.51.100.1")).toMatchObject({ code: 401 });
    expect(await tryIn("victim", "guess", "198.51.100.1")).toMatchObject({ code: 429 });
  });

  test("a /64 is one place, as one customer has all of it", async () => {
    await failedAt("victim6", "2001:db8:0:7::");
    expect(await tryIn("victim6", "guess", "2001:db8:0:7:aaaa::1")).toMatchObject({ code: 429 });
    expect(await tryIn("victim6", "guess", "2001:db8:0:8::1")).toMatchObject({ code: 401 });
    const rows = await inWhole(sql`select place, network from login_record
      where address = '2001:db8:0:8::1'`);
    expect(rows).toEqual([{ place: "2001:db8:0:8::", network: "2001:db8::" }]);
  });

  test("tries side by side count each other", async () => {
    // One more is free: of several at once no second one is.
    await failedAt("crowd", "10.9.0.1", 11);
    await inWhole(sql`update login_record set at = at - interval '2 minutes'
      where login_name = 'crowd'`);
    const codes = await Promise.all(
      Array.from({ length: 6 }, async () => (await tryIn("crowd", "x", "10.9.0.1")).code),
    );
    expect(codes.filter((code) => code === 401)).toHaveLength(1);
    expect(codes.filter((code) => code === 429)).toHaveLength(5);
  });

  test("repeated wrong passwords from one address delay only that address", async () => {
    const { loginName, device } = await owner("192.0.2.50");
    const guess = () => tryIn(loginName, "guess", "203.0.113.66");
    await failedAt(loginName, "203.0.113.66");
    expect(await guess()).toMatchObject({ code: 429 });
    for (const place of ["192.0.2.50", "192.0.2.51", "2001:db8:5::1"]) {
      expect((await tryIn(loginName, adminPassword, place)).code, place).toBe(0);
    }
    // At the outsider's own place the device that logged in before gets in, and no other.
    expect(await tryIn(loginName, adminPassword, "203.0.113.66")).toMatchObject({ code: 429 });
    expect(await tryIn(loginName, adminPassword, "203.0.113.66", `${device}A`)).toMatchObject({
      code: 429,
    });
    expect(await tryIn(loginName, adminPassword, "203.0.113.66", device)).toMatchObject({
      code: 0,
    });
    const other = await owner("192.0.2.60");
    await failedAt(other.loginName, "203.0.113.67");
    expect(await tryIn(other.loginName, adminPassword, "203.0.113.67", device)).toMatchObject({
      code: 429,
    });
  });

  test("guesses by a device that is known are delayed as well", async () => {
    const { loginName, device } = await owner("192.0.2.70");
    const codes: number[] = [];
    for (let n = 0; n < 12; n++) {
      codes.push((await tryIn(loginName, "guess", `192.0.2.${71 + n}`, device)).code);
    }
    // Each from another place: it is the device that waits.
    expect(codes.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(codes).toContain(429);
  });

  test("attempts from many addresses delay an account for unknown addresses only", async () => {
    const { loginName, device } = await owner("192.0.2.100");
    await failures(loginName, 120, 0);
    // Whoever is in the crowd's network waits; the owner gets in from anywhere, as long as the crowd is no larger.
    expect(await tryIn(loginName, adminPassword, "198.18.0.200")).toMatchObject({ code: 429 });
    expect(await tryIn(loginName, adminPassword, "198.18.0.200", device)).toMatchObject({
      code: 0,
    });
    expect(await tryIn(loginName, adminPassword, "192.0.2.100")).toMatchObject({ code: 0 });
    expect(await tryIn(loginName, adminPassword, "198.51.100.200")).toMatchObject({ code: 429 });
    await inWhole(sql`update login_record set at = at - interval '61 seconds'
      where login_name = ${loginName} and stranger`);
    await failures(loginName, 1, 0);
    expect(await tryIn(loginName, adminPassword, "198.18.0.201")).toMatchObject({ code: 429 });
    expect(await tryIn(loginName, adminPassword, "198.51.100.200")).toMatchObject({ code: 0 });
  });

  test("right ones get in beside a flood of wrong ones, of one place and of many", async () => {
    const people = await Promise.all(
      Array.from({ length: 4 }, (_, n) => owner(`192.0.2.${110 + n}`)),
    );
    for (const from of [() => "203.0.113.80", (n: number) => `198.51.${n}.1`]) {
      const flood = Array.from({ length: 40 }, (_, n) => tryIn(`nobody${n}`, "guess", from(n)));
      const right = people.map(({ loginName }, n) =>
        tryIn(loginName, adminPassword, `192.0.2.${110 + n}`),
      );
      expect((await Promise.all(right)).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
      const codes = (await Promise.all(flood)).map(({ code }) => code);
      expect(codes).not.toContain(0);
    }
  });

  test("delays an address that tries many accounts, and forgives after a while", async () => {
    const from = "203.0.113.7";
    for (let n = 0; n < 21; n++) await tryIn(`many${n}`, "guess", from);
    await triedAt("in an hour");
    expect(await tryIn("admin", adminPassword, from)).toMatchObject({ code: 429 });
    expect(await tryIn("admin", adminPassword, "203.0.113.8")).toMatchObject({ code: 0 });
    await inWhole(sql`update login_record set at = now() - interval '16 minutes'`);
    expect(await tryIn("admin", adminPassword, from)).toMatchObject({ code: 0 });
  });

  test("leaves a record of every try", async () => {
    await tryIn("traced", "wrong", "192.0.2.77");
    const rows = await inWhole(sql`select success, reason, address from login_record
      where login_name = 'traced'`);
    expect(rows).toEqual([{ success: false, reason: "unknown", address: "192.0.2.77" }]);
  });
});

describe("change of the password", () => {
  test("requires the old password, ends other sessions and stores neither password in the log", async () => {
    const token = await api.userToken({ enterpriseId, dataScope: 1 });
    const { data } = await sessionOf(token);
    const { userId, loginName } = data as { userId: number; loginName: string };
    const other = await api.logIn(loginName);
    const change = (fields: object) =>
      api.post(
        "/customer/user/editpassword",
        { userId, oldPsw: adminPassword, newPsw: "n3w-words", rePsw: "n3w-words", ...fields },
        token,
      );
    expect(await change({ oldPsw: "wrong" })).toMatchObject({ code: 402 });
    expect(await change({ rePsw: "other" })).toMatchObject({
      code: 400,
      issues: [{ path: "rePsw", rule: "same", params: {} }],
    });
    expect(await change({ newPsw: "1234", rePsw: "1234" })).toMatchObject({
      issues: [{ path: "newPsw", rule: "password" }],
    });
    expect(await change({ userId: 1 })).toMatchObject({ issues: [{ path: "userId" }] });
    expect(await sessionOf(other)).toMatchObject({ code: 0 });
    expect(await change({})).toMatchObject({ code: 0 });
    expect(await sessionOf(token)).toMatchObject({ code: 0 });
    expect(await sessionOf(other)).toMatchObject(dead);
    await expect(api.logIn(loginName)).rejects.toThrow();
    expect(await api.logIn(loginName, "n3w-words")).toBeTruthy();
    const audit = await inWhole(sql`select new_value from audit where resource = 'user'`);
    expect(audit).toEqual([{ new_value: { loginName, newPsw: "[redacted]" } }]);
  });
});

describe("the session's answer", () => {
  test("has every field of section 7.1, out of the config list and the parameters", async () => {
    const token = await api.userToken({ enterpriseId, dataScope: 1 });
    const { data: plain } = await sessionOf(token);
    expect(plain).toMatchObject({
      sysConfig: "",
      cpeMockOnline: 0,
      simulationGroup: "",
      syslogoName: "",
      tabs: [],
      logDate: "180",
      user: { roleType: 2, groupid: enterpriseId },
    });
    const admin = await api.logIn("admin");
    for (const [configKey, configValue] of [
      ["sysConfig", "jiuxi"],
      ["cpeMockOnline", "1"],
      ["simulationGroup", `${enterpriseId}`],
      ["syslogoName", "Ours"],
    ]) {
      const item = { groupid: enterpriseId, configKey, configValue, remark: "" };
      expect(await api.post("/customer/configList/add", item, admin)).toMatchObject({ code: 0 });
    }
    const { data } = await sessionOf(token);
    expect(data).toMatchObject({
      sysConfig: "jiuxi",
      cpeMockOnline: 1,
      simulationGroup: `${enterpriseId}`,
      syslogoName: "Ours",
    });
  });

  test("B-7.1-05: holds menus, roles and authorities: all for user 1, what the role gives for others", async () => {
    const admin = (await sessionOf(await api.logIn("admin"))).data as Record<string, unknown>;
    expect(admin).toMatchObject({ roleType: 0, roles: ["controller"], groupid: 1 });
    const token = await api.userToken({
      enterpriseId,
      dataScope: 1,
      permissions: ["cpeEdit"],
      menus: [],
    });
    const user = (await sessionOf(token)).data as { menus: { path: string; children: object[] }[] };
    expect(user).toMatchObject({ roleType: 2, authorities: ["cpeEdit"], perms: ["cpeEdit"] });
    const paths = (nodes: { path: string; children: object[] }[]): string[] =>
      nodes.flatMap((node) => [node.path, ...paths(node.children as never)]);
    expect(paths(user.menus)).not.toContain("/sdwan-system/enrolment");
    expect(paths(admin.menus as never)).toContain("/sdwan-system/enrolment");
  });
});
