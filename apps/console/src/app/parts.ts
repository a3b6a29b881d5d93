import { loadSignedIn } from "./load-shell.ts";

/** What a session needs after the login: fetched once it is likely, at the latest when it starts. */
export const loadRouted = () => import("./routed.tsx");
/** What asks for the session. */
export const loadSessionPart = () => import("#client/load-session.ts");
/** What nearly every screen is made of, and the largest part of the first one: it does not wait until the screen is known. */
const loadLists = () => import("#kernel/list/list-page.tsx");
/** The screen of the address, whose files would else come after the menus that name it, and what it asks for first. */
const fetchScreen = async (): Promise<void> => {
  const ahead = await import("./screen-ahead.ts");
  ahead.sendWithSession();
  await ahead.fetchScreen(location.pathname, location.search);
};

/** Fetches all of it ahead. What does not come is asked for again, and then says so. */
export const fetchAhead = (): void => {
  for (const load of [loadSessionPart, loadRouted, loadSignedIn, loadLists, fetchScreen]) {
    void load().catch(() => undefined);
  }
};
