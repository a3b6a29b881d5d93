/** Login name, phone number and e-mail address: whoever sets them, or receives what is sent there, has the account. */
import { user } from "@weft/contract/domains/access/user.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createOutboxSender, type OutboxSender } from "#jobs/send-outbox.ts";
import { type Answer, adminPassword } from "../../../../test/api.ts";
import { codeIn, type OutboxServers, outboxServers } from "../../../../test/outbox-servers.ts";
import { type People, type Person, people, userFamily } from "../../../../test/people.ts";
import { sendFile } from "../../../../test/sheet-files.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

const site = {
  title: () => "织网",
  loginSms: false,
  sendsMail: true,
  sendsSms: true,
  identityNetworks: [],
};
let all: People;
let servers: OutboxServers;
let sender: OutboxSender;
/** Edits users, and may not reset passwords. */
let clerk: Person;
let plainRole: number;
beforeAll(async () => {
  all = await people(site);
  servers = await outboxServers();
  const { api, agent, addRole, admin, person } = all;
  sender = createOutboxSender(
    api.database.pools,
    { ...servers, mailFrom: "weft@console.example", smsToken: undefined },
    pino({ level: "silent" }),
    api.app.weft.vault,
  );
  plainRole = newIdOf(await addRole(admin, { groupid: agent, authorities: "cpeEdit" }));
  const held = [...userFamily.filter((one) => one !== "sysUserResetPwd"), "cpeEdit"].join(",");
  const clerks = newIdOf(
    await addRole(admin, { groupid: agent, roleType: 1, dataScope: 3, authorities: held }),
  );
  clerk = await person(agent, [clerks]);
}, 60_000);
afterAll(async () => {
  sender.close();
  await servers.close();
  await all.api.close();
});
beforeEach(async () => {
  await whole(sql`delete from one_time_code`);
  await whole(sql`delete from outbox`);
});

const whole = <T>(statement: ReturnType<typeof sql<T>>) =>
  statement.execute(all.api.database.pools.owner.db);
const names = Object.keys(user.draft.shape);
/** Edits a user: as it is, but for these fields. */
const edit = async (id: number, fields: object, token: string): Promise<Answer> => {
  const row = await all.rowOf(id);
  const same = Object.fromEntries(names.map((name) => [name, row?.[name] ?? ""]));
  const { data } = await all.api.get("/customer/session", {}, token);
  // Of the own account the tests give it themselves.
  const oldPsw = (data as { userId: number }).userId === id ? "" : adminPassword;
  return all.api.post("/customer/user/edit", { ...same, oldPsw, ...fields, userId: id }, token);
};
const fresh = (roles: readonly number[]): Promise<Person> => all.person(all.agent, roles);
const elsewhere = { email: "attacker@example.net" };
const changes = [elsewhere, { email: "" }, { phone: "13911112222" }, { loginName: "other9@demo" }];

/** Texts that leave now, by recipient. */
const sent = async (): Promise<{ to: string; text: string }[]> => {
  servers.mails.length = 0;
  servers.messages.length = 0;
  await sender.run();
  const mails = servers.mails.map(({ to, raw }) => {
    const [head = "", body = ""] = raw.split(/\r\n\r\n/);
    const text = /base64/i.test(head) ? Buffer.from(body, "base64").toString() : body;
    return { to: String(to[0]), text };
  });
  return [...mails, ...servers.messages.map(({ body }) => ({ to: body.to, text: body.text }))];
};
/** @returns the messages about the change */
const changedTo = async (own: Person, email: string, token = own.token) => {
  expect(await edit(own.id, { email, oldPsw: adminPassword }, token)).toMatchObject({ code: 0 });
  return sent();
};
const undoCodeIn = (text = ""): string => /[A-Z2-9]{4}(?:-[A-Z2-9]{4}){2}/.exec(text)?.[0] ?? "";
const undo = (undoCode: string) => all.api.post("/api/v1/sdwan/undoContact", { undoCode });
const post = (call: string, fields: object, token: string) =>
  all.api.post(`/customer/user/${call}`, fields, token);
const confirm = async (way: "phone" | "email", token: string): Promise<void> => {
  const begun = await post("confirmBegin", { way }, token);
  expect(begun).toMatchObject({ code: 0 });
  const { ticket } = begun.data as { ticket: string };
  const sms = codeIn((await sent())[0]?.text ?? "");
  expect(await post("confirm", { ticket, sms }, token)).toMatchObject({ code: 0 });
};

