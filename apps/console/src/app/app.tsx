import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import { documentTitle } from "@weft/contract/menu.ts";
import { useEffect, useState } from "react";
import { RouterProvider } from "react-router";
import { modeOf, useLook } from "#kernel/display.ts";
import { languageTag, useCurrentLanguage } from "#kernel/language.ts";
import { SessionContext } from "#kernel/session.tsx";
import { useSessionState } from "#kernel/session-state.ts";
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
    document.title = formatMessage(documentTitle, language);
  }, [language]);
};

/** A router and the menus that it was made of. */
interface Made {
  readonly menus: string;
  readonly router: ReturnType<typeof createRouter>;
}

/** The console: a router for whoever is logged in, or for nobody. */
export function App({ client }: { readonly client: QueryClient }) {
  useDocument();
  const session = useSessionState();
  const language = useCurrentLanguage();
  // Menus in another language have the same paths: only other menus make another router.
  const menus = JSON.stringify(session?.menus ?? null);
  const [made, setMade] = useState<Made | null>(null);
  // Made where it is ended: React may run an effect twice, and a disposed router never starts.
  useEffect(() => {
    const router = createRouter(JSON.parse(menus));
    setMade({ menus, router });
    return () => router.dispose();
  }, [menus]);
  // No screen of the old session is drawn once more without one.
  if (made?.menus !== menus) return null;
  return (
    <QueryClientProvider client={client}>
      <LanguageContext value={language}>
        <SessionContext value={session}>
          <RouterProvider key={menus} router={made.router} />
        </SessionContext>
      </LanguageContext>
    </QueryClientProvider>
  );
}
