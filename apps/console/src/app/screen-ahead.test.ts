import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import { menu } from "@weft/contract/menu.ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callsAhead, likelyView } from "./screen-ahead.ts";
import { firstCallsOf } from "./views.ts";

describe("the screen whose files are fetched before the menus are known", () => {
  it.each([
    ["/sdwan-system/cpe", "", "CpeManage"],
    ["/sdwan-system/cpe", "?page=2", "CpeManage"],
    ["/sdwan-system/cpe/cpeSet/7", "", "CpeSet"],
    ["/login", "?from=%2Fsdwan-system%2Fpop%3Fpage%3D2", "PopManage"],
  ])("of %s%s is %s", (pathname, search, view) => {
    expect(likelyView(pathname, search)).toBe(view);
  });

  it.each(["/", "/login", "/no-such-page", "/sdwan-system/cpe/cpeSet/7/x/y"])(
    "%s is not known",
    (pathname) => expect(likelyView(pathname, "")).toBeNull(),
  );
});

/** A menu as the server sends it. */
const served = (nodes: readonly MenuNode[]): ServerMenuNode[] =>
  nodes.map((node, index) => ({
    menuId: index,
    parentId: 0,
    menuName: node.title[0],
    menuNameEn: node.title[1],
    icon: "",
    path: node.path,
    url: node.view ?? "",
    hide: node.hide ?? false,
    children: served(node.children ?? []),
  }));

const admin = { userId: 1, authorities: [], menus: served(menu), mustAddFactor: false };

describe("first requests of a screen", () => {
  const firstPage = "page=1&limit=10&orderByColumn=health&isAsc=asc";

  it.each([
    ["/sdwan-system/cpe", "", `/customer/cpe/findAll?${firstPage}`],
    ["/sdwan-system/pop", "?name=x&open=add", `/customer/pop/list?name=x&${firstPage}`],
    ["/login", "?from=%2Fsystem%2Fusermanage%3Fpage%3D2", "/customer/user/list?page=2&limit=10"],
    ["/", "", "/customer/dashboard/workplace"],
  ])("of %s%s", (pathname, search, first) => {
    expect(callsAhead(admin, pathname, search)[0]).toBe(first);
  });

  it("is nothing for those who may not open it, who have other menus, or who need a second factor first", () => {
    const of = (session: Partial<typeof admin>) =>
      callsAhead({ ...admin, ...session }, "/sdwan-system/pop", "");
    expect(of({})).not.toEqual([]);
    expect(of({ userId: 7 })).toEqual([]);
    expect(of({ menus: [] })).toEqual([]);
    expect(of({ mustAddFactor: true })).toEqual([]);
  });

  it("leaves out an order that a person chose", () => {
    expect(callsAhead(admin, "/system/usermanage", "?sort=-loginName")).toEqual([]);
  });

  const views = (nodes: readonly MenuNode[]): string[] =>
    nodes.flatMap(({ view, children = [] }) => [...(view ? [view] : []), ...views(children)]);
  const declared = [...new Set(views(menu))].flatMap((view) =>
    (firstCallsOf(view)?.(new URLSearchParams()) ?? []).map((call) => [view, call] as const),
  );

  it.each(declared)("of %s is a reading call of the contract: %s", (_, call) => {
    const { pathname, searchParams } = new URL(call, "http://here.invalid");
    const endpoint = allEndpoints.find(({ path }) => path === pathname);
    expect(endpoint).toMatchObject({ method: "GET", auth: "session" });
    const read = endpoint && checkWire(endpoint.input, Object.fromEntries(searchParams));
    expect(read).toMatchObject({ ok: true });
    const { shape: fields } = (endpoint?.input ?? z.object({})) as z.ZodObject;
    for (const name of searchParams.keys()) expect(fields).toHaveProperty(name);
  });
});
