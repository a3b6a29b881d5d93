import { isIP } from "node:net";
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type { Api, Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import {
  keepChallenge,
  keepChallengeApart,
  notePasskeyUse,
  passkeysOf,
  passkeysOfCaller,
  type StoredPasskey,
  takeChallenge,
  takeLoginChallenge,
} from "./passkey-store.ts";

/** Where a page runs, as its passkeys know it. */
interface Place {
  /** Host name without a port (the relying party, WebAuthn section 5.1.3). */
  readonly rpId: string;
  readonly origins: string[];
}

/**
 * The place of the page that asks. Plain HTTP counts on the machine itself only. Addresses have no
 * passkeys.
 */
function placeOf(host: string): Place | null {
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null;
  const rpId = url?.hostname.toLowerCase() ?? "";
  if (rpId === "" || rpId.startsWith("[") || isIP(rpId) !== 0) return null;
  const isHere = rpId === "localhost" || rpId.endsWith(".localhost");
  return { rpId, origins: [`https://${host}`, ...(isHere ? [`http://${host}`] : [])] };
}

const requirePlace = (host: string): Place =>
  placeOf(host) ??
  refuse("notAllowedNow", {
    reason: [
      "通行密钥需要通过域名访问本站",
      "passkeys need a host name in the address, not an IP address",
    ],
  });

/** What a browser answers, as far as it is JSON. */
function parse<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    return refuse("badPasskey");
  }
}

const described = ({ credential_id, transports }: StoredPasskey) => ({
  id: credential_id,
  transports: transports as AuthenticatorTransport[],
});

/** First half of adding a passkey: what the browser is asked for. */
export async function startPasskey({ site }: Api, ctx: Context) {
  const { caller } = ctx;
  const { rpId } = requirePlace(caller.host);
  const mine = await passkeysOfCaller(ctx);
  const known = mine.filter((one) => one.rp_id === rpId);
  const options = await generateRegistrationOptions({
    rpName: site.title(caller.language),
    rpID: rpId,
    userName: caller.loginName,
    userID: new TextEncoder().encode(`weft-${caller.userId}`),
    attestationType: "none",
    excludeCredentials: known.map(described),
    authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
  });
  const ticket = await keepChallenge(ctx.db, {
    enterprise_id: caller.enterpriseId,
    user_id: caller.userId,
    purpose: "add",
    challenge: options.challenge,
    rp_id: rpId,
    login_record_id: null,
  });
  return { ticket, options: JSON.stringify(options) };
}

/** Second half: the passkey that the browser made. */
export async function checkNewPasskey(ctx: Context, ticket: string, text: string) {
  const { caller } = ctx;
  const challenge = await takeChallenge(ctx.db, ticket, "add");
  const place = placeOf(caller.host);
  const isMine = challenge?.user_id === caller.userId && challenge.rp_id === place?.rpId;
  if (!challenge || !place || !isMine) refuse("badPasskey");
  const checked = await verifyRegistrationResponse({
    response: parse<RegistrationResponseJSON>(text),
    expectedChallenge: challenge.challenge,
    expectedOrigin: place.origins,
    expectedRPID: place.rpId,
    requireUserVerification: false,
  }).catch(() => refuse("badPasskey"));
  if (!checked.verified || !checked.registrationInfo) refuse("badPasskey");
  const { credential } = checked.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
    rp_id: place.rpId,
  };
}

/** First half of a login with a passkey, once the password was right. */
export async function startPasskeyLogin(
  { pools }: Api,
  account: { readonly id: number; readonly enterprise_id: number },
  recordId: number,
  host: string,
) {
  const { rpId } = requirePlace(host);
  const known = await passkeysOf(pools, account.id, rpId);
  if (known.length === 0) {
    refuse("notAllowedNow", {
      reason: ["此账号在本域名下没有通行密钥", "this account has no passkey for this host name"],
    });
  }
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    allowCredentials: known.map(described),
    userVerification: "preferred",
  });
  const ticket = await keepChallengeApart(pools, {
    enterprise_id: account.enterprise_id,
    user_id: account.id,
    purpose: "login",
    challenge: options.challenge,
    rp_id: rpId,
    login_record_id: recordId,
  });
  return { ticket, options: JSON.stringify(options) };
}

/** Second half: the account whose login the passkey completed. @throws Refusal badPasskey */
export async function checkPasskeyLogin(
  { pools }: Api,
  ticket: string,
  text: string,
  host: string,
): Promise<{ readonly userId: number; readonly recordId: number }> {
  const challenge = await takeLoginChallenge(pools, ticket);
  const place = placeOf(host);
  if (!challenge?.login_record_id || challenge.rp_id !== place?.rpId) refuse("badPasskey");
  const response = parse<AuthenticationResponseJSON>(text);
  const known = await passkeysOf(pools, challenge.user_id, place.rpId);
  const passkey = known.find(({ credential_id }) => credential_id === response?.id);
  if (!passkey) refuse("badPasskey");
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge.challenge,
    expectedOrigin: place.origins,
    expectedRPID: place.rpId,
    requireUserVerification: false,
    credential: {
      ...described(passkey),
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch(() => refuse("badPasskey"));
  const { newCounter } = checked.authenticationInfo;
  if (!checked.verified || !(await notePasskeyUse(pools, passkey, newCounter))) {
    refuse("badPasskey");
  }
  return { userId: challenge.user_id, recordId: challenge.login_record_id };
}
