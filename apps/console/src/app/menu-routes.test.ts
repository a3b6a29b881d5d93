import type { ServerMenuNode } from "@weft/contract/calls/session.ts";
import type { MenuNode } from "@weft/contract/menu/node.ts";
import { menu } from "@weft/contract/menu.ts";
import { describe, expect, it } from "vitest";
import { homePath, isExternal, menuRoutes } from "./menu-routes.ts";
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

  it("know a screen for every view", () => {
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

  it("begin at the CPEs", () => {
    expect(homePath(served(menu))).toBe("/sdwan-system/cpe");
  });
});

describe("menus of a server", () => {
  it("open with the first child when the usual one was not sent", () => {
    const group = node("/sdwan-system", { children: [node("/sdwan-system/pop", { url: "P" })] });
    expect(homePath([group])).toBe("/sdwan-system/pop");
  });

  it("never open with a hidden or an external child", () => {
    const hidden = node("/a/1", { url: "A", hide: true });
    const outside = node("https://example.com", { url: "B" });
    const group = node("/a", { children: [hidden, outside] });
    expect(menuRoutes([group])).toEqual([{ kind: "view", path: "/a/1", view: "A" }]);
    expect(homePath([group])).toBeNull();
  });

  it("may be none at all", () => {
    expect([menuRoutes([]), homePath([])]).toEqual([[], null]);
  });

  it.each([
    ["https://example.com", true],
    ["http://example.com/a", true],
    ["//example.com", true],
    ["/sdwan-system", false],
    ["/a//b", false],
  ])("%s leads outside: %s", (path, outside) => {
    expect(isExternal(path)).toBe(outside);
  });

  it("may name views that are not here", () => {
    expect(viewOf("SomethingElse")).toBeUndefined();
    expect(viewOf("constructor")).toBeUndefined();
  });
});
