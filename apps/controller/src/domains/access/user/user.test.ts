import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { adminPassword } from "../../../../test/api.ts";
import { outcome, type People, type Person, people } from "../../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let all: People;
/** Has a role that the manager may give. */
let clerk: Person;
let clerkRole: number;
beforeAll(async () => {
  all = await people();
  const { addRole, admin, agent, person } = all;
  clerkRole = newIdOf(await addRole(admin, { groupid: agent, authorities: "cpeEdit" }));
  clerk = await person(agent, [clerkRole]);
}, 60_000);
afterAll(() => all.api.close());

const absentId = 987_654_321;
const issue = (path: string, rule: string) => ({ code: 400, issues: [{ path, rule }] });
const post = (call: string, fields: object, token: string) =>
  all.api.post(`/customer/user/${call}`, { oldPsw: adminPassword, ...fields }, token);
const sessionOf = (token: string) => all.api.get("/customer/session", {}, token);
const dead = { code: 500, msg: "token无效" };
/** Edits a user: as it is, but for these fields. */
const edit = async (id: number, fields: object, token: string) => {
  const row = await all.rowOf(id);
  const ids = { groupid: Number(row?.groupid), cpeId: 0, popId: 0 };
  const names = Object.keys(wireDraft("user", "valid", ids));
  const same = Object.fromEntries(names.map((name) => [name, row?.[name] ?? ""]));
  return post("edit", { ...same, oldPsw: adminPassword, ...fields, userId: id }, token);
};
/** Every way to write a user that is there. */
const writes = (id: number, token: string) => [
  () => edit(id, { name: "改名" }, token),
  () => edit(id, { roleIds: "" }, token),
  () => post("remove", { ids: id }, token),
  () => post("resetPwd", { userId: id, newPsw: "n3w-words" }, token),
  () => post("editEnable", { userId: id, enable: 0 }, token),
];

describe("roles of a user", () => {
  test("are roles of the user's enterprise: foreign and absent ones are refused alike", async () => {
    const { addUser, addRole, admin, manager, agent, below, sister } = all;
    const foreign = newIdOf(await addRole(admin, { groupid: sister }));
    const other = newIdOf(await addRole(admin, { groupid: below }));
    const attempt = (roleIds: string, token = manager.token) =>
      addUser(token, { groupid: agent, loginName: "nobodyYet", roleIds });
    for (const roleIds of [`${foreign}`, `${clerkRole},${foreign}`, `${other}`, "1"]) {
      expect(await attempt(roleIds)).toMatchObject(issue("roleIds", "unknown"));
      expect(await attempt(roleIds, admin)).toMatchObject(issue("roleIds", "unknown"));
    }
    expect(outcome(await attempt(`${clerkRole},${foreign}`))).toEqual(
      outcome(await attempt(`${clerkRole},${absentId}`)),
    );
    expect(
      await edit(clerk.id, { roleIds: `${clerkRole},${foreign}` }, manager.token),
    ).toMatchObject(issue("roleIds", "unknown"));
    expect(await all.rowOf(clerk.id)).toMatchObject({ roleIds: String(clerkRole) });
  });

  test("are roles that the caller holds all of", async () => {
    const { addUser, addRole, admin, manager, agent, below, sister, stronger } = all;
    const custom = { groupid: agent, dataScope: 4, groupids: `${below},${sister}` };
    const beyond = newIdOf(await addRole(admin, { ...custom, authorities: "" }));
    for (const role of [stronger, beyond]) {
      for (const roleIds of [`${role}`, `${clerkRole},${role}`]) {
        expect(await addUser(manager.token, { groupid: agent, roleIds })).toMatchObject(
          issue("roleIds", "notAllowed"),
        );
        expect(await edit(clerk.id, { roleIds }, manager.token)).toMatchObject(
          issue("roleIds", "notAllowed"),
        );
      }
    }
    const roleIds = `${clerkRole},${all.managing}`;
    const id = newIdOf(await addUser(manager.token, { groupid: agent, roleIds }));
    expect(await all.rowOf(id, manager.token)).toMatchObject({ manageable: 1, enable: 1 });
  });

  test("do not come along into another enterprise, nor do sessions", async () => {
    const { person, addRole, admin, agent, below, api } = all;
    const there = newIdOf(await addRole(admin, { groupid: below }));
    const mover = await person(agent, [clerkRole]);
    const move = { groupid: below };
    expect(await edit(mover.id, move, admin)).toMatchObject(issue("roleIds", "unknown"));
    expect(await edit(mover.id, { ...move, roleIds: there }, admin)).toMatchObject({ code: 0 });
    expect(await sessionOf(mover.token)).toMatchObject(dead);
    expect(await sessionOf(await api.logIn(mover.loginName))).toMatchObject({
      data: { groupid: below },
    });
  });
});

