import { groupsCapability } from "@weft/contract/device/v1/groups.ts";
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { expect, test } from "vitest";
import { groupsSectionOf } from "./groups-section.ts";

const networks = [
  ...[1, 2, 3, 4].map((node) => ({ node, network: `10.${node}.0.0/16` })),
  { node: 2, network: "fd57:2::/64" },
  // A way out of a member and of a site that is none, and one of two members.
  ...[2, 4].map((node) => ({ node, network: "0.0.0.0/0" })),
  ...[2, 3].map((node) => ({ node, network: "10.50.0.0/16" })),
  // Mobile clients are in no group.
  { node: 0, network: "10.60.0.0/24" },
];
const group = (id: number, members: number[], rate = 8_000_000) => ({
  id,
  name: `group-${id}`,
  rate,
  members,
});
const of = (...groups: ReturnType<typeof group>[]) => ({
  node: { id: 1 },
  groups: { takesPart: true, rate: null, groups, networks },
});

test("a group has what only members of common groups bring into the space", () => {
  expect(groupsSectionOf(of(group(7, [2]), group(9, [3], 64_000)))).toEqual({
    rate: null,
    groups: [
      { id: 7, rate: 8_000_000, networks: ["10.2.0.0/16", "10.50.0.0/16", "fd57:2::/64"] },
      { id: 9, rate: 64_000, networks: ["10.3.0.0/16", "10.50.0.0/16"] },
    ],
  });
  // Without the third site, what both bring could lead to it.
  expect(groupsSectionOf(of(group(7, [2])))?.groups[0]?.networks).toEqual([
    "10.2.0.0/16",
    "fd57:2::/64",
  ]);
});

test("a member alone is closed all the same, and one that takes no part is in no group", () => {
  expect(groupsSectionOf(of(group(7, [])))?.groups).toEqual([
    { id: 7, rate: 8_000_000, networks: [] },
  ]);
  const view = of(group(7, [2]));
  expect(groupsSectionOf({ ...view, groups: { ...view.groups, takesPart: false } })).toBe(null);
  expect(groupsSectionOf({ node: { id: 1 }, groups: null })).toBe(null);
});

test("only a device that reported that it cannot gets none", () => {
  const view = of(group(7, [2]));
  const can = (able: boolean) => [{ name: groupsCapability, can: able }];
  expect(groupsSectionOf({ ...view, capabilities: null })).not.toBe(null);
  expect(groupsSectionOf({ ...view, capabilities: can(true) })).not.toBe(null);
  expect(groupsSectionOf({ ...view, capabilities: can(false) })).toBe(null);
  expect(groupsSectionOf({ ...view, capabilities: [{ name: "vlan", can: true }] })).toBe(null);
});

test("groups beyond the limit are left out, and their members with them", () => {
  const most = stateLimits.userGroups;
  const all = Array.from({ length: most }, (_, at) => group(at + 1, [2]));
  const section = groupsSectionOf(of(...all, group(most + 1, [3])));
  expect(section?.groups).toHaveLength(most);
  expect(section?.groups.flatMap((one) => one.networks)).not.toContain("10.3.0.0/16");
});
