import { defineMessages } from "@weft/contract/kernel/message.ts";

export const siteTrafficMessages = defineMessages({
  "siteTraffic.report": ["报表", "Reports"],
});
