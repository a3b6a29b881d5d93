/** Closed user groups of a site that its device does not keep apart, or by which it reaches no other site. Pure. */
import { groupsCapability } from "@weft/contract/device/v1/groups.ts";
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { cug } from "@weft/contract/domains/overlay/cug.ts";
import type { PolicyFinding } from "./findings.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";

interface SiteGroups {
  readonly takesPart: boolean;
  readonly groups: readonly {
    readonly id: number;
    readonly name: string;
    readonly members: readonly number[];
  }[];
}

export interface Grouped {
  /** Absent or null: it is in no enabled group. */
  readonly groups?: SiteGroups | null;
  /** Spaces that the site is in, by id; absent: none. */
  readonly spaces?: ReadonlyMap<number, unknown>;
}

const keepsApart = (reported: NonNullable<PolicyContext["capabilities"]>): boolean =>
  reported.some(({ name, can }) => can && name === groupsCapability);

const alone: Verdict = { effect: "fallback", reason: "noFellow", params: {} };

/** What becomes of each group at this site; none of one that is applied as configured. */
export function groupFindings(
  { groups: siteGroups = null, spaces = new Map() }: Grouped,
  { capabilities }: Pick<PolicyContext, "capabilities">,
): PolicyFinding[] {
  if (!siteGroups) return [];
  const userGroups = stateLimits.userGroups;
  const verdictOf = (members: readonly number[], place: number): Verdict | null => {
    if (!siteGroups.takesPart) return cannot("takesNoPart");
    if (spaces.size === 0) return cannot("noSpace");
    if (capabilities && !keepsApart(capabilities)) return cannot("notCarriedOut");
    if (place >= userGroups) return cannot("tooMany", { most: String(userGroups) });
    return members.length === 0 ? alone : null;
  };
  return siteGroups.groups.flatMap(({ id, name, members }, place) => {
    const verdict = verdictOf(members, place);
    // One that was taken out of all groups, or is in no space, is not open by mistake.
    const denies = verdict?.reason === "notCarriedOut";
    return verdict
      ? [{ family: cug.name, level: "enterprise", objectId: id, name, denies, ...verdict }]
      : [];
  });
}
