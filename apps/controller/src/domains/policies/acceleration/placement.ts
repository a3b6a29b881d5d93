/** Which groups of a site act, and where their flows leave. Pure. */
import { accelerationCapability } from "@weft/contract/device/v1/acceleration.ts";
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import {
  cannot,
  type PolicyFinding,
  type PolicyGround,
  type Verdict,
} from "#domains/policies/policy-finding/public.ts";
import type { StoredAcceleration } from "./stored.ts";

/** Kinds of destinations that devices lead to an exit. */
const actingKinds: ReadonlySet<string> = new Set(["ip"]);
const actingObjects: ReadonlySet<string> = new Set(["saasGroup"]);
export const isLed = ({ object, kind }: Pick<StoredAcceleration, "object" | "kind">): boolean =>
  actingObjects.has(object) && actingKinds.has(kind);

export interface AcceleratedSite {
  /** Groups of its enterprise, in the order in which they are tried. */
  readonly groups: readonly StoredAcceleration[];
  /** POPs that it has a link to. */
  readonly pops: ReadonlySet<number>;
  /** Hosts of its LANs may leave by its WAN links, and enter the space. */
  readonly hasHosts: boolean;
}

export interface PlacedAcceleration {
  readonly acting: readonly StoredAcceleration[];
  readonly lacks: ReadonlyMap<StoredAcceleration, Verdict>;
}

export function placeAccelerations({
  groups,
  pops,
  hasHosts,
}: AcceleratedSite): PlacedAcceleration {
  const acting: StoredAcceleration[] = [];
  const lacks = new Map<StoredAcceleration, Verdict>();
  const exits = new Set<number | null>();
  const lackOf = (group: StoredAcceleration): Verdict | null => {
    const { popId } = group;
    if (!hasHosts) return cannot("noLeavingLan");
    if (popId === null ? pops.size === 0 : !pops.has(popId)) return cannot("noExitPop");
    if (!exits.has(popId) && exits.size >= stateLimits.exits)
      return cannot("tooMany", { most: String(stateLimits.exits) });
    return acting.length < stateLimits.acceleratedGroups
      ? null
      : cannot("tooMany", { most: String(stateLimits.acceleratedGroups) });
  };
  for (const group of groups) {
    if (!isLed(group)) continue;
    const lack = lackOf(group);
    if (lack) lacks.set(group, lack);
    else {
      acting.push(group);
      exits.add(group.popId);
    }
  }
  return { acting, lacks };
}

/** Name of the resource of a group. */
const familyOf = ({ object, kind }: StoredAcceleration): string =>
  object === "saasGroup" ? `saasGroup.${kind}` : object;

/** Groups that do not act at this site. */
export function accelerationFindings(
  site: AcceleratedSite,
  { capabilities }: Pick<PolicyGround, "capabilities">,
): PolicyFinding[] {
  const isAble =
    capabilities === null ||
    capabilities.some(({ name, can }) => can && name === accelerationCapability);
  const { lacks } = placeAccelerations(site);
  const found = new Map<string, PolicyFinding>();
  for (const group of site.groups) {
    const verdict = isAble && isLed(group) ? lacks.get(group) : cannot("notCarriedOut");
    const { id, name } = group;
    const family = familyOf(group);
    if (verdict)
      found.set(`${family} ${id}`, {
        family,
        objectId: id,
        name,
        level: "enterprise",
        denies: false,
        ...verdict,
      });
  }
  return [...found.values()];
}
