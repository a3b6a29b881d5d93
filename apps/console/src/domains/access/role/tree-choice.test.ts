import { expect, test } from "vitest";
import { byFamily } from "./permission-families.ts";
import { chosenAfter, matchingFamilies } from "./permission-tree.tsx";

const families = byFamily(["cpeAdd", "cpeEdit", "popAdd", "sysUserAdd"]);
const names = {
  family: ({ family }: { family: string }) => `F:${family}`,
  code: (code: string) => code,
};
const shown = (wanted: string) =>
  matchingFamilies(families, wanted, names).map(({ family, codes }) =>
    [family, ...codes].join(" "),
  );

test("the tree shows what the search finds, a whole family by its name", () => {
  expect(shown(" ")).toEqual(["cpe cpeAdd cpeEdit", "pop popAdd", "sysUser sysUserAdd"]);
  expect(shown("ADD")).toEqual(["cpe cpeAdd", "pop popAdd", "sysUser sysUserAdd"]);
  expect(shown("f:cpe")).toEqual(["cpe cpeAdd cpeEdit"]);
  expect(shown("nothing")).toEqual([]);
});

test("a click in a searched tree leaves alone what is not shown", () => {
  const found = matchingFamilies(families, "add", names);
  expect(chosenAfter(["cpeEdit", "popAdd"], found, ["cpe", "cpeAdd"])).toEqual([
    "cpeAdd",
    "cpeEdit",
  ]);
  expect(chosenAfter(["cpeEdit"], found, [])).toEqual(["cpeEdit"]);
});