describe("one's own login name, phone number and address", () => {
  test("change with the current password only, so that a stolen session is not enough", async () => {
    const own = await fresh([all.managing]);
    const before = await all.rowOf(own.id);
    for (const change of changes) {
      expect(await edit(own.id, change, own.token)).toMatchObject({
        issues: [{ path: "oldPsw", rule: "required" }],
      });
    }
    expect(await edit(own.id, { ...elsewhere, oldPsw: "guess" }, own.token)).toMatchObject({
      code: 402,
    });
    expect(await all.rowOf(own.id)).toEqual(before);
    const right = { ...elsewhere, oldPsw: adminPassword };
    expect(await edit(own.id, right, own.token)).toMatchObject({ code: 0 });
    expect(await all.rowOf(own.id)).toMatchObject(elsewhere);
    // What opens nothing needs no password.
    expect(await edit(own.id, { name: "改名" }, own.token)).toMatchObject({ code: 0 });
  });

  test("wrong passwords are no way to guess it", async () => {
    const own = await fresh([all.managing]);
    const codes: number[] = [];
    for (let n = 0; n < 12; n++) {
      codes.push((await edit(own.id, { ...elsewhere, oldPsw: "guess" }, own.token)).code);
    }
    expect(codes.slice(0, 5)).toEqual([402, 402, 402, 402, 402]);
    expect(codes).toContain(429);
    // Whoever guesses in a stolen session delays no other session of the owner.
    await whole(sql`delete from login_record`);
    const again = await all.api.logIn(own.loginName);
    const right = { phone: "13911113333", oldPsw: adminPassword };
    expect(await edit(own.id, right, again)).toMatchObject({ code: 0 });
  });

  test("are never changed by an API key, neither its maker's nor another person's", async () => {
    const authorities = [...userFamily, "cpeEdit"].join(",");
    const fields = { groupid: all.agent, roleType: 1, authorities };
    const roleId = newIdOf(await all.addRole(all.admin, fields));
    const maker = await fresh([roleId]);
    const other = await fresh([plainRole]);
    const ids = { groupid: all.agent, cpeId: 0, popId: 0, roleId };
    const made = await all.api.post(
      "/customer/apiKey/add",
      wireDraft("apiKey", "valid", ids, { name: "contact" }),
      maker.token,
    );
    const { key } = made.data as { key: string };
    for (const { id } of [maker, other]) {
      for (const change of changes) {
        expect(await edit(id, { ...change, oldPsw: adminPassword }, key)).toMatchObject({
          issues: [{ path: Object.keys(change)[0], rule: "personOnly" }],
        });
      }
    }
  });
});

describe("another user's login name, phone number and address", () => {
  test("are changed only with the permission to reset passwords", async () => {
    const other = await fresh([plainRole]);
    const before = await all.rowOf(other.id);
    for (const change of changes) {
      expect(await edit(other.id, change, clerk.token)).toMatchObject({ code: 403 });
    }
    expect(await all.rowOf(other.id)).toEqual(before);
    expect(await edit(other.id, { remark: "x" }, clerk.token)).toMatchObject({ code: 0 });
    expect(await edit(other.id, elsewhere, all.manager.token)).toMatchObject({ code: 0 });
    expect(await all.rowOf(other.id)).toMatchObject(elsewhere);
  });

  test("an import of a file is no way around it", async () => {
    const other = await fresh([plainRole]);
    const row = await all.rowOf(other.id);
    const csv = `\uFEFF登录名,邮箱\n${other.loginName},attacker@example.net\n`;
    const send = (token: string) =>
      sendFile(all.api, { resource: "user", token }, csv, { mode: "change" });
    expect(await send(clerk.token)).toMatchObject({ code: 400, issues: [{ params: { row: 2 } }] });
    expect(await all.rowOf(other.id)).toMatchObject({ email: row?.email });
    expect(await send(all.manager.token)).toMatchObject({ code: 0 });
    expect(await all.rowOf(other.id)).toMatchObject(elsewhere);
  });
});

