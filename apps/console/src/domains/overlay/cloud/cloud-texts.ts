import type { vbrNode } from "@weft/contract/domains/overlay/vbr-node.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { paths, withSearch } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { cloudMessages } from "./messages.ts";

export const useCloudTexts = () => useTexts(cloudMessages);
export type CloudTexts = ReturnType<typeof useCloudTexts>;
export type CloudRow = RowOf<typeof vbrNode>;

/** Address of the table of a node. */
export const tableOf = (vbrNodeId: number): string => withSearch(paths.cloud(), { vbrNodeId });
