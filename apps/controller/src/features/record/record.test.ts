import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type People, type Person, people } from "../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../test/tenants.ts";

let all: People;
/** Sees the agent's enterprise, without the right to list users. */
let reader: Person;
beforeAll(async () => {
  all = await people();
  const { addRole, admin, agent, person } = all;
  const fields = { groupid: agent, dataScope: 3, authorities: "" };
  reader = await person(agent, [newIdOf(await addRole(admin, fields))]);
}, 60_000);
afterAll(() => all.api.close());

interface Record {
  readonly userId: number;
  readonly loginName: string;
  readonly groupid: number;
  readonly module: string;
  readonly action: string;
  readonly rowId: number;
  readonly createTime: string;
}

const ask = (log: "operaRecord" | "loginRecord", token: string, query: object = {}) =>
  all.api.get(`/customer/${log}/list`, { limit: 1000, ...query }, token);
const operations = async (token: string, query: object = {}) => {
  const answer = await ask("operaRecord", token, query);
  expect(answer.code).toBe(0);
  expect(answer.count).toBe((answer.data as object[]).length);
  return answer.data as Record[];
};
const logIns = async (token: string, query: object = {}) => {
  const answer = await ask("loginRecord", token, query);
  expect(answer.code).toBe(0);
  return answer.data as { loginName: string; result: number; msg: string }[];
};
const wire = (at: Date) => at.toISOString().slice(0, 19).replace("T", " ");

