import { useTexts } from "#client/texts.ts";
import { accelerationMessages } from "./messages.ts";

export const useAccelerationTexts = () => useTexts(accelerationMessages);
export type AccelerationTexts = ReturnType<typeof useAccelerationTexts>;
