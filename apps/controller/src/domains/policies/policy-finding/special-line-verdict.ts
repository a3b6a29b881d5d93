/** What keeps a special line from being preferred by real-time traffic. Pure. */
import { specialLinksCapability } from "@weft/contract/device/v1/path-classes.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";

export type SpecialLineContext = Pick<PolicyContext, "capabilities" | "classedSpaces">;

/** @param spaceId whose traffic is meant; absent: that of any space of the node */
export function specialLineVerdict(
  { capabilities, classedSpaces }: SpecialLineContext,
  spaceId?: number,
): Verdict | null {
  // What becomes of it is seen once there is a device.
  if (capabilities === null) return null;
  if (!capabilities.some(({ name, can }) => can && name === specialLinksCapability))
    return { effect: "fallback", reason: "fieldNotCarriedOut", params: { field: "lineQuality" } };
  if (!classedSpaces) return null;
  const isClassed = spaceId === undefined ? classedSpaces.size > 0 : classedSpaces.has(spaceId);
  return isClassed ? null : { ...cannot("noClasses"), effect: "fallback" };
}
