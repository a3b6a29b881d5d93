import { formatMessage } from "@weft/contract/kernel/message.ts";
import { documentTitle } from "@weft/contract/title.ts";
import type { Site } from "#kernel/api.ts";
import type { Settings } from "./settings.ts";

/** What the settings say of the site. */
export const siteOf = ({ title, loginSms, smtpUrl, smsUrl, identityNetworks }: Settings): Site => ({
  title: (language) => title ?? formatMessage(documentTitle, language),
  loginSms,
  sendsMail: smtpUrl !== undefined,
  sendsSms: smsUrl !== undefined,
  identityNetworks,
});
