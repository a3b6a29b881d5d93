import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import Menu from "antd/es/menu";
import { useEffect, useMemo, useState } from "react";
import { useLocation } from "react-router";
import { useDisplay } from "#client/display.ts";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { useMenuCounts } from "./alarm-counts.ts";
import type { ShellLayout } from "./layout.ts";
import { Logo } from "./logo.tsx";
import { groupsOf, itemsOf } from "./menu-items.tsx";
import { firstLevelAt, markedAt, shownMenus, wayTo } from "./menu-tree.ts";
import { shellMessages } from "./messages.ts";

interface Props {
  readonly layout: ShellLayout;
}

/** The menus of the server, beside the page or over it. */
export function Sidebar({ layout }: Props) {
  const display = useDisplay();
  const { menus } = useSession();
  const { pathname } = useLocation();
  const { kind, isOverlay, isFolded, isOpen, setOpen } = layout;
  const isDark = display.sideStyle === 1 || display.darkMode;
  const close = (): void => setOpen(false);
  if (isOverlay) {
    return (
      <Drawer
        open={isOpen}
        placement="left"
        size="var(--w-side-width)"
        closable={false}
        onClose={close}
        rootClassName={isDark ? "w-side-drawer w-side-dark" : "w-side-drawer"}
        styles={{ body: { padding: 0 } }}
      >
        <Logo onPick={close} />
        <SideMenu nodes={shownMenus(menus)} isFolded={false} isDark={isDark} onPick={close} />
      </Drawer>
    );
  }
  const nodes =
    kind === "mix" ? (firstLevelAt(menus, pathname)?.children ?? []) : shownMenus(menus);
  if (kind === "top" || nodes.every((node) => node.hide)) return null;
  return (
    <aside className={isDark ? "w-side w-side-dark" : "w-side"} data-folded={isFolded || undefined}>
      {kind === "side" && <Logo isSmall={isFolded} />}
      <SideMenu nodes={nodes} isFolded={isFolded} isDark={isDark} />
    </aside>
  );
}

interface MenuProps {
  readonly nodes: readonly ServerMenuNode[];
  readonly isFolded: boolean;
  readonly isDark: boolean;
  readonly onPick?: () => void;
}

/** Branches on the way to the page are open; others stay as the person left them. */
const useOpenBranches = (nodes: readonly ServerMenuNode[]) => {
  const { pathname } = useLocation();
  const { sideUniqueOpen } = useDisplay();
  const way = useMemo(() => wayTo(nodes, pathname).map(({ path }) => path), [nodes, pathname]);
  const [open, setOpen] = useState<readonly string[]>(() => way);
  useEffect(() => {
    setOpen((now) => (sideUniqueOpen ? way : [...new Set([...now, ...way])]));
  }, [way, sideUniqueOpen]);
  const groups = useMemo(() => groupsOf(nodes), [nodes]);
  /** Of the branch that was just opened only the way to it stays open. */
  const change = (keys: readonly string[]): void => {
    const opened = keys.find((key) => !open.includes(key));
    if (!sideUniqueOpen || opened === undefined) {
      setOpen(keys);
      return;
    }
    const above = wayTo(nodes, opened).map(({ path }) => path);
    setOpen(groups.filter((group) => above.includes(group)));
  };
  return [open, change] as const;
};

function SideMenu({ nodes, isFolded, isDark, onPick }: MenuProps) {
  const t = useTexts(shellMessages);
  const { pathname } = useLocation();
  const counts = useMenuCounts();
  const items = useMemo(() => itemsOf(nodes, t.language, counts), [nodes, t.language, counts]);
  const [open, setOpen] = useOpenBranches(nodes);
  const marked = markedAt(nodes, pathname);
  return (
    <nav aria-label={t("shell.menu")}>
      <Menu
        mode="inline"
        theme={isDark ? "dark" : "light"}
        inlineCollapsed={isFolded}
        items={items}
        selectedKeys={marked === null ? [] : [marked]}
        // A folded menu unfolds its groups beside itself, one at a time.
        {...(!isFolded && { openKeys: [...open], onOpenChange: setOpen })}
        inlineIndent={16}
        onClick={() => onPick?.()}
      />
    </nav>
  );
}
