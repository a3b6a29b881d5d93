import type { oidcFinish, oidcStart } from "@weft/contract/domains/access/identity-provider.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Configuration } from "openid-client";
import { inScope } from "#db/pool.ts";
import { admitProviderTry, openSession, placeOf } from "#domains/access/session/public.ts";
import type { Api, RequestFacts } from "#kernel/api.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { type Account, accountOf } from "./account.ts";
import {
  authTimeIssue,
  detailOf,
  discover,
  finishLogin,
  logoutUrl,
  type Provider,
  startLogin,
} from "./client.ts";
import { keepLogin, providerAt, type StoredProvider, takeLogin } from "./login-store.ts";
import { reasons, refuseLogin } from "./refusals.ts";
import { secretOf } from "./secret.ts";

/** The page of the console to which providers send browsers back. */
const backPath = "/login";

/** The redirect URI of a host, to be registered at the provider. @param origin of the page, which must be of this host */
function redirectUriOf(origin: string, { host }: RequestFacts): string {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  const isPage = url?.protocol === "https:" || url?.protocol === "http:";
  // A browser is never sent elsewhere than where it is.
  if (
    !url ||
    !isPage ||
    url.origin !== origin ||
    url.host !== new URL(`${url.protocol}//${host}`).host
  ) {
    refuseField("origin", "notAllowed");
  }
  return `${url.origin}${backPath}`;
}

/** The provider with its secret. @throws Error: it is under another key */
export function openProvider(
  { vault }: Pick<Api, "vault">,
  row: Pick<StoredProvider, "id" | "issuer" | "client_id" | "client_secret" | "scopes">,
): Provider {
  const secret = row.client_secret && vault.open(row.client_secret, secretOf(row.id));
  if (row.client_secret && secret === null) {
    throw new Error("the client secret cannot be read with the key for secrets");
  }
  return {
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: secret,
    scopes: row.scopes,
  };
}

/** Metadata is read again after this time, and after each change of the provider. */
const keptMs = 600_000;
const known = new WeakMap<
  Api,
  Map<string, { readonly config: Configuration; readonly at: number }>
>();

async function configOf(api: Api, row: StoredProvider): Promise<Configuration> {
  const provider = openProvider(api, row);
  const key = JSON.stringify([row.id, provider]);
  const kept = known.get(api) ?? new Map();
  known.set(api, kept);
  const now = performance.now();
  for (const [keptKey, { at }] of kept) if (now - at > keptMs) kept.delete(keptKey);
  const cached = kept.get(key);
  if (cached) return cached.config;
  const config = await discover(provider, api.site.identityNetworks).catch((error: unknown) =>
    refuseLogin(reasons.unreachable(detailOf(error))),
  );
  kept.set(key, { config, at: now });
  return config;
}

/** First half: where the browser goes. */
export async function startSignIn(
  api: Api,
  { providerId, origin, again }: InputOf<typeof oidcStart>,
  facts: RequestFacts,
): Promise<OutputOf<typeof oidcStart>> {
  const redirectUri = redirectUriOf(origin, facts);
  const row = (await providerAt(api.pools, providerId, facts.host)) ?? refuse("notFound");
  const config = await configOf(api, row);
  const provider = openProvider(api, row);
  const { url, ...secrets } = await startLogin(config, provider, redirectUri, again).catch(
    (error: unknown) => refuseLogin(reasons.unreachable(detailOf(error))),
  );
  const ticket = await keepLogin(api.pools, {
    ...secrets,
    provider_id: row.id,
    enterprise_id: row.enterprise_id,
    issuer: row.issuer,
    redirect_uri: redirectUri,
    address: placeOf(facts.address).place,
    again,
  });
  return { url, ticket };
}

/** Second half: what the browser came back with, and the session for it. */
export async function finishSignIn(
  api: Api,
  { ticket, answer }: InputOf<typeof oidcFinish>,
  facts: RequestFacts,
): Promise<OutputOf<typeof oidcFinish>> {
  const waiting = (await takeLogin(api.pools, ticket)) ?? refuseLogin(reasons.notWaiting);
  const row = await providerAt(api.pools, waiting.provider_id, facts.host);
  if (row?.issuer !== waiting.issuer) return refuseLogin(reasons.gone);
  const recordId = await admitProviderTry(api.pools, row.enterprise_id, `${row.name}: ?`, facts);
  const config = await configOf(api, row);
  const request = { ...waiting, redirectUri: waiting.redirect_uri };
  const { claims, idToken, authTime } = await finishLogin(
    config,
    request,
    answer,
    row.groups_claim,
  ).catch((error: unknown) => refuseAnswer(error));
  const name = `${row.name}: ${claims.userName || claims.subject}`;
  await noteTry(api, recordId, { login_name: name.slice(0, maxName) });
  const account = await accountOf(api, row, claims, facts);
  await noteTry(api, recordId, recordOf(account));
  const session = await openSession(api, account, recordId, facts, {
    provider: { id: row.id, hasMfa: row.has_mfa, authTime },
  });
  const provider = openProvider(api, row);
  return { ...session, logoutUrl: logoutUrl(config, provider, idToken, waiting.redirect_uri) };
}

/** Characters of a name in the login log. */
const maxName = 128;

const recordOf = ({ id, enterprise_id, login_name }: Account) => ({
  user_id: id,
  enterprise_id,
  login_name,
});

async function noteTry({ pools }: Api, id: number, values: object): Promise<void> {
  await inScope(pools.auth, { kind: "all" }, (trx) =>
    trx.updateTable("login_record").set(values).where("id", "=", id).execute(),
  );
}

const reasonsOfAuthTime = {
  missing: reasons.noAuthTime,
  earlier: reasons.notAgain,
  ahead: reasons.authTimeAhead,
} as const;

/** The provider refused, or its answer does not fit. */
function refuseAnswer(error: unknown): never {
  const { name, error: code } = error as { name?: string; error?: unknown };
  if (name === "AuthorizationResponseError" && typeof code === "string") {
    refuseLogin(reasons.denied(code));
  }
  const issue = authTimeIssue(error);
  if (issue !== null) refuseLogin(reasonsOfAuthTime[issue]);
  refuseLogin(reasons.badAnswer(detailOf(error)));
}
