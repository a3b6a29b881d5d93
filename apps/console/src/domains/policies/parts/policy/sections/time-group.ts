import { timeGroup } from "@weft/contract/domains/policies/time-group.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const timeGroupSection = [
  policyPart(timeGroup, ["weekdays", "startTime", "endTime", "nextSwitch", "remark"]),
];
