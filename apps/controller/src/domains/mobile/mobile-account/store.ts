import { mobileAccount } from "@weft/contract/domains/mobile/mobile-account.ts";
import { sql } from "kysely";
import { hashPassword } from "#domains/access/session/public.ts";
import { servicePops } from "#domains/mobile/client-config/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import type { Store, WrittenRow } from "#kernel/resource-store.ts";
import { tableStore } from "#kernel/table-store.ts";
import { type Columns, listAccounts, mine } from "./list.ts";

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
 * @param report recompiles their POPs.
 */
export async function changeMany(
  ctx: Context,
  given: readonly number[],
  change: { readonly enabled: boolean } | { readonly expire_at: Date | null },
  report: (ctx: Context, enterpriseIds: readonly number[]) => Promise<void>,
): Promise<void> {
  const ids = [...new Set(given)];
  const rows = await lockAll(ctx, ids);
  await ctx.db
    .updateTable("mobile_account")
    .set({ ...change, updated_at: sql`now()` })
    .where("id", "in", ids)
    .execute();
  const recorded = (row: Pick<Columns, "enabled" | "expire_at">) =>
    "enabled" in change ? { enable: row.enabled } : { expire: row.expire_at };
  await ctx.audit(
    ...rows.map((row) => ({
      resource: mobileAccount.name,
      rowId: row.id,
      old: { loginName: row.login_name, ...recorded(row) },
      new: { loginName: row.login_name, ...recorded({ ...row, ...change }) },
      enterpriseId: row.enterprise_id,
    })),
  );
  await report(
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

const ownerOf = (values: WrittenRow["old"]): number | null =>
  (values as { readonly groupid?: number } | null)?.groupid ?? null;

/** Rows that were written, with the POPs that let their clients in. */
async function touching<Row extends WrittenRow>(
  ctx: Context,
  rows: readonly Row[],
): Promise<Row[]> {
  const enterprises = rows.flatMap(({ enterpriseId, old }) => [
    enterpriseId,
    ownerOf(old) ?? enterpriseId,
  ]);
  const nodeIds = [...new Set((await servicePops(ctx, enterprises)).values())];
  return rows.map((row) => ({ ...row, touches: { nodeIds } }));
}

/** Another enterprise has another pool: who moves there begins without key and address. */
async function forgetClient(ctx: Context, { id, old, new: now }: WrittenRow): Promise<void> {
  if (ownerOf(old) === ownerOf(now)) return;
  await ctx.db
    .updateTable("mobile_account")
    .set({ public_key: null, address: null })
    .where("id", "=", id)
    .execute();
}

/** Mobile accounts: plain rows, listed with the names of what they refer to. */
export const mobileAccountStore: Store<typeof mobileAccount> = {
  ...table,
  list: listAccounts,
  async edit(ctx, id, draft) {
    const row = await table.edit(ctx, id, draft);
    await forgetClient(ctx, row);
    const [touched] = await touching(ctx, [row]);
    return touched ?? row;
  },
  remove: async (ctx, ids, inside) => touching(ctx, await table.remove(ctx, ids, inside)),
};
