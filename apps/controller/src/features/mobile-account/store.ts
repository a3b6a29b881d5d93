import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { mobileAccount, type terminalTypes } from "@weft/contract/resources/mobile-account.ts";
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { servicePops } from "#features/client-config/public.ts";
import { dueSoonAt } from "#features/param-config/public.ts";
import { hashPassword } from "#features/session/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import type { ListQuery, Store, WrittenRow } from "#kernel/resource-store.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { contains, tableStore } from "#kernel/table-store.ts";

type Columns = Omit<Selectable<Database["mobile_account"]>, "password_hash" | "ended_at">;
interface Listed extends Columns {
  readonly has_password: boolean;
  readonly enterprise_name: string | null;
  readonly pop_name: string | null;
  readonly token_state: number;
}

/** Filters of the notification links: 4 about to expire, 5 expired. */
const states = { dueSoon: "4", expired: "5" } as const;

const mine = (ctx: Context) => inCallerScope(ctx, "a.enterprise_id", "a.created_by");
const isExpired = sql<SqlBool>`a.expire_at <= now()`;
const isDue = (ctx: Context) =>
  sql<SqlBool>`a.expire_at > now() and a.expire_at <= ${dueSoonAt(ctx)}`;

const sortColumns = {
  id: "a.id",
  alias: "a.alias",
  loginName: "a.login_name",
  expire: "a.expire_at",
  createTime: "a.created_at",
} as const;

const keyed = (ctx: Context, key: string): RawBuilder<SqlBool> => {
  if (key === states.dueSoon) return isDue(ctx);
  if (key === states.expired) return isExpired;
  return contains(sql.ref("a.alias"), key);
};

const matching = (ctx: Context, query: ListQuery<typeof mobileAccount>) => {
  const parts = [mine(ctx)];
  if (query.key) parts.push(keyed(ctx, query.key));
  if (query.alias) parts.push(contains(sql.ref("a.alias"), query.alias));
  if (query.groupid !== null) parts.push(sql`a.enterprise_id = ${query.groupid}`);
  if (query.enable !== null) parts.push(sql`a.enabled = ${query.enable}`);
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
};

// Every column by name: the hash stays where it is.
const select = (ctx: Context, where: RawBuilder<SqlBool>, rest: RawBuilder<unknown>) => sql<Listed>`
  select a.id, a.enterprise_id, a.login_name, a.alias, a.terminal_type, a.enabled, a.tx_bps, a.rx_bps,
    a.pop_id, a.phone, a.email, a.expire_at, a.remark, a.created_by, a.created_at, a.updated_at,
    a.public_key, host(a.address) as address, a.password_hash is not null as has_password, e.name as enterprise_name, p.name as pop_name,
    case when ${isExpired} then 5 when ${isDue(ctx)} then 4 else 3 end as token_state
  from mobile_account a
  left join enterprise e on e.id = a.enterprise_id
  left join node p on p.id = a.pop_id
  where ${where} ${rest}`;

const toRow = (row: Listed): RowOf<typeof mobileAccount> => ({
  id: row.id,
  groupid: row.enterprise_id,
  enterpriseName: row.enterprise_name ?? "",
  loginName: row.login_name,
  alias: row.alias,
  terminalType: row.terminal_type as (typeof terminalTypes)[number],
  enable: row.enabled,
  txbps: row.tx_bps,
  rxbps: row.rx_bps,
  // A POP that is no longer shared has no name here.
  popId: row.pop_name === null ? null : row.pop_id,
  popName: row.pop_name,
  phone: row.phone,
  email: row.email,
  expire: row.expire_at,
  tokenState: row.token_state,
  hasPassword: row.has_password,
  publicKey: row.public_key,
  address: row.address,
  remark: row.remark,
  createTime: row.created_at,
});

async function list(ctx: Context, query: ListQuery<typeof mobileAccount>) {
  const column = sortColumns[(query.orderByColumn ?? "id") as keyof typeof sortColumns];
  const where = matching(ctx, query);
  const page = sql`
    order by ${sql.ref(column)} ${sql.raw(query.isAsc === "desc" ? "desc" : "asc")}, a.id
    limit ${query.limit} offset ${(query.page - 1) * query.limit}`;
  const [found, total] = await Promise.all([
    select(ctx, where, page).execute(ctx.db),
    sql<{ n: number }>`select count(*)::int as n from mobile_account a where ${where}`.execute(
      ctx.db,
    ),
  ]);
  return { rows: found.rows.map(toRow), count: total.rows[0]?.n ?? 0 };
}

