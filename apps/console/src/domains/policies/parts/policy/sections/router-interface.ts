import { routerInterface } from "@weft/contract/domains/policies/router-interface.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const interfaceSection = [
  policyPart(routerInterface, ["netcard", "enable", "vlan", "mtu", "lines"]),
];
