import { useTexts } from "#client/texts.ts";
import { commandMessages } from "#domains/devices/parts/node/commands/messages.ts";
import { nodeMessages } from "#domains/devices/parts/node/messages.ts";
import { standbyMessages } from "#domains/devices/parts/standby/messages.ts";
import { healthMessages } from "#parts/health/messages.ts";
import { cpeListMessages } from "./list-messages.ts";
import { cpeMessages } from "./messages.ts";
import { siteMessages } from "./site/messages.ts";

/** All that is set on a site: no list waits for them. */
export const useSiteTexts = () =>
  useTexts(
    siteMessages,
    commandMessages,
    cpeListMessages,
    cpeMessages,
    nodeMessages,
    healthMessages,
    standbyMessages,
  );
export type SiteTexts = ReturnType<typeof useSiteTexts>;
