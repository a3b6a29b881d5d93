/** Login by an identity provider: there and back. Fetched by those who use it. */
import { oidcFinish, oidcStart } from "@weft/contract/domains/access/identity-provider.ts";
import { logout } from "@weft/contract/domains/access/session.ts";
import { flushSync } from "react-dom";
import { call, tokenStore } from "#client/call.ts";
import { entrance } from "#client/entrance.ts";
import { loadSession } from "#client/load-session.ts";
import { keepLogoutAddress } from "#client/logout-address.ts";
import { endSession } from "#client/session-state.ts";
import { browserStores } from "#client/token.ts";

/** What this tab knows of a login that it began: no other can end it. */
const key = "oidc";

/** @param search of the login page that the browser comes back to. @returns where the browser goes */
const begin = async (providerId: number, again: boolean, search: string): Promise<string> => {
  const { data } = await call(oidcStart, { providerId, origin: location.origin, again });
  browserStores().session.setItem(key, JSON.stringify({ ticket: data.ticket, search }));
  return data.url;
};

/** Sends the browser to the provider. @throws CallError */
export const leaveFor = async (providerId: number): Promise<void> =>
  location.assign(await begin(providerId, false, location.search));

/**
 * Ends the session and sends its person to the provider to authenticate again. Forms keep what was typed, and the login leads
 * back to them. @throws CallError, and the session goes on
 */
export const authenticateAgain = async (providerId: number): Promise<void> => {
  const { pathname, search } = location;
  const url = await begin(providerId, true, `?from=${encodeURIComponent(pathname + search)}`);
  await call(logout, {}).catch(() => undefined);
  // The form is gone before the page is: its guard would ask whether to leave.
  flushSync(endSession);
  location.assign(url);
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
