import { expect, test } from "vitest";
import { type IssueGroup, mergeGroups, summaryOf } from "./issue-summary.ts";

const cpes = (...ids: number[]) => ids.map((id) => ({ id, name: `cpe-${id}` }));
const group = (
  key: string,
  ids: readonly number[],
  more: Partial<IssueGroup> = {},
): IssueGroup => ({
  key,
  cpes: cpes(...ids),
  isKnown: true,
  differences: [],
  count: 0,
  failure: null,
  unmet: 0,
  cannot: 0,
  findings: [],
  ...more,
});
const noLine = (objectId: number, effect: "cannot" | "fallback" = "cannot") => ({
  family: "routerPolicyroute",
  objectId,
  name: `r-${objectId}`,
  effect,
  reason: "noLine",
  params: { slot: "3" },
});
const page = (...groups: IssueGroup[]) => ({ version: 1, objects: 2, cpes: 6, groups });

test("equal groups of several pages are one, and the largest comes first", () => {
  const merged = mergeGroups([
    page(group("a", [1])),
    page(group("b", [2, 3]), group("a", [4])),
    page(group("b", [5])),
  ]);
  expect(merged.map(({ key, cpes: some }) => [key, some.map(({ id }) => id)])).toEqual([
    ["b", [2, 3, 5]],
    ["a", [1, 4]],
  ]);
});

test("counts each CPE once, and each reason with its objects and CPEs", () => {
  const broken = { code: "tooLarge", detail: "acl" } as const;
  expect(
    summaryOf([
      group("a", [1, 2], { unmet: 1, findings: [noLine(9, "fallback")] }),
      group("b", [3], { unmet: 2, cannot: 2, findings: [noLine(7), noLine(8)] }),
      group("c", [4], { unmet: 1, cannot: 1, isKnown: false, findings: [noLine(7)] }),
      group("d", [5], { isKnown: false }),
      group("e", [6], { failure: broken }),
    ]),
  ).toEqual({
    cpes: 6,
    acts: 2,
    fails: 3,
    unknown: 1,
    reasons: [
      { effect: "cannot", reason: "noLine", params: { slot: "3" }, objects: 2, cpes: 2 },
      { effect: "fallback", reason: "noLine", params: { slot: "3" }, objects: 1, cpes: 2 },
    ],
  });
});
