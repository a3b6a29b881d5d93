import { bandwidthTunnel } from "@weft/contract/domains/policies/bandwidth-tunnel.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

export const bandwidthTunnelSection = [
  policyPart(bandwidthTunnel, ["gbw", "maxbw", "direction", "lineId"]),
];
