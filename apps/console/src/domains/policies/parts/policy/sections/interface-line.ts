import { interfaceLine } from "@weft/contract/domains/policies/interface-line.ts";
import { policyPart } from "#domains/policies/parts/policy/policy-part.ts";

const columns = ["interfaceId", "accessType", "ip", "mask", "vlan", "mtu"];

export const wanSection = [
  policyPart(interfaceLine, ["accessposition", ...columns, "lineQuality"], "wan"),
];

export const lanSection = [policyPart(interfaceLine, [...columns, "dhcpStart", "dhcpEnd"], "lan")];
