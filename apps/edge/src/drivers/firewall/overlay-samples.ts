/** What a kernel must take so that a device acts for objects that span sites, by the capability that shows it. */
import { groupsCapability } from "@weft/contract/device/v1/groups.ts";
import { circuitsCapability } from "@weft/contract/device/v1/shaping.ts";
import { circuitSample } from "./circuits.ts";
import { groupSample } from "./groups.ts";

export const overlaySamples: readonly (readonly [capability: string, rules: string])[] = [
  [groupsCapability, groupSample],
  [circuitsCapability, circuitSample],
];
