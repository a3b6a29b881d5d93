import { useTexts } from "#client/texts.ts";
import { pathMessages } from "./messages.ts";

export const usePathTexts = () => useTexts(pathMessages);
export type PathTexts = ReturnType<typeof usePathTexts>;
