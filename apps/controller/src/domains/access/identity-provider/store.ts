import {
  type identityProvider,
  identityProviderSetters,
  identityProvider as resource,
} from "@weft/contract/domains/access/identity-provider.ts";
import type { GroupRole } from "@weft/contract/domains/access/role-map.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { sql } from "kysely";
import { callerPermissions, exceedingRoles, refuseStronger } from "#domains/access/role/public.ts";
import { enterprise } from "#domains/enterprises/public.ts";
import type { Context } from "#kernel/api.ts";
import { requireSetters } from "#kernel/field-setters.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import type { Store, StoredRow } from "#kernel/resource-store.ts";
import { storedVersion } from "#kernel/row-version.ts";
import { inCallerScope, isAncestor } from "#kernel/scope.ts";
import { tableStore } from "#kernel/table-store.ts";
import type { Vault } from "#kernel/vault.ts";
import { secretOf } from "./secret.ts";

type Draft = DraftOf<typeof identityProvider>;
type Extra = Pick<RowOf<typeof identityProvider>, "hasSecret" | "users" | "roleMap" | "manageable">;

const plain = tableStore(resource, {
  table: "identity_provider",
  columns: {
    id: "id",
    name: "name",
    groupid: "enterprise_id",
    issuer: "issuer",
    clientId: "client_id",
    clientSecret: null,
    scopes: "scopes",
    claimOfGroups: "groups_claim",
    emailDomains: "email_domains",
    roleMap: null,
    defaultRoleId: "default_role_id",
    createUsers: "makes_users",
    providerMfa: "has_mfa",
    enable: "enabled",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { enterprise: "groupid" },
  filters: { name: "contains", groupid: "equal" },
  constraints: { identity_provider_name: { field: "name" } },
  names: { enterpriseName: enterprise("groupid") },
  complete: async (ctx, rows) => {
    const ids = rows.map(({ id }) => id);
    const [maps, users] = await Promise.all([mapsOf(ctx, ids), usersOf(ctx, ids)]);
    const rolesOf = (row: (typeof rows)[number]) =>
      rolesIn(maps.get(row.id) ?? [], row.default_role_id);
    const stronger = await exceedingRoles(ctx, await callerPermissions(ctx), rows.flatMap(rolesOf));
    return rows.map(
      (row): Extra => ({
        hasSecret: row.client_secret !== null,
        users: users.get(row.id) ?? 0,
        roleMap: maps.get(row.id) ?? [],
        manageable: !rolesOf(row).some((id) => stronger.has(id)),
      }),
    );
  },
});

const rolesIn = (map: readonly GroupRole[], other: number | null): number[] => [
  ...new Set([...map.map(({ roleId }) => roleId), ...(other === null ? [] : [other])]),
];

async function mapsOf({ db }: Pick<Context, "db">, ids: readonly number[]) {
  const rows = await db
    .selectFrom("identity_provider_role")
    .select(["provider_id", "group_name", "role_id"])
    .where(sql<boolean>`provider_id = any(${[...ids]}::bigint[])`)
    .orderBy("provider_id")
    .orderBy("place")
    .execute();
  const maps = new Map<number, GroupRole[]>();
  for (const { provider_id: id, group_name: group, role_id: roleId } of rows) {
    maps.set(id, [...(maps.get(id) ?? []), { group, roleId }]);
  }
  return maps;
}

async function usersOf({ db }: Context, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; n: number }>`
    select provider_id as id, count(*)::int as n from user_identity
    where provider_id = any(${[...ids]}::bigint[]) group by provider_id`.execute(db);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

interface Kept {
  readonly enterprise_id: number;
  readonly issuer: string;
  readonly has_secret: boolean;
  readonly has_mfa: boolean;
  readonly map: readonly GroupRole[];
}

/** A provider, locked; refused when it is out of scope or one of its roles gives more than the caller holds. */
async function locked(ctx: Context, id: number): Promise<Kept> {
  // Side by side: the mapping is read behind the lock.
  const [{ rows }, maps, permissions] = await Promise.all([
    sql<{
      enterprise_id: number;
      issuer: string;
      has_secret: boolean;
      has_mfa: boolean;
      default_role_id: number | null;
    }>`
      select enterprise_id, issuer, client_secret is not null as has_secret, has_mfa, default_role_id
      from identity_provider
      where id = ${id} and ${inCallerScope(ctx, "enterprise_id", "created_by")} for update`.execute(
      ctx.db,
    ),
    mapsOf(ctx, [id]),
    callerPermissions(ctx),
  ]);
  const [row] = rows;
  if (!row) return refuse("notFound");
  const map = maps.get(id) ?? [];
  const roles = rolesIn(map, row.default_role_id);
  if ((await exceedingRoles(ctx, permissions, roles)).size > 0) refuseStronger();
  return { ...row, map };
}

/** Roles are of the enterprise of the provider or of one below it, and give no more than the caller holds. */
async function admitRoles(ctx: Context, draft: Draft, enterpriseId: number): Promise<void> {
  const wanted = rolesIn(draft.roleMap, draft.defaultRoleId);
  if (wanted.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    with recursive below as (
      select id from enterprise where id = ${enterpriseId}
      union
      select e.id from enterprise e join below b on e.parent_id = b.id
    )
    select r.id from role r join below b on b.id = r.enterprise_id
    where r.id = any(${wanted}::bigint[]) and ${inCallerScope(ctx, "r.enterprise_id", "r.created_by")}`.execute(
    ctx.db,
  );
  const known = new Set(rows.map(({ id }) => id));
  const stronger = await exceedingRoles(ctx, await callerPermissions(ctx), [...known]);
  for (const id of wanted) {
    const field = draft.roleMap.some(({ roleId }) => roleId === id) ? "roleMap" : "defaultRoleId";
    if (!known.has(id)) refuseField(field, "unknown");
    if (stronger.has(id)) refuseField(field, "notAllowed");
  }
}

/**
 * A provider that is trusted with MFA takes the place of our own: who writes it has MFA, and begins to trust it from
 * above where an enterprise above demands MFA.
 */
async function admitMfa(
  ctx: Context,
  { providerMfa }: Draft,
  enterpriseId: number,
  wasTrusted: boolean,
): Promise<void> {
  if (!providerMfa && !wasTrusted) return;
  if (!ctx.caller.hasMfa) refuseField("providerMfa", "mfaNeeded");
  if (wasTrusted) return;
  const { rows } = await sql<{ demanded: boolean }>`
    select '8+MFA' = any (weft.password_policies(parent_id)) as demanded
    from enterprise where id = ${enterpriseId}`.execute(ctx.db);
  if (rows[0]?.demanded && !(await isAncestor(ctx, enterpriseId))) {
    refuseField("providerMfa", "fromAbove");
  }
}

/** Writes the mapping where it is another one. @returns the row with the version that it has by then */
async function keepMap(
  ctx: Context,
  row: StoredRow,
  old: readonly GroupRole[],
  map: readonly GroupRole[],
): Promise<StoredRow> {
  const isSame = JSON.stringify(old.map(pairOf)) === JSON.stringify(map.map(pairOf));
  const moves = row.old !== null && enterpriseIn(row.old) !== row.enterpriseId;
  if (isSame && !moves) return row;
  await writeMap(ctx, row, map);
  const version = await storedVersion(ctx, "identity_provider", row.id);
  return { ...row, versions: { ...row.versions, new: version } };
}

const pairOf = ({ group, roleId }: GroupRole) => [group, roleId];
const enterpriseIn = (values: object): unknown =>
  (values as { readonly groupid?: unknown }).groupid;

async function writeMap({ db }: Context, row: StoredRow, map: readonly GroupRole[]): Promise<void> {
  await db.deleteFrom("identity_provider_role").where("provider_id", "=", row.id).execute();
  if (map.length === 0) return;
  await db
    .insertInto("identity_provider_role")
    .values(
      map.map(({ group, roleId }, place) => ({
        provider_id: row.id,
        enterprise_id: row.enterpriseId,
        place,
        group_name: group,
        role_id: roleId,
      })),
    )
    .execute();
}

/** Identity providers; written only by those who hold all that their roles give. */
export function providerStore(vault: Vault): Store<typeof identityProvider> {
  const keep = async (
    ctx: Context,
    stored: StoredRow,
    draft: Draft,
    old: readonly GroupRole[],
  ): Promise<StoredRow> => {
    const row = await keepMap(ctx, stored, old, draft.roleMap);
    const { clientSecret } = draft;
    if (clientSecret !== "") {
      const client_secret = vault.seal(clientSecret, secretOf(row.id));
      await ctx.db
        .updateTable("identity_provider")
        .set({ client_secret })
        .where("id", "=", row.id)
        .execute();
    }
    // The operation log redacts the secret, and says that it was set.
    const set = clientSecret === "" ? {} : { clientSecret: "set" };
    return { ...row, new: row.new && { ...row.new, roleMap: draft.roleMap, ...set } };
  };
  return {
    ...plain,
    add: async (ctx, draft) => {
      // Before the row: the database would distinguish a role of elsewhere from one that is not there.
      await admitRoles(ctx, draft, draft.groupid ?? ctx.caller.enterpriseId);
      await admitMfa(ctx, draft, draft.groupid ?? ctx.caller.enterpriseId, false);
      return keep(ctx, await plain.add(ctx, draft), draft, []);
    },
    edit: async (ctx, id, draft) => {
      const [old, read] = await Promise.all([locked(ctx, id), plain.read(ctx, id)]);
      // Else the secret would be sent to whom the new address belongs.
      if (old.has_secret && draft.issuer !== old.issuer && draft.clientSecret === "") {
        refuseField("clientSecret", "required");
      }
      const enterpriseId = draft.groupid ?? old.enterprise_id;
      const kept = { ...read, clientSecret: "" };
      const now = { ...draft, groupid: enterpriseId };
      await requireSetters(ctx, identityProviderSetters, { old: kept, now });
      await admitRoles(ctx, draft, enterpriseId);
      await admitMfa(ctx, draft, enterpriseId, old.has_mfa && enterpriseId === old.enterprise_id);
      const row = await plain.edit(ctx, id, draft);
      const before = row.old && { ...row.old, roleMap: old.map };
      return keep(ctx, { ...row, old: before }, draft, old.map);
    },
    remove: async (ctx, ids, inside) => {
      const maps = new Map<number, readonly GroupRole[]>();
      for (const id of ids) maps.set(id, (await locked(ctx, id)).map);
      const rows = await plain.remove(ctx, ids, inside);
      return rows.map((row) => ({
        ...row,
        old: row.old && { ...row.old, roleMap: maps.get(row.id) ?? [] },
      }));
    },
  };
}

/** One provider, in the caller's scope. @throws Refusal notFound */
export const readProvider = (ctx: Context, id: number) => plain.read(ctx, id);

/** The same, of which the caller may write. @throws Refusal notFound, notAllowedNow */
export const lockProvider = async (ctx: Context, id: number) => {
  await locked(ctx, id);
  return plain.read(ctx, id);
};

/** The row of a provider with its sealed secret. @throws Refusal notFound */
export async function storedProvider(ctx: Context, id: number) {
  await plain.read(ctx, id);
  return ctx.db
    .selectFrom("identity_provider")
    .select(["id", "issuer", "client_id", "client_secret", "scopes"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}
