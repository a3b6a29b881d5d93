import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createOutboxSender, type OutboxSender } from "#jobs/send-outbox.ts";
import { type Answer, adminPassword, type TestApi, testApi } from "../../../../test/api.ts";
import { codeIn, type OutboxServers, outboxServers } from "../../../../test/outbox-servers.ts";
import { wireDraft } from "../../../../test/tenants.ts";

const site = {
  title: () => "织网",
  loginSms: true,
  sendsMail: true,
  sendsSms: true,
  identityNetworks: [],
};
const phone = "13800001111";
const email = "Person@example.com";
let api: TestApi;
let servers: OutboxServers;
let sender: OutboxSender;
let admin: string;
let userId: number;

beforeAll(async () => {
  api = await testApi(undefined, undefined, undefined, site);
  servers = await outboxServers();
  sender = createOutboxSender(
    api.database.pools,
    { ...servers, mailFrom: "weft@console.example", smsToken: undefined },
    pino({ level: "silent" }),
    api.app.weft.vault,
  );
  admin = await api.logIn("admin");
  userId = await addUser("person@demo", { phone, email });
}, 60_000);
afterAll(async () => {
  sender.close();
  await servers.close();
  await api.close();
});
// Everything that was asked before is long ago.
beforeEach(() => whole(sql`delete from one_time_code`));

const whole = <T>(statement: ReturnType<typeof sql<T>>) =>
  statement.execute(api.database.pools.owner.db);

async function addUser(loginName: string, fields: object): Promise<number> {
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  const draft = wireDraft("user", "valid", ids, { loginName, roleIds: "", ...fields });
  const answer = await api.post("/customer/user/add", { ...draft, password: adminPassword }, admin);
  expect(answer).toMatchObject({ code: 0 });
  const { id } = answer.data as { id: number };
  // As after the code that confirms an address (../user/contact.test.ts).
  await whole(sql`update sys_user
    set phone_confirmed_at = now(), email_confirmed_at = now() where id = ${id}`);
  return id;
}

const from = (remoteAddress: string, path: string, query: object) =>
  api.send({ method: "GET", url: path, query: { ...query }, remoteAddress });
const byPhone = (number: string, address = "192.0.2.1") =>
  from(address, "/api/v1/sdwan/sendSMSByPhone", { phone: number });
const byEmail = (to: string) => from("192.0.2.2", "/api/v1/sdwan/sendSMSByEmail", { email: to });
const ticketOf = (answer: Answer) => (answer.data as { ticket: string }).ticket;
const reset = (fields: object) =>
  api.post("/api/v1/sdwan/resetPassword", {
    newPsw: "n3w-words",
    rePsw: "n3w-words",
    ...fields,
  });
const logIn = (loginName: string, password: string, sms?: string) =>
  api.post("/api/v1/customer/login", { loginName, password, ...(sms && { sms }) });
const nextSms = async () => {
  servers.messages.length = 0;
  await sender.run();
  return servers.messages.map(({ body }) => body);
};
const sendSms = (username: string, password: string, address = "192.0.2.9") =>
  from(address, "/api/sendSMS", { username, password });

