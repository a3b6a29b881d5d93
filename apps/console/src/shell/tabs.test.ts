import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { type Language, languages } from "@weft/contract/kernel/message.ts";
import { menu } from "@weft/contract/menu.ts";
import { describe, expect, it } from "vitest";
import { crumbsOf, markedAt, nodeAt, titleOf, wayTo } from "./menu-tree.ts";
import { afterClosing, type Tab, tabOf, withoutTabs, withTab } from "./tabs.ts";

const node = (path: string, more: Partial<ServerMenuNode> = {}): ServerMenuNode => ({
  menuId: 0,
  parentId: 0,
  menuName: `中${path}`,
  menuNameEn: path,
  icon: "",
  path,
  url: "View",
  hide: false,
  children: [],
  ...more,
});

const menus = [
  node("/sdwan-system", {
    url: "",
    children: [
      node("/sdwan-system/pop"),
      node("/sdwan-system/cpe"),
      node("/sdwan-system/cpe/cpeSet/:id", { hide: true }),
      node("/sdwan-system/pop/popSet/:id", { hide: true }),
    ],
  }),
  node("/system", { url: "", children: [node("/system/user")] }),
];
const home = "/sdwan-system/cpe";
const at = (path: string, search = "") => tabOf(menus, path, search, home);

describe("a tab", () => {
  it("is shared by all screens of CPEs", () => {
    const list = at("/sdwan-system/cpe", "?page=2");
    const set = at("/sdwan-system/cpe/cpeSet/7");
    expect([list?.key, set?.key]).toEqual([home, home]);
    expect(set?.title[0]).toBe("CPE管理");
    expect(set?.href).toBe("/sdwan-system/cpe/cpeSet/7");
  });

  it("is one for each entry of the menus", () => {
    expect(at("/sdwan-system/pop/popSet/7")?.key).toBe("/sdwan-system/pop/popSet/:id");
    expect(at("/sdwan-system/pop")?.isFixed).toBe(false);
    expect(at("/sdwan-system/cpe")?.isFixed).toBe(true);
  });

  it("is not made without a title", () => {
    expect(at("/nowhere")).toBeNull();
    expect(tabOf([node("/blank", { menuName: "" })], "/blank", "", home)).toBeNull();
  });
});

describe("the titles of all screens", () => {
  const served = (nodes: readonly MenuNode[]): ServerMenuNode[] =>
    nodes.map(({ path, title, view = "", hide = false, children = [] }) =>
      node(path, {
        menuName: title[0],
        menuNameEn: title[1],
        url: view,
        hide,
        children: served(children),
      }),
    );
  const all = served(menu);
  const flat = (nodes: readonly ServerMenuNode[]): ServerMenuNode[] =>
    nodes.flatMap((one) => [one, ...flat(one.children)]);
  const addresses = flat(all)
    .filter(({ url }) => url !== "")
    .map(({ path }) => path.replaceAll(/:\w+/g, "7"));
  /** What is read in the tab and on the way in the head. */
  const readIn = (language: Language, path: string): string[] => {
    const title = tabOf(all, path, "", home)?.title[languages.indexOf(language)];
    return [title ?? "", ...crumbsOf(all, path).map((step) => titleOf(step, language))];
  };

  it("are in the language of the person", () => {
    expect(addresses.length).toBeGreaterThan(60);
    const chinese = /\p{Script=Han}/u;
    const wrong = addresses.filter((path) =>
      readIn("en_gb", path).some((text) => chinese.test(text)),
    );
    expect(wrong).toEqual([]);
    // What carriers call by its English name stays; a sentence does not.
    const terms = /Overlay|Underlay|Webhook/g;
    const isEnglish = (text: string): boolean => /[a-z]{3}/.test(text.replaceAll(terms, ""));
    expect(addresses.filter((path) => readIn("zh_cn", path).some(isEnglish))).toEqual([]);
  });
});

