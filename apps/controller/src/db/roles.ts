import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { withClient } from "./embedded/login.ts";
import {
  ensureLogins,
  parseUrl,
  type RoleKey,
  type RoleLogins,
  roleKeys,
  roleName,
  rolePassword,
  roleUrlOf,
} from "./role-logins.ts";

/** Lowest server_version_num that Weft's SQL runs on. */
const serverFloor = 150_000;

/**
 * Makes the roles of a database and lets them into it; safe to repeat and to run from several
 * processes at once. Roles of another installation on the server are left alone.
 * @param url login that owns the database and may make roles (CREATEROLE or superuser).
 * @returns names of the roles that were made or given a new password.
 * @throws Error when the server is too old, the login lacks a right, a role has a right that would
 * undo row-level security, or another installation uses a role of that name.
 */
export async function bootstrapRoles(url: string): Promise<readonly string[]> {
  parseUrl(url);
  const changed = new Set<string>();
  for (let attempt = 0; ; attempt++) {
    try {
      await withClient(url, (client) => bootstrapOnce(client, url, changed));
      return [...changed];
    } catch (error) {
      // Roles belong to the whole server, and no lock spans its databases: a bootstrap in another
      // database may have made the same change in this instant.
      if (attempt >= 10 || !isRace(error)) throw explain(error);
      await sleep(20 + Math.random() * 50);
    }
  }
}

/** Notes what it changed as it goes: a race that ends it half-way does not undo that. */
async function bootstrapOnce(client: pg.Client, url: string, changed: Set<string>): Promise<void> {
  await checkVersion(client);
  await checkOwner(client);
  await client.query("begin");
  const logins = await ensureLogins(client);
  const names = roleKeys.map((key) => roleName(logins, key));
  const present = await client.query<{ name: string }>(
    "select rolname as name from pg_roles where rolname = any($1)",
    [names],
  );
  const known = new Set(present.rows.map(({ name }) => name));
  const lacking = roleKeys.filter((key) => !known.has(roleName(logins, key)));
  for (const key of lacking) {
    await client.query(
      `create role ${roleName(logins, key)} login password ${scramVerifier(rolePassword(logins, key))}`,
    );
  }
  await refuseUnconfined(client, names);
  await admit(client, names, roleName(logins, "owner"));
  await client.query("commit");
  for (const key of lacking) changed.add(roleName(logins, key));
  for (const key of roleKeys.filter((roleKey) => known.has(roleName(logins, roleKey)))) {
    if (await passwordFits(url, logins, key)) continue;
    const name = roleName(logins, key);
    await refuseUsed(client, name);
    await client.query(
      `alter role ${name} login password ${scramVerifier(rolePassword(logins, key))}`,
    );
    changed.add(name);
  }
}

/**
 * A role with another password belongs to another installation: a copy of this database. A new password
 * would lock those sessions out.
 */
async function refuseUsed(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ database: string }>(
    "select distinct coalesce(datname, '') as database from pg_stat_activity where usename = $1",
    [role],
  );
  if (rows.length === 0) return;
  const where = rows.map(({ database }) => database).join(", ");
  throw new Error(
    `The database role ${role} has another password, and sessions of it are open (database ` +
      `${where}): another installation uses it. End that one first, or use another server.`,
  );
}

async function checkVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version_num')::int as number, version() as text",
  );
  const { number, text } = rows[0] as { number: number; text: string };
  if (number < serverFloor) throw new Error(`Weft needs PostgreSQL 15 or newer; this is ${text}.`);
}

async function checkOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ owns: boolean }>(
    `select pg_has_role(current_user, datdba, 'member') as owns
       from pg_database where datname = current_database()`,
  );
  // A grant without the right to make it is only a warning to PostgreSQL.
  if (!rows[0]?.owns) throw new Error("The login of WEFT_DATABASE_URL must own its database.");
}

/** Refuses roles that were given a right beyond row-level security, or one role in another. */
async function refuseUnconfined(client: pg.Client, names: readonly string[]): Promise<void> {
  const { rows } = await client.query(
    `select r.rolname as role, coalesce(g.rolname, 'SUPERUSER or BYPASSRLS') as beyond
       from pg_roles r
       left join pg_roles g on not r.rolsuper and g.oid <> r.oid
            and pg_has_role(r.oid, g.oid, 'member')
            and (g.rolsuper or g.rolbypassrls or g.rolname = any($1))
      where r.rolname = any($1) and (r.rolsuper or r.rolbypassrls or g.oid is not null)
      order by 1, 2 limit 1`,
    [names],
  );
  const found = rows[0] as { role: string; beyond: string } | undefined;
  if (found) {
    throw new Error(
      `The database role ${found.role} has ${found.beyond}, which would undo the separation of ` +
        "enterprises. Take it away and start again.",
    );
  }
}

/** Lets the roles into this database, and the owner make schemas and extensions in it. */
async function admit(client: pg.Client, names: readonly string[], owner: string): Promise<void> {
  const { rows } = await client.query("select current_database() as name");
  const database = pg.escapeIdentifier((rows[0] as { name: string }).name);
  const lacking = await client.query(
    `select from pg_roles r where r.rolname = any($1) and not (
      has_database_privilege(r.oid, current_database(), 'connect')
      and (r.rolname <> $2 or has_database_privilege(r.oid, current_database(), 'create')))`,
    [names, owner],
  );
  if (lacking.rowCount === 0) return;
  await client.query(`grant connect on database ${database} to ${names.join(", ")}`);
  await client.query(`grant create on database ${database} to ${owner}`);
}

async function passwordFits(url: string, logins: RoleLogins, role: RoleKey): Promise<boolean> {
  try {
    await withClient(roleUrlOf(url, logins, role), async () => undefined);
    return true;
  } catch (error) {
    // 28P01 invalid_password; 28000 covers a role that may not log in
    const { code } = error as { code?: string };
    if (code === "28P01" || code === "28000") return false;
    throw error;
  }
}

/**
 * The SCRAM-SHA-256 verifier (RFC 5803) of a password, as an SQL literal. The password itself
 * never travels to the server and cannot end in its log.
 */
function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const hmac = (text: string) => createHmac("sha256", salted).update(text).digest();
  const storedKey = createHash("sha256").update(hmac("Client Key")).digest("base64");
  const serverKey = hmac("Server Key").toString("base64");
  const salted64 = salt.toString("base64");
  return pg.escapeLiteral(`SCRAM-SHA-256$${iterations}:${salted64}$${storedKey}:${serverKey}`);
}

function isRace(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  // 42710 duplicate_object, 23505 unique_violation; a concurrent catalogue change has no code of
  // its own
  return code === "42710" || code === "23505" || /tuple concurrently/.test(message);
}

function explain(error: unknown): unknown {
  if ((error as { code?: string }).code !== "42501") return error;
  return new Error(
    "The login of WEFT_DATABASE_URL may not make the roles that Weft needs: give it CREATEROLE.",
    { cause: error },
  );
}