describe("an administrator who takes an account back", () => {
  const reset = (userId: number, token = all.admin) =>
    post("resetPwd", { userId, newPsw: "n3w-words", oldPsw: adminPassword }, token);
  /** An account that somebody else held: of the two changes the second one's code went to that person. */
  const taken = async () => {
    const own = await fresh([all.managing]);
    const [first] = await changedTo(own, "attacker@example.net");
    const [second] = await changedTo(own, "attacker2@example.net");
    expect(second?.to).toBe("attacker@example.net");
    return { own, rightful: undoCodeIn(first?.text), theirs: undoCodeIn(second?.text) };
  };

  test("by a new password: codes of what its sessions changed do not restore it", async () => {
    const { own, theirs } = await taken();
    expect(theirs).not.toBe("");
    expect(await reset(own.id)).toMatchObject({ code: 0 });
    expect(await undo(theirs)).toMatchObject({ code: 462 });
  });

  test("by its address: neither an earlier code does, nor one sent to the address that is replaced", async () => {
    const { own, theirs } = await taken();
    const told = await changedTo(own, "rightful@example.com", all.admin);
    expect(told.map(({ to }) => to)).toContain("attacker2@example.net");
    expect(told.map(({ text }) => undoCodeIn(text)).join("")).toBe("");
    expect(await undo(theirs)).toMatchObject({ code: 462 });
    expect(await all.rowOf(own.id)).toMatchObject({ email: "rightful@example.com" });
  });

  test("is undone by the person, as a change by another is, whatever passwords that one sets", async () => {
    const victim = await fresh([plainRole]);
    const [told] = await changedTo(victim, "insider@example.net", all.manager.token);
    expect(await reset(victim.id, all.manager.token)).toMatchObject({ code: 0 });
    expect(await undo(undoCodeIn(told?.text))).toMatchObject({ code: 0 });
    expect(await all.rowOf(victim.id)).toMatchObject({ email: "ops@example.com" });
  });

  test("ends a code of a recovery that is under way", async () => {
    const own = await fresh([all.managing]);
    const email = `${own.id}@example.com`;
    await whole(
      sql`update sys_user set email = ${email}, email_confirmed_at = now() where id = ${own.id}`,
    );
    const asked = await all.api.get("/api/v1/sdwan/sendSMSByEmail", { email });
    const { ticket } = asked.data as { ticket: string };
    const sms = codeIn((await sent())[0]?.text ?? "");
    expect(sms).toMatch(/^\d+$/);
    expect(await reset(own.id)).toMatchObject({ code: 0 });
    const fields = { ticket, sms, newPsw: "attack-9", rePsw: "attack-9" };
    expect(await all.api.post("/api/v1/sdwan/resetPassword", fields)).toMatchObject({ code: 462 });
  });
});

describe("API keys that an account made end", () => {
  const keyOf = async ({ token }: Person, name: string): Promise<string> => {
    const ids = { groupid: all.agent, cpeId: 0, popId: 0, roleId: plainRole };
    const draft = wireDraft("apiKey", "valid", ids, { name });
    const made = await all.api.post("/customer/apiKey/add", draft, token);
    return (made.data as { key: string }).key;
  };
  const works = async (key: string) => (await all.api.get("/customer/session", {}, key)).code === 0;
  const change = ({ id, token }: Person, fields: object) =>
    post(
      "editpassword",
      { userId: id, oldPsw: adminPassword, newPsw: "n3w-words", rePsw: "n3w-words", ...fields },
      token,
    );

  test("with a change of the own password, unless the person keeps them", async () => {
    const [one, other] = [await fresh([all.managing]), await fresh([all.managing])];
    const [kept, ended] = [await keyOf(one, "kept"), await keyOf(other, "ended")];
    expect(await change(one, { revokeKeys: 0 })).toMatchObject({ code: 0 });
    expect(await change(other, {})).toMatchObject({ code: 0 });
    expect(await works(kept)).toBe(true);
    expect(await works(ended)).toBe(false);
  });

  test("with a reset by an administrator, always, and the log has each", async () => {
    const own = await fresh([all.managing]);
    const key = await keyOf(own, "stolen");
    const bystander = await keyOf(await fresh([all.managing]), "bystander");
    const form = { userId: own.id, newPsw: "n3w-words", oldPsw: adminPassword };
    expect(await post("resetPwd", form, all.admin)).toMatchObject({ code: 0 });
    expect(await works(key)).toBe(false);
    expect(await works(bystander)).toBe(true);
    const { rows } = await whole(sql<{ old_value: { name: string } }>`
      select old_value from audit where action = 'user.resetPwd' and resource = 'apiKey'`);
    expect(rows.map(({ old_value }) => old_value.name)).toEqual(["stolen"]);
  });

  test("with a recovery by a code and with a change that is undone, and the log has each", async () => {
    const own = await fresh([all.managing]);
    const email = `${own.id}@example.com`;
    await whole(
      sql`update sys_user set email = ${email}, email_confirmed_at = now() where id = ${own.id}`,
    );
    const recovered = await keyOf(own, "recovered");
    const asked = await all.api.get("/api/v1/sdwan/sendSMSByEmail", { email });
    const { ticket } = asked.data as { ticket: string };
    const sms = codeIn((await sent())[0]?.text ?? "");
    const fields = { ticket, sms, newPsw: "n3w-words", rePsw: "n3w-words" };
    expect(await all.api.post("/api/v1/sdwan/resetPassword", fields)).toMatchObject({ code: 0 });
    const victim = await fresh([all.managing]);
    const undone = await keyOf(victim, "undone");
    const [told] = await changedTo(victim, "insider@example.net", all.manager.token);
    expect(await undo(undoCodeIn(told?.text))).toMatchObject({ code: 0 });
    for (const key of [recovered, undone]) expect(await works(key)).toBe(false);
    const { rows } = await whole(sql`
      select action, resource, row_id, user_id, old_value ->> 'name' as name, new_value is null as gone
      from audit where user_id in (${own.id}, ${victim.id}) and action like 'auth.%' order by id`);
    const of = (action: string, { id }: Person, name: string) => [
      { action, resource: "user", row_id: id, user_id: id, name: null, gone: false },
      { action, resource: "apiKey", row_id: expect.any(Number), user_id: id, name, gone: true },
    ];
    expect(rows).toEqual([
      ...of("auth.resetPassword", own, "recovered"),
      ...of("auth.undoContact", victim, "undone"),
    ]);
  });
});

