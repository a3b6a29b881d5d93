/** What delivery and templates use of policies: their rows, and what they are together on a node. */

export { servicesOf } from "./app-services.ts";
export { readEnterpriseGroups } from "./enterprise-groups.ts";
export {
  addressesOf,
  controlledNames,
  deniableHosts,
  groupSize,
  membersOfEnterprise,
} from "./group-entries.ts";
export {
  type EnterpriseGroups,
  type MergedPolicy,
  mergePolicy,
  type PolicyObject,
  type PolicyRows,
} from "./merged-policy.ts";
export { policyDifferences } from "./policy-differences.ts";
export { policyRowsOf, readStoredPolicies } from "./policy-rows.ts";
