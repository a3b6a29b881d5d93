import { dnsControl } from "@weft/contract/domains/policies/dns-control.ts";
import { dnsEntry, dnsGroup } from "@weft/contract/domains/policies/dns-group.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const dnsSection = [
  policyPart(dnsControl, ["enable", "sort", "serverip", "serverip2", "dnsgroup", "outlineid"]),
  policyPart(dnsGroup, ["members", "remark"]),
  policyPart(dnsEntry, ["dnsgroupId", "domain", "remark"]),
];