/** One account of the caller's. */
export async function readAccount(ctx: Context, id: number): Promise<RowOf<typeof mobileAccount>> {
  const { rows } = await select(ctx, sql`a.id = ${id} and ${mine(ctx)}`, sql``).execute(ctx.db);
  const [row] = rows;
  return row ? toRow(row) : refuse("notFound");
}

/** Accounts locked in order; refuses all when one is not the caller's. */
export async function lockAll(ctx: Context, ids: readonly number[]): Promise<Columns[]> {
  const { rows } = await sql<Columns>`
    select a.id, a.enterprise_id, a.login_name, a.enabled, a.expire_at,
      a.public_key, host(a.address) as address from mobile_account a
    where a.id = any(${[...ids]}::bigint[]) and ${mine(ctx)} order by a.id for update`.execute(
    ctx.db,
  );
  if (rows.length !== ids.length) refuse("notFound");
  return rows;
}

/**
 * Changes one column of many accounts and writes what it was into the operation log.
 * @param tell has their POPs compiled anew.
 */
export async function changeMany(
  ctx: Context,
  given: readonly number[],
  change: { readonly enabled: boolean } | { readonly expire_at: Date | null },
  tell: (ctx: Context, enterpriseIds: readonly number[]) => Promise<void>,
): Promise<void> {
  const ids = [...new Set(given)];
  const rows = await lockAll(ctx, ids);
  await ctx.db
    .updateTable("mobile_account")
    .set({ ...change, updated_at: sql`now()` })
    .where("id", "in", ids)
    .execute();
  const said = (row: Pick<Columns, "enabled" | "expire_at">) =>
    "enabled" in change ? { enable: row.enabled } : { expire: row.expire_at };
  await ctx.audit(
    ...rows.map((row) => ({
      resource: mobileAccount.name,
      rowId: row.id,
      old: { loginName: row.login_name, ...said(row) },
      new: { loginName: row.login_name, ...said({ ...row, ...change }) },
      enterpriseId: row.enterprise_id,
    })),
  );
  await tell(
    ctx,
    rows.map((row) => row.enterprise_id),
  );
}

/** Sets the password of a client. */
export async function setPassword(ctx: Context, id: number, password: string): Promise<void> {
  const [row] = await lockAll(ctx, [id]);
  if (!row) refuse("notFound");
  await ctx.db
    .updateTable("mobile_account")
    .set({ password_hash: await hashPassword(password), updated_at: sql`now()` })
    .where("id", "=", id)
    .execute();
  await ctx.audit({
    resource: mobileAccount.name,
    rowId: id,
    old: { loginName: row.login_name },
    new: { loginName: row.login_name, password },
    enterpriseId: row.enterprise_id,
  });
}

const table = tableStore(mobileAccount, {
  table: "mobile_account",
  columns: {
    id: "id",
    groupid: "enterprise_id",
    popId: "pop_id",
    loginName: "login_name",
    alias: "alias",
    terminalType: "terminal_type",
    enable: "enabled",
    txbps: "tx_bps",
    rxbps: "rx_bps",
    phone: "phone",
    email: "email",
    expire: "expire_at",
    remark: "remark",
  },
  owner: { enterprise: "groupid" },
  constraints: { mobile_account_login: { field: "loginName" } },
});

const holderOf = (values: WrittenRow["old"]): number | null =>
  (values as { readonly groupid?: number } | null)?.groupid ?? null;

/** Rows that were written, with the POPs that let their clients in. */
async function touching(ctx: Context, rows: readonly WrittenRow[]): Promise<WrittenRow[]> {
  const enterprises = rows.flatMap(({ enterpriseId, old }) => [
    enterpriseId,
    holderOf(old) ?? enterpriseId,
  ]);
  const nodeIds = [...new Set((await servicePops(ctx, enterprises)).values())];
  return rows.map((row) => ({ ...row, touches: { nodeIds } }));
}

/** Another enterprise has another pool: who moves there begins without key and address. */
async function forgetClient(ctx: Context, { id, old, new: now }: WrittenRow): Promise<void> {
  if (holderOf(old) === holderOf(now)) return;
  await ctx.db
    .updateTable("mobile_account")
    .set({ public_key: null, address: null })
    .where("id", "=", id)
    .execute();
}

/** Mobile accounts: plain rows, listed with the names of what they refer to. */
export const mobileAccountStore: Store<typeof mobileAccount> = {
  ...table,
  list,
  async edit(ctx, id, draft) {
    const row = await table.edit(ctx, id, draft);
    await forgetClient(ctx, row);
    const [touched] = await touching(ctx, [row]);
    return touched ?? row;
  },
  remove: async (ctx, ids, inside) => touching(ctx, await table.remove(ctx, ids, inside)),
};
