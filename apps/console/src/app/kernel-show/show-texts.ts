import { useTexts } from "#client/texts.ts";
import { showMessages } from "./messages.ts";

export const useShowTexts = () => useTexts(showMessages);
export type ShowTexts = ReturnType<typeof useShowTexts>;
