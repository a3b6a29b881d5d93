import type { user } from "@weft/contract/domains/access/user.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useTexts } from "#client/texts.ts";
import { userMessages } from "./messages.ts";

export type UserRow = RowOf<typeof user>;

/** Texts of this folder. */
export const useUserTexts = () => useTexts(userMessages);
export type UserTexts = ReturnType<typeof useUserTexts>;
