/**
 * What a process remembers of sessions and keys (domains/access/session/memory.ts): a call from memory reads nothing of its
 * caller, and no call after a change is answered by what was before it, whichever process made the change.
 */
import { PassThrough } from "node:stream";
import { alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import { errorNumbers } from "@weft/contract/errors.ts";
import { downloadPath } from "@weft/contract/kernel/sheet.ts";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inScope, openPools, type Pools, type RolePool } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { createBatchRunner } from "#jobs/run-batches.ts";
import { createApp } from "#start/app.ts";
import { adminPassword } from "./api.ts";
import { type People, type Person, people } from "./people.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let all: People;
/** A second process of the controller: with connections and a memory of its own. */
let pools: Pools<Database>;
let other: FastifyInstance;

beforeAll(async () => {
  all = await people();
  pools = await openPools<Database>(all.api.database.url);
  other = await createApp({ pools, logger: pino({ level: "silent" }) });
}, 180_000);
afterAll(async () => {
  await other.close();
  await pools.end();
  await all.api.close();
});

const whole = (statement: ReturnType<typeof sql>) =>
  inScope(all.api.database.pools.apiAll, { kind: "all" }, (trx) => statement.execute(trx));

interface Outcome {
  readonly code: number;
  readonly data: unknown;
  /** Statements that read who calls. */
  readonly reads: number;
}

/** A call of the second process. */
async function call(token: string, path: string, query: object = {}): Promise<Outcome> {
  let reads = 0;
  const stop = pools.onQuery(({ pool, kind }) => {
    if (pool === "auth" && kind === "query") reads += 1;
  });
  const reply = await other.inject({
    method: "GET",
    url: path,
    query: query as Record<string, string>,
    headers: { authorization: token },
  });
  stop();
  const { code, data } = reply.json<{ code: number; data: unknown }>();
  return { code, data, reads };
}

const users = "/customer/user/list";
/** Its answer is made without any statement. */
const types = "/customer/cpeType/list";
const session = "/customer/session";

const rolesOf = async (id: number): Promise<number[]> => {
  const rows = await all.api.database.pools.apiAll.db
    .selectFrom("user_role")
    .select("role_id")
    .where("user_id", "=", id)
    .execute();
  return rows.map((row) => row.role_id);
};

/** An agent's manager with a role of its own, whom the second process remembers. */
async function known(): Promise<Person & { readonly role: number }> {
  const draft = { groupid: all.agent, roleType: 1, dataScope: 3, authorities: "sysUserList" };
  const role = newIdOf(await all.addRole(all.admin, draft));
  const person = await all.person(all.agent, [role]);
  expect(await call(person.token, users)).toMatchObject({ code: 0, reads: 1 });
  expect(await call(person.token, users)).toMatchObject({ code: 0, reads: 0 });
  return { ...person, role };
}

const post = (path: string, fields: object, token = all.admin) =>
  all.api.post(`/customer/${path}`, fields, token);
const changeUser = async (id: number, fields: object) => {
  const row = await all.rowOf(id);
  const ids = { groupid: all.agent, cpeId: 0, popId: 0 };
  const draft = { ...wireDraft("user", "valid", ids), ...row, rowVersion: "", ...fields };
  return post("user/edit", { ...draft, userId: id, oldPsw: adminPassword });
};
const succeeds = async (answer: Promise<{ code: number; msg: string }>) =>
  expect(await answer).toMatchObject({ code: 0 });

const { tokenInvalid, forbidden } = errorNumbers;

type Change = (person: Person & { readonly role: number }) => Promise<unknown>;

