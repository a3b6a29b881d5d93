import type { PasswordPolicy } from "@weft/contract/domains/access/enums.ts";
import type { apiConfig } from "@weft/contract/domains/access/login.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { passwordLengths } from "@weft/contract/rules/password-policy.ts";
import { scopedRead } from "#db/pool.ts";
import { providersAt } from "#domains/access/identity-provider/public.ts";
import { brandAt } from "#domains/enterprises/brand/public.ts";
import type { Api, RequestFacts } from "#kernel/api.ts";

/** The site as the login page shows it; it reveals nothing about any account. */
export async function siteConfig(
  { pools, site }: Api,
  { site: wanted }: InputOf<typeof apiConfig>,
  { language, host }: RequestFacts,
): Promise<OutputOf<typeof apiConfig>> {
  const at = wanted ?? host;
  const [policies, brand, providers] = await scopedRead(pools.auth, { kind: "all" }, (trx) =>
    Promise.all([
      trx.selectFrom("enterprise").select("password_policy").distinct().execute(),
      brandAt(trx, at.replace(/:\d+$/, "")),
      providersAt(trx, at),
    ]),
  );
  const lengths = policies.map(
    ({ password_policy }) => passwordLengths[password_policy as PasswordPolicy].max,
  );
  return {
    sysName: brand.name ?? site.title(language),
    logo: brand.logo ?? "",
    color: brand.color ?? "",
    smsLogin: site.loginSms,
    byPhone: site.sendsSms,
    byEmail: site.sendsMail,
    ...(providers.length > 0 && { providers }),
    passwordMax: Math.max(passwordLengths.spec.max, ...lengths),
  };
}
