import { visitorGrants } from "@weft/contract/grants.ts";
import { sql } from "kysely";
import type { Context, SessionUser } from "#kernel/api.ts";
import { hashToken, lifetimes, newToken } from "./token.ts";

/**
 * Starts a session for templates alone (specification section 2.1, design section 4). It belongs to
 * the caller's login, ends with that, and is never rotated: its end is fixed from the start.
 * @returns the token, which is kept nowhere, and when it ends.
 */
export async function startVisit({ caller, db }: Context): Promise<{ token: string; end: Date }> {
  const token = newToken();
  const { expires_at: end } = await db
    .insertInto("session")
    .values({
      token_hash: hashToken(token),
      user_id: caller.userId,
      enterprise_id: caller.enterpriseId,
      family: sql`gen_random_uuid()`,
      issuer: caller.family,
      address: caller.address,
      agent: caller.userAgent,
      rotate_after: sql`'infinity'`,
      expires_at: sql`now() + ${lifetimes.visit}::interval`,
    })
    .returning("expires_at")
    .executeTakeFirstOrThrow();
  return { token, end };
}

/** Ends all such sessions of the caller that are open. @returns how many */
export async function endVisits({ caller, db }: Context): Promise<number> {
  const ended = await db
    .deleteFrom("session")
    .where("user_id", "=", caller.userId)
    .where("issuer", "is not", null)
    .where("expires_at", ">", sql<Date>`now()`)
    .returning("issuer")
    .execute();
  return ended.length;
}

/**
 * The user of such a session: the person who gave it out, with what that person holds of the
 * permissions of templates, and with a name that distinguishes the two in the log.
 * @param end null: it is no such session, and the person stays as is.
 */
export const asVisitor = (user: SessionUser, end: Date | null): SessionUser =>
  end === null
    ? user
    : {
        ...user,
        loginName: `${user.loginName}/visitor`,
        authorities: visitorGrants(user.authorities),
        visitEndTime: end,
      };
