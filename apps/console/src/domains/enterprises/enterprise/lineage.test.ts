import { describe, expect, it } from "vitest";
import { byId, lineageOf, type TreeNode, treeOptions } from "./lineage.ts";

const node = (groupid: number, parentId: number | null, name: string): TreeNode => ({
  groupid,
  parentId,
  name,
  isAgent: false,
  enable: true,
});

const tree = [
  node(1, null, "operator"),
  node(2, 1, "agent"),
  node(3, 2, "shop"),
  node(4, 1, "bank"),
];

describe("the tree of enterprises", () => {
  it("names the ancestors from the top down", () => {
    expect(lineageOf(3, byId(tree))).toEqual(["operator", "agent"]);
    expect(lineageOf(1, byId(tree))).toEqual([]);
  });

  it("stops at what the reader may not see", () => {
    expect(lineageOf(3, byId([node(3, 2, "shop")]))).toEqual([]);
  });

  it("ends in a circle", () => {
    expect(lineageOf(1, byId([node(1, 2, "a"), node(2, 1, "b")]))).toEqual(["b"]);
  });

  it("offers no place below itself", () => {
    const options = treeOptions(tree, 2);
    expect(options).toEqual([
      { value: 1, title: "operator", children: [{ value: 4, title: "bank", children: [] }] },
    ]);
  });
});
