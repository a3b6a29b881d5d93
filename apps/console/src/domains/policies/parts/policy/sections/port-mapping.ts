import { portMapping } from "@weft/contract/domains/policies/port-mapping.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const portMappingSection = [
  policyPart(portMapping, ["enable", "protocol", "internalIp", "internalPort", "lineId"]),
];
