import type { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { useTexts } from "#client/texts.ts";
import { nodeMessages } from "#domains/devices/parts/node/messages.ts";
import { healthMessages } from "#parts/health/messages.ts";
import { netSpaceMessages } from "./messages.ts";

export type SpaceRow = RowOf<typeof netSpace>;
export type SpaceDraft = DraftOf<typeof netSpace>;

export const useSpaceTexts = () => useTexts(netSpaceMessages, nodeMessages, healthMessages);
export type SpaceTexts = ReturnType<typeof useSpaceTexts>;
