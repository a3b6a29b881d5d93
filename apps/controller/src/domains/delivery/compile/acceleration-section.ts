/** Acceleration as the state of a site or of a POP has it (ADR 0043). Pure. */
import type { AccelerationSection, PopExit } from "@weft/contract/device/v1/acceleration.ts";
import { takesSection } from "@weft/contract/device/v1/sections.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { xModeOf } from "@weft/contract/domains/devices/enums.ts";
import { isNetworkWithin, parsePrefix } from "@weft/contract/rules/address.ts";
import { exitAddresses, exitMark, exitNumberOf } from "#domains/overlay/link/public.ts";
import {
  type AcceleratedSite,
  addressesOf,
  isLed,
  learnsNames,
  namesOf,
  placeAccelerations,
  type StoredAcceleration,
} from "#domains/policies/acceleration/public.ts";
import type { PolicyContext } from "#domains/policies/policy-finding/public.ts";
import { sourcesBySection } from "./section-sources.ts";
import { prefixesOf, sorted } from "./site-prefixes.ts";

interface Node {
  readonly id: number;
  readonly kind: "cpe" | "pop";
  readonly lines: readonly {
    readonly addressing: "static" | "dhcp";
    readonly ip: string | null;
    readonly gateway: string | null;
  }[];
  readonly sections: readonly {
    readonly network: string;
    readonly network6: string | null;
    readonly vlan: number | null;
    readonly enableForward: boolean;
    readonly enableDirect: boolean;
    readonly enableCentral?: boolean;
  }[];
  readonly routes: readonly {
    readonly destination: string;
    readonly nextHop: string;
    readonly enabled: boolean;
    readonly announce: boolean;
  }[];
  readonly xMode?: number;
  readonly notices?: readonly string[];
  readonly announced?: readonly string[] | null;
}

export interface AcceleratedView {
  readonly node: Node;
  /** Groups of destinations that are on, by space; absent: there are none. */
  readonly accelerations?: ReadonlyMap<number, readonly StoredAcceleration[]>;
  readonly capabilities?: PolicyContext["capabilities"];
}

/** Networks of a site whose hosts may leave by its WAN links, and that the space takes from it. */
export function leavingOf(node: Node): string[] {
  if ((node.xMode ?? xModeOf.gateway) !== xModeOf.gateway) return [];
  const sections = node.sections.filter(({ vlan }) => (vlan ?? 0) === 0);
  const announced = prefixesOf(node);
  const sources = sourcesBySection({ ...node, sections });
  return sorted(
    sections
      .flatMap(({ enableForward, enableDirect, enableCentral }, at) =>
        enableForward && enableDirect && enableCentral !== true ? (sources[at] ?? []) : [],
      )
      .filter((text) => announced.some((network) => isNetworkWithin(network, text))),
  );
}

interface Place {
  readonly view: AcceleratedView;
  readonly spaceId: number;
  /** Nodes at the other ends of its links in the space. */
  readonly peers: readonly Node[];
}

/** POPs whose marks of IPv4 are those of others: flows would leave at either. */
const twinsAmong = (spaceId: number, pops: readonly number[]): number[] =>
  [...Map.groupBy(pops, (id) => exitMark(4, spaceId, id)).values()].flatMap((alike) =>
    alike.length > 1 ? alike : [],
  );

/** What decides which groups of a site act. */
export const acceleratedSiteOf = ({ view, spaceId, peers }: Place): AcceleratedSite => {
  const pops = [...new Set(peers.flatMap(({ id, kind }) => (kind === "pop" ? [id] : [])))];
  return {
    groups: (view.accelerations?.get(spaceId) ?? []).filter(({ cpeIds }) =>
      cpeIds.includes(view.node.id),
    ),
    pops: new Set(pops),
    twins: new Set(twinsAmong(spaceId, pops)),
    hasHosts: leavingOf(view.node).length > 0,
    learnsNames: learnsNames(view.capabilities),
  };
};

/** Rows of one object are one group: a profile has one for each kind of its definitions. */
const groupsOf = (
  spaceId: number,
  acting: readonly StoredAcceleration[],
): AccelerationSection["groups"] =>
  [...Map.groupBy(acting, ({ object, id }) => `${object} ${id}`).values()].flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    const { object, id, popId } = first;
    return [
      {
        object,
        id,
        exit: { mark4: exitMark(4, spaceId, popId), mark6: exitMark(6, spaceId, popId) },
        members: rows.flatMap(addressesOf),
        names: [...new Set(rows.flatMap(namesOf))],
      },
    ];
  });

/** Whether the resolver of the site is to learn addresses of names. */
export const learnsAny = ({ accelerations }: Pick<DesiredState, "accelerations">): boolean =>
  (accelerations ?? []).some(({ groups }) => groups.some(({ names }) => names.length > 0));

const ofSite = (place: Place): AccelerationSection | null => {
  const { acting } = placeAccelerations(acceleratedSiteOf(place));
  const { spaceId, view } = place;
  if (acting.length === 0) return null;
  return {
    spaceId,
    netns: null,
    sources: leavingOf(view.node),
    groups: groupsOf(spaceId, acting),
    exit: null,
  };
};

/** Families that WAN links of a POP lead out by; leases are of IPv4. */
const familiesOf = ({ lines }: Node): (4 | 6)[] =>
  ([4, 6] as const).filter((family) =>
    lines.some(({ addressing, ip, gateway }) =>
      addressing === "dhcp"
        ? family === 4
        : ip !== null && gateway !== null && parsePrefix(ip)?.family === family,
    ),
  );

const exitOf = ({ view, spaceId }: Place): PopExit => ({
  marks: familiesOf(view.node).flatMap((family) => [
    exitMark(family, spaceId, null),
    exitMark(family, spaceId, view.node.id),
  ]),
  ...exitAddresses(spaceId),
});

const ofPop = (place: Place): AccelerationSection | null => {
  const { view, spaceId, peers } = place;
  const groups = (view.accelerations?.get(spaceId) ?? []).filter(
    (group) => isLed(group) && (group.popId === null || group.popId === view.node.id),
  );
  const accelerated = new Set(groups.flatMap(({ cpeIds }) => cpeIds));
  const sources = sorted(
    peers.filter(({ id }) => accelerated.has(id)).flatMap((peer) => leavingOf(peer)),
  );
  if (sources.length === 0) return null;
  return { spaceId, netns: `weft-s${spaceId}`, sources, groups: [], exit: exitOf(place) };
};

/** Null: nothing of the space leaves at this POP, or nothing of this site at one. */
const sectionOf = (place: Place): AccelerationSection | null => {
  if (!takesSection("acceleration", place.view.capabilities)) return null;
  return place.view.node.kind === "cpe" ? ofSite(place) : ofPop(place);
};

/** Of two spaces on a POP whose ways out would have the same addresses, the first one has it. */
export const accelerationSections = (places: readonly Place[]): AccelerationSection[] => {
  const taken = new Set<number>();
  return places.flatMap((place) => {
    const section = sectionOf(place);
    const number = exitNumberOf(place.spaceId);
    if (section === null || taken.has(number)) return [];
    taken.add(number);
    return [section];
  });
};
