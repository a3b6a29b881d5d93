import {
  dealTypes,
  type PostingKind,
  postingKind,
} from "@weft/contract/domains/enterprises/enums.ts";
import type {
  dealRecordList,
  rechargeRecordList,
} from "@weft/contract/domains/enterprises/ledger.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { orderNo } from "./rules.ts";

interface Found {
  readonly id: number;
  readonly enterprise_id: number;
  readonly enterprise_name: string | null;
  readonly kind: PostingKind;
  readonly change: number;
  readonly balance: number;
  readonly target: string;
  readonly remark: string;
  readonly operator: string | null;
  readonly created_at: Date;
}

interface LedgerQuery {
  readonly groupid: number | null;
  readonly startTime: Date | null;
  readonly endTime: Date | null;
  readonly page: number;
  readonly limit: number;
}

/** A page of postings of these kinds, newest first. The range's last second belongs to it. */
async function list(ctx: Context, kinds: readonly PostingKind[], query: LedgerQuery) {
  const parts = [
    inCallerScope(ctx, "p.enterprise_id", "p.created_by"),
    sql`p.kind = any(${[...kinds]}::smallint[])`,
  ];
  if (query.groupid !== null) parts.push(sql`p.enterprise_id = ${query.groupid}`);
  if (query.startTime) parts.push(sql`p.created_at >= ${query.startTime}`);
  if (query.endTime) {
    parts.push(sql`p.created_at < ${query.endTime}::timestamptz + interval '1 second'`);
  }
  const where = sql<SqlBool>`${sql.join(parts, sql` and `)}`;
  const [selected, total] = await Promise.all([
    sql<Found>`
      select p.*, e.name as enterprise_name, u.login_name as operator
      from posting p
      left join enterprise e on e.id = p.enterprise_id
      left join sys_user u on u.id = p.created_by
      where ${where} order by p.created_at desc, p.id desc
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n from posting p where ${where}`.execute(ctx.db),
  ]);
  return { found: selected.rows, count: total.rows[0]?.n ?? 0 };
}

const common = (row: Found) => ({
  id: row.id,
  groupid: row.enterprise_id,
  enterpriseName: row.enterprise_name ?? "",
  orderNo: orderNo(row.kind, row.id),
  balance: row.balance,
  createTime: row.created_at,
  remark: row.remark,
});

/** Charges, refunds and balances carried over. */
export async function listDeals(
  ctx: Context,
  { type, ...query }: InputOf<typeof dealRecordList>,
): Promise<ResultOf<typeof dealRecordList>> {
  const { found: postings, count } = await list(ctx, type === null ? dealTypes : [type], query);
  const rows = postings.map((row) => ({
    ...common(row),
    type: row.kind as (typeof dealTypes)[number],
    amount: row.change,
    target: row.target,
  }));
  return { rows, count };
}

/** Recharges. */
export async function listRecharges(
  ctx: Context,
  query: InputOf<typeof rechargeRecordList>,
): Promise<ResultOf<typeof rechargeRecordList>> {
  const { found: postings, count } = await list(ctx, [postingKind.recharge], query);
  const rows = postings.map((row) => ({
    ...common(row),
    credit: row.change,
    operator: row.operator ?? "",
  }));
  return { rows, count };
}
