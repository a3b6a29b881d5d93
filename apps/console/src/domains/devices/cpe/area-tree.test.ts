import { expect, test } from "vitest";
import { areaTree } from "./area-tree.ts";

const area = (id: number, pId: number, name: string, sort = 0) => ({ id, pId, name, sort });

test("areas are below their parents, by their order, then by name", () => {
  const areas = [
    area(3, 1, "Suzhou", 2),
    area(1, 0, "East", 5),
    area(2, 1, "Shanghai", 1),
    area(4, 0, "West", 1),
  ];
  expect(areaTree(areas).map(({ path }) => path)).toEqual([
    "West",
    "East",
    "East / Shanghai",
    "East / Suzhou",
  ]);
});

test("what hangs in a circle or on nothing is shown all the same", () => {
  const areas = [area(1, 2, "A"), area(2, 1, "B"), area(3, 9, "C"), area(4, 0, "D")];
  expect(areaTree(areas).map(({ path }) => path)).toEqual(["D", "A", "B", "C"]);
});
