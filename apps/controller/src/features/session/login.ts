import type { login } from "@weft/contract/calls/session.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Api, RequestFacts } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { tryCode, useLoginCode } from "./code-store.ts";
import { hashPassword, isOutdated, passwordFits } from "./password.ts";
import { type Account, admitTry, renewHash, settleTry, startSession } from "./store.ts";

/** Log-ins at once; more would keep other calls from the database connections. */
const MOST_AT_ONCE = 32;
let underWay = 0;

interface Checked {
  readonly account: Account;
  /** Of the try; it stands as failed until it is settled. */
  readonly recordId: number;
}

/**
 * Checks a name and a password, or refuses at once while too many others do. Wrong password,
 * unknown account and disabled account get one answer after the same work.
 */
export async function checkPassword(
  { pools }: Api,
  { loginName, password }: { readonly loginName: string; readonly password: string },
  { address, userAgent }: RequestFacts,
): Promise<Checked> {
  if (underWay >= MOST_AT_ONCE) refuse("unavailable");
  underWay++;
  try {
    const { recordId, account } = await admitTry(pools, { loginName, address, userAgent });
    const fits = await passwordFits(account?.password_hash ?? null, password);
    if (!account || !fits || !account.usable) refuse("badCredentials");
    if (isOutdated(account.password_hash)) {
      await renewHash(pools, account, await hashPassword(password));
    }
    return { account, recordId };
  } finally {
    underWay--;
  }
}

/** Logs in: by password, and by a code where one is asked for. */
export async function logIn(
  api: Api,
  input: InputOf<typeof login>,
  facts: RequestFacts,
): Promise<OutputOf<typeof login>> {
  const { account, recordId } = await checkPassword(api, input, facts);
  await checkCode(api, input, account, recordId);
  return beginSession(api, account, recordId, facts);
}

/**
 * The code of a site that sends them. Accounts without a number cannot get one: their
 * password is enough, which is how the first administrator comes in.
 */
async function checkCode(
  { pools, site }: Api,
  { loginName, sms }: InputOf<typeof login>,
  account: Account,
  recordId: number,
): Promise<void> {
  if (!site.loginSms || account.phone === null) return;
  if (sms === null) {
    await settleTry(pools, recordId, "pending");
    refuse("codeNeeded");
  }
  const code = await tryCode(pools, { loginName }, sms);
  if (!code || !(await useLoginCode(pools, code.id))) {
    await settleTry(pools, recordId, "code");
    refuse("badCode");
  }
}

/** The session that a finished log-in gets. */
async function beginSession(
  { pools, authenticate }: Api,
  account: Account,
  recordId: number,
  { address }: RequestFacts,
): Promise<OutputOf<typeof login>> {
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
