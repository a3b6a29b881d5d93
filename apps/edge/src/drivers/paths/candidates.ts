/** Which links of a device compete with each other for traffic. Pure. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";

export interface Candidate {
  readonly id: number;
  readonly spaceId: number;
  /** As the state has it: the higher is preferred. */
  readonly preference: number;
}

/** Links that lead to the same networks of a space: traffic for these goes by the most preferred of them. */
export interface Group {
  readonly key: string;
  readonly links: readonly Candidate[];
}

/**
 * Groups of two or more. A link to one site's networks competes with the others to them, and with every link
 * that may lead anywhere.
 */
export const groupsOf = ({ routings }: Pick<DesiredState, "routings">): Group[] =>
  routings.flatMap(({ spaceId, neighbors }) => {
    const byNetworks = Map.groupBy(neighbors, ({ accept }) =>
      accept === null ? "" : [...accept].sort().join(" "),
    );
    const anywhere = byNetworks.get("") ?? [];
    return [...byNetworks].flatMap(([networks, some]): Group[] => {
      const all = networks === "" ? some : [...some, ...anywhere];
      const links = all.map(({ linkId, preference }) => ({ id: linkId, spaceId, preference }));
      return links.length > 1 ? [{ key: `${spaceId} ${networks}`, links }] : [];
    });
  });
