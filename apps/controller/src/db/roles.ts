import { createHash, createHmac, pbkdf2Sync, randomBytes, scryptSync } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { withClient } from "./embedded/login.ts";

/**
 * The database's roles (design section 5). None is superuser, none may bypass row-level security,
 * none is a member of another: a session that came in as one of them stays it.
 */
export const ROLES = {
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

export type RoleKey = keyof typeof ROLES;

const ROLE_NAMES: readonly string[] = Object.values(ROLES);

/** Lowest server_version_num that Weft's SQL runs on. */
const SERVER_FLOOR = 150_000;

const masterKeys = new Map<string, Buffer>();

/**
 * A role's password. It follows from the password in the database's URL: every process that knows
 * the URL knows the roles' passwords, nothing need be stored, and none leads back to the URL's or
 * to another role's. Slow by intent on first use (some 40 ms), as URL passwords are often chosen
 * by people.
 * @throws Error when the URL carries no password.
 */
export function rolePassword(url: string, role: RoleKey): string {
  const secret = decodeURIComponent(parseUrl(url).password);
  if (secret === "") {
    throw new Error(
      "WEFT_DATABASE_URL must carry a password: those of the database roles follow from it.",
    );
  }
  const known = masterKeys.get(secret);
  const master = known ?? scryptSync(secret, "weft database roles", 32);
  if (!known) masterKeys.set(secret, master);
  return createHmac("sha256", master).update(ROLES[role]).digest("base64url");
}

/** The URL with which a role logs in to the database of the given URL. */
export function roleUrl(url: string, role: RoleKey): string {
  const result = parseUrl(url);
  result.username = ROLES[role];
  result.password = rolePassword(url, role);
  return result.href;
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "postgres:" || parsed?.protocol === "postgresql:") return parsed;
  // The value is not repeated: it holds a password.
  throw new Error(
    "WEFT_DATABASE_URL must have the form postgres://user:password@host:port/database.",
  );
}

/**
 * Makes the roles, sets their passwords and lets them into the database; safe to repeat and to
 * run from several processes at once.
 * @param url login that owns the database and may make roles (CREATEROLE or superuser).
 * @returns names of the roles that were made or given a new password.
 * @throws Error when the server is too old, the login lacks a right, or a role has a right that
 * would undo row-level security.
 */
export async function bootstrapRoles(url: string): Promise<readonly string[]> {
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
  const present = await client.query("select rolname from pg_roles where rolname = any($1)", [
    ROLE_NAMES,
  ]);
  const names = new Set(present.rows.map((row: { rolname: string }) => row.rolname));
  for (const key of Object.keys(ROLES) as RoleKey[]) {
    if (names.has(ROLES[key])) continue;
    await client.query(
      `create role ${ROLES[key]} login password ${scramVerifier(rolePassword(url, key))}`,
    );
    changed.add(ROLES[key]);
  }
  await refuseUnconfined(client);
  await admit(client);
  for (const key of Object.keys(ROLES) as RoleKey[]) {
    if (changed.has(ROLES[key]) || (await passwordFits(url, key))) continue;
    await client.query(
      `alter role ${ROLES[key]} login password ${scramVerifier(rolePassword(url, key))}`,
    );
    changed.add(ROLES[key]);
  }
}

async function checkVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version_num')::int as number, version() as text",
  );
  const { number, text } = rows[0] as { number: number; text: string };
  if (number < SERVER_FLOOR) throw new Error(`Weft needs PostgreSQL 15 or newer; this is ${text}.`);
}

/** Refuses roles that someone gave a right beyond row-level security, or one role in another. */
async function refuseUnconfined(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select r.rolname as role, coalesce(g.rolname, 'SUPERUSER or BYPASSRLS') as beyond
       from pg_roles r
       left join pg_roles g on not r.rolsuper and g.oid <> r.oid
            and pg_has_role(r.oid, g.oid, 'member')
            and (g.rolsuper or g.rolbypassrls or g.rolname = any($1))
      where r.rolname = any($1) and (r.rolsuper or r.rolbypassrls or g.oid is not null)
      order by 1, 2 limit 1`,
    [ROLE_NAMES],
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
async function admit(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select current_database() as name");
  const database = pg.escapeIdentifier((rows[0] as { name: string }).name);
  const lacking = `select r.rolname as name from pg_roles r where r.rolname = any($1) and not (
      has_database_privilege(r.oid, current_database(), 'connect')
      and (r.rolname <> '${ROLES.owner}'
           or has_database_privilege(r.oid, current_database(), 'create')))`;
  if ((await client.query(lacking, [ROLE_NAMES])).rowCount === 0) return;
  await client.query(`grant connect on database ${database} to ${ROLE_NAMES.join(", ")}`);
  await client.query(`grant create on database ${database} to ${ROLES.owner}`);
  // A grant without the right to make it is only a warning to PostgreSQL.
  if ((await client.query(lacking, [ROLE_NAMES])).rowCount !== 0) {
    throw new Error("The login of WEFT_DATABASE_URL must own its database.");
  }
}

async function passwordFits(url: string, role: RoleKey): Promise<boolean> {
  try {
    await withClient(roleUrl(url, role), async () => undefined);
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