/** What a manager may no longer do, by the change after which it may not. */
const ends: Readonly<Record<string, readonly [code: number, change: Change]>> = {
  "logs out": [
    tokenInvalid,
    ({ token }) => succeeds(all.api.post("/customer/user/logout", {}, token)),
  ],
  "gets another password": [
    tokenInvalid,
    ({ id }) =>
      succeeds(post("user/resetPwd", { userId: id, newPsw: "n3w-words", oldPsw: adminPassword })),
  ],
  "changes the password in another session": [
    tokenInvalid,
    async ({ id, loginName }) => {
      const second = await all.api.logIn(loginName);
      const words = { oldPsw: adminPassword, newPsw: "0ther-words", rePsw: "0ther-words" };
      await succeeds(all.api.post("/customer/user/editpassword", { userId: id, ...words }, second));
    },
  ],
  "is disabled": [
    tokenInvalid,
    ({ id }) => succeeds(post("user/editEnable", { userId: id, enable: 0 })),
  ],
  "is removed": [tokenInvalid, ({ id }) => succeeds(post("user/remove", { ids: id }))],
  "is of an enterprise that is disabled": [
    tokenInvalid,
    () => whole(sql`update enterprise set enabled = false where id = ${all.agent}`),
  ],
  "has a session that ends by time": [
    tokenInvalid,
    () => whole(sql`update session set expires_at = now()`),
  ],
  "has a role that loses the permission": [
    forbidden,
    ({ role }) => whole(sql`delete from role_permission where role_id = ${role}`),
  ],
  "loses the role": [forbidden, ({ id }) => changeUser(id, { roleIds: "" })],
  "moves to another enterprise": [
    tokenInvalid,
    ({ id }) => changeUser(id, { groupid: all.below, roleIds: "" }),
  ],
};

describe.each(Object.entries(ends))("a user who %s", (_, [code, change]) => {
  test("is refused by the next call of another process, and by one without a statement", async () => {
    const person = await known();
    await change(person);
    expect((await call(person.token, users)).code).toBe(code);
    if (code === tokenInvalid) expect((await call(person.token, types)).code).toBe(code);
    await whole(sql`update enterprise set enabled = true`);
    await whole(sql`update session set expires_at = now() + interval '1 hour'`);
    await all.api.database.pools.apiAll.db.deleteFrom("login_record").execute();
    all = { ...all, admin: await all.api.logIn("admin") };
  });
});

test("what a role gives newly is there at the next call of another process", async () => {
  const { token, role } = await known();
  const more = "/customer/alarmWindow/list";
  expect((await call(token, more)).code).toBe(forbidden);
  await whole(sql`insert into role_permission (role_id, enterprise_id, permission)
    values (${role}, ${all.agent}, 'alarmStrategyView')`);
  expect((await call(token, more)).code).toBe(0);
});

test("another data scope, and an enterprise that is added below, are those of the next call", async () => {
  const { token, role } = await known();
  const names = async () => {
    const { data } = await call(token, users, { limit: "1000" });
    return (data as { groupid: number }[]).map(({ groupid }) => groupid);
  };
  expect(await names()).not.toContain(all.sister);
  const draft = wireDraft(
    "enterprise",
    "valid",
    { groupid: 1, cpeId: 0, popId: 0 },
    { name: "new", parentId: all.agent },
  );
  const added = newIdOf(await post("enterprise/add", draft));
  await all.person(added, []);
  expect(await names()).toContain(added);
  await whole(sql`update role set data_scope = 1 where id = ${role}`);
  expect(new Set(await names())).toEqual(new Set([all.agent]));
});

test("MFA that a role demands from now on is demanded of the next call", async () => {
  const { token, role } = await known();
  await whole(sql`update role set demands_factor = true where id = ${role}`);
  expect((await call(token, users)).code).not.toBe(0);
  const { data } = await call(token, session);
  expect(data).toMatchObject({ mustAddFactor: 1 });
});

