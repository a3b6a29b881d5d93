import type { StandbyDraft } from "@weft/contract/domains/devices/cpe-standby.ts";
import { isStandbyPlan, type StandbyMember } from "@weft/contract/rules/rows.ts";
import type { CpeRow } from "./cpe-texts.ts";

type Placed = Pick<CpeRow, "id" | "alias" | "hotStandbyGroup" | "hotStandbyRole">;

const memberOf = (place: Pick<StandbyDraft, "hotStandbyGroup" | "hotStandbyRole">) =>
  place.hotStandbyGroup === null || place.hotStandbyRole === null
    ? []
    : [{ group: place.hotStandbyGroup, role: place.hotStandbyRole } satisfies StandbyMember];

/**
 * The device that has this place already; null: the place is free (section 5: one active and one
 * standby device a group).
 * @param id of the CPE that is to have it.
 */
export const ownerOf = (cpes: readonly Placed[], id: number, draft: StandbyDraft): Placed | null =>
  cpes.find((one) => one.id !== id && !isStandbyPlan([...memberOf(one), ...memberOf(draft)])) ??
  null;