const tab = (key: string, isFixed = false): Tab => ({
  key,
  href: `${key}?x=1`,
  title: [key, key],
  isFixed,
});
const open = [tab("/home", true), tab("/a"), tab("/b"), tab("/c")];
const keys = (tabs: readonly Tab[]) => tabs.map(({ key }) => key);

describe("the strip of tabs", () => {
  it("adds a page once and remembers where it is", () => {
    const again = { ...tab("/a"), href: "/a?page=3" };
    expect(keys(withTab(open, again))).toEqual(["/home", "/a", "/b", "/c"]);
    expect(withTab(open, again)[1]?.href).toBe("/a?page=3");
    expect(withTab(open, tab("/a"))).toBe(open);
    expect(keys(withTab(open, tab("/d")))).toEqual(["/home", "/a", "/b", "/c", "/d"]);
  });

  it.each([
    ["this", "/b", ["/home", "/a", "/c"]],
    ["left", "/b", ["/home", "/b", "/c"]],
    ["right", "/b", ["/home", "/a", "/b"]],
    ["others", "/b", ["/home", "/b"]],
    ["all", "/b", ["/home"]],
    ["this", "/home", ["/home", "/a", "/b", "/c"]],
  ] as const)("closes %s of %s", (closing, key, left) => {
    expect(keys(withoutTabs(open, closing, key))).toEqual(left);
  });

  it("opens the neighbour of a closed active tab, or the home page", () => {
    const next = (closing: Parameters<typeof withoutTabs>[1], active: string) =>
      afterClosing(open, withoutTabs(open, closing, active), active, "/home");
    expect(next("this", "/b")).toBe("/c?x=1");
    expect(next("this", "/c")).toBe("/b?x=1");
    expect(next("all", "/c")).toBe("/home?x=1");
    expect(afterClosing([tab("/a")], [], "/a", "/home")).toBe("/home");
    expect(next("others", "/b")).toBeNull();
  });
});

describe("the way to an address", () => {
  it("names each titled route", () => {
    expect(wayTo(menus, "/sdwan-system/cpe/cpeSet/7").map(({ path }) => path)).toEqual([
      "/sdwan-system",
      "/sdwan-system/cpe",
      "/sdwan-system/cpe/cpeSet/:id",
    ]);
    expect(wayTo(menus, "/sdwan-system/cpeX").map(({ path }) => path)).toEqual(["/sdwan-system"]);
  });

  it("B-2.5-05, B-2.5-06: the breadcrumb omits entries without a title and hidden ones", () => {
    const leaf = node("/a/b/c");
    const way = (middle: Partial<ServerMenuNode>) =>
      crumbsOf(
        [node("/a", { children: [node("/a/b", { children: [leaf], ...middle })] })],
        "/a/b/c",
      ).map(({ path }) => path);
    expect(way({})).toEqual(["/a", "/a/b", "/a/b/c"]);
    expect(way({ breadcrumb: true })).toEqual(["/a", "/a/b", "/a/b/c"]);
    expect(way({ menuName: "", menuNameEn: "" })).toEqual(["/a", "/a/b/c"]);
    expect(way({ breadcrumb: false })).toEqual(["/a", "/a/b/c"]);
  });

  it("takes an entry that names the address before one with a place for it", () => {
    const some = [node("/t/:param", { url: "Section" }), node("/t/dns", { url: "Dns" })];
    expect(nodeAt(some, "/t/dns")?.url).toBe("Dns");
    expect(nodeAt(some, "/t/bgp")?.url).toBe("Section");
    expect(wayTo(some, "/t/dns").map(({ path }) => path)).toEqual(["/t/dns"]);
  });

  it("marks the visible entry above a hidden screen", () => {
    expect(markedAt(menus, "/sdwan-system/pop/popSet/7")).toBe("/sdwan-system/pop");
    expect(markedAt(menus, "/nowhere")).toBeNull();
    expect(nodeAt(menus, "/system")).toBeNull();
  });
});
