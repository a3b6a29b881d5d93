import { sql } from "kysely";
import type { Pools, RememberedAccess } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { SessionUser } from "#kernel/api.ts";
import { lifetimes } from "./token.ts";

type Kind = "session" | "key";

interface Entry {
  readonly user: SessionUser;
  readonly version: number;
}

/**
 * Who the tokens stand for that were read lately, and what these may do, in the memory of the process. Nothing here is
 * trusted: the transaction of a call that uses it begins with a check in the database (migration remembered-access),
 * which fails once the session or key has ended, or anything that access follows from was changed by any process.
 */
export interface AccessMemory {
  find(
    kind: Kind,
    hash: Buffer,
  ): { readonly user: SessionUser; readonly remembered: RememberedAccess } | null;
  /** @param version of access (weft.access_version), read with the user or before */
  keep(kind: Kind, hash: Buffer, user: SessionUser, version: number): void;
}

/** A user with all permissions takes some 10 kB. */
const maxEntries = 2_000;

const literal = (hash: string): string => {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new TypeError("this is no hash of a token");
  return `'\\x${hash}'::bytea`;
};
const uuid = (family: string): string => {
  if (!/^[0-9a-f-]{36}$/.test(family)) throw new TypeError("this is no family of sessions");
  return `'${family}'::uuid`;
};
const integer = (version: number): string => {
  if (!Number.isSafeInteger(version)) throw new TypeError(`${version} is not a version`);
  return String(version);
};

const checks: Readonly<Record<Kind, (hash: string, version: number) => string>> = {
  session: (hash, version) =>
    `select weft.require_session(${literal(hash)}, ${integer(version)}, '${lifetimes.longest}')`,
  key: (hash, version) => `select weft.require_key(${literal(hash)}, ${integer(version)})`,
};

/** What the transactions of a call have to begin with whose user was read with this version of access. */
export const accessCheck = (kind: Kind, hash: Buffer, version: number): RememberedAccess => ({
  check: checks[kind](hash.toString("hex"), version),
  isCurrent: false,
});

/** The number of access as it is now: read before what access follows from, no change after it is missed. */
export async function readAccessVersion(pools: Pools<Database>): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select weft.access_version() as version`.execute(pools.auth.db);
  return rows[0]?.version ?? 0;
}

/**
 * What transactions begin with that are made in somebody's name after the call that asked for them.
 * @param family login that has to be open still; null: that does not matter
 */
export const laterCheck = (family: string | null, version: number): RememberedAccess => ({
  check:
    family === null
      ? `select weft.require_access(${integer(version)})`
      : `select weft.require_login(${uuid(family)}, ${integer(version)}, '${lifetimes.longest}')`,
  isCurrent: false,
});

export function createAccessMemory(): AccessMemory {
  const entries = new Map<string, Entry>();
  /** The newest version that was read: what belongs to one before it would only be refused. */
  let newest = 0;
  return {
    find(kind, hash) {
      const key = hash.toString("hex");
      const entry = entries.get(key);
      if (!entry) return null;
      if (entry.version < newest) {
        entries.delete(key);
        return null;
      }
      return { user: entry.user, remembered: accessCheck(kind, hash, entry.version) };
    },
    keep(_kind, hash, user, version) {
      newest = Math.max(newest, version);
      const key = hash.toString("hex");
      // At the end, so that what was read last stays for longest.
      entries.delete(key);
      entries.set(key, { user, version });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    },
  };
}
