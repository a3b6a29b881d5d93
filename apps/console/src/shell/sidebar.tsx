import type { ServerMenuNode } from "@weft/contract/calls/session.ts";
import Drawer from "antd/es/drawer";
import type { MenuProps } from "antd/es/menu";
import Menu from "antd/es/menu";
import { useMemo, useState } from "react";
import { Link, useLocation } from "react-router";
import { useDisplay } from "#kernel/display.ts";
import { useSession } from "#kernel/session.tsx";
import { useTexts } from "#kernel/texts.ts";
import { Mark } from "#ui/mark.tsx";
import { iconOf } from "./menu-icons.tsx";
import { markedAt, titleOf } from "./menu-tree.ts";
import { shellMessages } from "./messages.ts";

type Items = NonNullable<MenuProps["items"]>;
type Item = Items[number];
type Language = Parameters<typeof titleOf>[1];

/** Leads out of the console: opens in a new window (specification section 2.2). */
const isOutside = (path: string): boolean => /^(?:https?:)?\/\//i.test(path);

const labelOf = (node: ServerMenuNode, language: Language) => {
  const title = titleOf(node, language);
  if (!isOutside(node.path)) return <Link to={node.path}>{title}</Link>;
  return (
    <a href={node.path} target="_blank" rel="noopener noreferrer">
      {title}
    </a>
  );
};

const itemsOf = (nodes: readonly ServerMenuNode[], language: Language): Items =>
  nodes
    .filter((node) => !node.hide)
    .map((node): Item => {
      const icon = iconOf(node.icon);
      const children = itemsOf(node.children, language);
      if (children.length === 0) return { key: node.path, icon, label: labelOf(node, language) };
      return { key: node.path, icon, label: titleOf(node, language), children };
    });

/** First-level groups start unfolded: a dozen entries need no searching. */
const groupsOf = (nodes: readonly ServerMenuNode[]): string[] =>
  nodes.flatMap((node) =>
    node.children.some((child) => !child.hide) ? [node.path, ...groupsOf(node.children)] : [],
  );

interface Props {
  /** Folded to its icons. */
  readonly isFolded: boolean;
  /** Over the page instead of beside it. */
  readonly isOverlay: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The menus of the server. */
export function Sidebar({ isFolded, isOverlay, isOpen, onClose }: Props) {
  const display = useDisplay();
  const isDark = display.sideStyle === 1 || display.darkMode;
  if (isOverlay) {
    return (
      <Drawer
        open={isOpen}
        placement="left"
        size={240}
        closable={false}
        onClose={onClose}
        rootClassName={isDark ? "w-side-drawer w-side-dark" : "w-side-drawer"}
        styles={{ body: { padding: 0 } }}
      >
        <SideContent isFolded={false} isDark={isDark} onPick={onClose} />
      </Drawer>
    );
  }
  return (
    <aside className={isDark ? "w-side w-side-dark" : "w-side"} data-folded={isFolded || undefined}>
      <SideContent isFolded={isFolded} isDark={isDark} />
    </aside>
  );
}

interface ContentProps {
  readonly isFolded: boolean;
  readonly isDark: boolean;
  readonly onPick?: () => void;
}

function SideContent({ isFolded, isDark, onPick }: ContentProps) {
  const t = useTexts(shellMessages);
  const { menus, sysName, logo } = useSession();
  const { pathname } = useLocation();
  const items = useMemo(() => itemsOf(menus, t.language), [menus, t.language]);
  const [open, setOpen] = useState(() => groupsOf(menus));
  const marked = markedAt(menus, pathname);
  return (
    <>
      <Link className="w-logo" to="/" title={sysName} {...(onPick && { onClick: onPick })}>
        {logo ? <img src={logo} alt="" height={24} /> : <Mark />}
        {!isFolded && <span className="w-cut">{sysName}</span>}
      </Link>
      <nav aria-label={t("shell.menu")}>
        <Menu
          mode="inline"
          theme={isDark ? "dark" : "light"}
          inlineCollapsed={isFolded}
          items={items}
          selectedKeys={marked === null ? [] : [marked]}
          // A folded menu unfolds its groups beside itself, one at a time.
          {...(!isFolded && { openKeys: open, onOpenChange: setOpen })}
          inlineIndent={16}
          onClick={() => onPick?.()}
        />
      </nav>
    </>
  );
}
