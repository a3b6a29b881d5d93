import { allResources } from "@weft/contract/all-endpoints.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { inScope } from "#db/pool.ts";
import { sweepLogIns } from "#jobs/housekeeping.ts";
import { sealAudit } from "#jobs/seal-audit.ts";
import { wireTime } from "../../../../test/measures.ts";
import { type People, type Person, people } from "../../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

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
  readonly story: readonly [zh: string, en: string];
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

describe("the seals of the operation log", () => {
  const verify = async (token: string, ids: readonly number[]) => {
    const query = { ids: ids.join(",") };
    const answer = await all.api.get("/customer/operaRecord/verify", query, token);
    expect(answer.code).toBe(0);
    return answer.data as { id: number; state: string; seal: number | null }[];
  };
  const idsOf = async (token: string) =>
    ((await operations(token, { limit: 100 })) as unknown as { id: number }[]).map(({ id }) => id);

  test("are given for rows in sight only: waiting, then sealed, then broken by force", async () => {
    const { api, admin, manager } = all;
    const ids = await idsOf(admin);
    expect((await verify(admin, ids)).every(({ state }) => state === "waiting")).toBe(true);
    while ((await sealAudit(api.database.pools)) > 0);
    const sealed = await verify(admin, ids);
    expect(sealed.map(({ id }) => id)).toEqual(ids);
    expect(sealed.every(({ state, seal }) => state === "sealed" && seal === 1)).toBe(true);
    const own = await idsOf(manager.token);
    expect(own.length).toBeLessThan(ids.length);
    expect((await verify(manager.token, ids)).map(({ id }) => id)).toEqual(own);
    await withClient(api.database.url, async (client) => {
      await client.query("set session_replication_role = replica");
      await client.query("update weft.audit set login_name = 'nobody' where id = $1", [ids[0]]);
    });
    const broken = (await verify(admin, ids)).filter(({ state }) => state === "broken");
    expect(broken.map(({ id }) => id)).toEqual([ids[0]]);
  });

  test("are not given for more than a hundred rows at once", async () => {
    const ids = Array.from({ length: 101 }, (_, index) => index + 1).join(",");
    const answer = await all.api.get("/customer/operaRecord/verify", { ids }, all.admin);
    expect(answer).toMatchObject({ code: 400, issues: [{ path: "ids", rule: "tooMany" }] });
  });
});

