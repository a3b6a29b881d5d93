import { isSessionOver, tokenStore } from "#client/call.ts";
import { entrance } from "#client/entrance.ts";
import { isVisitTab, markVisit } from "#client/visit.ts";
import { broughtToken, loginFor } from "./guard.ts";
import { loadSessionPart } from "./parts.ts";

/** Keeps a token that the address brings, and takes it out of the address and the history. */
const takeToken = (): void => {
  const { pathname, search, hash } = location;
  const brought = broughtToken(pathname, search, hash);
  if (!brought) return;
  if (brought.token !== "") {
    tokenStore().keep(brought.token, false);
    markVisit(true);
  }
  history.replaceState(history.state, "", brought.address);
};

/**
 * With a token the menus come before anything is rendered. When they do not come the token is gone and
 * the login opens, also in place of pages that need none (section 2.2). Where a link led here that has
 * ended, the login says so.
 * @throws what the browser says of a file that does not come, which ends no session
 */
export const startSession = async (): Promise<void> => {
  takeToken();
  if (tokenStore().read() === null) return;
  const { loadSession } = await loadSessionPart();
  const { pathname, search } = location;
  await loadSession().catch((error: unknown) => {
    if (isVisitTab() && isSessionOver(error)) {
      return history.replaceState(null, "", entrance.login);
    }
    markVisit(false);
    history.replaceState(null, "", loginFor(pathname, pathname === "/login" ? "" : search));
  });
};
