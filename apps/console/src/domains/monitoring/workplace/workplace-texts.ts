import type { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useTexts } from "#client/texts.ts";
import { workplaceMessages } from "./messages.ts";

export type Workplace = OutputOf<typeof workplace>;

export const useWorkplaceTexts = () => useTexts(workplaceMessages);
export type WorkplaceTexts = ReturnType<typeof useWorkplaceTexts>;