describe("the operation log", () => {
  test("shows who changed what, field by field, newest first", async () => {
    const { api, admin, agent, addRole, manager } = all;
    const id = newIdOf(await addRole(manager.token, { groupid: agent, name: "甲", menus: [] }));
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
      object: ["角色 乙", "role 乙"],
      story: [
        `${manager.loginName} 修改了代理的角色 乙的名称、权限`,
        expect.stringMatching(/^\S+ changed .+, .+ of role 乙 of 代理$/),
      ],
      ip: "127.0.0.1",
      changes: [
        { field: "name", old: "甲", new: "乙", oldText: ["甲", "甲"], newText: ["乙", "乙"] },
        {
          field: "authorities",
          old: ["cpeConfig", "cpeEdit"],
          new: ["cpeEdit"],
          newText: ["", ""],
        },
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
    const later = wireTime(new Date(Date.now() + 60_000));
    expect(await operations(admin, { startTime: later })).toEqual([]);
    expect(await operations(admin, { endTime: "2020-01-01 00:00:00" })).toEqual([]);
    expect(await ask("operaRecord", admin, { startTime: "yesterday" })).toMatchObject({
      code: 400,
    });
  });

  test("is narrowed to kinds of action, rows, enterprises and devices", async () => {
    const { api, admin, agent } = all;
    const ids = { groupid: agent, cpeId: 1, popId: 1 };
    const drafted = wireDraft("cpe", "valid", ids, { alias: "改名前", sn: "STORY-0001" });
    const site = newIdOf(await api.post(allResources.cpe.ops.add.path, drafted, admin));
    const lines = wireDraft("line", "valid", { ...ids, cpeId: site });
    newIdOf(await api.post(allResources.line.ops.add.path, lines, admin));
    const enable = { id: site, enable: 0, hostid: "" };
    await api.post("/customer/cpe/saveXwanUserEnable", enable, admin);
    const edited = wireDraft("cpe", "edited", ids, { alias: "改名后", sn: "STORY-0001" });
    await api.post(allResources.cpe.ops.edit.path, { ...edited, id: site }, admin);
    const entry = await operations(admin, { nodeId: site });
    const stories = entry.map(({ story: [zh] }) => zh);
    expect(stories).toHaveLength(4);
    expect(stories[0]).toMatch(/^admin (修改了代理的 CPE 改名后的|将代理的 CPE 改名后的)/);
    expect(stories.slice(1)).toEqual([
      // The call records one value; the name is what the row was called then.
      "admin 停用了代理的 CPE 改名前",
      expect.stringMatching(/^admin 新增了改名前的 WAN 链路 .+/),
      "admin 新增了代理的 CPE 改名前",
    ]);
    expect(entry[2]).toMatchObject({ nodeId: site, nodeName: "改名前", nodeKind: "cpe" });
    expect(await operations(admin, { nodeId: site, kind: "add" })).toEqual(entry.slice(2));
    expect(await operations(admin, { module: "cpe", rowId: site })).toHaveLength(3);
    const cleared = { nCpeID: site };
    await api.post("/customer/xaclrules/clear", cleared, admin);
    const [clearing] = await operations(admin, { nodeId: site, module: "xaclrules" });
    expect(clearing?.story[0]).toMatch(/^admin 清空了改名后的\D+$/);
    const groups = await operations(admin, { groupid: agent });
    expect(new Set(groups.map(({ groupid }) => groupid))).toEqual(new Set([agent]));
    expect(await ask("operaRecord", admin, { kind: "every" })).toMatchObject({ code: 400 });
  });

  test("of one device is read by an index, also within a scope", async () => {
    const { api, agent } = all;
    const scope = { kind: "enterprises", ids: [agent], userId: null, ownOnly: false } as const;
    const plan = await inScope(api.database.pools.api, scope, async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      await sql`set local enable_bitmapscan = off`.execute(trx);
      return sql<{ "QUERY PLAN": string }>`explain select * from audit l
        where l.node_id = 7 order by l.at desc limit 10`.execute(trx);
    });
    const text = plan.rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toMatch(/audit_of_node[\s\S]*Index Cond: \(node_id = /);
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

describe("the login log", () => {
  test("shows tries with their reasons, to those who may list users", async () => {
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

  test("shows others their own tries only", async () => {
    const seen = await logIns(reader.token);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.every(({ loginName }) => loginName === reader.loginName)).toBe(true);
  });

  test("keeps them for its days, and every account's last success for ever", async () => {
    const { pools } = all.api.database;
    const { loginName } = reader;
    await all.api.logIn(loginName);
    await sql`update login_record set at = at - interval '181 days'`.execute(pools.apiAll.db);
    await all.api.post("/api/v1/customer/login", { loginName, password: "mistyped" });
    await sweepLogIns(pools, 180);
    const { rows } = await sql<{ successes: number; failures: number }>`
      select count(*) filter (where success) as successes,
        count(*) filter (where not success) as failures
      from login_record where login_name = ${loginName}`.execute(pools.apiAll.db);
    expect(rows).toEqual([{ successes: 1, failures: 1 }]);
    await sweepLogIns(pools, 182);
    expect(await logIns(all.admin, { loginName })).toHaveLength(2);
  });
});

describe("what is recorded", () => {
  test("of enterprises, spaces and bulk removals uses the names of the contract", async () => {
    const { api, admin, agent } = all;
    const ids = { groupid: agent, cpeId: 1, popId: 1 };
    const add = async (name: "enterprise" | "netSpace", fields: object) =>
      newIdOf(
        await api.post(`/customer/${name}/add`, wireDraft(name, "valid", ids, fields), admin),
      );
    const space = await add("netSpace", { name: "记录", popIds: "", cpeIds: "" });
    const edited = wireDraft("netSpace", "edited", ids, { name: "记录二", popIds: "", cpeIds: "" });
    await api.post("/customer/netSpace/edit", { ...edited, id: space }, admin);
    const one = await add("enterprise", { name: "记录企业一" });
    const two = await add("enterprise", { name: "记录企业二" });
    const draft = wireDraft("enterprise", "valid", ids, {
      name: "记录企业",
      provice: "江苏省",
      regions: "江苏省,杭州市,西湖区",
    });
    await api.post("/customer/enterprise/edit", { ...draft, groupid: one }, admin);
    const removed: string[] = [];
    const stop = api.database.pools.onQuery(({ kind, sql: text }) => {
      if (kind === "query" && text.startsWith('insert into "audit"')) removed.push(text);
    });
    await api.post("/customer/enterprise/remove", { ids: `${one},${two}` }, admin);
    stop();
    expect(removed).toHaveLength(1);
    const changes = async (module: string, rowId: number) =>
      (await operations(admin, { module }))
        .filter((row) => row.rowId === rowId)
        .map((row) => (row as unknown as { changes: { field: string }[] }).changes)
        .map((some) => some.map(({ field }) => field).sort());
    const draftFields = ["city", "contact", "email", "enterpriseType", "isAgent", "name"];
    const [gone, changed] = await changes("enterprise", one);
    expect(gone).toEqual(
      [
        ...draftFields,
        "businessType",
        "creditLimit",
        "enable",
        "isPush",
        "parentId",
        "passwordPolicy",
        "phone",
        "provice",
        "region",
        "regions",
      ].sort(),
    );
    expect(changed).toEqual(["name", "provice", "regions"]);
    const [spaceChanged, spaceAdded] = await changes("netSpace", space);
    expect(spaceChanged).toEqual(["name", "topology"]);
    expect(spaceAdded).toEqual(["groupid", "name", "topology"]);
  });
});
