import { ospfInterface } from "@weft/contract/domains/policies/ospf-interface.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const ospfSection = [
  policyPart(ospfInterface, ["enable", "area", "cost", "flags", "helloInterval", "deadInterval"]),
];
