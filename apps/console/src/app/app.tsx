import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import { documentTitle } from "@weft/contract/menu.ts";
import { useEffect, useRef, useState } from "react";
import { RouterProvider } from "react-router";
import { urlOf } from "#kernel/call.ts";
import { modeOf, useLook } from "#kernel/display.ts";
import { languageTag, useCurrentLanguage } from "#kernel/language.ts";
import { SessionContext } from "#kernel/session.tsx";
import { useSessionState } from "#kernel/session-state.ts";
import { startConfig } from "#kernel/start-config.ts";
import { paintRoot } from "#ui/tokens.ts";
import { LanguageContext } from "#ui/words.ts";
import { createRouter } from "./router.tsx";

/** The page's colours, language and title follow what the person chose. */
const useDocument = (): void => {
  const { display, fill } = useLook();
  const language = useCurrentLanguage();
  useEffect(() => {
    const root = document.documentElement;
    paintRoot(root, modeOf(display), fill);
    root.toggleAttribute("data-weak", display.weakMode);
  }, [display, fill]);
  useEffect(() => {
    document.documentElement.lang = languageTag(language);
    document.title = startConfig().title ?? formatMessage(documentTitle, language);
  }, [language]);
};

/** The icon of the browser's tab: the brand's, else its logo (section 7.1), else the console's own. */
const useIcon = (picture: string): void => {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link) return;
    link.type = picture === "" ? "image/svg+xml" : "image/png";
    link.href = picture === "" ? "/icon.svg" : urlOf(picture);
  }, [picture]);
};

/** A router and the session that it was made of, as far as routes depend on it. */
interface Made {
  readonly of: string;
  readonly router: ReturnType<typeof createRouter>;
}

/** The console: a router for whoever is logged in, or for nobody. */
export function App({ client }: { readonly client: QueryClient }) {
  useDocument();
  const session = useSessionState();
  useIcon(session?.icon || session?.logo || "");
  const language = useCurrentLanguage();
  // Only other menus or permissions make another router; null: nobody is logged in.
  const of = JSON.stringify(session && [session.userId, session.menus, session.authorities]);
  const latest = useRef(session);
  latest.current = session;
  const [made, setMade] = useState<Made | null>(null);
  // Made where it is ended: React may run an effect twice, and a disposed router never starts.
  useEffect(() => {
    const router = createRouter(of === "null" ? null : latest.current);
    setMade({ of, router });
    return () => router.dispose();
  }, [of]);
  // No screen of the old session is drawn once more without one.
  if (made?.of !== of) return null;
  return (
    <QueryClientProvider client={client}>
      <LanguageContext value={language}>
        <SessionContext value={session}>
          <RouterProvider key={of} router={made.router} />
        </SessionContext>
      </LanguageContext>
    </QueryClientProvider>
  );
}