describe("a link to a person at an identity provider", () => {
  const link = (userId: number, token: string, fields: object = {}) =>
    all.api.post(
      "/customer/identityProvider/link",
      { id: provider, userId, subject: "intruder", oldPsw: adminPassword, ...fields },
      token,
    );
  let provider: number;
  beforeAll(async () => {
    const ids = { groupid: all.agent, cpeId: 0, popId: 0 };
    const draft = wireDraft("identityProvider", "valid", ids, { roleMap: `${plainRole} a` });
    provider = newIdOf(await all.api.post("/customer/identityProvider/add", draft, all.admin));
  });

  test("of the caller's own account needs the password", async () => {
    const own = await fresh([all.managing]);
    expect(await link(own.id, own.token, { oldPsw: "" })).toMatchObject({
      issues: [{ path: "oldPsw", rule: "required" }],
    });
    expect(await link(own.id, own.token, { oldPsw: "guess" })).toMatchObject({ code: 402 });
    expect(await link(own.id, own.token, { oldPsw: adminPassword })).toMatchObject({ code: 0 });
  });

  test("of another's is made by who may reset the password", async () => {
    const other = await fresh([plainRole]);
    const to = { subject: "another" };
    expect(await link(other.id, clerk.token, to)).toMatchObject({ code: 403 });
    expect(await link(other.id, all.manager.token, to)).toMatchObject({ code: 0 });
    const { data } = await all.api.get("/customer/message/list", {}, other.token);
    expect(data).toMatchObject([{ type: 1, link: "/user/info" }]);
  });
});