let keys = 0;
describe("an API key", () => {
  const addKey = async () => {
    const ids = { groupid: all.agent, cpeId: 0, popId: 0, roleId: all.managing };
    const draft = wireDraft("apiKey", "valid", ids, { name: `remembered${++keys}` });
    const answer = await post("apiKey/add", { ...draft, oldPsw: adminPassword });
    const { id, key } = answer.data as { id: number; key: string };
    expect((await call(key, users)).code).toBe(0);
    expect(await call(key, users)).toMatchObject({ code: 0, reads: 0 });
    return { id, key };
  };

  test("that is revoked is refused by the next call of another process", async () => {
    const { id, key } = await addKey();
    await succeeds(post("apiKey/remove", { ids: id }));
    expect((await call(key, users)).code).toBe(tokenInvalid);
  });

  test("that ends by time, or whose maker is disabled, is refused by the next call", async () => {
    const { id, key } = await addKey();
    await whole(sql`update api_key set expires_at = now() where id = ${id}`);
    expect((await call(key, users)).code).toBe(tokenInvalid);
    const of = await known();
    await whole(sql`update api_key set expires_at = now() + interval '1 day', created_by = ${of.id}
      where id = ${id}`);
    expect((await call(key, users)).code).toBe(0);
    await whole(sql`update sys_user set enabled = false where id = ${of.id}`);
    expect((await call(key, users)).code).toBe(tokenInvalid);
  });

  test("is noted as used once a minute", async () => {
    const { id, key } = await addKey();
    await whole(
      sql`update api_key set last_used_at = now() - interval '2 minutes' where id = ${id}`,
    );
    expect((await call(key, users)).reads).toBeGreaterThan(0);
    const row = await all.api.database.pools.apiAll.db
      .selectFrom("api_key")
      .select(sql<boolean>`last_used_at > now() - interval '1 minute'`.as("noted"))
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(row.noted).toBe(true);
  });
});

test("a call while a change is not committed is one of before it, and none after it is", async () => {
  const { token, id } = await known();
  const roles = await rolesOf(id);
  const [released, release] = (() => {
    let end = (): void => undefined;
    const wait = new Promise<void>((resolve) => {
      end = resolve;
    });
    return [wait, () => end()] as const;
  })();
  const [written, wrote] = (() => {
    let end = (): void => undefined;
    const wait = new Promise<void>((resolve) => {
      end = resolve;
    });
    return [wait, () => end()] as const;
  })();
  const change = inScope(all.api.database.pools.apiAll, { kind: "all" }, async (trx) => {
    await sql`delete from user_role where user_id = ${id}`.execute(trx);
    await sql`set constraints all immediate`.execute(trx);
    wrote();
    await released;
  });
  await written;
  // Read anew meanwhile: what is remembered of it must not outlive the change.
  const fresh = await all.api.logIn((await all.rowOf(id))?.loginName as string);
  expect((await call(token, users)).code).toBe(0);
  expect((await call(fresh, users)).code).toBe(0);
  release();
  await change;
  expect((await call(token, users)).code).toBe(forbidden);
  expect((await call(fresh, users)).code).toBe(forbidden);
  expect(roles).toHaveLength(1);
});

test("a session is read again when its token has to be replaced, and the new token is remembered", async () => {
  const { token } = await known();
  await whole(sql`update session set rotate_after = now()`);
  const reply = await other.inject({
    method: "GET",
    url: users,
    headers: { authorization: token },
  });
  const next = String(reply.headers.authorization);
  expect(next).toMatch(/^[\w-]{43}$/);
  // The first use of the new one ends the old one.
  expect((await call(next, users)).reads).toBeGreaterThan(0);
  await call(next, users);
  expect(await call(next, users)).toMatchObject({ code: 0, reads: 0 });
});

