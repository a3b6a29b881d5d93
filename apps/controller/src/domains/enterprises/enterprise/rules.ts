import type { RuleIssue } from "@weft/contract/kernel/rule.ts";

export interface Placement {
  /** The enterprise that moves; null while it is being added. */
  readonly id: number | null;
  /** The wanted parent and what is above it, nearest first, as far as the caller sees it. */
  readonly lineage: readonly number[];
  /** Enterprise under which everything of the caller's must be; null: the whole tree. */
  readonly top: number | null;
}

/** Whether an enterprise may be below the wanted parent: null, or the rule that forbids it. */
export function placementIssue({ id, lineage, top }: Placement): RuleIssue | null {
  const at = (rule: RuleIssue["rule"]): RuleIssue => ({ path: "parentId", rule, params: {} });
  if (lineage.length === 0) return at("unknown");
  if (id !== null && lineage.includes(id)) return at("cycle");
  // A lineage with a gap could hide a circle: moving needs sight of all of it.
  if (id !== null && top !== null && !lineage.includes(top)) return at("notAllowed");
  return null;
}
