/**
 * Closed user groups of a site (docs/protocol.md, user groups). A device that has the section lets its LANs and the
 * space reach each other only where both ends have a group in common; a device without it is in no group.
 */

import { z } from "zod";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { defineSection } from "#contract/device/v1/section.ts";
import { ipCidr, networkOf } from "#rules/address.ts";
import { lengthAround } from "#rules/prefix-lookup.ts";

/** An edge with it keeps closed user groups apart. */
export const groupsCapability = "cug";

/** bit/s. */
const rate = z.int().min(1).max(1_000_000_000_000);

export const groupsSection = z.strictObject({
  /** What the device sends to the members of all its groups together at most; null: as much as the groups have. */
  rate: rate.nullable(),
  /** Without networks: none of the others is a member, and the device reaches no site by it. */
  groups: z
    .array(
      z.strictObject({
        id: z.int().positive(),
        /** What the device sends to its members at most. */
        rate,
        /** Those that its other members bring into the space. */
        networks: z.array(ipCidr).max(65_536),
      }),
    )
    .min(1)
    .max(stateLimits.userGroups),
});
export type GroupsSection = z.output<typeof groupsSection>;

/** What of a state says which networks the space has. */
interface Spaced {
  readonly spaces?: readonly {
    readonly netns: string | null;
    readonly networks: readonly string[];
  }[];
}

/** Networks of the space that the device shares no group with. */
export const networksApart = (
  groups: readonly Pick<GroupsSection["groups"][number], "networks">[],
  { spaces = [] }: Spaced,
): string[] => {
  const shared = new Set(groups.flatMap(({ networks }) => networks.map(networkOf)));
  return [
    ...new Set(
      spaces.flatMap(({ netns, networks }) => (netns === null ? networks.map(networkOf) : [])),
    ),
  ].filter((network) => !shared.has(network));
};

/**
 * The group by which a device reaches an address of the space: that of the longest network around it, as routing
 * would; null: it reaches it by none. Pure.
 */
export const groupTowards = (
  { groups }: GroupsSection,
  state: Spaced,
  address: string,
): number | null => {
  const apart = lengthAround(networksApart(groups, state), address);
  const best = groups
    .map(({ id, networks }) => ({ id, length: lengthAround(networks, address) }))
    .reduce((one, other) => (other.length > one.length ? other : one), { id: 0, length: apart });
  return best.id === 0 ? null : best.id;
};

/** Whom a site reaches is decided today. */
export const groupsDeclaration = defineSection(groupsSection, {
  occurs: "optional",
  needs: { capability: groupsCapability, isSentUnreported: true },
  limits: {
    groups: { follows: "compile leaves out groups that are beyond, and says so of each" },
    "groups[].networks": { follows: "they are some of the space's" },
  },
  fields: {
    rate: { list: null, removal: "follows", restored: "present" },
    // The networks of one are those of its other members.
    groups: { list: { kind: "userGroup", key: ["id"] }, removal: "policy", restored: "present" },
  },
});
