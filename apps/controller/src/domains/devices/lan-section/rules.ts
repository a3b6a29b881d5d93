import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { overlaps, parsePrefix } from "@weft/contract/rules/address.ts";
import type { OtherNetwork } from "./store.ts";

export interface Networks {
  readonly network: string;
  readonly network6: string | null;
}

/** Sections of one space must not overlap: each address is behind one site. Pure. */
export function overlapIssues(draft: Networks, others: readonly OtherNetwork[]): RuleIssue[] {
  const fields = ["network", "network6"] as const;
  return fields.flatMap((path) => {
    const own = parsePrefix(draft[path] ?? "");
    const clash =
      own &&
      others.find(({ network }) => {
        const other = parsePrefix(network);
        return other !== null && overlaps(own, other);
      });
    return clash
      ? [
          {
            path,
            rule: "overlap" as const,
            params: { value: clash.network, other: clash.siteName },
          },
        ]
      : [];
  });
}
