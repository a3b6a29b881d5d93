import { type PostingKind, postingKind } from "@weft/contract/domains/enterprises/enums.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { entriesOf, orderNo } from "./rules.ts";

/** One change of an enterprise's credit. */
interface Order {
  readonly enterpriseId: number;
  readonly kind: PostingKind;
  /** Minor units; above zero adds to the credit. */
  readonly change: number;
  /** Posted once: a repeated call with the same key gets the first posting. */
  readonly requestKey: string;
  /** What was paid for. */
  readonly target?: string;
  readonly remark?: string;
}

export interface Posted {
  readonly id: number;
  readonly orderNo: string;
  /** The credit after it, minor units. */
  readonly balance: number;
  /** True: it was there already. */
  readonly repeated: boolean;
}

interface Account {
  readonly id: number;
  readonly book: number;
  readonly credit_limit: number;
}

const notEnough = ["余额与信用额度不足", "not enough credit"] as const;

/**
 * The enterprise as a customer, locked: its postings come one after the other, and neither its
 * seller nor its limit changes meanwhile.
 */
async function lockAccount(ctx: Context, id: number): Promise<Account> {
  const { rows } = await sql<Account>`
    select id, coalesce(parent_id, id) as book, credit_limit from enterprise
    where id = ${id} and ${inCallerScope(ctx, "id")} for no key update`.execute(ctx.db);
  return rows[0] ?? refuse("notFound");
}

/** Posts in a book: the next number, both entries, in one statement. */
async function write(ctx: Context, order: Order, account: Account, book: number): Promise<Posted> {
  const { enterpriseId, kind, change, requestKey, target = "", remark = "" } = order;
  const [known, last] = await Promise.all([
    ctx.db
      .selectFrom("posting")
      .select(["id", "kind", "change", "balance"])
      .where("enterprise_id", "=", enterpriseId)
      .where("request_key", "=", requestKey)
      .executeTakeFirst(),
    sql<{ number: number | null; balance: number | null }>`
      select number, balance from weft.last_posting(${enterpriseId}, ${book})`.execute(ctx.db),
  ]);
  if (known) {
    if (known.kind !== kind || known.change !== change) {
      refuseField("requestKey", "taken", { value: requestKey });
    }
    const { id, balance } = known;
    return { id, balance, orderNo: orderNo(kind, id), repeated: true };
  }
  const { number, balance: before } = last.rows[0] ?? { number: null, balance: null };
  const balance = (before ?? 0) + change;
  if (change < 0 && kind !== postingKind.carried && balance < -account.credit_limit) {
    refuse("notAllowedNow", { reason: [...notEnough] });
  }
  const entries = entriesOf(kind, change);
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into posting (enterprise_id, book_id, number, kind, request_key, change, balance,
        entries, target, remark, created_by)
      values (${enterpriseId}, ${book}, ${(number ?? 0) + 1}, ${kind}, ${requestKey}, ${change},
        ${balance}, ${entries.length}, ${target}, ${remark}, ${ctx.caller.userId})
      returning id, enterprise_id
    ), sides as (
      insert into entry (enterprise_id, posting_id, account, amount)
      select made.enterprise_id, made.id, side.account, side.amount
      from made cross join unnest(${entries.map(({ account: name }) => name)}::text[],
        ${entries.map(({ amount }) => amount)}::bigint[]) as side(account, amount)
    ) select id from made`.execute(ctx.db);
  const [made] = rows;
  if (!made) throw new Error("a posting gave no row");
  return { id: made.id, balance, orderNo: orderNo(kind, made.id), repeated: false };
}

/**
 * Posts one change of an enterprise's credit in the book of the enterprise above it. Refused when
 * that book is not the caller's, when a charge would go below the limit, and when the key was used
 * for something else.
 */
export async function post(ctx: Context, order: Order): Promise<Posted> {
  const account = await lockAccount(ctx, order.enterpriseId);
  return write(ctx, order, account, account.book);
}

/** Takes what a service costs from an enterprise's credit. The caller passes the price. */
export const charge = (
  ctx: Context,
  order: Omit<Order, "kind" | "change"> & { readonly amount: number },
): Promise<Posted> => {
  const { amount, ...rest } = order;
  return post(ctx, { ...rest, kind: postingKind.charge, change: -amount });
};

/**
 * Brings an enterprise's balance from its present seller's book to a new one's; before it moves.
 * Each book stays balanced by itself.
 */
export async function carryBalance(
  ctx: Context,
  enterpriseId: number,
  newBook: number,
): Promise<void> {
  const account = await lockAccount(ctx, enterpriseId);
  const last = await sql<{ balance: number | null }>`
    select balance from weft.last_posting(${enterpriseId}, ${account.book})`.execute(ctx.db);
  const balance = last.rows[0]?.balance ?? 0;
  if (balance === 0) return;
  const { requestId } = ctx.caller;
  const order = { enterpriseId, kind: postingKind.carried };
  const out = { ...order, change: -balance, requestKey: `carried-out:${requestId}` };
  await write(ctx, out, account, account.book);
  await write(
    ctx,
    { ...out, change: balance, requestKey: `carried-in:${requestId}` },
    account,
    newBook,
  );
}
