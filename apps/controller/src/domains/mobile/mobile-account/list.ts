import type { mobileAccount, terminalTypes } from "@weft/contract/domains/mobile/mobile-account.ts";
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { BatchChoice, BatchTarget } from "#batch/batch-action.ts";
import type { Database } from "#db/schema.ts";
import { dueSoonAt } from "#domains/enterprises/param-config/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import type { ListedRow, ListQuery } from "#kernel/resource-store.ts";
import { versionText } from "#kernel/row-version.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";

/** What is read of an account: never its hash. */
export type Columns = Omit<Selectable<Database["mobile_account"]>, "password_hash" | "ended_at">;
interface Listed extends Columns {
  readonly has_password: boolean;
  readonly enterprise_name: string | null;
  readonly pop_name: string | null;
  readonly token_state: number;
}

/** Filters of the notification links: 4 about to expire, 5 expired. */
const states = { dueSoon: "4", expired: "5" } as const;

/** The caller's own accounts, of `mobile_account a`. */
export const mine = (ctx: Context) => inCallerScope(ctx, "a.enterprise_id", "a.created_by");
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

type Filters = Pick<ListQuery<typeof mobileAccount>, "key" | "alias" | "groupid" | "enable">;

const matching = (ctx: Context, query: Filters) => {
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
    a.pop_id, a.phone, a.email, a.expire_at, a.remark, a.created_by, a.created_at, a.updated_at, a.row_version,
    a.public_key, host(a.address) as address, a.password_hash is not null as has_password, e.name as enterprise_name, p.name as pop_name,
    case when ${isExpired} then 5 when ${isDue(ctx)} then 4 else 3 end as token_state
  from mobile_account a
  left join enterprise e on e.id = a.enterprise_id
  left join node p on p.id = a.pop_id
  where ${where} ${rest}`;

const toRow = (row: Listed): ListedRow<typeof mobileAccount> => ({
  rowVersion: versionText(row.row_version),
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

/** One page of the caller's own accounts. */
export async function listAccounts(ctx: Context, query: ListQuery<typeof mobileAccount>) {
  const column = sortColumns[(query.orderByColumn ?? "id") as keyof typeof sortColumns];
  const where = matching(ctx, query);
  const page = sql`
    order by ${sql.ref(column)} ${sql.raw(query.isAsc === "desc" ? "desc" : "asc")}, a.id
    limit ${query.limit} offset ${(query.page - 1) * query.limit}`;
  const [selected, total] = await Promise.all([
    select(ctx, where, page).execute(ctx.db),
    sql<{ n: number }>`select count(*)::int as n from mobile_account a where ${where}`.execute(
      ctx.db,
    ),
  ]);
  return { rows: selected.rows.map(toRow), count: total.rows[0]?.n ?? 0 };
}

/** The caller's own accounts that a batch means, by id. */
export async function accountTargets(
  ctx: Context,
  { ids, filters, maxRows }: BatchChoice<Filters>,
): Promise<BatchTarget[]> {
  const named = ids === null ? sql`true` : sql`a.id = any(${[...ids]}::bigint[])`;
  const { rows } = await sql<BatchTarget>`
    select a.id, a.alias as name from mobile_account a
    where ${matching(ctx, filters)} and ${named} order by a.id limit ${maxRows}`.execute(ctx.db);
  return rows;
}

/** One account of the caller's. */
export async function readAccount(
  ctx: Context,
  id: number,
): Promise<ListedRow<typeof mobileAccount>> {
  const { rows } = await select(ctx, sql`a.id = ${id} and ${mine(ctx)}`, sql``).execute(ctx.db);
  const [row] = rows;
  return row ? toRow(row) : refuse("notFound");
}
