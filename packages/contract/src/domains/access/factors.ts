import { z } from "zod";
import { ownAccount } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { oldPassword, ownPassword } from "#rules/text.ts";
import { deviceField, loggedIn } from "./session.ts";

/** Changing how an account is protected needs its password once more. */
const oldPsw = oldPassword;
/** WebAuthn's own objects, as JSON text. */
const webAuthn = z.string().min(2).max(20_000);
const challenge = z.object({ ticket: z.string(), options: z.string() });
/** Codes for the case that all MFA methods are lost; null: there are some already. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()).nullable() });

/** MFA methods of the caller. */
export const factorList = endpoint({
  id: "factor.list",
  method: "GET",
  path: "/customer/factor/list",
  input: z.object({}),
  output: z.object({
    totp: codec.flag,
    passkeys: z.array(
      z.object({
        credential: z.string(),
        name: z.string(),
        host: z.string(),
        createTime: codec.instant,
        lastUsed: codec.instant.nullable(),
      }),
    ),
    /** Recovery codes that are left. */
    recoveryLeft: z.number(),
    /** A role or the password policy asks for one: the last cannot be removed. */
    demanded: codec.flag,
  }),
  may: ownAccount,
});

/** A new secret for an authenticator app; it counts once a code of it was confirmed. */
export const totpBegin = endpoint({
  id: "factor.totpBegin",
  method: "POST",
  path: "/customer/factor/totpBegin",
  input: z.object({ oldPsw }),
  /** `uri` is otpauth://, for a QR code. */
  output: z.object({ secret: z.string(), uri: z.string() }),
  may: ownAccount,
});

export const totpConfirm = endpoint({
  id: "factor.totpConfirm",
  method: "POST",
  path: "/customer/factor/totpConfirm",
  input: z.object({ sms: codec.text(12, 1) }),
  output: recoveryCodes,
  may: ownAccount,
});

export const totpRemove = endpoint({
  id: "factor.totpRemove",
  method: "POST",
  path: "/customer/factor/totpRemove",
  input: z.object({ oldPsw }),
  output: nothing,
  may: ownAccount,
});

export const passkeyBegin = endpoint({
  id: "factor.passkeyBegin",
  method: "POST",
  path: "/customer/factor/passkeyBegin",
  input: z.object({ oldPsw }),
  output: challenge,
  may: ownAccount,
});

export const passkeyAdd = endpoint({
  id: "factor.passkeyAdd",
  method: "POST",
  path: "/customer/factor/passkeyAdd",
  input: z.object({ ticket: codec.text(64, 1), name: codec.text(64, 1), response: webAuthn }),
  output: recoveryCodes,
  may: ownAccount,
});

export const passkeyRemove = endpoint({
  id: "factor.passkeyRemove",
  method: "POST",
  path: "/customer/factor/passkeyRemove",
  input: z.object({ credential: codec.text(1400, 1), oldPsw }),
  output: nothing,
  may: ownAccount,
});

/** Replaces the recovery codes; the previous ones become invalid. */
export const recoveryRenew = endpoint({
  id: "factor.recoveryRenew",
  method: "POST",
  path: "/customer/factor/recoveryRenew",
  input: z.object({ oldPsw }),
  output: recoveryCodes,
  may: ownAccount,
});

/** Removes all MFA methods of a user who has lost them, and ends the user's sessions. */
export const userResetFactors = endpoint({
  id: "user.resetFactors",
  method: "POST",
  path: "/customer/user/resetFactors",
  input: z.object({ userId: codec.id, oldPsw: ownPassword }),
  output: nothing,
  may: "sysUserResetPwd",
  ownPassword: true,
});

/** Logins of the caller that are still open. */
export const userSessions = endpoint({
  id: "user.sessions",
  method: "GET",
  path: "/customer/user/sessions",
  input: z.object({}),
  output: z.array(
    z.object({
      /** Names the login; it opens nothing. */
      session: z.string(),
      ip: z.string(),
      agent: z.string(),
      createTime: codec.instant,
      /** To ten minutes. */
      lastUsed: codec.instant,
      /** The one that asks. */
      current: codec.flag,
    }),
  ),
  may: ownAccount,
});

export const userEndSession = endpoint({
  id: "user.endSession",
  method: "POST",
  path: "/customer/user/endSession",
  input: z.object({ session: z.uuid() }),
  output: nothing,
  may: ownAccount,
});

/** Login by password and passkey, first half: what the passkey has to sign. */
export const loginPasskeyBegin = endpoint({
  id: "auth.passkeyBegin",
  method: "POST",
  path: "/api/v1/customer/passkeyBegin",
  auth: "none",
  input: z.object({
    loginName: codec.text(64, 1),
    password: z.string().min(1).max(128),
    device: deviceField,
  }),
  output: challenge,
  may: null,
});

/** Second half. */
export const loginPasskey = endpoint({
  id: "auth.passkeyLogin",
  method: "POST",
  path: "/api/v1/customer/passkeyLogin",
  auth: "none",
  input: z.object({ ticket: codec.text(64, 1), response: webAuthn }),
  output: loggedIn,
  may: null,
});
