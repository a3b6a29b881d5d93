import { createHmac, randomBytes } from "node:crypto";
import type pg from "pg";
import { withClient } from "./embedded/login.ts";
import { locks } from "./locks.ts";

/**
 * The kinds of role that a database has (design section 5), and what their names begin with. None
 * is superuser, none may bypass row-level security, none is a member of another: a session that
 * came in as one of them stays it.
 */
export const roles = {
  /** Owns schema and tables; runs migrations. */
  owner: "weft_owner",
  /** Sessions with a scope. */
  api: "weft_api",
  /** Sessions over the whole tree; policies let it pass. */
  apiAll: "weft_api_all",
  /** Compiler, alarms, expiry, delivery. */
  worker: "weft_worker",
  /** Edges' sockets; sees its nodes' rows. */
  gateway: "weft_gateway",
} as const;

export type RoleKey = keyof typeof roles;

export const roleKeys = Object.keys(roles) as RoleKey[];

/**
 * How the roles of one database log in. Roles belong to the whole server: the suffix keeps those
 * of two installations on one server apart.
 */
export interface RoleLogins {
  /** Ends every role's name. */
  readonly suffix: string;
  /** The roles' passwords follow from it. */
  readonly secret: string;
}

/** Name of a role in the database with these logins. */
export const roleName = ({ suffix }: Pick<RoleLogins, "suffix">, role: RoleKey): string =>
  `${roles[role]}_${suffix}`;

/** A role's password; none leads to another role's. */
export const rolePassword = ({ secret }: RoleLogins, role: RoleKey): string =>
  createHmac("sha256", secret).update(roles[role]).digest("base64url");

/** SQL of ours that names roles by kind, with their names in this database. */
export function nameRoles(sql: string, logins: Pick<RoleLogins, "suffix">): string {
  return sql.replace(/\bweft_(?:owner|api_all|api|worker|gateway)\b/g, `$&_${logins.suffix}`);
}

/**
 * The URL with which a role logs in to the database of the given URL.
 * @throws Error when the database has no logins yet, or the URL's login may not read them.
 */
export async function roleUrl(url: string, role: RoleKey): Promise<string> {
  return roleUrlOf(url, await readLogins(url), role);
}

export function roleUrlOf(url: string, logins: RoleLogins, role: RoleKey): string {
  const result = parseUrl(url);
  result.username = roleName(logins, role);
  result.password = rolePassword(logins, role);
  return result.href;
}

/** @throws Error that does not repeat the value: it holds a password. */
export function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "postgres:" || parsed?.protocol === "postgresql:") return parsed;
  throw new Error(
    "WEFT_DATABASE_URL must have the form postgres://user:password@host:port/database.",
  );
}

/**
 * Reads the logins of a database that bootstrapRoles prepared.
 * @throws Error when there are none, or the URL's login may not read them.
 */
export async function readLogins(url: string): Promise<RoleLogins> {
  parseUrl(url);
  return withClient(url, async (client) => {
    const logins = await findLogins(client);
    if (!logins)
      throw new Error("The database holds no logins of Weft: start the controller on it.");
    return logins;
  });
}

async function findLogins(client: pg.Client): Promise<RoleLogins | undefined> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    "select to_regclass('weft_login.role_login') is not null as there",
  );
  if (!tables[0]?.there) return undefined;
  const { rows } = await client.query<RoleLogins>(
    "select suffix, secret from weft_login.role_login",
  );
  return rows[0];
}

/**
 * The logins of the database, made on first use. They are kept in the database itself, where only
 * its owner may read them: any process that knows the URL finds them, whatever its password is by now, so
 * that processes with the old and with the new password in their URL run side by side. Runs inside
 * the caller's transaction; starts at the same time wait for each other.
 */
export async function ensureLogins(client: pg.Client): Promise<RoleLogins> {
  await client.query("select pg_advisory_xact_lock($1, $2)", [...locks.roleLogins]);
  const roleLogins = await findLogins(client);
  if (roleLogins) return roleLogins;
  const logins = freshLogins();
  // The schema belongs to the owner of the database, also after the database changes owner.
  await client.query(`create schema weft_login authorization pg_database_owner;
    create table weft_login.role_login (
      is_only boolean primary key default true check (is_only),
      suffix text not null,
      secret text not null
    );
    alter table weft_login.role_login owner to pg_database_owner;`);
  await client.query("insert into weft_login.role_login (suffix, secret) values ($1, $2)", [
    logins.suffix,
    logins.secret,
  ]);
  return logins;
}

const freshLogins = (): RoleLogins => ({
  suffix: randomBytes(5).toString("hex"),
  secret: randomBytes(32).toString("base64url"),
});
