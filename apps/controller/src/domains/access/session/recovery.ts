import type { resetPassword } from "@weft/contract/domains/access/login.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Api, Context, RequestFacts } from "#kernel/api.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { tryCode } from "./code-store.ts";
import { checks, unknownCallerAt } from "./login.ts";
import { hashPassword } from "./password.ts";
import { accountsOf, finishRecovery } from "./recovery-store.ts";
import { hashToken, isTokenShaped } from "./token.ts";

/**
 * Sets a forgotten password. Whatever is wrong with ticket, code or account is one answer; only a caller
 * with the right code learns of several accounts, or that the new password is not acceptable.
 */
export async function recover(
  api: Api,
  { ticket, sms, loginName, newPsw }: InputOf<typeof resetPassword>,
  facts: RequestFacts,
  warn: Context["warn"],
): Promise<null> {
  const { pools } = api;
  const ticketHash = hashToken(isTokenShaped(ticket) ? ticket : "");
  const stored = await checks.run(unknownCallerAt(facts.address), () =>
    tryCode(pools, { ticketHash }, sms),
  );
  if (!stored) refuse("badCode");
  const people = await accountsOf(pools, stored);
  const named =
    loginName === null ? people : people.filter((person) => person.login_name === loginName);
  const [account, ...others] = named;
  if (!account) refuse("badCode");
  if (others.length > 0) refuseField("loginName", "required");
  const recovery = {
    codeId: stored.id,
    account,
    newPsw,
    passwordHash: await hashPassword(newPsw),
  };
  await finishRecovery(pools, facts, recovery, warn);
  return null;
}