describe("a user who holds more than the caller", () => {
  test("is shown, and written in no way", async () => {
    const { person, agent, stronger, manager, api, rowOf } = all;
    const strong = await person(agent, [stronger, clerkRole]);
    const before = await rowOf(strong.id);
    expect(await rowOf(strong.id, manager.token)).toMatchObject({ manageable: 0 });
    for (const write of writes(strong.id, manager.token)) {
      expect(await write()).toMatchObject({ code: 422 });
    }
    const list = { ids: `${clerk.id},${strong.id}` };
    expect(await post("remove", list, manager.token)).toMatchObject({ code: 422 });
    expect(await rowOf(strong.id)).toEqual(before);
    expect(await rowOf(clerk.id)).toBeDefined();
    expect(await sessionOf(strong.token)).toMatchObject({ code: 0 });
    expect(await api.logIn(strong.loginName)).toBeTruthy();
  });

  test("is user 1 for every other user, whatever they hold", async () => {
    const { person, api, rowOf } = all;
    // Role 1 is the first controller role: every permission, the whole tree.
    const second = await person(1, [1]);
    const before = await rowOf(1);
    for (const write of writes(1, second.token)) {
      expect(await write()).toMatchObject({ code: 422 });
    }
    expect({ ...(await rowOf(1)), lastLogin: 0 }).toEqual({ ...before, lastLogin: 0 });
    expect(await api.logIn("admin")).toBeTruthy();
    // What holds for user 1 does not hold for his equals.
    for (const write of writes((await person(1, [1])).id, second.token).slice(3)) {
      expect(await write()).toMatchObject({ code: 0 });
    }
  });
});

describe("the own account", () => {
  test("is not removed, disabled, demoted or reset, by user 1 neither", async () => {
    const { manager, admin, rowOf, agent } = all;
    for (const [id, token] of [
      [manager.id, manager.token],
      [1, admin],
    ] as const) {
      const before = await rowOf(id);
      const [, demote, ...others] = writes(id, token);
      for (const write of others) expect(await write()).toMatchObject({ code: 422 });
      expect(await demote?.()).toMatchObject(issue("roleIds", "notAllowed"));
      const raised = { roleIds: `${before?.roleIds},${clerkRole}` };
      expect(await edit(id, raised, token)).toMatchObject(issue("roleIds", "notAllowed"));
      expect(await post("remove", { ids: `${clerk.id},${id}` }, token)).toMatchObject({
        code: 422,
      });
      expect(await rowOf(id)).toEqual(before);
    }
    expect(await edit(1, { groupid: agent }, admin)).toMatchObject(issue("groupid", "notAllowed"));
    expect(await rowOf(clerk.id)).toBeDefined();
    expect(await edit(manager.id, { name: "经理" }, manager.token)).toMatchObject({ code: 0 });
  });

  test("is recognised whatever the data scope", async () => {
    const { addRole, admin, agent, below, person, api } = all;
    const elsewhere = { groupid: agent, dataScope: 4, groupids: below, authorities: "sysUserList" };
    const role = newIdOf(await addRole(admin, elsewhere));
    const { token, id } = await person(agent, [role]);
    expect(await all.rowOf(id, token)).toBeUndefined();
    const info = await api.get("/customer/user/info", {}, token);
    expect(info).toMatchObject({ code: 0, data: { userId: id, roleIds: String(role) } });
    expect(JSON.stringify(info)).not.toMatch(/argon2|password/);
  });
});