test("a refused call of a remembered session writes nothing", async () => {
  const { token, role } = await known();
  await whole(sql`insert into role_permission (role_id, enterprise_id, permission)
    values (${role}, ${all.agent}, 'sysUserAdd')`);
  await call(token, users);
  expect(await call(token, users)).toMatchObject({ reads: 0 });
  await whole(sql`delete from role_permission where role_id = ${role}`);
  const ids = { groupid: all.agent, cpeId: 0, popId: 0 };
  const draft = wireDraft("user", "valid", ids, { loginName: "never@demo", roleIds: "" });
  const query = new URLSearchParams({ ...draft, oldPsw: adminPassword } as Record<string, string>);
  const reply = await other.inject({
    method: "POST",
    url: "/customer/user/add",
    headers: { authorization: token, "content-type": "application/x-www-form-urlencoded" },
    payload: query.toString(),
  });
  expect(reply.json()).toMatchObject({ code: forbidden });
  const found = await all.api.database.pools.apiAll.db
    .selectFrom("sys_user")
    .select("id")
    .where("login_name", "=", "never@demo")
    .execute();
  expect(found).toEqual([]);
});

describe("a call whose body arrives slowly, of a caller whom the process has not seen before", () => {
  const boundary = "----slow";
  const part = ([name, value]: readonly [string, unknown]): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const strategyAdd = (name: string) => ({
    path: alarmStrategy.ops.add.path,
    fields: {
      name,
      groupid: all.agent,
      enable: 1,
      cpeIds: "",
      popIds: "",
      recipientIds: "",
      remark: "",
    },
  });
  const strategies = async (name: string) =>
    (await whole(sql`select from alarm_strategy where name = ${name}`)).rows.length;

  /** Sends one whose end comes once something happened after its caller was read. */
  async function slowly(
    token: string,
    { path, fields }: { readonly path: string; readonly fields: object },
    change: () => Promise<unknown>,
  ) {
    const [first = ["", ""], ...others] = Object.entries(fields);
    const body = new PassThrough();
    const { promise: read, resolve } = Promise.withResolvers<void>();
    const stop = pools.onQuery(({ pool, kind }) => {
      if (pool === "auth" && kind === "query") resolve();
    });
    body.write(part(first));
    const reply = other.inject({
      method: "POST",
      url: path,
      headers: {
        authorization: token,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
      payload: body,
    });
    await read;
    stop();
    await change();
    for (const one of others) body.write(part(one));
    body.end(`--${boundary}--\r\n`);
    return (await reply).json<{ code: number; msg: string }>();
  }
  /** A manager with a role of its own, whom no process remembers. */
  const stranger = async () => {
    const draft = {
      groupid: all.agent,
      roleType: 1,
      dataScope: 3,
      authorities: "alarmStrategyView,strategyAdd",
    };
    const role = newIdOf(await all.addRole(all.admin, draft));
    return { ...(await all.person(all.agent, [role])), role };
  };

  test("is done with what its caller may do by then", async () => {
    const { token, role } = await stranger();
    const renamed = () => whole(sql`update role set code = code || '.' where id = ${role}`);
    expect(await slowly(token, strategyAdd("slow-done"), renamed)).toMatchObject({ code: 0 });
    expect(await strategies("slow-done")).toBe(1);
  });

  test.each(Object.entries(ends))("is refused once the user %s", async (what, [code, change]) => {
    const person = await stranger();
    const name = `slow-${Object.keys(ends).indexOf(what)}`;
    const answer = await slowly(person.token, strategyAdd(name), () => change(person));
    expect(answer).toMatchObject({ code });
    expect(await strategies(name)).toBe(0);
    await whole(sql`update enterprise set enabled = true`);
    await whole(sql`update session set expires_at = now() + interval '1 hour'`);
    await all.api.database.pools.apiAll.db.deleteFrom("login_record").execute();
    all = { ...all, admin: await all.api.logIn("admin") };
  });

  test("is refused once its API key is revoked", async () => {
    const { role } = await stranger();
    const ids = { groupid: all.agent, cpeId: 0, popId: 0, roleId: role };
    const draft = wireDraft("apiKey", "valid", ids, { name: "slow" });
    const { data } = await post("apiKey/add", { ...draft, oldPsw: adminPassword });
    const { id, key } = data as { id: number; key: string };
    const revoke = () => succeeds(post("apiKey/remove", { ids: id }));
    expect(await slowly(key, strategyAdd("slow-key"), revoke)).toMatchObject({
      code: tokenInvalid,
    });
    expect(await strategies("slow-key")).toBe(0);
  });

  /** Someone who may give out links for templates, with one of them. */
  const visited = async () => {
    const draft = {
      groupid: all.agent,
      roleType: 1,
      dataScope: 3,
      authorities: "routerTemplateList,routerTemplateAdd",
    };
    const role = newIdOf(await all.addRole(all.admin, draft));
    const person = { ...(await all.person(all.agent, [role])), role };
    const { data } = await post("routerTemplate/visit", {}, person.token);
    return { person, link: (data as { token: string }).token };
  };
  const templateAdd = (name: string) => {
    const ids = { groupid: all.agent, cpeId: 0, popId: 0 };
    const fields = wireDraft("routerTemplate", "valid", ids, { templateName: name });
    return { path: "/customer/routerTemplate/add", fields };
  };
  const templates = async (name: string) =>
    (await whole(sql`select from router_template where name = ${name}`)).rows.length;
  const revocations: Readonly<Record<string, readonly [code: number, change: Change]>> = {
    "is revoked": [
      tokenInvalid,
      ({ token }) => succeeds(post("routerTemplate/endVisits", {}, token)),
    ],
    "outlives the login that gave it out": [
      tokenInvalid,
      ({ token }) => succeeds(all.api.post("/customer/user/logout", {}, token)),
    ],
    "ends by time": [
      tokenInvalid,
      ({ id }) =>
        whole(sql`update session set expires_at = now()
          where user_id = ${id} and issuer is not null`),
    ],
    "is of someone who loses the role": [forbidden, ({ id }) => changeUser(id, { roleIds: "" })],
  };

  test("is done by a link for templates that is open until then", async () => {
    const { link } = await visited();
    const other = () => whole(sql`update role set code = code || '.' where id = ${all.managing}`);
    expect(await slowly(link, templateAdd("slow-visit"), other)).toMatchObject({ code: 0 });
    expect(await templates("slow-visit")).toBe(1);
  });

  test.each(Object.entries(revocations))(
    "is refused when the link for templates that makes it %s",
    async (what, [code, change]) => {
      const { person, link } = await visited();
      const name = `slow-visit-${Object.keys(revocations).indexOf(what)}`;
      const answer = await slowly(link, templateAdd(name), () => change(person));
      expect(answer).toMatchObject({ code });
      expect(await templates(name)).toBe(0);
    },
  );
});

/** A pool whose next connection comes only once something happened, as when others hold all of them. */
function afterOnce<DB>(pool: RolePool<DB>, happens: () => Promise<unknown>): RolePool<DB> {
  let waits: (() => Promise<unknown>) | null = happens;
  const connect = async () => {
    const first = waits;
    waits = null;
    await first?.();
    return pool.pg.connect();
  };
  const late = new Proxy(pool.pg, {
    get(target, name) {
      if (name === "connect") return connect;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return Object.create(pool, { pg: { value: late } }) as RolePool<DB>;
}

describe("what is done after the call that asked for it, when a connection is long in coming", () => {
  const batchUser = async () => {
    const draft = { groupid: all.agent, roleType: 1, dataScope: 1, authorities: "cpeBatch" };
    const role = newIdOf(await all.addRole(all.admin, draft));
    return { ...(await all.person(all.agent, [role])), role };
  };

  test("a turn of a bulk job is that of a person who may do nothing any more: no row is done", async () => {
    await whole(sql`insert into node (enterprise_id, kind, name, sn, created_by)
      select ${all.agent}, 'cpe', 'late-' || i, 'late-' || i, 1 from generate_series(1, 150) i`);
    const { token, role } = await batchUser();
    const input = { all: 1, alias: "late-", setEnable: 0 };
    const id = newIdOf(await post("cpe/batchEnable", input, token));
    const loses = () => whole(sql`delete from role_permission where role_id = ${role}`);
    const late = Object.create(pools, { api: { value: afterOnce(pools.api, loses) } });
    await createBatchRunner(late as Pools<Database>, pino({ level: "silent" })).run();
    const { rows } = await whole(sql`select done, failed from batch where id = ${id}`);
    expect(rows).toEqual([{ done: 0, failed: 100 }]);
    const done = await whole(sql`select from node where name like 'late-%' and not enabled`);
    expect(done.rows).toEqual([]);
  });

  const downloads: Readonly<Record<string, Change>> = {
    "logs out": ({ token }) => succeeds(all.api.post("/customer/user/logout", {}, token)),
    "loses the role": ({ id }) => changeUser(id, { roleIds: "" }),
  };
  test.each(Object.entries(downloads))("a user who %s gets no file", async (_, change) => {
    const person = await known();
    const query = { resource: "user", query: "{}", format: "csv" };
    const asked = await call(person.token, "/customer/sheet/export", query);
    expect(asked.code).toBe(0);
    const late = Object.create(pools, {
      api: { value: afterOnce(pools.api, () => change(person)) },
    });
    const third = await createApp({ pools: late, logger: pino({ level: "silent" }) });
    const { ticket } = asked.data as { ticket: string };
    const reply = await third.inject({ method: "GET", url: downloadPath, query: { ticket } });
    await third.close();
    expect(reply.statusCode).toBe(403);
    expect(reply.body).not.toContain(person.loginName);
  });
});

/** Tables that the checks themselves look at, for what ends by time (weft.require_session, weft.require_key). */
const looked = ["session", "api_key"];

test("every table that access is read from increases its version", async () => {
  const { token } = await known();
  const ids = { groupid: all.agent, cpeId: 0, popId: 0, roleId: all.managing };
  const added = await post("apiKey/add", {
    ...wireDraft("apiKey", "valid", ids, { name: "tables" }),
    oldPsw: adminPassword,
  });
  const texts = new Set<string>();
  const stop = pools.onQuery(({ pool, kind, sql: text }) => {
    if (pool === "auth" && kind === "query" && text.includes("from")) texts.add(text);
  });
  await whole(sql`update role set name = name || '.' where id = ${all.managing}`);
  await whole(sql`update role set code = code || '.' where id = ${all.managing}`);
  await call(token, users);
  await call((added.data as { key: string }).key, users);
  stop();
  const reading = [...texts].filter((text) => text.includes("access_version"));
  expect(reading).toHaveLength(2);
  const text = [...texts].join(" ");
  const { rows } = await sql<{ name: string; guarded: boolean }>`
    with named as (
      select c.oid, c.relname from pg_class c
      where c.relnamespace = 'weft'::regnamespace and c.relkind = 'r'
        and ${text} ~ ('\\m(from|join) ' || c.relname || '\\M')
      union
      select c.oid, c.relname from pg_proc f
      join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = f.oid
      join pg_class c on c.oid = d.refobjid and d.refclassid = 'pg_class'::regclass
      where f.pronamespace = 'weft'::regnamespace and ${text} like '%weft.' || f.proname || '(%'
    )
    select n.relname as name, exists (select from pg_trigger t
      join pg_proc p on p.oid = t.tgfoid and p.proname = 'note_access_change'
      where t.tgrelid = n.oid and t.tgdeferrable and t.tginitdeferred) as guarded
    from named n where n.relname <> 'access_version'`.execute(all.api.database.pools.owner.db);
  expect(rows.length).toBeGreaterThan(8);
  const open = rows.filter(({ name, guarded }) => !guarded && !looked.includes(name));
  expect(open.map(({ name }) => name)).toEqual([]);
});
