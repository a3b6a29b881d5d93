import { urlEntry, urlGroup } from "@weft/contract/domains/policies/url-group.ts";
import { urlRule } from "@weft/contract/domains/policies/url-rule.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const urlGroupSection = [
  policyPart(urlRule, ["enable", "sort", "urlgroupId", "action", "ipgroupId", "timeId"]),
  policyPart(urlGroup, ["members", "remark"]),
  policyPart(urlEntry, ["urlgroupId", "url", "allowOnlyHost"]),
];
