import type { PolicyPart } from "./policy-part.ts";
import { bandwidthPolicySection } from "./sections/bandwidth-policy.ts";
import { bandwidthTunnelSection } from "./sections/bandwidth-tunnel.ts";
import { bgpSection } from "./sections/bgp-neighbor.ts";
import { connectionLimitSection } from "./sections/connection-limit.ts";
import { customPolicySection } from "./sections/custom-policy.ts";
import { dnsSection } from "./sections/dns.ts";
import { lanSection, wanSection } from "./sections/interface-line.ts";
import { ipGroupSection } from "./sections/ip-group.ts";
import { ospfSection } from "./sections/ospf-interface.ts";
import { policyRouteSection } from "./sections/policy-route.ts";
import { portMappingSection } from "./sections/port-mapping.ts";
import { interfaceSection } from "./sections/router-interface.ts";
import { timeGroupSection } from "./sections/time-group.ts";
import { urlGroupSection } from "./sections/url-group.ts";

/** Section -> its tables, by the last part of the template's path (specification section 2.4). */
export const policySections = {
  interface: interfaceSection,
  wan: wanSection,
  lan: lanSection,
  dns: dnsSection,
  bgp: bgpSection,
  ospf: ospfSection,
  ipGroup: ipGroupSection,
  urlGroup: urlGroupSection,
  timeGroup: timeGroupSection,
  policyRoute: policyRouteSection,
  portMapping: portMappingSection,
  bandwidthTunnel: bandwidthTunnelSection,
  bandwidthPolicy: bandwidthPolicySection,
  connectionControl: connectionLimitSection,
  customPolicy: customPolicySection,
} as const satisfies Record<string, readonly PolicyPart[]>;
export type PolicySectionKey = keyof typeof policySections;
