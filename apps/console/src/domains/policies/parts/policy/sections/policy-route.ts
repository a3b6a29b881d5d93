import { policyRoute } from "@weft/contract/domains/policies/policy-route.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const policyRouteSection = [
  policyPart(policyRoute, [
    "enable",
    "sort",
    "srcIpgroupId",
    "dstIpgroupId",
    "appgroupId",
    "timeId",
    "deny",
    "lineGroup",
    "nextHop",
  ]),
];
