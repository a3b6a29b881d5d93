import type { apiConfig } from "@weft/contract/calls/sign-in.ts";
import type { PasswordPolicy } from "@weft/contract/enums/people.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { passwordLengths } from "@weft/contract/rules/password-policy.ts";
import { scopedRead } from "#db/pool.ts";
import type { Api, RequestFacts } from "#kernel/api.ts";

/** The site as the log-in shows it; it says nothing about any account. */
export async function siteConfig(
  { pools, site }: Api,
  _: InputOf<typeof apiConfig>,
  { language }: RequestFacts,
): Promise<OutputOf<typeof apiConfig>> {
  const policies = await scopedRead(pools.apiAll, { kind: "all" }, (trx) =>
    trx.selectFrom("enterprise").select("password_policy").distinct().execute(),
  );
  const lengths = policies.map(
    ({ password_policy }) => passwordLengths[password_policy as PasswordPolicy].max,
  );
  return {
    sysName: site.title(language),
    logo: "",
    color: "",
    smsLogin: site.loginSms,
    byPhone: site.sendsSms,
    byEmail: site.sendsMail,
    passwordMax: Math.max(passwordLengths.spec.max, ...lengths),
  };
}
