import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { expect, test } from "vitest";
import { type Grouped, groupFindings } from "./user-groups.ts";

const group = (id: number, members: number[]) => ({ id, name: `group-${id}`, members });
const can = [{ name: "cug", can: true }];
const found = (view: Grouped, capabilities: typeof can | null = can) =>
  groupFindings(view, { capabilities }).map(
    ({ objectId, effect, reason, denies }) => `${objectId} ${effect} ${reason} ${denies}`,
  );
const spaces = new Map([[4, null]]);
const groups = { takesPart: true, groups: [group(1, [2]), group(3, [])] };

test("a group acts, and one without another member keeps the site closed", () => {
  expect(found({ groups, spaces })).toEqual(["3 fallback noFellow false"]);
  expect(found({ groups: null, spaces })).toEqual([]);
});

test("a device that cannot keep groups apart is an alarm, and one that was taken out is none", () => {
  expect(found({ groups, spaces }, [{ name: "cug", can: false }])).toEqual([
    "1 cannot notCarriedOut true",
    "3 cannot notCarriedOut true",
  ]);
  expect(found({ groups, spaces }, null)).toEqual(["3 fallback noFellow false"]);
  expect(found({ groups: { ...groups, takesPart: false }, spaces })).toEqual([
    "1 cannot takesNoPart false",
    "3 cannot takesNoPart false",
  ]);
  expect(found({ groups })).toEqual(["1 cannot noSpace false", "3 cannot noSpace false"]);
});

test("groups beyond the limit report it", () => {
  const many = Array.from({ length: stateLimits.userGroups + 1 }, (_, at) => group(at + 1, [2]));
  expect(found({ groups: { takesPart: true, groups: many }, spaces })).toEqual([
    `${stateLimits.userGroups + 1} cannot tooMany false`,
  ]);
});
