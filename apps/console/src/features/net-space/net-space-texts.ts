import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import type { netSpace } from "@weft/contract/resources/net-space.ts";
import { useTexts } from "#client/texts.ts";
import { nodeMessages } from "#parts/node/messages.ts";
import { netSpaceMessages } from "./messages.ts";

export type SpaceRow = RowOf<typeof netSpace>;
export type SpaceDraft = DraftOf<typeof netSpace>;

export const useSpaceTexts = () => useTexts(netSpaceMessages, nodeMessages);
export type SpaceTexts = ReturnType<typeof useSpaceTexts>;
