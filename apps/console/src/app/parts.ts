import { loadSignedIn } from "./load-shell.ts";
import { pageParts } from "./parts-ahead.ts";

/** What a session needs after the login: fetched once it is likely, at the latest when it starts. */
export const loadRouted = () => import("./routed.tsx");
/** What asks for the session. */
export const loadSessionPart = () => import("#client/load-session.ts");
/** What nearly every screen is made of, and the largest part of the first one: it does not wait until the screen is known. */
const loadLists = () => import("#kernel/list/list-page.tsx");
/** What the screen of the address asks for first. */
const sendFirstCalls = async (): Promise<void> =>
  (await import("./screen-ahead.ts")).sendWithSession();
/** The screen of the address, whose files would else come after the menus that name it. */
const fetchScreen = async (): Promise<void> =>
  (await import("./screen-ahead.ts")).fetchScreen(location.pathname, location.search);

/** What is imported as soon as a part is there; with it comes all that is not there yet, and in no order. */
const ahead: readonly (readonly [part: string, load: () => Promise<unknown>])[] = [
  ["calls", loadSessionPart],
  ["calls", sendFirstCalls],
  ["screens", loadRouted],
  ["shell", loadSignedIn],
  ["shell", fetchScreen],
  ["lists", loadLists],
];

/**
 * One file runs or waits for its turn while the next one comes, and another one is asked for: of more at once none would be
 * there before all are, and after one by itself the line would wait for what is asked for next.
 */
const atOnce = 2;

/** Fetches all of it ahead. What does not come is asked for again, and then says so. */
export const fetchAhead = (): void => {
  const parts = pageParts();
  parts.fetch(atOnce);
  for (const [part, load] of ahead) {
    void parts
      .came(part)
      .then(load)
      .catch(() => undefined);
  }
};
