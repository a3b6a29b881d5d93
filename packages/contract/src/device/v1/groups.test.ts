import { expect, test } from "vitest";
import { groupsSection, groupTowards, networksApart } from "./groups.ts";

const spaces = [
  {
    netns: null,
    networks: ["10.0.0.0/8", "10.1.0.0/16", "10.2.0.0/16", "fd57:2::/32", "0.0.0.0/0"],
  },
  { netns: "weft-s9", networks: ["10.9.0.0/16"] },
];
const groups = [
  { id: 3, rate: 1_000_000, networks: ["10.0.0.0/8", "fd57:2::/32"] },
  { id: 5, rate: 1_000_000, networks: ["10.2.0.0/16"] },
];
const section = { rate: null, groups };

test("networks apart are those of the space that no group has", () => {
  expect(networksApart(groups, { spaces })).toEqual(["10.1.0.0/16", "0.0.0.0/0"]);
  expect(networksApart(groups, {})).toEqual([]);
});

test.each([
  ["10.200.0.1", 3],
  ["10.1.0.1", null],
  ["10.2.0.1", 5],
  ["fd57:2::1", 3],
  ["fd57:3::1", null],
  ["192.0.2.1", null],
])("%s is reached by the group of the longest network around it: %s", (address, group) => {
  expect(groupTowards(section, { spaces }, address)).toBe(group);
});

test("an exit of a common group leads to the internet, and to no site apart", () => {
  const exit = { rate: null, groups: [{ id: 3, rate: 1_000_000, networks: ["0.0.0.0/0"] }] };
  expect(groupTowards(exit, { spaces }, "192.0.2.1")).toBe(3);
  expect(groupTowards(exit, { spaces }, "10.1.0.1")).toBe(null);
});

test("a group may have no other member, but no section is without a group", () => {
  expect(
    groupsSection.safeParse({ rate: 64_000, groups: [{ ...groups[0], networks: [] }] }).success,
  ).toBe(true);
  expect(groupsSection.safeParse({ rate: null, groups: [] }).success).toBe(false);
});