describe("passwords", () => {
  test("a reset ends the user's sessions, the new one opens, the old one does not", async () => {
    const { person, agent, manager, api } = all;
    const user = await person(agent, [clerkRole]);
    const second = await api.logIn(user.loginName);
    const reset = (newPsw: string) => post("resetPwd", { userId: user.id, newPsw }, manager.token);
    expect(await reset("1234")).toMatchObject(issue("newPsw", "password"));
    expect(await sessionOf(second)).toMatchObject({ code: 0 });
    expect(await reset("n3w-words")).toMatchObject({ code: 0 });
    expect(await sessionOf(user.token)).toMatchObject(dead);
    expect(await sessionOf(second)).toMatchObject(dead);
    await expect(api.logIn(user.loginName)).rejects.toThrow();
    expect(await api.logIn(user.loginName, "n3w-words")).toBeTruthy();
  });

  test("need the permission of their own; an edit does not set them", async () => {
    const { person, addRole, admin, agent, api } = all;
    const authorities = "sysUserList,sysUserEdit,cpeEdit";
    const fields = { groupid: agent, dataScope: 3, roleType: 1, authorities };
    const { token } = await person(agent, [newIdOf(await addRole(admin, fields))]);
    const user = await person(agent, [clerkRole]);
    const reset = { userId: user.id, newPsw: "n3w-words" };
    expect(await post("resetPwd", reset, token)).toMatchObject({ code: 403 });
    const sneak = { password: "n3w-words", password_hash: "x", enable: 0 };
    expect(await edit(user.id, { name: "改", ...sneak }, token)).toMatchObject({ code: 0 });
    expect(await api.logIn(user.loginName)).toBeTruthy();
  });

  test("a user without one cannot log in until it is set", async () => {
    const { addUser, manager, agent, api } = all;
    const fields = { groupid: agent, loginName: "later", password: "" };
    const userId = newIdOf(await addUser(manager.token, fields));
    await expect(api.logIn("later")).rejects.toThrow();
    await post("resetPwd", { userId, newPsw: "n3w-words" }, manager.token);
    expect(await api.logIn("later", "n3w-words")).toBeTruthy();
  });

  test("are in no answer, no audit row and no table in the clear", async () => {
    const { api, addUser, manager, agent } = all;
    const password = "Unik-9-Wort";
    newIdOf(await addUser(manager.token, { groupid: agent, password }));
    await post("resetPwd", { userId: clerk.id, newPsw: password }, manager.token);
    const { rows } = await inScope(api.database.pools.apiAll, { kind: "all" }, (trx) =>
      sql<{ text: string }>`
        select row_to_json(a)::text as text from audit a
        union all select row_to_json(u)::text from sys_user u`.execute(trx),
    );
    const audits = rows.filter(({ text }) => text.includes("old_value"));
    expect(audits.some(({ text }) => text.includes('"newPsw": "[redacted]"'))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(password);
    expect(JSON.stringify(audits)).not.toContain("argon2");
    const list = await api.get("/customer/user/list", { limit: 1000 }, manager.token);
    expect(JSON.stringify(list)).not.toMatch(/argon2|password/i);
  });
});

test("disabling ends sessions, and enabling does not bring them back", async () => {
  const { person, agent, manager, api } = all;
  const user = await person(agent, [clerkRole]);
  const set = (enable: number) => post("editEnable", { userId: user.id, enable }, manager.token);
  expect(await set(0)).toMatchObject({ code: 0 });
  expect(await sessionOf(user.token)).toMatchObject(dead);
  await expect(api.logIn(user.loginName)).rejects.toThrow();
  expect(await all.rowOf(user.id)).toMatchObject({ enable: 0 });
  expect(await set(1)).toMatchObject({ code: 0 });
  expect(await sessionOf(user.token)).toMatchObject(dead);
  expect(await api.logIn(user.loginName)).toBeTruthy();
});

test("a removed user is gone with the sessions", async () => {
  const { person, agent, manager } = all;
  const user = await person(agent, [clerkRole]);
  expect(await post("remove", { ids: user.id }, manager.token)).toMatchObject({ code: 0 });
  expect(await sessionOf(user.token)).toMatchObject(dead);
});

test("a login name that a foreign tenant has is taken, and nothing more is reported", async () => {
  const { person, sister, agent, addUser, manager, rowOf } = all;
  const stranger = await person(sister, []);
  const attempt = (loginName: string) => addUser(manager.token, { groupid: agent, loginName });
  const foreign = await attempt(stranger.loginName);
  expect(foreign).toMatchObject(issue("loginName", "taken"));
  const own = await attempt(clerk.loginName);
  expect(outcome({ ...foreign, msg: "" })).toEqual(
    JSON.parse(
      JSON.stringify(outcome({ ...own, msg: "" })).replaceAll(clerk.loginName, stranger.loginName),
    ),
  );
  expect(await rowOf(stranger.id, manager.token)).toBeUndefined();
  expect(await edit(clerk.id, { loginName: stranger.loginName }, manager.token)).toMatchObject(
    issue("loginName", "taken"),
  );
});

test("who sees only own data sees and writes only the users he made", async () => {
  const { addRole, addUser, admin, agent, person, api } = all;
  const fields = {
    groupid: agent,
    dataScope: 2,
    authorities: "sysUserList,sysUserAdd,sysUserEdit",
  };
  const { token } = await person(agent, [newIdOf(await addRole(admin, fields))]);
  const own = newIdOf(await addUser(token, { groupid: agent }));
  const { data } = await api.get("/customer/user/list", {}, token);
  expect((data as { userId: number }[]).map(({ userId }) => userId)).toEqual([own]);
  expect(await edit(clerk.id, { name: "改" }, token)).toMatchObject({ code: 404 });
  expect(await edit(own, { name: "改" }, token)).toMatchObject({ code: 0 });
  // A role out of sight may be any: a user with one is out of reach.
  expect(await edit(own, { roleIds: clerkRole }, admin)).toMatchObject({ code: 0 });
  for (const write of writes(own, token).slice(0, 2)) {
    expect(await write()).toMatchObject({ code: 422 });
  }
  expect(await addUser(token, { groupid: agent, roleIds: clerkRole })).toMatchObject(
    issue("roleIds", "unknown"),
  );
});

test("the list follows its filters", async () => {
  const { api, admin, agent, manager } = all;
  const names = async (query: object) => {
    const answer = await api.get("/customer/user/list", { limit: 1000, ...query }, admin);
    const rows = answer.data as { loginName: string; enable: number; groupid: number }[];
    expect(answer.count).toBe(rows.length);
    return rows;
  };
  expect(await names({ loginName: manager.loginName })).toMatchObject([
    { loginName: manager.loginName, lastLogin: expect.any(String), roleNames: expect.any(String) },
  ]);
  expect((await names({ groupid: agent })).every((row) => row.groupid === agent)).toBe(true);
  expect((await names({ enable: 0 })).every((row) => row.enable === 0)).toBe(true);
});
