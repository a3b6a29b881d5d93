import type { enrolmentList } from "@weft/contract/domains/devices/enrolment.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useTexts } from "#client/texts.ts";
import { enrolmentMessages } from "./messages.ts";

export type EnrolmentRow = OutputOf<typeof enrolmentList>[number];

export const useEnrolmentTexts = () => useTexts(enrolmentMessages);
export type EnrolmentTexts = ReturnType<typeof useEnrolmentTexts>;
