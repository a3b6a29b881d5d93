import { type Selectable, sql, type Transaction } from "kysely";
import { holdLock, locks } from "#db/locks.ts";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { refuse } from "#kernel/refuse.ts";
import { enqueueMessages, type OutboxMessage } from "#outbox/enqueue.ts";
import {
  type CodePurpose,
  type CodeRequestHistory,
  codeMinutes,
  codeTries,
  secondsToNextCode,
} from "./code-rules.ts";
import { passwordFits } from "./password.ts";
import { placeOf } from "./place.ts";
import { knownFor } from "./rules.ts";

/** Codes come before there is a scope. */
const beforeScope = { kind: "all" } as const;

export type StoredCode = Selectable<Database["one_time_code"]>;

/** A person whom a code may reach. */
export interface Reached {
  readonly id: number;
  readonly enterprise_id: number;
  readonly login_name: string;
  readonly name: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly password_hash: string;
}

interface NewCode {
  readonly purpose: CodePurpose;
  /** What the request named. */
  readonly target: string;
  /** Of the asker. */
  readonly address: string;
  readonly ticketHash: Buffer | null;
  readonly codeHash: string;
  /** The message to these people; null: there are none. */
  message(people: readonly Reached[]): OutboxMessage | null;
}

const requestsWhere = (where: ReturnType<typeof sql<boolean>>) => sql`
  select json_build_object('count', count(*),
    'lastAgo', extract(epoch from now() - max(created_at)),
    'firstAgo', extract(epoch from now() - min(created_at)))
  from one_time_code where created_at > now() - interval '1 hour' and ${where}`;

/**
 * Keeps a new code and enqueues its message. Whether anybody is reached changes nothing that the asker
 * could see: the same statements run, and the same limits hold.
 * @throws Refusal tooManyTries with the seconds to wait.
 */
export function keepCode(pools: Pools<Database>, code: NewCode): Promise<void> {
  const { purpose, target, ticketHash, codeHash } = code;
  const address = placeOf(code.address).place;
  return inScope(pools.auth, beforeScope, async (trx) => {
    // One at a time, so that requests side by side count each other.
    await holdLock(trx, locks.codes);
    const isTarget = sql<boolean>`purpose = ${purpose} and target = ${target}`;
    const isHere = sql<boolean>`address = ${address}`;
    const { rows } = await sql<CodeRequestHistory>`
      select (${requestsWhere(sql`${isTarget} and ${isHere}`)}) as own,
        (${requestsWhere(isTarget)}) as target,
        (${requestsWhere(isHere)}) as place,
        exists (select from login_record l join sys_user u on u.login_name = l.login_name
          where ${reachedBy[purpose](target)} and l.place = ${address} and l.success
            and l.at > now() - ${knownFor}::interval) as "isKnownPlace"`.execute(trx);
    const seconds = rows[0] ? secondsToNextCode(rows[0]) : 0;
    if (seconds > 0) refuse("tooManyTries", { seconds });
    const people = await peopleAt(trx, purpose, target);
    // The newest counts, and no other. One that has a ticket stays until its own place asks again: whoever asks from
    // elsewhere would take it away from the person who holds the ticket.
    await sql`update one_time_code set used_at = now()
      where ${isTarget} and used_at is null and (ticket_hash is null or ${isHere})`.execute(trx);
    await trx
      .insertInto("one_time_code")
      .values({
        purpose,
        target,
        address,
        ticket_hash: ticketHash,
        code_hash: codeHash,
        enterprise_id: people[0]?.enterprise_id ?? null,
        expires_at: sql<Date>`now() + make_interval(mins => ${codeMinutes}::int)`,
      })
      .execute();
    const message = code.message(people);
    await enqueueMessages(trx, message ? [message] : []);
  });
}

/**
 * A password is recovered only where its user has proven to be reached: an address that somebody mistyped, or
 * put there for another person, opens nothing.
 */
const reachedBy = {
  login: (target: string) => sql<boolean>`u.login_name = ${target}`,
  phone: (target: string) => sql<boolean>`u.phone = ${target} and u.phone_confirmed_at is not null`,
  email: (target: string) =>
    sql<boolean>`lower(u.email) = ${target} and u.email_confirmed_at is not null`,
  confirmPhone: () => sql<boolean>`false`,
  confirmEmail: () => sql<boolean>`false`,
} as const satisfies Record<CodePurpose, (target: string) => unknown>;

/** Usable accounts that a target names; several may share a number. */
export async function peopleAt(
  trx: Transaction<Database>,
  purpose: CodePurpose,
  target: string,
  /** When the code was sent that reaches them; null: it is sent now. */
  sentAt: Date | null = null,
): Promise<Reached[]> {
  const { rows } = await sql<Reached>`
    select u.id, u.enterprise_id, u.login_name, u.name, u.phone, u.email, u.password_hash
    from sys_user u join enterprise e on e.id = u.enterprise_id and e.enabled
    where u.enabled and ${reachedBy[purpose](target)} 
      and (u.codes_from is null or ${sentAt}::timestamptz is null or u.codes_from <= ${sentAt})
    order by u.id limit 20`.execute(trx);
  return rows;
}

/**
 * Tries a code: each try counts before it is looked at, so that tries side by side cannot be more
 * than are allowed. A code that is not there costs the same work.
 * @returns the code's row when it fits; it is not used up by this.
 */
export async function tryCode(
  pools: Pools<Database>,
  which: { readonly ticketHash: Buffer } | { readonly loginName: string },
  code: string,
): Promise<StoredCode | null> {
  const mine =
    "ticketHash" in which
      ? sql<boolean>`ticket_hash = ${which.ticketHash}`
      : sql<boolean>`purpose = 'login' and target = ${which.loginName}`;
  const { rows } = await inScope(pools.auth, beforeScope, (trx) =>
    sql<StoredCode>`
      update one_time_code set tries = tries + 1
      where ${mine} and used_at is null and expires_at > now() and tries < ${codeTries}
      returning *`.execute(trx),
  );
  const found = rows[0] ?? null;
  return (await passwordFits(found?.code_hash ?? null, code.trim())) ? found : null;
}

/** Uses a code up. False: another call was faster. */
export async function useCode(trx: Transaction<Database>, id: number): Promise<boolean> {
  const used = await trx
    .updateTable("one_time_code")
    .set({ used_at: sql<Date>`now()` })
    .where("id", "=", id)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return used.numUpdatedRows > 0n;
}

/** Uses a code of a login up, in a transaction of its own. */
export const useLoginCode = (pools: Pools<Database>, id: number): Promise<boolean> =>
  inScope(pools.auth, beforeScope, (trx) => useCode(trx, id));
