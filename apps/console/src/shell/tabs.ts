import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import { paths } from "#client/paths.ts";
import { nodeAt } from "./menu-tree.ts";

/** One open page. At most one for each entry of the menus. */
export interface Tab {
  readonly key: string;
  /** Where it was last, with its query. */
  readonly href: string;
  readonly title: Message;
  /** The home tab: never closed. */
  readonly isFixed: boolean;
}

/**
 * All screens of CPEs share one tab. The specification gives its title in Chinese alone (section 2.5); in English it is that
 * of the menu.
 */
const cpePath = paths.cpe();
const cpeTitle: Message = ["CPE管理", "CPE management"];

/** So do the tabs of a POP's page, which is called by the name of the POP. */
const [popPath] = paths.nodePages("pop");
const popTitle: Message = ["POP", "POP"];
const isOfPop = (pathname: string): boolean =>
  pathname.startsWith(`${popPath}/`) || paths.popDetail(0).startsWith(`${pathname}?`);

/** So do the tabs of an enterprise's page, which is called by the name of the enterprise. */
const enterprisePath = paths.enterprisePages();
const enterpriseTitle: Message = ["企业", "Enterprise"];

/** The tab of an address; null for pages without a title. */
export const tabOf = (
  menus: readonly ServerMenuNode[],
  pathname: string,
  search: string,
  home: string,
): Tab | null => {
  const href = `${pathname}${search}`;
  if (pathname.includes(cpePath)) {
    return { key: cpePath, href, title: cpeTitle, isFixed: home.includes(cpePath) };
  }
  if (pathname.startsWith(`${enterprisePath}/`)) {
    return { key: enterprisePath, href, title: enterpriseTitle, isFixed: false };
  }
  if (isOfPop(pathname)) return { key: popPath, href, title: popTitle, isFixed: false };
  const node = nodeAt(menus, pathname);
  if (!node || node.menuName === "") return null;
  const title: Message = [node.menuName, node.menuNameEn || node.menuName];
  return { key: node.path, href, title, isFixed: node.path === home };
};

/** Adds a tab, or remembers where an open one is now. The home tab stays first. */
export const withTab = (tabs: readonly Tab[], tab: Tab): readonly Tab[] => {
  const known = tabs.find(({ key }) => key === tab.key);
  if (known?.href === tab.href) return tabs;
  if (known) return tabs.map((other) => (other.key === tab.key ? tab : other));
  return tab.isFixed ? [tab, ...tabs] : [...tabs, tab];
};

export type Closing = "this" | "left" | "right" | "others" | "all";

/** What stays open after closing, seen from the tab `key`. */
export const withoutTabs = (
  tabs: readonly Tab[],
  closing: Closing,
  key: string,
): readonly Tab[] => {
  const at = tabs.findIndex((tab) => tab.key === key);
  const goes = (index: number): boolean => {
    switch (closing) {
      case "this":
        return index === at;
      case "left":
        return index < at;
      case "right":
        return index > at;
      case "others":
        return index !== at;
      case "all":
        return true;
    }
  };
  return tabs.filter((tab, index) => tab.isFixed || !goes(index));
};

/** Where to go when the active tab was closed: its right neighbour, else the left one, else home. */
export const afterClosing = (
  before: readonly Tab[],
  after: readonly Tab[],
  active: string,
  home: string,
): string | null => {
  if (after.some((tab) => tab.key === active)) return null;
  const at = before.findIndex((tab) => tab.key === active);
  const stays = (tab: Tab): boolean => after.includes(tab);
  const next = before.slice(at + 1).find(stays) ?? before.slice(0, Math.max(0, at)).findLast(stays);
  return next?.href ?? home;
};
