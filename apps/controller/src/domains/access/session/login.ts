import type { loginPasskey, loginPasskeyBegin } from "@weft/contract/domains/access/factors.ts";
import type { login } from "@weft/contract/domains/access/session.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Api, RequestFacts } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { tryCode, useLoginCode } from "./code-store.ts";
import { deviceToken, newDeviceId } from "./device.ts";
import { factorsOf, hasFactor, useFactorCode } from "./factor-store.ts";
import { createGate, type GateCaller } from "./gate.ts";
import { notifyWithoutSession } from "./notices.ts";
import { checkPasskeyLogin, startPasskeyLogin } from "./passkey.ts";
import { hashesAtOnce, hashPassword, isOutdated, passwordFits } from "./password.ts";
import { placeOf } from "./place.ts";
import {
  type Account,
  admitTry,
  type ProviderLogin,
  readLoginTry,
  renewHash,
  setTryReason,
  startSession,
  usableAccount,
} from "./store.ts";

const now = (): number => performance.now();
/** Reads what is known of a try: one statement or two. */
const lookups = createGate({ slots: 2, maxWaiting: 256, perPlace: 64, now });
/** Checks of passwords and codes. One more than hashes: its statements run while another one is hashed. */
export const checks = createGate({
  slots: hashesAtOnce + 1,
  maxWaiting: 64,
  perPlace: 8,
  now,
});

/** Whoever has shown nothing yet. */
export const unknownCallerAt = (address: string): GateCaller => ({
  place: placeOf(address).place,
  isKnown: false,
  failed: 0,
});

interface Checked {
  readonly account: Account;
  /** The device, when it has logged in to the account before. */
  readonly deviceId: string | null;
  /** Of the attempt; it counts as failed until it is settled. */
  readonly recordId: number;
}

/**
 * Checks a name and a password. Who has to wait is refused before it takes a slot from others, and when there are too
 * many tries those wait, or are refused, that come from places with the most failures. Wrong password,
 * unknown account and disabled account get one answer after the same work.
 */
export async function checkPassword(
  api: Api,
  {
    loginName,
    password,
    device = null,
  }: {
    readonly loginName: string;
    readonly password: string;
    readonly device?: string | null | undefined;
  },
  { address, userAgent }: RequestFacts,
): Promise<Checked> {
  const given = { loginName, address, userAgent, device };
  const unknownCaller = unknownCallerAt(address);
  const { history } = await lookups.run(unknownCaller, () => readLoginTry(api, given));
  const isKnown = history.isKnownPlace || history.isKnownDevice;
  const caller = { ...unknownCaller, isKnown, failed: history.place.failed };
  return checks.run(caller, async () => {
    const { recordId, account, deviceId } = await admitTry(api, given);
    const fits = await passwordFits(account?.password_hash ?? null, password);
    if (!account || !fits || !account.usable) refuse("badCredentials");
    if (isOutdated(account.password_hash)) {
      await renewHash(api.pools, account, await hashPassword(password));
    }
    return { account, recordId, deviceId };
  });
}

/** Logs in: by password, and by what else the account or the site asks for. */
export async function logIn(
  api: Api,
  input: InputOf<typeof login>,
  facts: RequestFacts,
): Promise<OutputOf<typeof login>> {
  const { account, recordId, deviceId } = await checkPassword(api, input, facts);
  await checkCode(api, input, account, recordId, facts);
  return openSession(api, account, recordId, facts, { deviceId });
}

/** First half of a login with a passkey: the password. */
export async function startWithPasskey(
  api: Api,
  input: InputOf<typeof loginPasskeyBegin>,
  facts: RequestFacts,
): Promise<OutputOf<typeof loginPasskeyBegin>> {
  const { account, recordId } = await checkPassword(api, input, facts);
  await setTryReason(api.pools, recordId, "pending");
  return startPasskeyLogin(api, account, recordId, facts.host);
}

/** Second half: the passkey's answer. */
export async function logInWithPasskey(
  api: Api,
  { ticket, response }: InputOf<typeof loginPasskey>,
  facts: RequestFacts,
): Promise<OutputOf<typeof login>> {
  const { userId, recordId } = await checkPasskeyLogin(api, ticket, response, facts.host);
  const account = await usableAccount(api.pools, userId);
  return openSession(api, account ?? refuse("badCredentials"), recordId, facts);
}

/**
 * The code of an account with MFA, else of a site that sends codes. Accounts
 * without either and without a number have nothing that could be asked for: their password is
 * enough, which is how the first administrator comes in.
 */
async function checkCode(
  api: Api,
  { loginName, sms }: InputOf<typeof login>,
  account: Account,
  recordId: number,
  facts: RequestFacts,
): Promise<void> {
  const { pools, site } = api;
  const factors = await factorsOf(pools, account.id);
  const byFactor = hasFactor(factors);
  if (!byFactor && (!site.loginSms || account.phone === null)) return;
  if (sms === null) {
    await setTryReason(pools, recordId, "pending");
    refuse(factors.passkeys > 0 ? "passkeyNeeded" : "codeNeeded");
  }
  const fits = byFactor
    ? await useFactor(api, account, sms, recordId, facts)
    : await useSms(pools, loginName, sms);
  if (fits) return;
  await setTryReason(pools, recordId, "code");
  refuse("badCode");
}

async function useSms(pools: Api["pools"], loginName: string, sms: string): Promise<boolean> {
  const code = await tryCode(pools, { loginName }, sms);
  return code !== null && (await useLoginCode(pools, code.id));
}

async function useFactor(
  { pools, vault }: Api,
  { id, enterprise_id: enterpriseId }: Account,
  code: string,
  recordId: number,
  { address }: RequestFacts,
): Promise<boolean> {
  const given = { userId: id, recordId, typed: code };
  const used = await useFactorCode(pools, vault, given).catch(async (error: unknown) => {
    // Rejected without a check: that is no further failure.
    await setTryReason(pools, recordId, "pending");
    throw error;
  });
  if (used === "recovery") {
    await notifyWithoutSession(pools, { userId: id, enterpriseId }, "codeUsed", address);
  }
  return used !== null;
}

interface Opening {
  /** null: with a password. */
  readonly provider?: ProviderLogin | null;
  /** The device, when it has logged in to the account before. */
  readonly deviceId?: string | null;
}

/** The session that a finished login gets. */
export async function openSession(
  { pools, authenticate, vault }: Api,
  account: Pick<Account, "id" | "enterprise_id">,
  recordId: number,
  facts: RequestFacts,
  { provider = null, deviceId = null }: Opening = {},
): Promise<OutputOf<typeof login>> {
  const token = await startSession(pools, account, facts, recordId, provider);
  const session = await authenticate(token, facts.address);
  // Happens only if the account was disabled in this instant.
  if (!session) refuse("badCredentials");
  const { userId, roles, roleType, enterpriseId, authorities } = session.user;
  return {
    token,
    device: deviceToken(vault, account.id, deviceId ?? newDeviceId()),
    userId,
    loginName: session.user.loginName,
    roles: [...roles],
    roleType,
    groupid: enterpriseId,
    authorities: [...authorities],
  };
}
