/** What a session needs after the login: fetched once it is likely, at the latest when it starts. */
export const loadRouted = () => import("./routed.tsx");
/** What asks for the session. */
export const loadSessionPart = () => import("#client/load-session.ts");
const loadSignedIn = () => import("./signed-in.tsx");
/** The screen of the address, whose files would else come after the menus that name it. */
const fetchScreen = async (): Promise<void> =>
  (await import("./router.tsx")).fetchScreen(location.pathname, location.search);

/** Fetches all of it ahead. What does not come is asked for again, and then says so. */
export const fetchAhead = (): void => {
  for (const load of [loadSessionPart, loadRouted, loadSignedIn, fetchScreen]) {
    void load().catch(() => undefined);
  }
};
