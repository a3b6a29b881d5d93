import type { vbrNode } from "@weft/contract/domains/overlay/vbr-node.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { paths, withSearch } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { vbrNodeMessages } from "./messages.ts";

export const useVbrNodeTexts = () => useTexts(vbrNodeMessages);
export type VbrNodeTexts = ReturnType<typeof useVbrNodeTexts>;
export type VbrNodeRow = RowOf<typeof vbrNode>;

/** Address of the table of a node. */
export const tableOf = (vbrNodeId: number): string => withSearch(paths.cloud(), { vbrNodeId });
