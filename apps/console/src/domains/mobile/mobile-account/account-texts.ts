import type { mobileAccount } from "@weft/contract/domains/mobile/mobile-account.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useTexts } from "#client/texts.ts";
import { mobileAccountMessages } from "./messages.ts";

export type AccountRow = RowOf<typeof mobileAccount>;

/** Texts of this folder. */
export const useAccountTexts = () => useTexts(mobileAccountMessages);
export type AccountTexts = ReturnType<typeof useAccountTexts>;
