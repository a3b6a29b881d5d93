/** What a session brings to the log-in: fetched once it is likely, at the latest when it is there. */
export const loadRouted = () => import("./routed.tsx");
const loadSignedIn = () => import("./signed-in.tsx");

/** Fetches both ahead. What does not come is asked for again, and then says so. */
export const fetchAhead = (): void => {
  for (const load of [loadRouted, loadSignedIn]) void load().catch(() => undefined);
};
