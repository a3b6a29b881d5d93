import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureDatabase, withClient } from "./embedded/login.ts";
import { type EmbeddedServer, openEmbedded } from "./embedded/open.ts";
import { migrate } from "./migrate.ts";
import { openPools } from "./pool.ts";
import {
  type RoleLogins,
  readLogins,
  roleKeys,
  roleName,
  rolePassword,
  roles,
  roleUrl,
  roleUrlOf,
} from "./role-logins.ts";
import { bootstrapRoles } from "./roles.ts";

// Roles belong to the whole server, and these tests spoil them: they have a server of their own.
let folder: string;
let server: EmbeddedServer;
let logins: RoleLogins;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-roles-"));
  const logger = { info: () => undefined, warn: () => undefined };
  server = await openEmbedded({ dataDir: folder, logger });
}, 60_000);

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const admin = (sql: string): Promise<pg.QueryResult> =>
  withClient(server.url, (client) => client.query(sql));

const whoami = (url: string): Promise<unknown> =>
  withClient(url, async (client) => (await client.query("select current_user as me")).rows[0]?.me);

const inDatabase = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href;

const loginAs = (username: string, password: string, database = "weft"): string =>
  Object.assign(new URL(inDatabase(server.url, database)), { username, password }).href;

const namesOf = (of: RoleLogins): string[] => roleKeys.map((key) => roleName(of, key)).sort();

test("are made once, by starts at once as well, and can log in", { timeout: 30_000 }, async () => {
  const made = await Promise.all([1, 2, 3].map(() => bootstrapRoles(server.url)));
  logins = await readLogins(server.url);
  expect(made.flat().sort()).toEqual(namesOf(logins));
  expect(await bootstrapRoles(server.url)).toEqual([]);
  for (const key of roleKeys) {
    expect(await whoami(await roleUrl(server.url, key))).toBe(`${roles[key]}_${logins.suffix}`);
  }
});

test("have no privilege that bypasses row-level security", async () => {
  const { rows } = await admin(
    `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as beyond
       from pg_roles where rolname like 'weft%'`,
  );
  expect(rows).toEqual(roleKeys.map(() => ({ beyond: false })));
});

test("cannot become one another, undo row-level security, or read how others log in", async () => {
  const all = namesOf(logins);
  const owner = roleName(logins, "owner");
  await admin(`drop schema if exists weft cascade; create schema weft authorization ${owner}`);
  await withClient(await roleUrl(server.url, "owner"), (client) =>
    client.query(`create table weft.t (n int); insert into weft.t values (1);
      alter table weft.t enable row level security; alter table weft.t force row level security;
      grant usage on schema weft to ${all.join(", ")}; grant all on weft.t to ${all.join(", ")};`),
  );
  for (const key of roleKeys) {
    await withClient(roleUrlOf(server.url, logins, key), async (client) => {
      // FORCE binds the owner as well
      expect((await client.query("select from weft.t")).rowCount).toBe(0);
      await expect(client.query("insert into weft.t values (2)")).rejects.toThrow(
        /row-level security/,
      );
      // with row_security off a query that policies would filter is refused, not answered
      await client.query("set row_security = off");
      await expect(client.query("select from weft.t")).rejects.toMatchObject({ code: "42501" });
      for (const other of [...all, "postgres"].filter((name) => name !== roleName(logins, key))) {
        await expect(client.query(`set role ${other}`)).rejects.toMatchObject({ code: "42501" });
      }
      await expect(client.query(`alter role ${roleName(logins, key)} bypassrls`)).rejects.toThrow();
      await expect(client.query("select secret from weft_login.role_login")).rejects.toThrow(
        /permission denied/,
      );
      if (key === "owner") return;
      await expect(client.query("alter table weft.t no force row level security")).rejects.toThrow(
        /must be owner/,
      );
      await expect(client.query("create policy p on weft.t using (true)")).rejects.toThrow();
      await expect(client.query("create table weft.mine (n int)")).rejects.toThrow();
      await expect(client.query("create table public.mine (n int)")).rejects.toThrow();
    });
  }
});

test("a second installation on the server leaves the first one's alone", async () => {
  await admin("create role first login createrole password 'one'");
  await admin("create role second login createrole password 'two'");
  await admin("create database first owner first");
  await admin("create database second owner second");
  const first = loginAs("first", "one", "first");
  const second = loginAs("second", "two", "second");
  await bootstrapRoles(first);
  await migrate(first);
  const pools = await openPools(first);
  try {
    await bootstrapRoles(second);
    await migrate(second);
    for (const key of roleKeys) {
      // A connection of its own: those that were open stay valid in any case.
      expect(await whoami(await roleUrl(first, key))).toBe(pools[key].name);
      expect(await whoami(await roleUrl(second, key))).not.toBe(pools[key].name);
    }
    expect(await bootstrapRoles(first)).toEqual([]);
    // and neither reads the other's rows
    const stranger = inDatabase(await roleUrl(first, "apiAll"), "second");
    await expect(
      withClient(stranger, (client) => client.query("select from weft.enterprise")),
    ).rejects.toThrow(/permission denied/);
  } finally {
    await pools.end();
  }
});