describe("the operation log", () => {
  test("tells who changed what, field by field, newest first", async () => {
    const { api, admin, agent, addRole, manager } = all;
    const id = newIdOf(await addRole(manager.token, { groupid: agent, name: "甲" }));
    const ids = { groupid: agent, cpeId: 0, popId: 0 };
    const { roleCode } = (await operations(admin, { module: "role" }))
      .map((row) => row as unknown as { changes: { field: string; new: string }[] })
      .map(({ changes }) => ({ roleCode: changes.find(({ field }) => field === "roleCode")?.new }))
      .at(0) as { roleCode: string };
    const edited = wireDraft("role", "valid", ids, {
      roleCode,
      name: "乙",
      authorities: "cpeEdit",
    });
    await api.post("/customer/role/edit", { ...edited, roleId: id }, manager.token);
    const [newest, before] = await operations(admin, { module: "role" });
    expect(newest).toMatchObject({
      userId: manager.id,
      loginName: manager.loginName,
      groupid: agent,
      enterpriseName: "代理",
      module: "role",
      action: "role.edit",
      rowId: id,
      rowName: "乙",
      ip: "127.0.0.1",
      changes: [
        { field: "name", old: "甲", new: "乙" },
        { field: "authorities", old: ["cpeConfig", "cpeEdit"], new: ["cpeEdit"] },
      ],
    });
    expect(before).toMatchObject({ action: "role.add", rowId: id });
  });

  test("holds rows of the scope only", async () => {
    const { admin, manager, agent, below, sister, addRole } = all;
    newIdOf(await addRole(admin, { groupid: sister }));
    const seen = await operations(manager.token);
    expect(new Set(seen.map(({ groupid }) => groupid))).toEqual(new Set([agent, below]));
    const sisters = (await operations(admin)).filter(({ groupid }) => groupid === sister);
    expect(sisters.length).toBeGreaterThan(0);
  });

  test("shows users' rows to those who may list users, and to those who wrote them", async () => {
    const { manager, person, addRole, admin, agent, addUser } = all;
    expect((await operations(manager.token)).some(({ module }) => module === "user")).toBe(true);
    const seen = await operations(reader.token);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter(({ module }) => module === "user")).toEqual([]);
    expect(await operations(reader.token, { module: "user" })).toEqual([]);
    const fields = { groupid: agent, authorities: "sysUserAdd" };
    const maker = await person(agent, [newIdOf(await addRole(admin, fields))]);
    const id = newIdOf(await addUser(maker.token, { groupid: agent }));
    expect(await operations(maker.token, { module: "user" })).toMatchObject([{ rowId: id }]);
  });

  test("shows own rows only to those who see only own data, in SQL without the store as well", async () => {
    const { api, addRole, admin, agent, person } = all;
    const authorities = "sysUserList,sysUserAdd";
    const own = newIdOf(await addRole(admin, { groupid: agent, dataScope: 2, authorities }));
    const { token, id } = await person(agent, [own]);
    expect(await operations(token)).toEqual([]);
    newIdOf(await addRole(token, { groupid: agent, dataScope: 2, authorities: "" }));
    expect(await operations(token)).toMatchObject([{ userId: id, action: "role.add" }]);
    const scope = { kind: "enterprises", ids: [agent], userId: id, ownOnly: true } as const;
    const { rows } = await inScope(api.database.pools.api, scope, (trx) =>
      sql`select distinct user_id from audit union select user_id from login_record`.execute(trx),
    );
    expect(rows).toEqual([{ user_id: id }]);
  });

  test("follows its filters", async () => {
    const { admin, manager } = all;
    const mine = await operations(admin, { loginName: manager.loginName.toUpperCase() });
    expect(mine.length).toBeGreaterThan(0);
    expect(mine.every(({ loginName }) => loginName === manager.loginName)).toBe(true);
    expect(await operations(admin, { loginName: "%" })).toEqual([]);
    const everything = await operations(admin);
    const last = everything[0]?.createTime ?? "";
    const within = await operations(admin, { startTime: last, endTime: last });
    expect(within).toEqual(everything.filter(({ createTime }) => createTime === last));
    expect(within.length).toBeGreaterThan(0);
    const later = wire(new Date(Date.now() + 60_000));
    expect(await operations(admin, { startTime: later })).toEqual([]);
    expect(await operations(admin, { endTime: "2020-01-01 00:00:00" })).toEqual([]);
    expect(await ask("operaRecord", admin, { startTime: "yesterday" })).toMatchObject({
      code: 400,
    });
  });

  test("comes in pages", async () => {
    const whole = await operations(all.admin);
    const answer = await ask("operaRecord", all.admin, { page: 2, limit: 2 });
    expect(answer.count).toBe(whole.length);
    expect(answer.data).toEqual(whole.slice(2, 4));
  });

  test("is not written by anybody", async () => {
    for (const statement of ["update audit set login_name = 'x'", "delete from audit"]) {
      for (const pool of [all.api.database.pools.api, all.api.database.pools.apiAll]) {
        await expect(pool.pg.query(statement)).rejects.toThrow(/permission denied/);
      }
    }
  });
});

describe("the log-in log", () => {
  test("tells tries with their reasons, to those who may list users", async () => {
    const { api, admin, manager, person, sister } = all;
    const stranger = await person(sister, []);
    await expect(api.logIn(reader.loginName, "wrong")).rejects.toThrow();
    await expect(api.logIn("ghost", "wrong")).rejects.toThrow();
    const [newest] = await logIns(manager.token, { result: 0 });
    expect(newest).toMatchObject({
      loginName: reader.loginName,
      result: 0,
      msg: "password",
      ip: "127.0.0.1",
      enterpriseName: "代理",
    });
    const seen = (await logIns(manager.token)).map(({ loginName }) => loginName);
    expect(seen).not.toContain(stranger.loginName);
    expect(seen).not.toContain("ghost");
    expect((await logIns(admin, { loginName: "ghost" }))[0]).toMatchObject({
      msg: "unknown",
      groupid: null,
    });
    expect((await logIns(admin, { result: 1 })).every(({ result }) => result === 1)).toBe(true);
  });

  test("tells others their own tries only", async () => {
    const seen = await logIns(reader.token);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.every(({ loginName }) => loginName === reader.loginName)).toBe(true);
  });
});
