/** Login by an identity provider: there and back. Fetched by those who use it. */
import { oidcFinish, oidcStart } from "@weft/contract/domains/access/identity-provider.ts";
import { call, tokenStore } from "#client/call.ts";
import { entrance } from "#client/entrance.ts";
import { loadSession } from "#client/load-session.ts";
import { keepLogoutAddress } from "#client/logout-address.ts";
import { browserStores } from "#client/token.ts";

/** What this tab knows of a login that it began: no other can end it. */
const key = "oidc";

/** Sends the browser to the provider. @throws CallError */
export const leaveFor = async (providerId: number): Promise<void> => {
  const { data } = await call(oidcStart, { providerId, origin: location.origin });
  const started = { ticket: data.ticket, search: location.search };
  browserStores().session.setItem(key, JSON.stringify(started));
  location.assign(data.url);
};

/** Ends the login with what the provider sent the browser back with. @throws CallError */
export const comeBack = async (answer: string): Promise<void> => {
  const { session } = browserStores();
  const kept = JSON.parse(session.getItem(key) ?? "{}") as { ticket?: string; search?: string };
  session.removeItem(key);
  // The page that was wanted; the guard leads to paths of this console only.
  history.replaceState(null, "", `${entrance.login}${kept.search ?? ""}`);
  // Without a ticket the controller says why this login cannot be ended here.
  const { data } = await call(oidcFinish, { ticket: kept.ticket ?? "-", answer });
  tokenStore().keep(data.token, false);
  keepLogoutAddress(data.logoutUrl);
  await loadSession();
};
