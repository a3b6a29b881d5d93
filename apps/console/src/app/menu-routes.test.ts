import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { menu } from "@weft/contract/menu.ts";
import { describe, expect, it } from "vitest";
import { isExternal, menuTree, withHiddenRoutes } from "#client/menus.ts";
import { homePath, landings, menuRoutes, opensNothing } from "./menu-routes.ts";
import { viewOf } from "./views.ts";

/** A menu as the server sends it. */
const served = (nodes: readonly MenuNode[]): ServerMenuNode[] =>
  nodes.map((node, index) => ({
    menuId: index,
    parentId: 0,
    menuName: node.title[0],
    menuNameEn: node.title[1],
    icon: node.icon ?? "",
    path: node.path,
    url: node.view ?? "",
    hide: node.hide ?? false,
    children: served(node.children ?? []),
  }));

const node = (path: string, more: Partial<ServerMenuNode> = {}): ServerMenuNode => ({
  menuId: 0,
  parentId: 0,
  menuName: path,
  menuNameEn: path,
  icon: "",
  path,
  url: "",
  hide: false,
  children: [],
  ...more,
});

describe("routes of the built-in menu", () => {
  const routes = menuRoutes(served(menu));

  it("B-2.3-01: has these groups in this order", () => {
    const first = served(menu).filter(({ hide, url }) => !hide && url === "");
    expect(first.map(({ path }) => path)).toEqual([
      "/sdwan-system",
      "/business-system",
      "/devopsmonitor",
      "/system",
      "/dealmanage",
      "/personalcenter",
    ]);
    const titles = first.map(({ menuName }) => menuName);
    expect(titles).toEqual([
      "站点管理",
      "业务管理",
      "运维监控",
      "系统管理",
      "交易管理",
      "个人中心",
    ]);
  });

  it("have a screen for every view", () => {
    const views = routes.flatMap((route) => (route.kind === "view" ? [route.view] : []));
    expect(views.length).toBeGreaterThan(10);
    for (const view of views) expect(viewOf(view), view).toBeTypeOf("function");
  });

  it.each([
    ["B-2.3-02", "/sdwan-system", "/sdwan-system/cpe"],
    ["B-2.3-03", "/business-system", "/business-system/templatemanage"],
    ["B-2.3-04", "/devopsmonitor", "/devopsmonitor/warningpolicy"],
    ["B-2.3-05", "/sdwan-system/mobileTerminal", "/sdwan-system/mobileTerminal/account"],
    ["B-2.3-06", "/business-system/overlay", "/business-system/overlay/space"],
    ["B-2.3-08", "/devopsmonitor/logs", "/devopsmonitor/logs/cpe"],
    ["B-2.3-09", "/system/recordmanage", "/system/recordmanage/operaRecord"],
    ["tabs of a report", "/sdwan-system/cpe/cpeTable", "/sdwan-system/cpe/cpeTable/detail"],
  ])("lead groups to a child (%s)", (_, path, to) => {
    expect(routes).toContainEqual({ kind: "redirect", path, to });
  });

  it.each([
    [
      "B-2.4-02",
      "/sdwan-system/cpe/cpeTable",
      "detail, flow, performance, line, 4G, armFlow, armPerformance",
    ],
    [
      "B-2.4-04",
      "/sdwan-system/cpe/cpeLog",
      "log, appRank, userRank, appAlarmRank, urlAlarmRank, urlVisitLog, lineLog, con, session",
    ],
    [
      "B-2.4-10",
      "/sdwan-system/pop/popLog",
      "log, appRank, userRank, appAlarmRank, urlAlarmRank, urlVisitLog, lineLog, con",
    ],
    ["B-2.4-11", "/sdwan-system/pop/popTable", "detail, line, interface"],
    ["B-2.4-12", "/sdwan-system/mobileTerminal/table", "detail, flow, performance, journal"],
    ["B-2.4-14", "/business-system/circuitmanage/circuitTable", "line"],
    ["B-2.4-14", "/business-system/circuitmanage/circuitAllTable", "line"],
    ["B-2.4-14", "/business-system/circuitmanage/circuitEnterTable", "line"],
    ["B-2.4-15", "/sdwan-system/enterprisemanage/enterpriseTable", "line"],
    ["B-2.4-16", "/devopsmonitor/linkMonitor/linkTable", "detail, table"],
  ])("%s: %s has these children", (_, path, names) => {
    const below = routes.filter((route) => route.path.startsWith(`${path}/`));
    expect(below.map((route) => route.path.slice(path.length + 1)).join(", ")).toBe(names);
    expect(routes).toContainEqual({ kind: "redirect", path, to: `${path}/${names.split(",")[0]}` });
  });

  it("begin at the overview, before all groups", () => {
    expect(served(menu).find(({ hide }) => !hide)?.path).toBe("/dashboard/workplace");
    expect(homePath(served(menu))).toBe("/dashboard/workplace");
  });
});