describe("the former address", () => {
  test("is informed, and its code undoes the change, with what followed it", async () => {
    const own = await fresh([plainRole]);
    const before = await all.rowOf(own.id);
    const [email, phone] = [String(before?.email), String(before?.phone)];
    expect(
      await edit(own.id, { ...elsewhere, loginName: "taken9@demo" }, all.manager.token),
    ).toMatchObject({ code: 0 });
    const [first, ...others] = await sent();
    expect(others).toEqual([]);
    expect(first?.to).toBe(email);
    expect(first?.text).toContain(own.loginName);
    // The intruder changes it once more: to that code the account does not go back.
    expect(await edit(own.id, { phone: "13911112222" }, all.manager.token)).toMatchObject({
      code: 0,
    });
    const [second] = await sent();
    expect(second?.to).toBe(phone);
    const { data } = await all.api.get("/customer/message/list", {}, own.token);
    expect((data as { type: number }[]).filter(({ type }) => type === 1)).toHaveLength(2);

    expect(await undo("ABCD-EFGH-JKMN")).toMatchObject({ code: 462 });
    expect(await undo(undoCodeIn(first?.text))).toMatchObject({ code: 0 });
    const { loginName } = own;
    expect(await all.rowOf(own.id)).toMatchObject({ loginName, email, phone });
    expect(await all.api.get("/customer/session", {}, own.token)).toMatchObject({ code: 500 });
    for (const used of [first, second]) {
      expect(await undo(undoCodeIn(used?.text))).toMatchObject({ code: 462 });
    }
    const { rows } = await whole(sql`
      select user_id, login_name from audit where action = 'auth.undoContact' and user_id = ${own.id}`);
    expect(rows).toEqual([{ user_id: own.id, login_name: loginName }]);
  });

  test("has a week for it", async () => {
    const own = await fresh([plainRole]);
    await edit(own.id, elsewhere, all.manager.token);
    const [notice] = await sent();
    await whole(sql`update contact_change set expires_at = now() where user_id = ${own.id}`);
    expect(await undo(undoCodeIn(notice?.text))).toMatchObject({ code: 462 });
    expect(await all.rowOf(own.id)).toMatchObject(elsewhere);
  });
});

describe("a password is recovered by an address", () => {
  const recover = (email: string) => all.api.get("/api/v1/sdwan/sendSMSByEmail", { email });

  test("that the user has confirmed with a code, and by no other", async () => {
    const own = await fresh([all.managing]);
    const email = "own.person@example.com";
    await edit(own.id, { email, oldPsw: adminPassword }, own.token);
    await sent();
    expect(await recover(email)).toMatchObject({ code: 0 });
    expect(await sent()).toEqual([]);
    expect(await all.rowOf(own.id)).toMatchObject({ emailConfirmed: 0 });

    await whole(sql`delete from one_time_code`);
    await confirm("email", own.token);
    expect(await all.rowOf(own.id)).toMatchObject({ emailConfirmed: 1, phoneConfirmed: 0 });
    expect(await recover(email)).toMatchObject({ code: 0 });
    expect((await sent()).map(({ to }) => to)).toEqual([email]);

    // It is older than a week: one that a session set later is not trusted with the way back.
    await whole(sql`update contact_change set expires_at = now() where user_id = ${own.id}`);
    // Another address has to be confirmed again, whoever sets it.
    await edit(own.id, elsewhere, all.admin);
    expect(await all.rowOf(own.id)).toMatchObject({ emailConfirmed: 0 });
    const [notice] = await sent();
    expect(await recover(elsewhere.email)).toMatchObject({ code: 0 });
    expect(await sent()).toEqual([]);
    // Back by the undo code, confirmed as it was.
    expect(await undo(undoCodeIn(notice?.text))).toMatchObject({ code: 0 });
    expect(await all.rowOf(own.id)).toMatchObject({ email, emailConfirmed: 1 });
  });

  test("a code confirms the address that it was sent to, of its own user, once", async () => {
    const [one, other] = [await fresh([all.managing]), await fresh([all.managing])];
    await edit(one.id, { phone: "13700000001", oldPsw: adminPassword }, one.token);
    await edit(other.id, { phone: "13700000002", oldPsw: adminPassword }, other.token);
    await sent();
    const begun = await post("confirmBegin", { way: "phone" }, one.token);
    const { ticket } = begun.data as { ticket: string };
    const sms = codeIn((await sent())[0]?.text ?? "");
    const bad = { code: 462 };
    expect(await post("confirm", { ticket, sms }, other.token)).toMatchObject(bad);
    await edit(one.id, { phone: "13700000003", oldPsw: adminPassword }, one.token);
    expect(await post("confirm", { ticket, sms }, one.token)).toMatchObject(bad);
    await edit(one.id, { phone: "13700000001", oldPsw: adminPassword }, one.token);
    expect(await post("confirm", { ticket, sms }, one.token)).toMatchObject({ code: 0 });
    expect(await post("confirm", { ticket, sms }, one.token)).toMatchObject(bad);
    // The code of a recovery confirms nothing.
    const recovery = await all.api.get("/api/v1/sdwan/sendSMSByPhone", { phone: "13700000001" });
    const again = { ticket: (recovery.data as { ticket: string }).ticket };
    const code = codeIn((await sent())[0]?.text ?? "");
    expect(await post("confirm", { ...again, sms: code }, one.token)).toMatchObject(bad);
  });
});
