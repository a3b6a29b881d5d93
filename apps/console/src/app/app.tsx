import { formatMessage } from "@weft/contract/kernel/message.ts";
import { documentTitle } from "@weft/contract/title.ts";
import { Component, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { urlOf } from "#client/call.ts";
import { useAppearance } from "#client/display.ts";
import { modeOf } from "#client/kept-display.ts";
import { languageTag } from "#client/kept-language.ts";
import { useCurrentLanguage } from "#client/language.ts";
import { usePageNames } from "#client/page-name.ts";
import { useSessionState } from "#client/session-state.ts";
import { startConfig } from "#client/start-config.ts";
import { commonTexts } from "#client/texts.ts";
import { LoginPage } from "#domains/access/session/login.tsx";
import { paintRoot } from "#ui/tokens.ts";
import { LanguageContext } from "#ui/ui-text.ts";
import { loginFor, showsLogin } from "./guard.ts";
import { asChunkError, ChunkLoadError } from "./load-view.ts";
import { fetchAhead, loadRouted } from "./parts.ts";
import { Starting } from "./starting.tsx";

interface NotLoadedProps {
  readonly children: ReactNode;
}

/** In place of the whole console when its first files do not come: no router is there to say so. */
class NotLoaded extends Component<NotLoadedProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error: asChunkError(error) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const t = commonTexts();
    const isChunk = error instanceof ChunkLoadError;
    return (
      <section className="w-state-page">
        <p className="w-state-code">{isChunk ? error.name : "500"}</p>
        <h1>{t(isChunk ? "page.notLoaded" : "page.broken")}</h1>
        <p className="w-quiet">{t(isChunk ? "page.notLoadedWhat" : "page.brokenWhat")}</p>
        <p className="w-state-ways">
          <button type="button" className="w-button" onClick={() => location.reload()}>
            {t("page.reload")}
          </button>
        </p>
      </section>
    );
  }
}

const Routed = lazy(async () => ({ default: (await loadRouted()).Routed }));

/** The page's colours, language and title follow what the person chose. */
const useDocument = (): void => {
  const { display, fill } = useAppearance();
  const language = useCurrentLanguage();
  const { open } = usePageNames();
  useEffect(() => {
    const root = document.documentElement;
    paintRoot(root, modeOf(display), fill);
    root.toggleAttribute("data-weak", display.weakMode);
  }, [display, fill]);
  useEffect(() => {
    document.documentElement.lang = languageTag(language);
    const title = startConfig().title ?? formatMessage(documentTitle, language);
    document.title = open === null ? title : `${open} · ${title}`;
  }, [language, open]);
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

/** True while there has been no session since the page was loaded, and only the login is shown. */
const useOnlyLogin = (isLoggedIn: boolean): boolean => {
  const [isOnly, setOnly] = useState(() => {
    const { pathname, search } = location;
    const isShown = !isLoggedIn && showsLogin(pathname);
    if (isShown && pathname !== "/login")
      history.replaceState(null, "", loginFor(pathname, search));
    return isShown;
  });
  if (isOnly && isLoggedIn) setOnly(false);
  useEffect(() => {
    if (!isOnly) return;
    // A user who types is about to log in: the shell loads while the password is being typed.
    addEventListener("input", fetchAhead, { once: true });
    return () => removeEventListener("input", fetchAhead);
  }, [isOnly]);
  return isOnly && !isLoggedIn;
};

/** Says that a part did not come, where all of them say it. */
function Lost({ error }: { readonly error: unknown }): never {
  throw error;
}

interface Props {
  /** What kept the session from being asked for; null: nothing did. */
  readonly lost: { readonly error: unknown } | null;
}

/**
 * The console. A user who has to log in first gets the login alone: the router, the shell and the
 * component library come with the session.
 */
export function App({ lost }: Props) {
  useDocument();
  const session = useSessionState();
  useIcon(session?.icon || session?.logo || "");
  const language = useCurrentLanguage();
  const isOnlyLogin = useOnlyLogin(session !== null);
  return (
    <LanguageContext value={language}>
      <NotLoaded>
        <Suspense fallback={<Starting />}>
          {lost ? <Lost {...lost} /> : isOnlyLogin ? <LoginPage /> : <Routed session={session} />}
        </Suspense>
      </NotLoaded>
    </LanguageContext>
  );
}