describe("menus of a server", () => {
  it("open with the first child when the default child was not sent", () => {
    const group = node("/sdwan-system", { children: [node("/sdwan-system/pop", { url: "P" })] });
    expect(homePath([group])).toBe("/sdwan-system/pop");
  });

  it("open with a hidden child only when there is no other (2.2: with its first child)", () => {
    const hidden = node("/a/1", { url: "A", hide: true });
    const outside = node("https://example.com", { url: "B" });
    const shown = node("/a/2", { url: "C" });
    const to = (children: ServerMenuNode[]) =>
      menuRoutes([node("/a", { children })]).find(({ kind }) => kind === "redirect");
    expect(to([hidden, outside])).toEqual({ kind: "redirect", path: "/a", to: "/a/1" });
    expect(to([hidden, outside, shown])).toEqual({ kind: "redirect", path: "/a", to: "/a/2" });
    expect(homePath([node("/a", { children: [hidden, outside] })])).toBe("/a/1");
  });

  it("never open with a child outside, without a screen, or that needs a value", () => {
    const children = [
      node("https://example.com", { url: "B" }),
      node("/a/empty"),
      node("/a/set/:id", { url: "C", hide: true }),
    ];
    const routes = menuRoutes([node("/a", { children })]);
    expect(routes).toEqual([{ kind: "view", path: "/a/set/:id", view: "C" }]);
    expect(homePath([node("/a", { children })])).toBeNull();
  });

  it("may be none at all", () => {
    expect([menuRoutes([]), homePath([])]).toEqual([[], null]);
  });

  it.each([
    ["https://example.com", true],
    ["http://example.com/a", true],
    ["HTTPS://example.com", true],
    ["//example.com", true],
    ["/sdwan-system", false],
    ["/a//b", false],
  ])("%s leads outside: %s", (path, outside) => {
    expect(isExternal(path)).toBe(outside);
  });

  it.each(["/http", "/https-info", "httpx"])("B-2.2-16: %s does not lead outside", (path) => {
    expect(isExternal(path)).toBe(false);
  });

  it("B-2.2-13: make no route of an address outside", () => {
    const outside = node("https://example.com", { url: "A" });
    expect(menuRoutes([outside, node("//example.com", { url: "B" })])).toEqual([]);
  });

  it("B-2.2-17: with an address that runs a script are no routes and no entries", () => {
    const hostile = ["javascript:alert(1)", "JavaScript:x", "data:text/html,x", "/\\example.com"];
    const tree = menuTree([
      ...hostile.map((path, index) => node(path, { menuId: index + 1, url: "A" })),
      node("/a", { menuId: 90, children: [node("vbscript:x", { menuId: 91, url: "B" })] }),
    ]);
    expect(tree.map(({ path, children }) => [path, children])).toEqual([["/a", []]]);
    expect(menuRoutes(tree)).toEqual([]);
  });

  it("B-3-16: are the same tree flat or nested", () => {
    const nested = [
      node("/a", {
        menuId: 1,
        children: [
          node("/a/b", {
            menuId: 2,
            parentId: 1,
            children: [node("/a/b/c", { menuId: 3, parentId: 2, url: "C" })],
          }),
          node("/a/d", { menuId: 4, parentId: 1, url: "D" }),
        ],
      }),
      node("/e", { menuId: 5, url: "E" }),
    ];
    const rows = (nodes: readonly ServerMenuNode[]): ServerMenuNode[] =>
      nodes.flatMap((one) => [{ ...one, children: [] }, ...rows(one.children)]);
    expect(rows(nested)).toHaveLength(5);
    expect(menuTree(rows(nested))).toEqual(nested);
    expect(menuTree(nested)).toEqual(nested);
  });

  it("B-2.4-18: without hidden routes get all of them, hidden", () => {
    const visible = node("/system/rolemanage", { url: "RoleManage" });
    const routes = menuRoutes(withHiddenRoutes([visible]));
    const builtIn = menuRoutes(withHiddenRoutes([]));
    expect(routes).toEqual([...menuRoutes([visible]), ...builtIn]);
    expect(builtIn.length).toBeGreaterThan(80);
    expect(withHiddenRoutes([]).every(({ hide }) => hide)).toBe(true);
    // What the server did send is not there twice.
    const paths = menuRoutes(withHiddenRoutes(served(menu))).map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it("may name views that are not here", () => {
    expect(viewOf("SomethingElse")).toBeUndefined();
    expect(viewOf("constructor")).toBeUndefined();
  });
});

describe("landings", () => {
  it("lead through groups of groups to a screen, and end where they go round", () => {
    const found = landings([
      { kind: "redirect", path: "/a", to: "/a/b" },
      { kind: "redirect", path: "/a/b", to: "/a/b/c" },
      { kind: "view", path: "/a/b/c", view: "V" },
      { kind: "redirect", path: "/x", to: "/y" },
      { kind: "redirect", path: "/y", to: "/x" },
    ]);
    expect([found.get("/a"), found.get("/a/b")]).toEqual(["/a/b/c", "/a/b/c"]);
    expect([found.get("/x"), found.get("/y")]).toEqual(["/y", "/x"]);
  });
});

describe("a person without a role", () => {
  const own = node("/personalcenter", {
    children: [node("/personalcenter/stationmessage", { url: "StationMessage" })],
  });
  const session = { userId: 9, authorities: [], menus: withHiddenRoutes([own]) };

  it("gets a page that explains it instead of an empty list of messages", () => {
    expect(opensNothing(session)).toBe(true);
  });

  it("is none who may open something, nor user 1, nor one whose menus come from elsewhere", () => {
    expect(opensNothing({ ...session, authorities: ["cpeEdit"] })).toBe(false);
    expect(opensNothing({ ...session, userId: 1 })).toBe(false);
    for (const more of [
      node("/sdwan-system/cpe", { url: "CpeManage" }),
      node("/elsewhere", { url: "CpeManage" }),
    ]) {
      expect(opensNothing({ ...session, menus: [own, more] })).toBe(false);
    }
  });
});
