import { connectionLimit } from "@weft/contract/domains/policies/connection-limit.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const connectionLimitSection = [
  policyPart(connectionLimit, ["enable", "ipgroupId", "maxConnections", "maxNewPerSecond"]),
];
