/** Which groups of a site act, and where their flows leave. Pure. */
import { accelerationCapability } from "@weft/contract/device/v1/acceleration.ts";
import {
  dnsCapabilities,
  dnsRouteCapability,
  isNamePattern,
} from "@weft/contract/device/v1/dns.ts";
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import type { DestinationKind } from "@weft/contract/domains/policies/destination-enums.ts";
import { hostsOf } from "#domains/policies/applications/public.ts";
import {
  cannot,
  type PolicyContext,
  type PolicyFinding,
  type Verdict,
} from "#domains/policies/policy-finding/public.ts";
import type { StoredAcceleration } from "./stored.ts";

/** What devices know destinations of each kind by; null: nothing tells them, as no device inspects packets. */
const knownBy = {
  ip: "addresses",
  domain: "names",
  app: "names",
  dpi: null,
} as const satisfies Readonly<Record<DestinationKind, "addresses" | "names" | null>>;

export const isLed = ({ kind }: Pick<StoredAcceleration, "kind">): boolean =>
  knownBy[kind] !== null;

/** Addresses of a group, as it has them. */
export const addressesOf = ({ kind, members }: StoredAcceleration): readonly string[] =>
  knownBy[kind] === "addresses" ? members : [];

/**
 * Names of a group: its own, or those of its applications. One that devices refuse (of a row from before the rule) would
 * keep all else from them.
 */
export const namesOf = ({ kind, members }: StoredAcceleration): string[] => {
  if (knownBy[kind] !== "names") return [];
  const names = kind === "app" ? hostsOf(members) : members;
  return [...new Set(names.map((name) => name.toLowerCase()))].filter(isNamePattern);
};

export interface AcceleratedSite {
  /** Groups of its enterprise, in the order in which they are tried. */
  readonly groups: readonly StoredAcceleration[];
  /** POPs that it has a link to. */
  readonly pops: ReadonlySet<number>;
  /** Those of them that have the mark of another one. */
  readonly twins: ReadonlySet<number>;
  /** Hosts of its LANs may leave by its WAN links, and enter the space. */
  readonly hasHosts: boolean;
  /** Its device answers hosts of the LANs names, and leads connections to the answers. */
  readonly learnsNames: boolean;
}

export interface PlacedAcceleration {
  readonly acting: readonly StoredAcceleration[];
  readonly lacks: ReadonlyMap<StoredAcceleration, Verdict>;
}

export function placeAccelerations({
  groups,
  pops,
  twins,
  hasHosts,
  learnsNames: isLearning,
}: AcceleratedSite): PlacedAcceleration {
  const acting: StoredAcceleration[] = [];
  const lacks = new Map<StoredAcceleration, Verdict>();
  const exits = new Set<number | null>();
  const taken = { addresses: 0, names: 0 };
  const lackOf = (group: StoredAcceleration): Verdict | null => {
    const { popId, kind } = group;
    if (!isLed(group) || (knownBy[kind] === "names" && !isLearning)) return cannot("notCarriedOut");
    if (!hasHosts) return cannot("noLeavingLan");
    if (popId === null ? pops.size === 0 : !pops.has(popId)) return cannot("noExitPop");
    if (popId !== null && twins.has(popId)) return cannot("exitTwin");
    if (!exits.has(popId) && exits.size >= stateLimits.exits)
      return cannot("tooMany", { most: String(stateLimits.exits) });
    if (acting.length >= stateLimits.acceleratedGroups)
      return cannot("tooMany", { most: String(stateLimits.acceleratedGroups) });
    return roomLack(group);
  };
  /** What a group has is bounded by its form, a profile by nothing: a state that breaks its schema would never be delivered. */
  const roomLack = (group: StoredAcceleration): Verdict | null => {
    const { setMembers, allMembers, dnsNames } = stateLimits;
    const max = addressesOf(group).length > setMembers ? setMembers : allMembers;
    if (addressesOf(group).length > Math.min(setMembers, allMembers - taken.addresses))
      return cannot("tooMany", { most: String(max) });
    return namesOf(group).length > dnsNames - taken.names
      ? cannot("tooMany", { most: String(dnsNames) })
      : null;
  };
  for (const group of groups) {
    const lack = lackOf(group);
    if (lack) lacks.set(group, lack);
    else {
      acting.push(group);
      exits.add(group.popId);
      taken.addresses += addressesOf(group).length;
      taken.names += namesOf(group).length;
    }
  }
  return { acting, lacks };
}

/** Name of the resource of a group. */
const familyOf = ({ object, kind }: StoredAcceleration): string =>
  object === "saasGroup" ? `saasGroup.${kind}` : object;

/** What a device that answers names cannot know of: hosts that ask others encrypted. */
const ownDnsOnly: Verdict = { effect: "fallback", reason: "ownDnsOnly", params: {} };

/** Of the rows of one object the verdict on all of it: one of several kinds may act by some of them. */
function verdictOf(rows: readonly StoredAcceleration[], placed: PlacedAcceleration) {
  const lacks = rows.flatMap((row) => placed.lacks.get(row) ?? []);
  const [lack] = lacks;
  if (lack) return lacks.length === rows.length ? lack : ({ ...lack, effect: "fallback" } as const);
  return rows.some(({ kind }) => knownBy[kind] === "names") ? ownDnsOnly : null;
}

/** Groups that are not applied at this site as configured. */
export function accelerationFindings(
  site: AcceleratedSite,
  { capabilities }: Pick<PolicyContext, "capabilities">,
): PolicyFinding[] {
  const isAble =
    capabilities === null ||
    capabilities.some(({ name, can }) => can && name === accelerationCapability);
  const placed = placeAccelerations(site);
  const objects = Map.groupBy(site.groups, (group) => `${familyOf(group)} ${group.id}`);
  return [...objects.values()].flatMap((rows): PolicyFinding[] => {
    const verdict = isAble ? verdictOf(rows, placed) : cannot("notCarriedOut");
    const [first] = rows;
    if (!first || !verdict) return [];
    const family = familyOf(first);
    const { id, name } = first;
    return [{ family, objectId: id, name, level: "enterprise", denies: false, ...verdict }];
  });
}

/** Whether a device learns addresses of names. */
export const learnsNames = (capabilities: PolicyContext["capabilities"] | undefined): boolean =>
  [dnsCapabilities.names, dnsRouteCapability].every((wanted) =>
    capabilities?.some(({ name, can }) => can && name === wanted),
  );
