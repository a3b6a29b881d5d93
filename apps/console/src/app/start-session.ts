import { tokenStore } from "#kernel/call.ts";
import { loadSession } from "#kernel/session-state.ts";
import { broughtToken, loginFor } from "./guard.ts";

/** Keeps a token that the address brings, and takes it out of the address and the history. */
const takeToken = (): void => {
  const { pathname, search, hash } = location;
  const brought = broughtToken(pathname, search, hash);
  if (!brought) return;
  if (brought.token !== "") tokenStore().keep(brought.token, false);
  history.replaceState(history.state, "", brought.address);
};

/**
 * With a token the menus come before anything is drawn. When they do not come the token is gone and
 * the log-in opens, also in place of pages that need none (section 2.2).
 */
export const startSession = async (): Promise<void> => {
  takeToken();
  if (tokenStore().read() === null) return;
  const { pathname, search } = location;
  await loadSession().catch(() =>
    history.replaceState(null, "", loginFor(pathname, pathname === "/login" ? "" : search)),
  );
};
