/** What delivery and templates use of policies: their rows, and what they are together on a node. */
export {
  type MergedPolicy,
  mergePolicy,
  type PolicyObject,
  type PolicyRows,
} from "./merged-policy.ts";
export { policyDifferences } from "./policy-differences.ts";
export { policyRowsOf, readStoredPolicy } from "./policy-rows.ts";
