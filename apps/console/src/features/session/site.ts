import { apiConfig } from "@weft/contract/calls/sign-in.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import { documentTitle } from "@weft/contract/title.ts";
import { useEffect, useState } from "react";
import { call } from "#kernel/call.ts";
import { wearColour } from "#kernel/display.ts";
import { useCurrentLanguage } from "#kernel/language.ts";

export type Site = OutputOf<typeof apiConfig>;

/** What is shown until the controller has said, and when it does not. */
const usual = (sysName: string): Site => ({
  ...{ sysName, logo: "", color: "", smsLogin: false, byPhone: false, byEmail: false },
  passwordMax: 128,
});

/** The site before anybody is logged in; null while the controller has not answered. */
export const useSite = (): { readonly site: Site; readonly isKnown: boolean } => {
  const language = useCurrentLanguage();
  const [known, setKnown] = useState<Site | null>(null);
  useEffect(() => {
    const ended = new AbortController();
    const site = new URLSearchParams(location.search).get("site");
    // A site that does not answer shows the usual name; the log-in itself will say what is wrong.
    void (async () => {
      try {
        const input = { username: null, site };
        const { data } = await call(apiConfig, input, { signal: ended.signal });
        setKnown(data);
        void wearColour(data.color);
      } catch {
        if (!ended.signal.aborted) setKnown(null);
      }
    })();
    // In another language the name is another.
    return () => ended.abort(language);
  }, [language]);
  return { site: known ?? usual(formatMessage(documentTitle, language)), isKnown: known !== null };
};
