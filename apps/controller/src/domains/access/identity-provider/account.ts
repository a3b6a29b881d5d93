import { randomBytes } from "node:crypto";
import { limits } from "@weft/contract/rules/text.ts";
import { sql, type Transaction } from "kysely";
import { holdLock, rowLock } from "#db/locks.ts";
import { inScope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { firstUser } from "#domains/access/role/public.ts";
import { hashPassword } from "#domains/access/session/public.ts";
import type { Api, Caller, RequestFacts } from "#kernel/api.ts";
import { createContext } from "#kernel/audit.ts";
import type { Claims } from "./client.ts";
import type { StoredProvider } from "./login-store.ts";
import { reasons, refuseLogin } from "./refusals.ts";

type Trx = Transaction<Database>;

export interface Account {
  readonly id: number;
  readonly enterprise_id: number;
  readonly login_name: string;
}

/** What the groups of a person give here. */
interface Granted {
  readonly enterpriseId: number;
  readonly roleIds: readonly number[];
}

const unknownPasswordBytes = 32;

/**
 * The account of a person who logged in at a provider, with the roles that the groups of the person give;
 * made at the first login where the provider may do that.
 * @throws Refusal ssoRefused
 */
export async function accountOf(
  { pools }: Pick<Api, "pools">,
  provider: StoredProvider,
  claims: Claims,
  facts: RequestFacts,
): Promise<Account> {
  refuseForeignAddress(provider, claims);
  // Before the transaction: it takes longer than all of it.
  const passwordHash = await hashPassword(randomBytes(unknownPasswordBytes).toString("base64url"));
  return inScope(pools.auth, { kind: "all" }, async (trx) => {
    // Two first logins of one person side by side make one account.
    await holdLock(trx, rowLock("identityProvider", provider.id));
    const granted = await grantedBy(trx, provider, claims);
    const linked = await linkedAccount(trx, provider, claims);
    if (!linked && !provider.makes_users) refuseLogin(reasons.notLinked(claims.subject));
    const account = linked ?? (await addAccount(trx, granted, claims, passwordHash));
    if (account.id === firstUser) refuseLogin(reasons.firstUser);
    if (account.enterprise_id !== granted.enterpriseId) refuseLogin(reasons.otherEnterprise);
    if (linked && !linked.usable) refuseLogin(reasons.disabled);
    await writeRoles(trx, account, granted.roleIds, { isNew: linked === null, facts });
    if (!provider.has_mfa) await refuseWithMfa(trx, account);
    await noteLink(trx, provider, account, claims.subject);
    return account;
  });
}

function refuseForeignAddress(
  { email_domains: domains }: StoredProvider,
  { email, isEmailVerified }: Claims,
): void {
  if (domains.length === 0) return;
  const domain = email?.split("@").at(-1)?.toLowerCase() ?? "";
  if (!isEmailVerified || !domains.some((allowed) => allowed.toLowerCase() === domain)) {
    refuseLogin(reasons.email);
  }
}

/** Roles must be of the provider's enterprise or one below, and all of one enterprise: that of the account. */
async function grantedBy(trx: Trx, provider: StoredProvider, claims: Claims): Promise<Granted> {
  const { rows } = await sql<{ id: number; enterprise_id: number; mapped: boolean }>`
    with wanted as (
      select role_id, true as mapped from identity_provider_role
      where provider_id = ${provider.id} and group_name = any(${[...claims.groups]}::text[])
      union
      select ${provider.default_role_id}::bigint, false
    )
    select r.id, r.enterprise_id, bool_or(w.mapped) as mapped from wanted w join role r on r.id = w.role_id
    where r.enterprise_id = any (weft.subtree(array[${provider.enterprise_id}::bigint]))
    group by r.id order by r.id`.execute(trx);
  const mapped = rows.filter((row) => row.mapped);
  const roles = mapped.length > 0 ? mapped : rows;
  const [first] = roles;
  if (!first) return refuseLogin(reasons.noRole);
  if (roles.some((role) => role.enterprise_id !== first.enterprise_id)) {
    refuseLogin(reasons.severalEnterprises);
  }
  return { enterpriseId: first.enterprise_id, roleIds: roles.map(({ id }) => id) };
}

async function linkedAccount(
  trx: Trx,
  { id, issuer }: StoredProvider,
  { subject }: Claims,
): Promise<(Account & { readonly usable: boolean }) | null> {
  const { rows } = await sql<Account & { usable: boolean }>`
    select u.id, u.enterprise_id, u.login_name, u.enabled and e.enabled as usable
    from user_identity i join sys_user u on u.id = i.user_id join enterprise e on e.id = u.enterprise_id
    where i.provider_id = ${id} and i.issuer = ${issuer} and i.subject = ${subject}
    for update of u`.execute(trx);
  return rows[0] ?? null;
}

/** A login name takes letters, digits and @; a number distinguishes people of one name. */
async function addAccount(
  trx: Trx,
  { enterpriseId }: Granted,
  { userName, name, email }: Claims,
  password_hash: string,
): Promise<Account> {
  const { rows: enabled } = await sql<{ enabled: boolean }>`
    select enabled from enterprise where id = ${enterpriseId}`.execute(trx);
  if (!enabled[0]?.enabled) refuseLogin(reasons.disabled);
  const digits = 6;
  const wanted =
    userName.replaceAll(/[^A-Za-z0-9@]/g, "").slice(0, limits.loginName - digits) || "sso";
  for (let n = 1; ; n++) {
    const login_name = n === 1 ? wanted : `${wanted}${n}`;
    const row = await trx
      .insertInto("sys_user")
      .values({
        enterprise_id: enterpriseId,
        login_name,
        password_hash,
        name: (name || userName).slice(0, limits.name),
        email: email !== null && email.length <= limits.email ? email : null,
      })
      .onConflict((on) => on.column("login_name").doNothing())
      .returning(["id", "enterprise_id", "login_name"])
      .executeTakeFirst();
    if (row) return row;
    if (n > 9_999) refuseLogin(reasons.noName);
  }
}

/** The roles of the account are those that the groups give, no others; written with its audit row. */
async function writeRoles(
  trx: Trx,
  { id, enterprise_id, login_name }: Account,
  roleIds: readonly number[],
  { isNew, facts }: { readonly isNew: boolean; readonly facts: RequestFacts },
): Promise<void> {
  const held = await trx
    .selectFrom("user_role")
    .select("role_id")
    .where("user_id", "=", id)
    .orderBy("role_id")
    .execute();
  const old = held.map((row) => row.role_id);
  if (!isNew && old.join() === roleIds.join()) return;
  await trx.deleteFrom("user_role").where("user_id", "=", id).execute();
  await trx
    .insertInto("user_role")
    .values(roleIds.map((role_id) => ({ user_id: id, role_id, enterprise_id })))
    .execute();
  const caller: Caller = {
    ...facts,
    userId: id,
    loginName: login_name,
    enterpriseId: enterprise_id,
    enterpriseName: "",
    roleType: 2,
    roles: [],
    authorities: [],
    scope: { kind: "all", userId: id },
    family: "",
    keyId: null,
    hasMfa: false,
    mustAddFactor: false,
    providerLogin: null,
    visitEndTime: null,
  };
  await createContext(caller, trx, "auth.oidcFinish").audit({
    resource: "user",
    rowId: id,
    enterpriseId: enterprise_id,
    old: isNew ? null : { loginName: login_name, roleIds: old },
    new: { loginName: login_name, roleIds },
  });
}

/** MFA that is set up or required here would be passed by. */
async function refuseWithMfa(trx: Trx, { id, enterprise_id }: Account): Promise<void> {
  const { rows } = await sql<{ guarded: boolean }>`
    select exists (select from totp where user_id = ${id} and confirmed_at is not null)
      or exists (select from passkey where user_id = ${id})
      or '8+MFA' = any (weft.password_policies(${enterprise_id}))
      or exists (select from user_role ur join role r on r.id = ur.role_id
        where ur.user_id = ${id} and r.demands_factor) as guarded`.execute(trx);
  if (rows[0]?.guarded) refuseLogin(reasons.mfa);
}

const noteLink = (trx: Trx, { id, issuer }: StoredProvider, account: Account, subject: string) =>
  sql`insert into user_identity (enterprise_id, user_id, provider_id, issuer, subject, last_login_at)
    values (${account.enterprise_id}, ${account.id}, ${id}, ${issuer}, ${subject}, now())
    on conflict on constraint user_identity_subject do update set last_login_at = now()`.execute(
    trx,
  );
