/** What is asked of identity providers, by openid-client: metadata, keys, tokens and claims. */
import type { ProviderStep } from "@weft/contract/domains/access/identity-provider.ts";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { createFetch, type Fetch } from "./guarded-fetch.ts";

/** A provider as it is asked. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  /** null: a public client. */
  readonly clientSecret: string | null;
  readonly scopes: string;
}

/** Seconds for a request. */
const timeout = 10;
/** Seconds that clocks of provider and controller may differ. */
const tolerance = 60;

/** Metadata and keys of a provider. @throws Error: it cannot be reached, or is not the issuer */
export async function discover(
  provider: Provider,
  networks: readonly string[],
): Promise<Configuration> {
  const request = createFetch(networks) as never;
  const metadata = { [clockTolerance]: tolerance };
  const { issuer, clientId, clientSecret } = provider;
  const configuration = await discovery(new URL(issuer), clientId, metadata, None(), {
    // Where http may lead, the fetch decides.
    execute: [allowInsecureRequests],
    [customFetch]: request,
    timeout,
  });
  const server = configuration.serverMetadata();
  const methods = server.token_endpoint_auth_methods_supported;
  const auth = authOf(clientSecret, methods);
  const config = new Configuration(server, clientId, metadata, auth);
  config[customFetch] = request;
  config.timeout = timeout;
  allowInsecureRequests(config);
  enableNonRepudiationChecks(config);
  return config;
}

/** Basic unless the provider says that it takes the secret in the body only (RFC 8414, section 2). */
function authOf(secret: string | null, methods: readonly string[] | undefined): ClientAuth {
  if (secret === null) return None();
  const isPost =
    methods?.includes("client_secret_post") && !methods.includes("client_secret_basic");
  return isPost ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

/** An address that browsers are led to: the provider could name a script otherwise. */
function pageAddress(url: URL, issuer: string): string {
  const isAllowed =
    url.protocol === "https:" || (url.protocol === "http:" && issuer.startsWith("http:"));
  if (!isAllowed) throw new Error(`${url.protocol} is no address of a page`);
  return url.href;
}

export interface StartedLogin {
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/**
 * Where a browser goes to log in: code flow with PKCE, state and nonce.
 * @param again the person has to authenticate, whatever session the provider has (OpenID Connect Core 1.0, section
 *   3.1.2.1): `prompt` for providers that take `max_age` of 0 as none, `max_age` because the ID token then has `auth_time`
 */
export async function startLogin(
  config: Configuration,
  { issuer, scopes }: Provider,
  redirectUri: string,
  again: boolean,
): Promise<StartedLogin> {
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
  const requested = new Set(["openid", ...scopes.split(/\s+/).filter(Boolean)]);
  const url = buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: [...requested].join(" "),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(again && { prompt: "login", max_age: "0" }),
  });
  return { url: pageAddress(url, issuer), state, nonce, verifier };
}

export interface Claims {
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string;
  /** What the person is called there, for the name of a new account. */
  readonly userName: string;
  readonly groups: readonly string[];
}

interface LoginRequest {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  /** The person had to authenticate again. */
  readonly again: boolean;
  /** Whole seconds since the login began. */
  readonly seconds: number;
}

/** Who logged in, and what the session keeps of the answer. */
interface Finished {
  readonly claims: Claims;
  readonly idToken: string;
  /** When the person last authenticated at the provider, in seconds since 1970; null: not reported. */
  readonly authTime: number | null;
}

/**
 * Exchanges the code and reads who logged in.
 * @param answer query of the address at which the browser came back
 * @throws Error of openid-client, or of the request
 */
export async function finishLogin(
  config: Configuration,
  { state, nonce, verifier, redirectUri, again, seconds }: LoginRequest,
  answer: string,
  claimOfGroups: string,
): Promise<Finished> {
  const url = new URL(redirectUri);
  url.search = answer;
  const tokens = await authorizationCodeGrant(config, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
    // Since the login began, not since now: consent or a slow way back do not count.
    ...(again && { maxAge: seconds }),
  });
  const given = tokens.claims();
  if (!given || tokens.id_token === undefined) throw new Error("no ID token");
  const authTime = given.auth_time ?? null;
  if (again && authTime !== null && authTime > Date.now() / 1_000 + tolerance) {
    throw new AuthTimeAhead(`auth_time is ${authTime}`);
  }
  const isWhole = claimOfGroups in given && "email" in given;
  const readsUserInfo = !isWhole && config.serverMetadata().userinfo_endpoint !== undefined;
  const more = readsUserInfo ? await fetchUserInfo(config, tokens.access_token, given.sub) : {};
  return {
    claims: claimsOf({ ...more, ...given }, claimOfGroups),
    idToken: tokens.id_token,
    authTime,
  };
}

