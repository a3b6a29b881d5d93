import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import type { Language } from "@weft/contract/kernel/message.ts";
import type { MenuProps } from "antd/es/menu";
import { Link } from "react-router";
import { isExternal } from "#client/menus.ts";
import { iconOf } from "./menu-icons.tsx";
import { titleOf } from "./menu-tree.ts";

type Items = NonNullable<MenuProps["items"]>;
type Item = Items[number];

/** How much waits on the screens of entries, by path; zero is not shown. */
export type MenuCounts = ReadonlyMap<string, number>;

/** A count beside a name has room for three digits. */
export const countText = (count: number): string => (count > 999 ? "999+" : `${count}`);

/** What an entry is: a way to its screen; one that leads out opens a new window (section 2.2). */
const labelOf = (node: ServerMenuNode, language: Language, counts?: MenuCounts) => {
  const title = titleOf(node, language);
  const count = counts?.get(node.path) ?? 0;
  if (!isExternal(node.path)) {
    return (
      <Link to={node.path}>
        {title}
        {/* Screen readers read it in the header. */}
        {count > 0 && (
          <span className="w-menu-count" aria-hidden="true">
            {countText(count)}
          </span>
        )}
      </Link>
    );
  }
  return (
    <a href={node.path} target="_blank" rel="noopener noreferrer">
      {title}
    </a>
  );
};

/** Colourful icons take the colours of charts in turn. */
const iconFor = (node: ServerMenuNode, at: number) => {
  const icon = iconOf(node.icon);
  return icon && <span className={`w-menu-icon w-menu-icon-${at % 6}`}>{icon}</span>;
};

/** Entries of the component library's menu. */
export const itemsOf = (
  nodes: readonly ServerMenuNode[],
  language: Language,
  counts?: MenuCounts,
): Items =>
  nodes
    .filter((node) => !node.hide)
    .map((node, at): Item => {
      const icon = iconFor(node, at);
      const children = itemsOf(node.children, language, counts);
      if (children.length === 0)
        return { key: node.path, icon, label: labelOf(node, language, counts) };
      return { key: node.path, icon, label: titleOf(node, language), children };
    });

/** The first level alone: each leads to where its group opens. */
export const firstLevelItems = (nodes: readonly ServerMenuNode[], language: Language): Items =>
  nodes
    .filter((node) => !node.hide)
    .map((node, at) => ({
      key: node.path,
      icon: iconFor(node, at),
      label: labelOf(node, language),
    }));

/** Groups that unfold, parents first. */
export const groupsOf = (nodes: readonly ServerMenuNode[]): string[] =>
  nodes.flatMap((node) =>
    node.children.some((child) => !child.hide) ? [node.path, ...groupsOf(node.children)] : [],
  );
