import type { cpe } from "@weft/contract/domains/devices/cpe.ts";
import type { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { useTexts } from "#client/texts.ts";
import { nodeMessages } from "#domains/devices/parts/node/messages.ts";
import { standbyMessages } from "#domains/devices/parts/standby/messages.ts";
import { healthMessages } from "#parts/health/messages.ts";
import { cpeListMessages } from "./list-messages.ts";
import { cpeMessages } from "./messages.ts";

export type CpeRow = RowOf<typeof cpe>;
export type LanRow = RowOf<typeof lanSection>;
export type CpeDraft = DraftOf<typeof cpe>;

export const useCpeTexts = () =>
  useTexts(cpeListMessages, cpeMessages, nodeMessages, healthMessages, standbyMessages);
export type CpeTexts = ReturnType<typeof useCpeTexts>;