function claimsOf(all: Readonly<Record<string, unknown>>, claimOfGroups: string): Claims {
  const text = (name: string): string | null =>
    typeof all[name] === "string" ? (all[name] as string) : null;
  const groups = [all[claimOfGroups] ?? []].flat();
  const email = text("email");
  return {
    subject: text("sub") ?? "",
    email,
    isEmailVerified: all.email_verified === true,
    name: text("name") ?? "",
    userName: text("preferred_username") ?? email ?? text("name") ?? "",
    groups: groups.filter((group): group is string => typeof group === "string"),
  };
}

/** Where the session at the provider ends (OpenID Connect RP-Initiated Logout 1.0); empty: it offers none. */
export function logoutUrl(
  config: Configuration,
  { issuer }: Provider,
  idToken: string,
  redirectUri: string,
): string {
  if (config.serverMetadata().end_session_endpoint === undefined) return "";
  const parameters = { id_token_hint: idToken, post_logout_redirect_uri: redirectUri };
  return pageAddress(buildEndSessionUrl(config, parameters), issuer);
}

/** `auth_time` says nothing: it has not come yet, by a clock that is ahead or in milliseconds. */
class AuthTimeAhead extends Error {}

/** The ID token does not show that the person authenticated again: without `auth_time`, or with one from before or ahead. */
export function authTimeIssue(error: unknown): "missing" | "earlier" | "ahead" | null {
  if (error instanceof AuthTimeAhead) return "ahead";
  for (let at = error; at !== null && at !== undefined; at = (at as { cause?: unknown }).cause) {
    const { claim, message } = at as { claim?: unknown; message?: unknown };
    if (claim === "auth_time") return "earlier";
    // The library names a claim that is missing in the message alone.
    if (typeof message === "string" && message.startsWith('JWT "auth_time"')) return "missing";
  }
  return null;
}

/** Error text of openid-client in one line. */
export function detailOf(error: unknown): string {
  const {
    code,
    message,
    cause,
    error: refused,
  } = error as {
    code?: unknown;
    message?: string;
    cause?: unknown;
    error?: unknown;
  };
  const status = cause instanceof Response ? `HTTP ${cause.status}` : "";
  const inner = cause instanceof Error ? cause.message : status;
  const all = [message, refused, inner, code].filter(
    (text) => typeof text === "string" && text !== "",
  );
  return [...new Set(all)]
    .join("; ")
    .replaceAll(/[{}\p{Cc}]/gu, " ")
    .slice(0, 300);
}

/** Reads all that a login needs, one after the other. @returns what failed and why; null: nothing did */
export async function check(
  provider: Provider,
  networks: readonly string[],
): Promise<{ readonly failed: ProviderStep | null; readonly detail: string }> {
  const discovered = await discover(provider, networks).catch((error: unknown) => detailOf(error));
  if (typeof discovered === "string") {
    const isIssuer = discovered.includes("issuer");
    return { failed: isIssuer ? "issuer" : "discovery", detail: discovered };
  }
  const server = discovered.serverMetadata();
  const needed = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;
  const missing = needed.filter((name) => server[name] === undefined);
  if (missing.length > 0) return { failed: "endpoints", detail: missing.join(", ") };
  const challenges = server.code_challenge_methods_supported;
  if (challenges && !challenges.includes("S256")) {
    return { failed: "pkce", detail: challenges.join(", ") };
  }
  return checkKeys(createFetch(networks), server.jwks_uri ?? "");
}

async function checkKeys(request: Fetch, url: string) {
  try {
    const signal = AbortSignal.timeout(timeout * 1000);
    const answer = await request(url, { method: "GET", headers: {}, signal });
    if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
    const { keys } = (await answer.json()) as { keys?: unknown };
    if (!Array.isArray(keys) || keys.length === 0) throw new Error("no keys");
    return { failed: null, detail: "" };
  } catch (error) {
    return { failed: "keys" as const, detail: `${url}: ${detailOf(error)}` };
  }
}
