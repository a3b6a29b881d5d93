import type { login } from "@weft/contract/calls/session.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Api, RequestFacts } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { hashPassword, isOutdated, passwordFits } from "./password.ts";
import { admitTry, renewHash, startSession } from "./store.ts";

/** Log-ins at once; more would keep other calls from the database connections. */
const MOST_AT_ONCE = 32;
let underWay = 0;

/** Logs in, or refuses at once while too many others do. */
export async function logIn(
  api: Api,
  input: InputOf<typeof login>,
  facts: RequestFacts,
): Promise<OutputOf<typeof login>> {
  if (underWay >= MOST_AT_ONCE) refuse("unavailable");
  underWay++;
  try {
    return await tryLogIn(api, input, facts);
  } finally {
    underWay--;
  }
}

/**
 * Wrong password, unknown account and disabled account get one answer after the same
 * work. The sms code is optional unless a site demands it, which no site can do yet.
 */
async function tryLogIn(
  { pools, authenticate }: Api,
  { loginName, password }: InputOf<typeof login>,
  { address, userAgent }: RequestFacts,
): Promise<OutputOf<typeof login>> {
  const { recordId, account } = await admitTry(pools, { loginName, address, userAgent });
  const fits = await passwordFits(account?.password_hash ?? null, password);
  if (!account || !fits || !account.usable) refuse("badCredentials");
  if (isOutdated(account.password_hash)) {
    await renewHash(pools, account, await hashPassword(password));
  }
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
