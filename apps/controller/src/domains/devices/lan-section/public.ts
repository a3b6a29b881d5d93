/** What standby groups ask of the LANs of their devices. */
import type { Context } from "#kernel/api.ts";
import { pairIssues } from "./rules.ts";
import { otherOfPair, sharedSections } from "./store.ts";

/** A section of a node that cannot be shared with the other device of its group, which is named; undefined: all can. */
export async function unshared(
  ctx: Context,
  nodeId: number,
): Promise<{ readonly value: string; readonly other: string } | undefined> {
  const pair = await otherOfPair(ctx, nodeId);
  if (pair === null) return undefined;
  const { sections, name } = pair;
  const shared = await sharedSections(ctx, nodeId);
  const conflicting = shared.find((section) => pairIssues(section, sections, name).length > 0);
  return conflicting && { value: conflicting.network, other: name };
}
