import { describe, expect, it } from "vitest";
import { treeOf } from "./tree.ts";

const node = (id: number, pId: number, name: string) => ({ id, pId, name });
const tree = (rows: readonly ReturnType<typeof node>[]) =>
  treeOf(rows, { id: (row) => row.id, parent: (row) => row.pId });

describe("a flat list of id, pId and name", () => {
  it("B-3-17: children are under their pId; a node whose parent is missing becomes a root", () => {
    const rows = [node(3, 1, "c"), node(1, 0, "a"), node(2, 1, "b"), node(9, 77, "orphan")];
    expect(tree(rows)).toEqual([
      {
        ...node(1, 0, "a"),
        children: [
          { ...node(3, 1, "c"), children: [] },
          { ...node(2, 1, "b"), children: [] },
        ],
      },
      { ...node(9, 77, "orphan"), children: [] },
    ]);
  });

  it("loses nothing to nodes that are their own ancestors", () => {
    const rows = [node(1, 2, "a"), node(2, 1, "b"), node(3, 3, "c"), node(4, 1, "d")];
    const names = tree(rows).map(({ name, children }) => [name, children.map((one) => one.name)]);
    expect(names).toEqual([
      ["a", ["d"]],
      ["b", []],
      ["c", []],
    ]);
  });
});
