import { dataScope } from "@weft/contract/domains/access/enums.ts";
import { grantCodes, isGrant } from "@weft/contract/grants.ts";
import { sql } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Authenticate, CallerScope, SessionUser } from "#kernel/api.ts";
import { type AccessMemory, accessCheck } from "./memory.ts";
import { hashToken, isTokenShaped, lifetimes, newToken } from "./token.ts";
import { asVisitor } from "./visit.ts";

/** A person with all that the roles give. */
interface Found {
  readonly user_id: number;
  readonly login_name: string;
  readonly enterprise_id: number;
  readonly enterprise_name: string;
  /** The enterprise is the one at the top of the tree. */
  readonly topmost: boolean;
  readonly codes: string[];
  /** null: the user has no role. */
  readonly role_type: number | null;
  readonly data_scopes: number[];
  readonly permissions: string[];
  /** Enterprises of roles with a selected scope, and the subtree where a role has that. */
  readonly selected: number[];
  readonly below: number[];
  readonly has_factor: boolean;
  /** MFA is required, and not set up. */
  readonly lacks_factor: boolean;
}

/** What a token stands for, in one statement with the version of access that it belongs to (memory.ts). */
interface FoundSession extends Found {
  readonly access_version: number;
  readonly family: string;
  readonly due: boolean;
  /** It is used for the first time, in place of another. */
  readonly is_first: boolean;
  readonly visit_end: Date | null;
  /** Its identity provider asked for MFA. */
  readonly has_mfa: boolean;
  /** null: it was no login by an identity provider. */
  readonly provider_login: SessionUser["providerLogin"];
}

/** Who a stranger's role type is: enterprise, the least (section 1). */
const enterpriseType = 2;
const firstUser = 1;

/**
 * Checks tokens against the database, or by what the process remembers of them; a token past its time is replaced
 * (design section 4).
 */
export function createAuthenticator(pools: Pools<Database>, memory: AccessMemory): Authenticate {
  return async (token, address, mayRemember = false) => {
    if (!isTokenShaped(token)) return null;
    const hash = hashToken(token);
    const known = mayRemember ? memory.find("session", hash) : null;
    if (known) return { ...known, newToken: null, isFromMemory: true };
    const observed = await find(pools, hash);
    if (!observed) return null;
    if (observed.is_first) await endReplaced(pools, hash);
    const next = observed.due ? await rotate(pools, hash, address) : null;
    const { family, provider_login: providerLogin } = observed;
    const user = asVisitor(
      { ...toUser(observed), ...mfaOf(observed), providerLogin, family },
      observed.visit_end,
    );
    if (isLasting(observed)) memory.keep("session", hash, user, observed.access_version);
    const remembered = accessCheck("session", hash, observed.access_version);
    return { user, newToken: next, remembered, isFromMemory: false };
  };
}

/** The next call of the session may find it as it is now: nothing of it ends or changes by time or by its use. */
const isLasting = ({ is_first, due, visit_end, provider_login }: FoundSession): boolean =>
  !is_first && !due && visit_end === null && !provider_login?.isFresh;

const personColumns = sql`
  u.id as user_id, u.login_name, e.id as enterprise_id, e.name as enterprise_name,
  e.parent_id is null as topmost,
  coalesce(r.codes, '{}') as codes, r.role_type, coalesce(r.data_scopes, '{}') as data_scopes,
  array(select distinct p.permission from user_role ur
        join role_permission p on p.role_id = ur.role_id where ur.user_id = u.id) as permissions,
  array(select distinct c.enterprise_id from user_role ur
        join role on role.id = ur.role_id and role.data_scope = ${dataScope.custom}
        join role_enterprise c on c.role_id = role.id where ur.user_id = u.id) as selected,
  case when e.parent_id is not null and ${dataScope.ownAndSubordinate} = any (r.data_scopes)
    then weft.subtree(array[e.id]) else '{}' end as below,
  f.has_factor,
  not f.has_factor and (coalesce(r.demands_factor, false) or '8+MFA' = any (weft.password_policies(e.id)))
    as lacks_factor`;

/** For `sys_user u`: those who are enabled, as their enterprise is. */
const personJoins = sql`
  join enterprise e on e.id = u.enterprise_id and e.enabled
  left join lateral (
    select array_agg(role.code order by role.code) as codes, min(role.role_type) as role_type,
      array_agg(distinct role.data_scope) as data_scopes,
      bool_or(role.demands_factor) as demands_factor
    from user_role ur join role on role.id = ur.role_id where ur.user_id = u.id
  ) r on true
  cross join lateral (
    select exists (select from totp t where t.user_id = u.id and t.confirmed_at is not null)
      or exists (select from passkey k where k.user_id = u.id) as has_factor
  ) f`;

const lives = (session: "s" | "issuing") => sql`${sql.ref(`${session}.expires_at`)} > now()
  and ${sql.ref(`${session}.created_at`)} > now() - ${lifetimes.longest}::interval`;

/** For `session s`: a link for templates is open no longer than the login that gave it out. */
const isOpen = sql`${lives("s")} and (s.issuer is null or exists (
  select from session issuing where issuing.family = s.issuer
    and issuing.user_id = s.user_id and ${lives("issuing")}))`;

/**
 * For `session s`. What proves the person is when that person authenticated at the provider, not when this session began:
 * a provider that still has a session logs in whoever sits there, without a question.
 */
const providerLoginColumn = sql`case when s.by_provider then json_build_object(
  'providerId', s.provider_id,
  'isFresh', coalesce(s.authenticated_at > now() - ${lifetimes.proves}::interval, false)
  ) end as provider_login`;

