import type { PolicyFamily } from "#kernel/policy-family.ts";
import { appGroup } from "./app-group.ts";
import { bandwidthPolicy } from "./bandwidth-policy.ts";
import { bandwidthTunnel } from "./bandwidth-tunnel.ts";
import { bgpNeighbor } from "./bgp-neighbor.ts";
import { connectionLimit } from "./connection-limit.ts";
import { customPolicy, customRule } from "./custom-policy.ts";
import { dnsControl } from "./dns-control.ts";
import { dnsEntry, dnsGroup } from "./dns-group.ts";
import { interfaceLine } from "./interface-line.ts";
import { ipEntry, ipGroup } from "./ip-group.ts";
import { ospfInterface } from "./ospf-interface.ts";
import { policyRoute } from "./policy-route.ts";
import { portMapping } from "./port-mapping.ts";
import { routerInterface } from "./router-interface.ts";
import { timeGroup } from "./time-group.ts";
import { urlEntry, urlGroup } from "./url-group.ts";
import { urlRule } from "./url-rule.ts";

/** What others refer to comes before them. */
const all = [
  routerInterface,
  interfaceLine,
  timeGroup,
  ipGroup,
  ipEntry,
  dnsGroup,
  dnsEntry,
  urlGroup,
  urlEntry,
  customPolicy,
  customRule,
  appGroup,
  dnsControl,
  urlRule,
  policyRoute,
  bandwidthTunnel,
  bandwidthPolicy,
  connectionLimit,
  bgpNeighbor,
  ospfInterface,
  portMapping,
] as const;

export type PolicyFamilyName = (typeof all)[number]["name"];

/** Every family of router policy objects. */
export const policyFamilies: readonly PolicyFamily<PolicyFamilyName>[] = all;

/** @throws Error for a name that no family has. */
export const policyFamily = (name: string): PolicyFamily<PolicyFamilyName> => {
  const family = policyFamilies.find((candidate) => candidate.name === name);
  if (!family) throw new Error(`there is no family ${name}`);
  return family;
};
