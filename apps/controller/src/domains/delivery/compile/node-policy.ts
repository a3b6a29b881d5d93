/** Policy objects that count on a node. Pure. */
import {
  type EnterpriseGroups,
  type MergedPolicy,
  mergePolicy,
  type PolicyRows,
  policyRowsOf,
} from "#domains/policies/merged/public.ts";
import type { PublishedTemplate } from "./published-template.ts";

export interface PolicySources {
  /** The version of its template that the node follows; absent or null: none. */
  readonly template?: PublishedTemplate | null;
  /** Policy objects of its own; absent: none. */
  readonly policy?: PolicyRows;
  /** Groups that its enterprise keeps for all nodes; absent: none. */
  readonly enterpriseGroups?: EnterpriseGroups;
}

/** Objects of the node and of the version of its template that it follows. */
export const mergedPolicyOf = ({
  policy = {},
  template,
  enterpriseGroups,
}: PolicySources): MergedPolicy =>
  mergePolicy(
    { node: policy, template: template ? policyRowsOf(template.content) : {} },
    enterpriseGroups,
  );
