import type { lineKinds, ruleKinds } from "@weft/contract/domains/policies/enums.ts";
import type { PolicyFamily } from "@weft/contract/kernel/policy-family.ts";

export type PolicyKind = (typeof lineKinds)[number] | (typeof ruleKinds)[number];

/** One table of a section. */
export interface PolicyPart {
  readonly family: PolicyFamily;
  /** Rows of one kind only. */
  readonly kind?: PolicyKind;
  /** Fields that the table shows beside the label. */
  readonly columns: readonly string[];
}

export const policyPart = (
  family: PolicyFamily,
  columns: readonly string[],
  kind?: PolicyKind,
): PolicyPart => ({
  family,
  columns,
  ...(kind !== undefined && { kind }),
});
