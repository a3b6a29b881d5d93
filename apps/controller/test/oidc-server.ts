/** A real OpenID provider on loopback, whose people log in without a form; its ID tokens can be made wrong. */
import { createSign, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type KoaContextWithOIDC } from "oidc-provider";

/** The client whose ID tokens have `auth_time` without being asked, as those of many providers. */
export const clientWithAuthTime = "weft-auth-time";
export const clientSecret = "c1ient-secret-of-the-tests";

/** Who logs in next, and with what. */
export interface PersonThere {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly preferred_username?: string;
  readonly groups?: readonly string[];
}

type Claims = Record<string, unknown>;

export interface OidcServer {
  readonly issuer: string;
  person: PersonThere;
  /** Changes the claims of ID tokens, which are signed again; null: they stay. */
  forge: ((claims: Claims) => Claims) | null;
  /** Whether ID tokens are signed with another key than the published one. */
  foreignKey: boolean;
  /** How long ago people who log in from now on did so, in seconds. */
  loggedInAgo: number;
  /** Logins for which the provider asked a person. */
  readonly askedLogins: number;
  /** Follows redirects from the authorization URL to where the browser is sent back. @param browser keeps cookies between visits */
  visit(url: string, browser?: TestBrowser): Promise<URL>;
  close(): Promise<void>;
}

/** Cookies by their names. */
export type TestBrowser = Map<string, string>;

const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** @param redirectUri where browsers are sent back */
export async function oidcServer(redirectUri: string): Promise<OidcServer> {
  const [key, foreign] = [newKey(), newKey()];
  const http = createServer();
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: ["weft", clientWithAuthTime].map((id) => ({
      client_id: id,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [redirectUri],
      require_auth_time: id === clientWithAuthTime,
    })),
    jwks: {
      keys: [{ ...key.export({ format: "jwk" }), kid: "k", alg: "RS256", use: "sig" }] as never,
    },
    cookies: { keys: ["tests"] },
    claims: {
      openid: ["sub"],

      email: ["email", "email_verified"],
      profile: ["name", "preferred_username", "groups"],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...server.person, sub }) }),
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? "",
        accountId: ctx.oidc.session?.accountId ?? "",
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  let askedLogins = 0;
  const signed = (token: string): string => {
    const [head = "", body = ""] = token.split(".");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as Claims;
    const text = `${head}.${encoded(server.forge?.(claims) ?? claims)}`;
    const used = server.foreignKey ? foreign : key;
    return `${text}.${createSign("RSA-SHA256").update(text).sign(used, "base64url")}`;
  };
  provider.use(async (ctx: KoaContextWithOIDC, next) => {
    if (ctx.path.startsWith("/interaction/")) {
      askedLogins += 1;
      const ts = Math.floor(Date.now() / 1000) - server.loggedInAgo;
      const login = { accountId: server.person.sub, ts };
      return provider.interactionFinished(ctx.req, ctx.res, { login });
    }
    await next();
    const body = ctx.body as { id_token?: string } | undefined;
    if (ctx.path === "/token" && body?.id_token) {
      ctx.body = { ...body, id_token: signed(body.id_token) };
    }
  });
  const answer = provider.callback();
  http.on("request", (request, response) => void answer(request, response));
  const server: OidcServer = {
    issuer,
    person: { sub: "" },
    forge: null,
    foreignKey: false,
    loggedInAgo: 0,
    get askedLogins() {
      return askedLogins;
    },
    visit: (url, browser = new Map()) => visit(url, redirectUri, browser),
    close: () => new Promise((done) => void http.close(() => done())),
  };
  return server;
}

/** A browser without a page: it keeps cookies and follows redirects. */
async function visit(from: string, redirectUri: string, jar: TestBrowser): Promise<URL> {
  let url = new URL(from);
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const one of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const next = answer.headers.get("location");
    if (next === null) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`);
    url = new URL(next, url);
    if (url.href.startsWith(redirectUri)) return url;
  }
  throw new Error("too many redirects");
}
