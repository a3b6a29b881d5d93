import type { PolicyFamily } from "#kernel/policy-family.ts";
import * as groups from "./policy-groups.ts";
import * as lines from "./policy-lines.ts";
import * as rules from "./policy-rules.ts";

/** What others refer to comes before them. */
const all = [
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
] as const;

export type PolicyFamilyName = (typeof all)[number]["name"];

/** Every family of router policy objects. */
export const policyFamilies: readonly PolicyFamily<PolicyFamilyName>[] = all;

/** @throws Error for a name that no family has. */
export const policyFamily = (name: string): PolicyFamily<PolicyFamilyName> => {
  const family = policyFamilies.find((one) => one.name === name);
  if (!family) throw new Error(`there is no family ${name}`);
  return family;
};
