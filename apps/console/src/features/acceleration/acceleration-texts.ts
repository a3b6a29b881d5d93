import { useTexts } from "#kernel/texts.ts";
import { accelerationMessages } from "./messages.ts";

export const useAccelerationTexts = () => useTexts(accelerationMessages);
export type AccelerationTexts = ReturnType<typeof useAccelerationTexts>;
