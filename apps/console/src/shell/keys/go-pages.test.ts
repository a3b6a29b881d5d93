import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { menu } from "@weft/contract/menu.ts";
import { describe, expect, it } from "vitest";
import { withHiddenRoutes } from "#client/menus.ts";
import { screensOf } from "#shell/palette/screens.ts";
import { goPages } from "./go-pages.ts";

const node = (path: string, more: Partial<ServerMenuNode> = {}): ServerMenuNode => ({
  menuId: 1,
  parentId: 0,
  menuName: `名 ${path}`,
  menuNameEn: `Name ${path}`,
  icon: "",
  path,
  url: "View",
  hide: false,
  children: [],
  ...more,
});

const served = ({ path, title, view, hide, children = [] }: MenuNode): ServerMenuNode =>
  node(path, {
    menuName: title[0],
    menuNameEn: title[1],
    url: view ?? "",
    hide: hide ?? false,
    children: children.map(served),
  });

const home = "/sdwan-system/pop";
const of = (menus: readonly ServerMenuNode[]) => {
  const about = { language: "en_gb", may: () => true, go: () => undefined } as const;
  const ids = screensOf(menus, about).map(({ id }) => id.slice("screen:".length));
  return goPages(menus, { language: "en_gb", home, offered: new Set(ids) });
};

describe("screens with a letter", () => {
  it("all are in the menus that the contract has, each under one key", () => {
    const pages = of(withHiddenRoutes((menu as readonly MenuNode[]).map(served)));
    expect(pages.map(({ key }) => key).join("")).toBe("wcpenmsliqtyakduro");
    expect(pages.find(({ key }) => key === "c")?.title).toBe("CPE management");
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length - 1);
  });
  it("are those of the person's own menus, and the first screen", () => {
    const pages = of([
      node("/sdwan-system/cpe"),
      node(home, { hide: true }),
      node("/system/rolemanage", { hide: true }),
    ]);
    expect(pages.map(({ key, path }) => [key, path])).toEqual([
      ["w", home],
      ["c", "/sdwan-system/cpe"],
    ]);
    expect(pages[0]?.title).toBe(`Name ${home}`);
  });
});
