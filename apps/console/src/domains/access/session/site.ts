import type { apiConfig } from "@weft/contract/domains/access/login.ts";
import { sitePath } from "@weft/contract/domains/devices/site-path.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { flagOf } from "@weft/contract/kernel/flag.ts";
import { formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import { documentTitle } from "@weft/contract/title.ts";
import { useEffect, useState } from "react";
import type { z } from "zod";
import { readOpen } from "#client/call.ts";
import { applyColour } from "#client/display.ts";
import { useCurrentLanguage } from "#client/language.ts";

export type Site = OutputOf<typeof apiConfig>;
type SiteWire = z.input<(typeof apiConfig)["output"]>;

/** What is shown until the controller has answered, and when it does not. */
const preset = (language: Language): Site => ({
  sysName: formatMessage(documentTitle, language),
  logo: "",
  color: "",
  passwordMax: 128,
  smsLogin: false,
  byPhone: false,
  byEmail: false,
});

/**
 * What the wire says, as its schema would read it: besides flags the two are the same. What a server
 * leaves out has its default.
 */
const read = ({ smsLogin, byPhone, byEmail, ...same }: SiteWire, otherwise: Site): Site => ({
  ...otherwise,
  ...same,
  smsLogin: flagOf(smsLogin) ?? otherwise.smsLogin,
  byPhone: flagOf(byPhone) ?? otherwise.byPhone,
  byEmail: flagOf(byEmail) ?? otherwise.byEmail,
});

/** The site before anybody is logged in; null while the controller has not answered. */
export const useSite = (): { readonly site: Site; readonly isKnown: boolean } => {
  const language = useCurrentLanguage();
  const [known, setKnown] = useState<Site | null>(null);
  useEffect(() => {
    const ended = new AbortController();
    const site = new URLSearchParams(location.search).get("site");
    // A site that does not answer shows the default name; the login itself will say what is wrong.
    void (async () => {
      try {
        const wire = await readOpen(sitePath, site === null ? {} : { site }, ended.signal);
        const given = read(wire as SiteWire, preset(language));
        setKnown(given);
        void applyColour(given.color);
      } catch {
        if (!ended.signal.aborted) setKnown(null);
      }
    })();
    // In another language the name is another.
    return () => ended.abort(language);
  }, [language]);
  return { site: known ?? preset(language), isKnown: known !== null };
};
