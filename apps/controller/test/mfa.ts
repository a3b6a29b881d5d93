import { TOTP } from "otpauth";
import { adminPassword, type TestApi } from "./api.ts";

/** Sets up an authenticator app for the account of a session with the tests' password. @returns its secret */
export async function setUpMfa(api: TestApi, token: string): Promise<string> {
  const started = await api.post("/customer/factor/totpBegin", { oldPsw: adminPassword }, token);
  const { secret } = started.data as { secret: string };
  const sms = new TOTP({ secret }).generate();
  const done = await api.post("/customer/factor/totpConfirm", { sms }, token);
  if (done.code !== 0) throw new Error(`MFA: ${done.msg}`);
  return secret;
}
