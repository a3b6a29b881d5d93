/** WAN links that policy objects name by a line of the template or of the node. Pure. */
import type { MergedPolicy, PolicyObject } from "#domains/policies/merged/public.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";

/** Field that names a line. */
type LineField = "lineId" | "outlineid";

/** Slot of the WAN link that an object names; null: none, it is about all of them. */
export const slotOfLine = (
  merged: MergedPolicy,
  object: PolicyObject,
  field: LineField = "lineId",
): number | null => {
  const line = object.values[field] == null ? null : merged.named(object, field);
  return line ? Number(line.values.accessposition) : null;
};

/** Why the line that an object names is none that it can act on; null: it is, or it names none. */
export function lineVerdict(
  merged: MergedPolicy,
  object: PolicyObject,
  context: PolicyContext,
  field: LineField = "lineId",
): Verdict | null {
  const lineId = object.values[field];
  const line = lineId == null ? null : merged.named(object, field);
  if (lineId != null && !line) return cannot("offReference", { field });
  if (line && line.values.kind !== "wan") return cannot("notWan", { field });
  const slot = slotOfLine(merged, object, field);
  return slot === null || context.slots.has(slot) ? null : cannot("noLine", { slot: String(slot) });
}
