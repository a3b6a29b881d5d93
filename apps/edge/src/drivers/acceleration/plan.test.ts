/** What is done to the way out of a space on a POP, by what is there of it. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { expect, test } from "vitest";
import { type SpaceExit, spaceExits } from "#drivers/exits.ts";
import { type FoundExit, planAcceleration } from "./plan.ts";

const wide = 1_420;
const narrow = 1_300;

const stateOf = (...mtus: number[]): Pick<DesiredState, "accelerations" | "tunnels"> => ({
  accelerations: [
    {
      spaceId: 1,
      netns: "weft-s1",
      sources: ["10.1.1.0/24"],
      groups: [],
      exit: {
        marks: ["198.18.0.14"],
        outer4: "198.18.1.12/31",
        inner4: "198.18.1.13/31",
        outer6: "fd57:ee:1::c/127",
        inner6: "fd57:ee:1::d/127",
      },
    },
  ],
  tunnels: [
    {
      spaceId: 1,
      netns: "weft-s1",
      links: mtus.map((mtu) => ({ mtu })) as DesiredState["tunnels"][number]["links"],
    },
  ],
});
const exitOf = (...mtus: number[]): SpaceExit => {
  const [exit] = spaceExits(stateOf(...mtus));
  if (!exit) throw new Error("there is one");
  return exit;
};
const rules = ([4, 6] as const).flatMap((family) => [
  `IPv${family} 3000 fwmark 0x500000/0x7f0000 lookup main suppress_prefixlength 0`,
  `IPv${family} 3010 fwmark 0x500000/0x7f0000 lookup 111`,
  `IPv${family} 3020 fwmark 0x500000/0x7f0000 unreachable`,
]);
const there = (change: Partial<FoundExit> = {}): FoundExit => ({
  interfaceName: "wx1",
  netns: "weft-s1",
  isUp: true,
  mtus: [wide, wide],
  outer: ["198.18.1.12/31", "fd57:ee:1::c/127"],
  inner: ["198.18.1.13/31", "fd57:ee:1::d/127"],
  rules,
  defaults: ["198.18.1.12", "fd57:ee:1::c"],
  ...change,
});
const kinds = (exits: readonly SpaceExit[], found: readonly FoundExit[]) =>
  planAcceleration({ exits }, found).map(({ kind }) => kind);

test("nothing is done to one that is as it is to be", () => {
  expect(kinds([exitOf(wide)], [there()])).toEqual([]);
});

test("it carries what the narrowest link of its space does, and IPv6 always", () => {
  expect(exitOf(wide, narrow).mtu).toBe(narrow);
  expect(exitOf(wide, 1_000).mtu).toBe(1_280);
  expect(exitOf().mtu).toBe(1_500);
});

test.each([
  ["both ends are wider", [wide, wide]],
  ["the inner end is wider", [narrow, wide]],
])("where %s only its size is set: its flows go on", (_, mtus) => {
  expect(kinds([exitOf(wide, narrow)], [there({ mtus })])).toEqual(["size"]);
});

test.each<[string, Partial<FoundExit>]>([
  ["has no other end", { netns: null, mtus: [wide], inner: [] }],
  ["is down", { isUp: false }],
  ["lost a rule", { rules: rules.slice(1) }],
  ["lost a default route", { defaults: ["198.18.1.12"] }],
  ["has another address", { outer: ["198.18.2.12/31", "fd57:ee:1::c/127"] }],
])("one that %s is opened again", (_, change) => {
  expect(kinds([exitOf(wide)], [there(change)])).toEqual(["open"]);
});

test("one that no space has any more is closed, also where only a half of it is left", () => {
  expect(kinds([], [there()])).toEqual(["close"]);
  expect(kinds([], [there({ netns: null, inner: [], rules: [], defaults: [] })])).toEqual([
    "close",
  ]);
});
