import type { PolicyFamily } from "#kernel/policy-family.ts";
import * as groups from "./policy-groups.ts";
import * as lines from "./policy-lines.ts";
import * as rules from "./policy-rules.ts";

/** Every family of router policy objects; what others refer to comes before them. */
export const policyFamilies: readonly PolicyFamily[] = [
  lines.routerInterface,
  lines.interfaceLine,
  groups.timeGroup,
  groups.ipGroup,
  groups.ipEntry,
  groups.dnsGroup,
  groups.dnsEntry,
  groups.urlGroup,
  groups.urlEntry,
  rules.customProtocol,
  rules.customRule,
  groups.appGroup,
  rules.dnsControl,
  rules.urlRule,
  rules.policyRoute,
  rules.bandwidthPipe,
  rules.bandwidthPolicy,
  rules.connectionControl,
  lines.bgp,
  lines.ospf,
  lines.portMapping,
];

/** @throws Error for a name that no family has. */
export const policyFamily = (name: string): PolicyFamily => {
  const family = policyFamilies.find((one) => one.name === name);
  if (!family) throw new Error(`there is no family ${name}`);
  return family;
};
