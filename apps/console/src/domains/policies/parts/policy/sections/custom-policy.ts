import { appGroup } from "@weft/contract/domains/policies/app-group.ts";
import { customPolicy, customRule } from "@weft/contract/domains/policies/custom-policy.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const customPolicySection = [
  policyPart(customPolicy, ["enable", "sort", "nPid", "protocol", "dstPort", "dstIp"]),
  policyPart(customRule, ["refId", "value"], "node"),
  policyPart(customRule, ["refId", "value"], "domain"),
  policyPart(appGroup, ["l7ids", "remark"]),
];