describe("a site that requires codes", () => {
  test("B-7.1-12 endpoints:auth.apiConfig endpoints:auth.apiJxConfig: reports it before login, the same for every name", async () => {
    const [plain, known, unknown] = await Promise.all(
      [{}, { username: "person@demo" }, { username: "nobody" }].map((query) =>
        api.get("/api/config", query),
      ),
    );
    expect(plain).toMatchObject({
      code: 0,
      data: { sysName: "织网", smsLogin: 1, byPhone: 1, byEmail: 1, passwordMax: 12 },
    });
    expect(known?.data).toEqual(plain?.data);
    expect(unknown?.data).toEqual(plain?.data);
    expect(await api.get("/api/jxConfig", { username: "admin" })).toMatchObject({ code: 0 });
    expect(await api.get("/api/jxConfig", {})).toMatchObject({ code: 400 });
  });

  test("endpoints:auth.sendSms B-7.1-04 endpoints:auth.login: logs in with loginName, password and sms, and each code once", async () => {
    expect(await logIn("person@demo", adminPassword)).toMatchObject({ code: 461, data: null });
    expect(await sendSms("person@demo", adminPassword)).toMatchObject({
      code: 0,
      data: { again: 60, valid: 300 },
    });
    const [sms] = await nextSms();
    expect(sms?.to).toBe(phone);
    const code = codeIn(sms?.text ?? "");
    expect(await logIn("person@demo", adminPassword, "abc")).toMatchObject({ code: 462 });
    const done = await logIn("person@demo", adminPassword, code);
    expect(done).toMatchObject({ code: 0, data: { loginName: "person@demo" } });
    expect(await logIn("person@demo", adminPassword, code)).toMatchObject({ code: 462 });
    // A user without a number logs in by password: no code could be sent.
    expect(await logIn("admin", adminPassword)).toMatchObject({ code: 0 });
  });

  test("a wrong password sends nothing and answers as a login does, an unknown name alike", async () => {
    const [wrong, unknown] = [
      await sendSms("person@demo", "guess", "198.51.100.1"),
      await sendSms("nobody", "guess", "198.51.100.2"),
    ];
    const outcome = ({ code, msg, data }: Answer) => ({ code, msg, data });
    expect(outcome(wrong)).toEqual({ code: 401, msg: "登录名或密码不正确", data: null });
    expect(outcome(unknown)).toEqual(outcome(wrong));
    expect(await nextSms()).toEqual([]);
  });

  test("a code is worth nothing for another account, after five tries, or when it is over", async () => {
    await addUser("other@demo", { phone: "13800002222" });
    const fresh = async () => {
      await whole(sql`delete from one_time_code`);
      await whole(sql`delete from login_record`);
      await sendSms("person@demo", adminPassword);
      return codeIn((await nextSms())[0]?.text ?? "");
    };
    const code = await fresh();
    expect(await logIn("other@demo", adminPassword, code)).toMatchObject({ code: 462 });
    const wrong = code === "000000" ? "000001" : "000000";
    // Side by side: no more than five are looked at, however many come.
    const tries = await Promise.all(
      Array.from({ length: 4 }, () => logIn("person@demo", adminPassword, wrong)),
    );
    expect(tries.map((one) => one.code)).toEqual([462, 462, 462, 462]);
    await whole(sql`update one_time_code set tries = 5`);
    await whole(sql`delete from login_record`);
    expect(await logIn("person@demo", adminPassword, code)).toMatchObject({ code: 462 });
    const late = await fresh();
    await whole(sql`update one_time_code set expires_at = now() - interval '1 second'`);
    expect(await logIn("person@demo", adminPassword, late)).toMatchObject({ code: 462 });
  });

  test("wrong codes slow an account down as wrong passwords do", async () => {
    await whole(sql`delete from login_record`);
    const codes: number[] = [];
    for (let n = 0; n < 6; n++) {
      codes.push((await logIn("person@demo", adminPassword, "12345x")).code);
      // The delay is not over while a busy machine computes.
      await whole(sql`update login_record set at = now() + interval '1 hour'`);
    }
    expect(codes).toEqual([462, 462, 462, 462, 462, 429]);
    await whole(sql`delete from login_record`);
    // Waiting for a code is no failure.
    for (let n = 0; n < 8; n++) {
      expect(await logIn("person@demo", adminPassword)).toMatchObject({ code: 461 });
    }
  });
});

