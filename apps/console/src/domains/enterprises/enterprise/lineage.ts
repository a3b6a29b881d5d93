import type { enterpriseTreeList } from "@weft/contract/domains/enterprises/enterprise.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";

export type TreeNode = OutputOf<typeof enterpriseTreeList>[number];

/** Ids to nodes, so that each step upwards costs one lookup. */
export const byId = (tree: readonly TreeNode[]): ReadonlyMap<number, TreeNode> =>
  new Map(tree.map((node) => [node.groupid, node]));

/**
 * Names from the topmost visible ancestor down to the parent of an enterprise; empty at the top.
 * A circle, which the server forbids, ends the search.
 */
export const lineageOf = (id: number, nodes: ReadonlyMap<number, TreeNode>): string[] => {
  const names: string[] = [];
  const seen = new Set([id]);
  let parent = nodes.get(id)?.parentId ?? null;
  while (parent !== null && !seen.has(parent)) {
    seen.add(parent);
    const node = nodes.get(parent);
    if (!node) break;
    names.unshift(node.name);
    parent = node.parentId;
  }
  return names;
};

export interface TreeOption {
  readonly value: number;
  readonly title: string;
  readonly children: TreeOption[];
}

/** The tree for a select, without an enterprise and what is below it: no circles. */
export const treeOptions = (tree: readonly TreeNode[], without: number | null): TreeOption[] => {
  const children = Map.groupBy(tree, (node) => node.parentId);
  const below = (parent: number | null): TreeOption[] =>
    (children.get(parent) ?? [])
      .filter(({ groupid }) => groupid !== without)
      .sort((a, b) => a.name.localeCompare(b.name))
      .map(({ groupid, name }) => ({ value: groupid, title: name, children: below(groupid) }));
  return below(null);
};
