import { isSessionOver, sendAhead, tokenStore } from "#client/call.ts";
import { entrance } from "#client/entrance.ts";
import { startConfig } from "#client/start-config.ts";
import { isVisitTab, markVisit } from "#client/visit.ts";
import { broughtToken, loginFor } from "./guard.ts";
import { loadSessionPart } from "./parts.ts";

/** Stores a token from the address, and removes it from the address and the history. */
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
 * With a token, the menus are loaded before anything is rendered. If they cannot be loaded, the token is removed
 * and the login page opens, also instead of pages that need no token (section 2.2). If the token came from a
 * link that has expired, the login page says so.
 * @throws the browser's error for a file that cannot be loaded, which ends no session
 */
export const startSession = async (): Promise<void> => {
  takeToken();
  if (tokenStore().read() === null) return;
  // Beside the code that reads it, and not after it.
  const sent = sendAhead(startConfig().menuUrl);
  const { takeSession } = await loadSessionPart();
  const { pathname, search } = location;
  await takeSession(sent).catch((error: unknown) => {
    if (isVisitTab() && isSessionOver(error)) {
      return history.replaceState(null, "", entrance.login);
    }
    markVisit(false);
    history.replaceState(null, "", loginFor(pathname, pathname === "/login" ? "" : search));
  });
};
