import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureDatabase, withClient } from "./embedded/login.ts";
import { type EmbeddedServer, openEmbedded } from "./embedded/open.ts";
import { migrate } from "./migrate.ts";
import { bootstrapRoles, ROLES, type RoleKey, rolePassword, roleUrl } from "./roles.ts";

// Roles belong to the whole server, and these tests spoil them: they have a server of their own.
let folder: string;
let server: EmbeddedServer;
const ALL = Object.values(ROLES).sort();

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

test("are made once, by starts at once as well, and can log in", { timeout: 30_000 }, async () => {
  const made = await Promise.all([1, 2, 3].map(() => bootstrapRoles(server.url)));
  expect([...new Set(made.flat())].sort()).toEqual(ALL);
  expect(await bootstrapRoles(server.url)).toEqual([]);
  for (const key of Object.keys(ROLES) as RoleKey[]) {
    expect(await whoami(roleUrl(server.url, key))).toBe(ROLES[key]);
  }
});

test("have no right that goes beyond row-level security", async () => {
  const { rows } = await admin(
    `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as beyond
       from pg_roles where rolname like 'weft%'`,
  );
  expect(rows).toEqual(ALL.map(() => ({ beyond: false })));
});

test("cannot become one another, nor undo row-level security", async () => {
  await admin("drop schema if exists weft cascade; create schema weft authorization weft_owner");
  await withClient(roleUrl(server.url, "owner"), (client) =>
    client.query(`create table weft.t (n int); insert into weft.t values (1);
      alter table weft.t enable row level security; alter table weft.t force row level security;
      grant usage on schema weft to ${ALL.join(", ")}; grant all on weft.t to ${ALL.join(", ")};`),
  );
  for (const key of Object.keys(ROLES) as RoleKey[]) {
    await withClient(roleUrl(server.url, key), async (client) => {
      // FORCE binds the owner as well
      expect((await client.query("select from weft.t")).rowCount).toBe(0);
      await expect(client.query("insert into weft.t values (2)")).rejects.toThrow(
        /row-level security/,
      );
      // with row_security off a query that policies would filter is refused, not answered
      await client.query("set row_security = off");
      await expect(client.query("select from weft.t")).rejects.toMatchObject({ code: "42501" });
      for (const other of [...ALL, "postgres"].filter((name) => name !== ROLES[key])) {
        await expect(client.query(`set role ${other}`)).rejects.toMatchObject({ code: "42501" });
      }
      await expect(client.query(`alter role ${ROLES[key]} bypassrls`)).rejects.toThrow();
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

test("a new password in the URL becomes new passwords of the roles", async () => {
  await admin("create role operator login superuser password 'first'");
  const url = Object.assign(new URL(server.url), { username: "operator", password: "first" }).href;
  expect((await bootstrapRoles(url)).toSorted()).toEqual(ALL);
  expect(await whoami(roleUrl(url, "api"))).toBe("weft_api");
  await expect(whoami(roleUrl(server.url, "api"))).rejects.toMatchObject({ code: "28P01" });
  expect((await bootstrapRoles(server.url)).toSorted()).toEqual(ALL);
});

test("passwords differ by role and URL, and need one in the URL", () => {
  const of = (url: string, key: RoleKey) => rolePassword(url, key);
  const url = "postgres://u:secret@h/db";
  expect(of(url, "api")).toBe(of("postgresql://other:secret@elsewhere:1/x", "api"));
  expect(new Set([of(url, "api"), of(url, "owner"), of("postgres://u:s@h/db", "api")]).size).toBe(
    3,
  );
  expect(new URL(roleUrl("postgres://u:p%40%2F@h:7/db?sslmode=require", "api"))).toMatchObject({
    username: "weft_api",
    host: "h:7",
    pathname: "/db",
    search: "?sslmode=require",
  });
  expect(() => of("postgres://u@h/db", "api")).toThrow(/must carry a password/);
  expect(() => of("mysql://u:very-secret@h/db", "api")).toThrow(/must have the form/);
  expect(() => of("very-secret", "api")).not.toThrow(/very-secret/);
});

test("a role that was given more is refused", async () => {
  await bootstrapRoles(server.url);
  for (const [give, take, word] of [
    ["alter role weft_api bypassrls", "alter role weft_api nobypassrls", "BYPASSRLS"],
    ["alter role weft_worker superuser", "alter role weft_worker nosuperuser", "SUPERUSER"],
    ["grant weft_owner to weft_api", "revoke weft_owner from weft_api", "weft_owner"],
    ["grant postgres to weft_gateway", "revoke postgres from weft_gateway", "postgres"],
  ] as const) {
    await admin(give);
    await expect(bootstrapRoles(server.url)).rejects.toThrow(new RegExp(`has .*${word}`));
    await admin(take);
  }
  expect(await bootstrapRoles(server.url)).toEqual([]);
});

test("an external login that owns its database and may make roles is enough", async () => {
  for (const role of ALL) await admin(`drop owned by ${role} cascade; drop role ${role}`);
  await admin("create role landlord login createrole password 'pw'");
  const login = Object.assign(new URL(server.url), { username: "landlord", password: "pw" }).href;
  await ensureDatabase(server.url, "rented");
  const url = inDatabase(login, "rented");
  await expect(bootstrapRoles(url)).rejects.toThrow(/must own its database/);
  await admin("alter database rented owner to landlord");
  await bootstrapRoles(url);
  expect(await bootstrapRoles(url)).toEqual([]);
  expect((await migrate(url))[0]).toBe("0001-ground.sql");
  expect(await whoami(roleUrl(url, "worker"))).toBe("weft_worker");
});

test("a login that may not make roles is told so", async () => {
  await admin("create role tenant login password 'pw'");
  await admin("create database let owner tenant");
  for (const role of ALL)
    await withClient(inDatabase(server.url, "rented"), (client) =>
      client.query(`drop owned by ${role} cascade`),
    );
  for (const role of ALL) await admin(`drop owned by ${role} cascade; drop role ${role}`);
  const login = Object.assign(new URL(server.url), { username: "tenant", password: "pw" }).href;
  await expect(bootstrapRoles(inDatabase(login, "let"))).rejects.toThrow(/give it CREATEROLE/);
});
