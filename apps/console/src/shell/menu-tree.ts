import type { ServerMenuNode } from "@weft/contract/calls/session.ts";
import type { Language } from "@weft/contract/kernel/message.ts";
import { matchPath } from "react-router";

/** What a menu node is called. */
export const titleOf = (node: ServerMenuNode, language: Language): string =>
  language === "zh_cn" ? node.menuName : node.menuNameEn || node.menuName;

/** All nodes, parents first. */
const flatten = (nodes: readonly ServerMenuNode[]): ServerMenuNode[] =>
  nodes.flatMap((node) => [node, ...flatten(node.children)]);

/** The node whose screen an address shows; null: none. */
export const nodeAt = (nodes: readonly ServerMenuNode[], pathname: string): ServerMenuNode | null =>
  flatten(nodes).find((node) => node.url !== "" && matchPath(node.path, pathname) !== null) ?? null;

const isAbove = (path: string, pathname: string): boolean =>
  pathname === path || pathname.startsWith(`${path}/`);

/** Nodes on the way to an address, the outermost first, by path. */
export const wayTo = (nodes: readonly ServerMenuNode[], pathname: string): ServerMenuNode[] =>
  flatten(nodes)
    .filter((node) => isAbove(node.path, pathname) || matchPath(node.path, pathname) !== null)
    .sort((one, other) => one.path.length - other.path.length);

/** The visible entry that is marked in the menu while an address is shown. */
export const markedAt = (nodes: readonly ServerMenuNode[], pathname: string): string | null =>
  wayTo(nodes, pathname).findLast((node) => !node.hide && node.url !== "")?.path ?? null;
