import { useTexts } from "#client/texts.ts";
import { commandMessages } from "./commands/messages.ts";

export const useCommandTexts = () => useTexts(commandMessages);
