/**
 * What the login asks of the controller. Fetched while the user types: it brings the schemas of the
 * contract, which nothing needs that the page shows immediately.
 */
import { loginPasskey, loginPasskeyBegin } from "@weft/contract/domains/access/factors.ts";
import { sendSms } from "@weft/contract/domains/access/login.ts";
import { login } from "@weft/contract/domains/access/session.ts";
import { errorNumbers } from "@weft/contract/errors.ts";
import { CallError, call, tokenStore } from "#client/call.ts";
import { loadSession } from "#client/load-session.ts";
import { deviceFor, keepDevice } from "./known-device.ts";

/** The form's fields. */
export interface Filled {
  readonly loginName: string;
  readonly password: string;
  readonly sms: string | null;
  readonly isRemembered: boolean;
}

/** Keeps the token and loads the session; the guard then leaves the login by itself. */
const enter = async (token: string, { isRemembered }: Filled): Promise<void> => {
  tokenStore().keep(token, isRemembered);
  await loadSession();
};

export const enterByPassword = async (filled: Filled): Promise<void> => {
  const { loginName, password, sms } = filled;
  const device = deviceFor(loginName);
  const { data } = await call(login, { loginName, password, sms, device });
  keepDevice(loginName, data.device);
  await enter(data.token, filled);
};

/** Password first, then what the browser's passkey signs. @throws PasskeyError */
export const enterByPasskey = async (filled: Filled): Promise<void> => {
  const { loginName, password } = filled;
  const device = deviceFor(loginName);
  const started = await call(loginPasskeyBegin, { loginName, password, device });
  const { signWithPasskey } = await import("./passkey-browser.ts");
  const response = await signWithPasskey(started.data.options);
  const { data } = await call(loginPasskey, { ticket: started.data.ticket, response });
  keepDevice(loginName, data.device);
  await enter(data.token, filled);
};

/** Has a code sent. Both in seconds: until another can be asked for, and until this one is over. */
export const sendCode = async ({
  loginName,
  password,
}: Filled): Promise<{ readonly again: number; readonly valid: number }> =>
  (await call(sendSms, { username: loginName, password, device: deviceFor(loginName) })).data;

/** What a refusal asks for besides the password. */
export const wantedBy = (
  failure: unknown,
): { readonly code: boolean; readonly passkey: boolean } => {
  const code = failure instanceof CallError ? failure.code : 0;
  const { passkeyNeeded, codeNeeded, badCode } = errorNumbers;
  return {
    code: [passkeyNeeded, codeNeeded, badCode].includes(code),
    passkey: code === passkeyNeeded,
  };
};
