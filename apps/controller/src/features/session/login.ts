import type { login } from "@weft/contract/calls/session.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Api, RequestFacts } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { passwordFits } from "./password.ts";
import { admitTry, noteFailure, startSession } from "./store.ts";

/**
 * Logs in. Wrong password, unknown account and disabled account get one answer after the same
 * work. The sms code is optional unless a site demands it, which no site can do yet.
 */
export async function logIn(
  { pools, authenticate }: Api,
  { loginName, password }: InputOf<typeof login>,
  { address, userAgent }: RequestFacts,
): Promise<OutputOf<typeof login>> {
  const { recordId, account } = await admitTry(pools, { loginName, address, userAgent });
  const fits = await passwordFits(account?.password_hash ?? null, password);
  if (!account || (fits && !account.usable)) {
    await noteFailure(pools, recordId, account ? "disabled" : "unknown");
  }
  if (!account || !fits || !account.usable) refuse("badCredentials");
  const token = await startSession(pools, account, address, recordId);
  const session = await authenticate(token, address);
  // Only somebody who disabled the account in this instant can make this happen.
  if (!session) refuse("badCredentials");
  const { userId, roles, roleType, enterpriseId, authorities } = session.user;
  return {
    token,
    userId,
    loginName: session.user.loginName,
    roles: [...roles],
    roleType,
    groupid: enterpriseId,
    authorities: [...authorities],
  };
}
