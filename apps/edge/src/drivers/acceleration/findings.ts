/** What a site says of exits that are not there. Pure. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { canonicalAddress } from "#drivers/address.ts";
import type { CutExits } from "./watch.ts";

export interface AccelerationFacts {
  /** Exits of the site that are not there at the moment, by their mark. */
  readonly cutExits: CutExits;
}

/** Only seen: new flows of the group leave as those of others do. */
export const accelerationFindings = (
  { accelerations = [] }: DesiredState,
  { cutExits }: AccelerationFacts,
): Finding[] =>
  accelerations.flatMap(({ spaceId, groups }) =>
    groups
      .filter(({ exit }) => cutExits.has(canonicalAddress(exit.mark4)))
      .map(({ object, id }) => ({
        section: `acceleration.${spaceId}`,
        kind: "acceleration",
        object: `${object} ${id}`,
        reason: "exitCut",
        params: { id: `${id}` },
      })),
  );