describe("recovery", () => {
  test("B-7.1-13 endpoints:auth.sendSmsByPhone endpoints:auth.resetPassword: a code by phone sets a new password, once, and ends all sessions", async () => {
    await whole(sql`delete from login_record`);
    const session = async (token: string) => (await api.get("/customer/session", {}, token)).code;
    await sendSms("person@demo", adminPassword);
    const token = (
      (await logIn("person@demo", adminPassword, codeIn((await nextSms())[0]?.text ?? "")))
        .data as { token: string }
    ).token;
    expect(await session(token)).toBe(0);
    const ticket = ticketOf(await byPhone(phone));
    const [sms] = await nextSms();
    expect(sms?.text).toContain("person@demo");
    const code = codeIn(sms?.text ?? "");
    expect(await reset({ ticket, sms: code, newPsw: "1234", rePsw: "1234" })).toMatchObject({
      issues: [{ path: "newPsw", rule: "password" }],
    });
    expect(await reset({ ticket, sms: code, rePsw: "other" })).toMatchObject({
      issues: [{ path: "rePsw", rule: "same" }],
    });
    expect(await reset({ ticket, sms: code })).toMatchObject({ code: 0, data: null });
    expect(await reset({ ticket, sms: code })).toMatchObject({ code: 462 });
    expect(await session(token)).toBe(500);
    expect(await logIn("person@demo", adminPassword)).toMatchObject({ code: 401 });
    // The new password is right: what is missing is the code of the login.
    expect(await logIn("person@demo", "n3w-words")).toMatchObject({ code: 461 });
    const { rows } = await whole<{ new_value: object; user_id: number }>(sql`
      select user_id, new_value from audit where action = 'auth.resetPassword'`);
    expect(rows).toEqual([{ user_id: userId, new_value: { newPsw: "[redacted]" } }]);
  });

  test("endpoints:auth.sendSmsByEmail: a code by e-mail, whatever the case of the address; a changed recipient gets nothing", async () => {
    servers.mails.length = 0;
    const ticket = ticketOf(await byEmail("PERSON@Example.com"));
    await sender.run();
    expect(servers.mails).toHaveLength(1);
    // To the address that the account has.
    expect(servers.mails[0]?.to).toEqual([email]);
    const raw = servers.mails[0]?.raw ?? "";
    const text = Buffer.from(raw.split("\r\n\r\n")[1] ?? "", "base64").toString();
    const code = codeIn(/base64/i.test(raw) ? text : raw);
    expect(await reset({ ticket, sms: code })).toMatchObject({ code: 0 });
    servers.mails.length = 0;
    for (const bad of [
      "a@b.c,x@y.z",
      "a@example.com\r\nBcc: x@example.com",
      "x",
      "<a@example.com>",
    ]) {
      expect((await byEmail(bad)).code, bad).toBe(400);
    }
    await sender.run();
    expect(servers.mails).toEqual([]);
  });

  test("it is not revealed whether an account exists: same answer, same limits", async () => {
    const known = await byPhone(phone, "198.51.100.11");
    const unknown = await byPhone("13999999999", "198.51.100.12");
    const strip = (answer: Answer) => ({
      code: answer.code,
      msg: answer.msg,
      status: answer.status,
      data: { ...(answer.data as object), ticket: ticketOf(answer).length },
    });
    expect(strip(unknown)).toEqual(strip(known));
    const again = [
      await byPhone(phone, "198.51.100.11"),
      await byPhone("13999999999", "198.51.100.12"),
    ];
    for (const answer of again) expect(answer).toMatchObject({ code: 429, data: null });
    expect(await reset({ ticket: ticketOf(unknown), sms: "123456" })).toMatchObject({
      code: 462,
    });
    expect((await nextSms()).map(({ to }) => to)).toEqual([phone]);
  });

  test("a code counts with the ticket of its own request only", async () => {
    const mine = ticketOf(await byPhone("13999999998", "198.51.100.21"));
    await byPhone(phone, "198.51.100.22");
    const code = codeIn((await nextSms())[0]?.text ?? "");
    for (const ticket of [mine, "x", "a".repeat(43)]) {
      expect(await reset({ ticket, sms: code }), ticket).toMatchObject({ code: 462 });
    }
  });

  test("of calls side by side with the right code one is done", async () => {
    const ticket = ticketOf(await byPhone(phone, "198.51.100.31"));
    const code = codeIn((await nextSms())[0]?.text ?? "");
    const codes = await Promise.all(
      [1, 2, 3].map(async () => (await reset({ ticket, sms: code })).code),
    );
    expect(codes.sort()).toEqual([0, 462, 462]);
  });

  test("guessing ends after five tries of a code, thirty requests of an address, five of it for a number", async () => {
    const ticket = ticketOf(await byPhone(phone, "198.51.100.42"));
    const code = codeIn((await nextSms())[0]?.text ?? "");
    const wrong = code === "000000" ? "000001" : "000000";
    const guesses = await Promise.all(
      Array.from({ length: 8 }, async () => (await reset({ ticket, sms: wrong })).code),
    );
    expect(new Set(guesses)).toEqual(new Set([462]));
    expect(await reset({ ticket, sms: code })).toMatchObject({ code: 462 });
    for (let n = 0; n < 4; n++) {
      await whole(sql`update one_time_code set created_at = created_at - interval '61 seconds'`);
      expect(await byPhone(phone, "198.51.100.42")).toMatchObject({ code: 0 });
    }
    await whole(sql`update one_time_code set created_at = created_at - interval '61 seconds'`);
    expect(await byPhone(phone, "198.51.100.42")).toMatchObject({ code: 429 });
    await whole(sql`insert into one_time_code (purpose, target, address, code_hash, expires_at)
      select 'phone', '1390000' || n, '198.51.100.43', '', now() from generate_series(1, 30) n`);
    expect(await byPhone("13900099999", "198.51.100.43")).toMatchObject({ code: 429 });
  });

  test("code requests from elsewhere do not block a recovery", async () => {
    const later = () =>
      whole(sql`update one_time_code set created_at = created_at - interval '61 seconds'`);
    const home = "198.51.100.200";
    await whole(sql`insert into login_record (login_name, user_id, enterprise_id, address, place, agent, success)
      select login_name, id, enterprise_id, ${home}, ${home}, '', true from sys_user where id = ${userId}`);
    // One outsider, as often as it may.
    for (let n = 0; n < 5; n++) {
      expect(await byPhone(phone, "198.51.100.201")).toMatchObject({ code: 0 });
      await later();
    }
    expect(await byPhone(phone, "198.51.100.201")).toMatchObject({ code: 429 });
    // A place that the account was never logged in to from is served as well, until there are many outsiders.
    expect(await byPhone(phone, "198.51.100.202")).toMatchObject({ code: 0 });
    for (let n = 0; n < 9; n++) await byPhone(phone, `198.51.100.${210 + n}`);
    expect(await byPhone(phone, "198.51.100.230")).toMatchObject({ code: 429 });
    await whole(sql`delete from outbox`);
    const ticket = ticketOf(await byPhone(phone, home));
    const code = codeIn((await nextSms())[0]?.text ?? "");
    // Whoever asks next does not take the code away.
    await whole(sql`delete from one_time_code where address <> ${home}`);
    expect(await byPhone(phone, "198.51.100.203")).toMatchObject({ code: 0 });
    expect(await reset({ ticket, sms: code })).toMatchObject({ code: 0 });
  });

  test("accounts that share a number are distinguished by their login name, once the code is right", async () => {
    await addUser("twin@demo", { phone: "13800003333" });
    await addUser("twin2@demo", { phone: "13800003333" });
    const ticket = ticketOf(await byPhone("13800003333", "198.51.100.51"));
    // Codes of the tests before may still be on their way.
    const sms = (await nextSms()).find(({ to }) => to === "13800003333");
    expect(sms?.text).toContain("twin@demo, twin2@demo");
    const code = codeIn(sms?.text ?? "");
    expect(await reset({ ticket, sms: code })).toMatchObject({
      issues: [{ path: "loginName", rule: "required" }],
    });
    expect(await reset({ ticket, sms: code, loginName: "person@demo" })).toMatchObject({
      code: 462,
    });
    expect(await reset({ ticket, sms: code, loginName: "twin2@demo" })).toMatchObject({ code: 0 });
    expect(await logIn("twin@demo", adminPassword)).toMatchObject({ code: 461 });
  });

  test("a disabled account gets no code", async () => {
    const id = await addUser("gone@demo", { phone: "13800004444" });
    await api.post("/customer/user/editEnable", { userId: id, enable: 0 }, admin);
    expect(await byPhone("13800004444", "198.51.100.61")).toMatchObject({ code: 0 });
    expect(await nextSms()).toEqual([]);
  });

  test("codes are kept as argon2id hashes, and neither code nor password is in a log line", async () => {
    await byPhone(phone, "198.51.100.71");
    const code = codeIn((await nextSms())[0]?.text ?? "");
    const { rows } = await whole<{ text: string }>(sql`
      select row_to_json(c)::text as text from one_time_code c
      union all select row_to_json(o)::text from outbox o where o.state = 'sent'`);
    const kept = rows.map(({ text }) => text).join();
    expect(kept).toContain("$argon2id$");
    expect(kept).not.toContain(code);
    await sendSms("person@demo", "a-password-in-the-address", "198.51.100.72");
    expect(JSON.stringify(api.logged)).not.toContain("a-password-in-the-address");
  });

  test("a cross-site page cannot trigger code requests", async () => {
    const headers = { "sec-fetch-site": "cross-site" };
    const answer = await api.get("/api/v1/sdwan/sendSMSByPhone", { phone }, undefined, headers);
    expect(answer).toMatchObject({ code: 421 });
  });
});

test("a site without a transport reports it and requires no code", async () => {
  const plain = await testApi();
  try {
    expect(await plain.get("/api/config", {})).toMatchObject({
      data: { smsLogin: 0, byPhone: 0, byEmail: 0 },
    });
    for (const [path, query] of [
      ["/api/sendSMS", { username: "admin", password: adminPassword }],
      ["/api/v1/sdwan/sendSMSByPhone", { phone }],
      ["/api/v1/sdwan/sendSMSByEmail", { email: "a@example.com" }],
    ] as const) {
      expect(await plain.get(path, query), path).toMatchObject({ code: 422 });
    }
  } finally {
    await plain.close();
  }
});
