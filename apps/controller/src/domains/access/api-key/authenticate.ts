import { grantCodes } from "@weft/contract/grants.ts";
import { type RawBuilder, sql } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import {
  type AccessMemory,
  accessCheck,
  hashToken,
  laterCheck,
  personOf,
  readAccessVersion,
  reviveSession,
  toScope,
} from "#domains/access/session/public.ts";
import type { Authenticate, CallerScope, Revive, SessionUser } from "#kernel/api.ts";
import { hasKeyMark, isKeyShaped } from "./key.ts";
import { createTries } from "./tries.ts";

type Held = Pick<SessionUser, "userId" | "authorities" | "scope" | "roleType">;

/**
 * A key with no more than its maker holds now: what the maker has lost since, the
 * key loses immediately.
 */
const meet = (maker: Held, key: SessionUser): SessionUser => ({
  ...key,
  roleType: Math.max(maker.roleType, key.roleType),
  authorities: key.authorities.filter((code) => maker.authorities.includes(code)),
  scope: meetScopes(maker.scope, key.scope),
});

/** What lies in both scopes; rows "of one's own making" are those of the second. */
function meetScopes(callerScope: CallerScope, keyScope: CallerScope): CallerScope {
  if (callerScope.kind === "all") return keyScope;
  if (keyScope.kind === "all") return { ...callerScope, userId: keyScope.userId ?? null };
  const ids = keyScope.ids.filter((id) => callerScope.ids.includes(id));
  return { ...keyScope, ids, ownOnly: callerScope.ownOnly || keyScope.ownOnly };
}

const maxUsed = 10_000;

/** A key, its role and its enterprise. */
interface Found {
  readonly access_version: number;
  readonly id: number;
  readonly name: string;
  readonly maker: number;
  readonly idle: boolean;
  readonly enterprise_id: number;
  readonly enterprise_name: string;
  readonly topmost: boolean;
  readonly code: string;
  readonly role_type: number;
  readonly data_scopes: number[];
  readonly permissions: string[];
  readonly selected: number[];
  readonly below: number[];
  /** The role of the key, or its enterprise, demands MFA. */
  readonly demands_factor: boolean;
  /** The maker logs in by an identity provider that asks for MFA. */
  readonly has_provider_mfa: boolean;
}

/**
 * Checks API keys as well as what `sessions` checks. Wrong keys delay their address, as wrong
 * logins do; calls of sessions from there are not delayed.
 */
export function createKeyAuthenticator(
  pools: Pools<Database>,
  memory: AccessMemory,
  sessions: Authenticate,
): Authenticate {
  const tries = createTries(() => performance.now());
  /** Hashes of keys that were right lately. */
  const used = new Set<string>();
  return async (token, address, mayRemember = false) => {
    if (!hasKeyMark(token)) return sessions(token, address, mayRemember);
    const known = mayRemember ? memory.find("key", hashToken(token)) : null;
    if (known) return { ...known, newToken: null, isFromMemory: true };
    const hash = hashToken(token).toString("base64");
    // Whoever shares an address with a program cannot keep its key out by wrong ones.
    if (!used.has(hash)) tries.admit(address);
    const authenticated = isKeyShaped(token)
      ? await authenticate(pools, memory, token, address)
      : null;
    if (authenticated === null) {
      used.delete(hash);
      tries.failed(address);
      return null;
    }
    used.add(hash);
    const [oldest] = used;
    if (used.size > maxUsed && oldest !== undefined) used.delete(oldest);
    const remembered = accessCheck("key", hashToken(token), authenticated.version);
    return { user: authenticated.user, newToken: null, remembered, isFromMemory: false };
  };
}

async function authenticate(
  pools: Pools<Database>,
  memory: AccessMemory,
  key: string,
  address: string,
): Promise<{ readonly user: SessionUser; readonly version: number } | null> {
  const hash = hashToken(key);
  const storedKey = await find(pools, sql`k.key_hash = ${hash}`);
  if (!storedKey) return null;
  const user = await toUser(pools, storedKey);
  if (!user) return null;
  if (storedKey.idle) await noteUse(pools, storedKey.id, address);
  // The version is of before the maker was read: a change between the two is one that the memory misses nothing of.
  memory.keep("key", hash, user, storedKey.access_version);
  return { user, version: storedKey.access_version };
}

/** Finds the users of tickets again: sessions by their login, keys by their id. */
export function createReviver(pools: Pools<Database>): Revive {
  return async (owner) => {
    // Read first: a change from here on ends the transaction that begins with the check.
    const version = await readAccessVersion(pools);
    const user = await revived(pools, owner);
    const login = owner.keyId === null ? owner.family : null;
    return user && { user, remembered: laterCheck(login, version) };
  };
}

async function revived(
  pools: Pools<Database>,
  owner: Parameters<Revive>[0],
): Promise<SessionUser | null> {
  if (owner.keyId === null) return reviveSession(pools, owner);
  const key = await find(pools, sql`k.id = ${owner.keyId}`);
  return key ? toUser(pools, key) : null;
}

async function toUser(pools: Pools<Database>, key: Found): Promise<SessionUser | null> {
  const maker = await personOf(pools, key.maker);
  if (!maker) return null;
  const hasMfa = maker.hasMfa || key.has_provider_mfa;
  return meet(maker, {
    // No person has it: what the key writes is its own, and nothing of user 1's powers is.
    userId: -key.id,
    loginName: `${maker.loginName}/${key.name}`,
    enterpriseId: key.enterprise_id,
    enterpriseName: key.enterprise_name,
    roleType: key.role_type,
    roles: [key.code],
    authorities: grantCodes.filter((code) => key.permissions.includes(code)),
    scope: toScope({ ...key, user_id: -key.id }),
    family: "",
    keyId: key.id,
    hasMfa,
    // MFA is required of the person: a key must not do what its owner cannot do before MFA is set up.
    mustAddFactor: !hasMfa && (maker.mustAddFactor || key.demands_factor),
    providerLogin: null,
    visitEndTime: null,
  });
}

async function find(
  pools: Pools<Database>,
  which: RawBuilder<unknown>,
): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select weft.access_version() as access_version, k.id, k.name, k.created_by as maker,
      k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as idle,
      e.id as enterprise_id, e.name as enterprise_name, e.parent_id is null as topmost,
      r.code, r.role_type, array[r.data_scope] as data_scopes,
      array(select p.permission from role_permission p where p.role_id = r.id) as permissions,
      array(select c.enterprise_id from role_enterprise c
            where c.role_id = r.id and r.data_scope = 4) as selected,
      r.demands_factor or '8+MFA' = any (weft.password_policies(e.id)) as demands_factor,
      exists (select from user_identity i join identity_provider p on p.id = i.provider_id
        where i.user_id = k.created_by and p.enabled and p.has_mfa) as has_provider_mfa,
      case when r.data_scope = 3 then weft.subtree(array[e.id]) else '{}' end as below
    from api_key k
    join role r on r.id = k.role_id
    join enterprise e on e.id = k.enterprise_id and e.enabled
    where ${which} and k.expires_at > now()`.execute(pools.auth.db);
  return rows[0];
}

function noteUse(pools: Pools<Database>, id: number, address: string): Promise<unknown> {
  return inScope(pools.auth, { kind: "all" }, (trx) =>
    trx
      .updateTable("api_key")
      .set({ last_used_at: sql`now()`, last_address: address })
      .where("id", "=", id)
      .execute(),
  );
}
