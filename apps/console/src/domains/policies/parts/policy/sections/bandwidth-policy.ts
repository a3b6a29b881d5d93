import { bandwidthPolicy } from "@weft/contract/domains/policies/bandwidth-policy.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const bandwidthPolicySection = [
  policyPart(bandwidthPolicy, ["enable", "sort", "pipeId", "appgroupId", "ipgroupId", "timeId"]),
];
