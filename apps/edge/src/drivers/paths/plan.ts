/** Which links are measured, and which compete. Pure. */
import type { PathsSection } from "@weft/contract/device/v1/paths.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { canonicalAddress } from "#drivers/address.ts";
import { type ClassSpace, classSpacesOf } from "#drivers/classes/render.ts";
import { phases, type Step } from "#drivers/driver.ts";
import { type Group, groupsOf } from "./candidates.ts";

interface PathLink {
  readonly id: number;
  readonly spaceId: number;
  readonly interfaceName: string;
  readonly netns: string | null;
  /** IPv4 of the other end. */
  readonly peer: string;
}

/** Null: the state does not ask for it. */
export type PathsPart = {
  readonly section: PathsSection;
  readonly links: readonly PathLink[];
  readonly groups: readonly Group[];
  /** Spaces whose traffic is in classes. */
  readonly classSpaces: readonly ClassSpace[];
} | null;

export type PathsStep = Step & { readonly kind: "measure" };

export const pickPaths = (state: DesiredState | null): PathsPart => {
  if (!state?.paths) return null;
  const links = state.tunnels.flatMap((tunnel) =>
    tunnel.links.map((link) => ({
      id: link.id,
      spaceId: tunnel.spaceId,
      interfaceName: link.interfaceName,
      netns: tunnel.netns,
      peer: canonicalAddress(link.peerAddress4),
    })),
  );
  const groups = groupsOf(state);
  return { section: state.paths, links, groups, classSpaces: classSpacesOf(state) };
};

export const planPaths = (part: PathsPart, pathsPart: PathsPart): PathsStep[] => {
  if (JSON.stringify(part) === JSON.stringify(pathsPart)) return [];
  const summary = part
    ? `measure ${part.links.length} links, ${part.groups.length} groups with a choice`
    : "measure no links";
  return [{ driver: "paths", kind: "measure", phase: phases.probe, summary }];
};
