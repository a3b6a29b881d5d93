import { QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, useEffect, useRef, useState } from "react";
import { type DataRouter, RouterProvider } from "react-router";
import "#client/contract-texts.ts";
import { entrance } from "#client/entrance.ts";
import { forgetPageNames } from "#client/page-name.ts";
import { forgetSearches } from "#client/paths.ts";
import { createQueryClient } from "#client/query.ts";
import { type Session, SessionContext } from "#client/session.tsx";
import { onSessionEnd } from "#client/session-state.ts";
import { isVisitTab } from "#client/visit.ts";
import { loginFor } from "./guard.ts";
import { loadedShell, loadSignedIn } from "./load-shell.ts";
import { createRouter } from "./router.tsx";
import { Starting } from "./starting.tsx";

const client = createQueryClient();
onSessionEnd(() => client.clear());
onSessionEnd(forgetSearches);
onSessionEnd(forgetPageNames);

/** A router and the session that it was made of, as far as routes depend on it. */
interface Made {
  readonly of: string;
  readonly router: ReturnType<typeof createRouter>;
}

/** A user whose session ended goes to the login, also from the screen that needs no session. */
const leaveTemplates = (): void => {
  const { pathname, search } = window.location;
  if (pathname !== entrance.templates) return;
  history.replaceState(null, "", isVisitTab() ? entrance.login : loginFor(pathname, search));
};

/** All screens: a router for a session, or for none. */
export function Routed({ session }: { readonly session: Session | null }) {
  // Only other menus or permissions make another router; null: there is no session.
  const of = JSON.stringify(session && [session.userId, session.menus, session.authorities]);
  const latest = useRef(session);
  latest.current = session;
  const [made, setMade] = useState<Made | null>(null);
  // Made where it is ended: React may run an effect twice, and a disposed router never starts.
  const hadSession = useRef(false);
  useEffect(() => {
    if (of !== "null") hadSession.current = true;
    else if (hadSession.current) leaveTemplates();
    let router: DataRouter | null = null;
    let isOver = false;
    const make = (Shell: ComponentType | null): void => {
      if (isOver) return;
      router = createRouter(of === "null" ? null : latest.current, Shell);
      setMade({ of, router });
    };
    const Shell = loadedShell();
    if (of === "null" || Shell !== null) make(Shell);
    // The router waits for all that it has to load itself: the shell would wait for its first screen. What does not come
    // is asked for again by the router, which says what is wrong.
    else void loadSignedIn().then(make, () => make(null));
    return () => {
      isOver = true;
      router?.dispose();
    };
  }, [of]);
  // No screen of the old session is rendered once more without one.
  if (made?.of !== of) return session === null ? null : <Starting />;
  return (
    <QueryClientProvider client={client}>
      <SessionContext value={session}>
        <RouterProvider key={of} router={made.router} />
      </SessionContext>
    </QueryClientProvider>
  );
}
