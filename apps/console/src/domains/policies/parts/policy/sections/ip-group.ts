import { ipEntry, ipGroup } from "@weft/contract/domains/policies/ip-group.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const ipGroupSection = [
  policyPart(ipGroup, ["members", "remark"]),
  policyPart(ipEntry, ["ipgroupId", "ip", "remark"]),
];