test("a new password in the URL, or a new owner, locks no running process out", async () => {
  await admin("create role operator login createrole password 'old'");
  await admin("create database handover owner operator");
  const old = loginAs("operator", "old", "handover");
  await bootstrapRoles(old);
  const before = await roleUrl(old, "api");
  await admin("alter role operator password 'new'");
  const fresh = loginAs("operator", "new", "handover");
  expect(await bootstrapRoles(fresh)).toEqual([]);
  expect(await roleUrl(fresh, "api")).toBe(before.replace("old", "new"));
  await admin("create role heir login createrole password 'pw'");
  await admin("alter database handover owner to heir");
  const heir = loginAs("heir", "pw", "handover");
  expect(await bootstrapRoles(heir)).toEqual([]);
  expect(await whoami(before)).toBe(await whoami(await roleUrl(heir, "api")));
});

test("a role with another password is altered only while it is unused", async () => {
  const role = roleName(logins, "api");
  const url = await roleUrl(server.url, "api");
  await admin(`alter role ${role} password 'stranger'`);
  const user = new pg.Client(loginAs(role, "stranger"));
  await user.connect();
  await expect(bootstrapRoles(server.url)).rejects.toThrow(
    new RegExp(`${role} has another password.*database weft.*another installation`),
  );
  expect((await user.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
  await user.end();
  await expect.poll(() => bootstrapRoles(server.url).catch(() => "used")).toEqual([role]);
  expect(await whoami(url)).toBe(role);
});

test("passwords differ by role and secret; a URL is needed and never repeated", async () => {
  const given = { suffix: "x", secret: "s" };
  const text = roleKeys.map((key) => rolePassword(given, key));
  expect(new Set([...text, rolePassword({ suffix: "x", secret: "t" }, "api")]).size).toBe(6);
  expect(
    new URL(roleUrlOf("postgres://u:p%40%2F@h:7/db?sslmode=require", given, "api")),
  ).toMatchObject({
    username: "weft_api_x",
    host: "h:7",
    pathname: "/db",
    search: "?sslmode=require",
  });
  await expect(bootstrapRoles("mysql://u:very-secret@h/db")).rejects.toThrow(/must have the form/);
  await expect(bootstrapRoles("very-secret")).rejects.not.toThrow(/very-secret/);
  await ensureDatabase(server.url, "bare");
  await expect(openPools(inDatabase(server.url, "bare"))).rejects.toThrow(/no logins/);
});

test("a role that was given more is refused", async () => {
  const name = (key: (typeof roleKeys)[number]) => roleName(logins, key);
  for (const [give, take, expected] of [
    [`alter role ${name("api")} bypassrls`, `alter role ${name("api")} nobypassrls`, "BYPASSRLS"],
    [
      `alter role ${name("worker")} superuser`,
      `alter role ${name("worker")} nosuperuser`,
      "SUPERUSER",
    ],
    [
      `grant ${name("owner")} to ${name("api")}`,
      `revoke ${name("owner")} from ${name("api")}`,
      "weft_owner",
    ],
    [`grant postgres to ${name("gateway")}`, `revoke postgres from ${name("gateway")}`, "postgres"],
  ] as const) {
    await admin(give);
    await expect(bootstrapRoles(server.url)).rejects.toThrow(new RegExp(`has .*${expected}`));
    await admin(take);
  }
  expect(await bootstrapRoles(server.url)).toEqual([]);
});

test("an external login that owns its database and may make roles is enough", async () => {
  await admin("create role landlord login createrole password 'pw'");
  await ensureDatabase(server.url, "rented");
  const url = loginAs("landlord", "pw", "rented");
  await expect(bootstrapRoles(url)).rejects.toThrow(/must own its database/);
  await admin("alter database rented owner to landlord");
  await bootstrapRoles(url);
  expect(await bootstrapRoles(url)).toEqual([]);
  expect((await migrate(url))[0]).toBe("2026-12-04-00-01-ground.sql");
  expect(await whoami(await roleUrl(url, "worker"))).toMatch(/^weft_worker_/);
});

test("a login that may not make roles gets that reason", async () => {
  await admin("create role tenant login password 'pw'");
  await admin("create database let owner tenant");
  await expect(bootstrapRoles(loginAs("tenant", "pw", "let"))).rejects.toThrow(
    /give it CREATEROLE/,
  );
});