const visitEnd = sql`case when s.issuer is not null then s.expires_at end as visit_end`;

async function find(pools: Pools<Database>, hash: Buffer): Promise<FoundSession | undefined> {
  const { rows } = await sql<FoundSession>`
    select weft.access_version() as access_version, s.family, s.rotate_after <= now() as due,
      s.replaces is not null as is_first, s.has_mfa, ${visitEnd}, ${providerLoginColumn}, ${personColumns}
    from session s
    join sys_user u on u.id = s.user_id and u.enabled ${personJoins}
    where s.token_hash = ${hash} and ${isOpen}`.execute(pools.auth.db);
  return rows[0];
}

/** What a login stands for now, by its family; null once it has ended. */
export async function reviveSession(
  pools: Pools<Database>,
  { userId, family }: Pick<SessionUser, "userId" | "family">,
): Promise<SessionUser | null> {
  const { rows } = await sql<Pick<FoundSession, "visit_end" | "has_mfa" | "provider_login">>`
    select ${visitEnd}, s.has_mfa, ${providerLoginColumn} from session s
    where s.family = ${family}::uuid and s.user_id = ${userId} and ${isOpen}
    limit 1`.execute(pools.auth.db);
  const [found] = rows;
  const user = found ? await personOf(pools, userId) : null;
  if (!found || !user) return null;
  const providerLogin = found.provider_login;
  return asVisitor({ ...user, ...mfaOf(found), providerLogin, family }, found.visit_end);
}

/** What a user holds now; null when the account or its enterprise is disabled or gone. */
export async function personOf(
  pools: Pools<Database>,
  userId: number,
): Promise<Omit<SessionUser, "family"> | null> {
  const { rows } = await sql<Found>`
    select ${personColumns} from sys_user u ${personJoins}
    where u.id = ${userId} and u.enabled`.execute(pools.auth.db);
  return rows[0] ? toUser(rows[0]) : null;
}

/** MFA of the provider takes the place of our own. */
const mfaOf = ({
  has_mfa,
}: Pick<FoundSession, "has_mfa">): { mustAddFactor?: false; hasMfa?: true } =>
  has_mfa ? { mustAddFactor: false, hasMfa: true } : {};

function toUser(found: Found): Omit<SessionUser, "family"> {
  const first = found.user_id === firstUser;
  return {
    userId: found.user_id,
    loginName: found.login_name,
    enterpriseId: found.enterprise_id,
    enterpriseName: found.enterprise_name,
    roleType: first ? 0 : (found.role_type ?? enterpriseType),
    roles: found.codes,
    // A code that a newer or older Weft wrote means nothing here.
    authorities: first ? grantCodes : found.permissions.filter(isGrant),
    scope: toScope(found),
    keyId: null,
    hasMfa: found.has_factor,
    mustAddFactor: found.lacks_factor,
    providerLogin: null,
    visitEndTime: null,
  };
}

type Reach = Pick<
  Found,
  "user_id" | "data_scopes" | "enterprise_id" | "topmost" | "below" | "selected"
>;

/** The union of what the roles allow (section 6); user id 1 sees the whole tree. */
export function toScope(reach: Reach): CallerScope {
  const { user_id: userId, data_scopes: scopes, enterprise_id: own } = reach;
  const subordinate = scopes.includes(dataScope.ownAndSubordinate);
  if (userId === firstUser || (subordinate && reach.topmost)) return { kind: "all", userId };
  const ids = new Set([...reach.below, ...reach.selected]);
  if (scopes.includes(dataScope.ownEnterprise)) ids.add(own);
  if (ids.size > 0) return { kind: "enterprises", ids: [...ids], userId, ownOnly: false };
  return {
    kind: "enterprises",
    ids: scopes.includes(dataScope.ownData) ? [own] : [],
    userId,
    ownOnly: true,
  };
}

/** The new token has arrived: the one before serves calls that are under way, and other tabs, no longer. */
function endReplaced(pools: Pools<Database>, hash: Buffer): Promise<void> {
  return inScope(pools.auth, { kind: "all" }, async (trx) => {
    await sql`
      with used as (
        update session s set replaces = null from session old
        where s.token_hash = ${hash} and old.token_hash = s.replaces
        returning old.token_hash
      )
      update session set rotate_after = 'infinity',
        expires_at = least(expires_at, now() + ${lifetimes.grace}::interval)
      where token_hash in (select token_hash from used)`.execute(trx);
  });
}

/**
 * Issues a new token; of calls side by side only one gets it. An answer may be lost with its page: as long as
 * the new one is not used, the old one stays valid and gets another in place of it.
 */
function rotate(pools: Pools<Database>, hash: Buffer, address: string): Promise<string | null> {
  return inScope(pools.auth, { kind: "all" }, async (trx) => {
    const old = await trx
      .updateTable("session")
      .set({ rotate_after: sql`now() + ${lifetimes.grace}::interval` })
      .where("token_hash", "=", hash)
      .where("rotate_after", "<=", sql<Date>`now()`)
      .returning([
        "user_id",
        "enterprise_id",
        "family",
        "created_at",
        "agent",
        "has_mfa",
        "by_provider",
        "provider_id",
        "authenticated_at",
      ])
      .executeTakeFirst();
    if (!old) return null;
    await trx.deleteFrom("session").where("replaces", "=", hash).execute();
    const token = newToken();
    await trx
      .insertInto("session")
      .values({
        ...old,
        replaces: hash,
        token_hash: hashToken(token),
        address,
        rotate_after: sql`now() + ${lifetimes.rotateAfter}::interval`,
        expires_at: sql`now() + ${lifetimes.idle}::interval`,
      })
      .execute();
    return token;
  });
}
