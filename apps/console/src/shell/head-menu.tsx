import Menu from "antd/es/menu";
import { useMemo } from "react";
import { useLocation } from "react-router";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { firstLevelItems, itemsOf } from "./menu-items.tsx";
import { firstLevelAt, markedAt, shownMenus } from "./menu-tree.ts";
import { shellMessages } from "./messages.ts";

interface Props {
  /** top: the whole menu; mix: its first level. */
  readonly kind: "top" | "mix";
  readonly isDark: boolean;
}

/** The menu in the header; what has no room goes under "more". */
export function HeadMenu({ kind, isDark }: Props) {
  const t = useTexts(shellMessages);
  const { menus } = useSession();
  const { pathname } = useLocation();
  const nodes = shownMenus(menus);
  const make = kind === "top" ? itemsOf : firstLevelItems;
  const items = useMemo(() => make(nodes, t.language), [make, nodes, t.language]);
  const marked =
    kind === "top" ? markedAt(nodes, pathname) : (firstLevelAt(nodes, pathname)?.path ?? null);
  return (
    <nav aria-label={t("shell.menu")} className="w-head-menu">
      <Menu
        mode="horizontal"
        theme={isDark ? "dark" : "light"}
        items={items}
        selectedKeys={marked === null ? [] : [marked]}
      />
    </nav>
  );
}
