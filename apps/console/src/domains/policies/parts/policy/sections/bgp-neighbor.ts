import { bgpNeighbor } from "@weft/contract/domains/policies/bgp-neighbor.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const bgpSection = [
  policyPart(bgpNeighbor, ["enable", "neighborAsn", "asn", "networks", "holdTime"]),
];
