import { expect, test } from "vitest";
import { allEndpoints } from "#contract/all-endpoints.ts";
import type { MenuNode } from "#kernel/menu.ts";
import {
  defaultGrants,
  grantCodes,
  grantedMenus,
  grantText,
  isGrant,
  neededFor,
} from "./grants.ts";
import { menu } from "./menu.ts";
import { defaultPermissions, holds } from "./permissions.ts";

const flat = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);
const screensOf = flat(menu).filter(({ view }) => view !== undefined);

test("every screen requires a permission or a menu entry, except those of the own account and of errors", () => {
  const open = screensOf.filter((node) => neededFor(node) === null).map(({ path }) => path);
  expect(open).toEqual([
    "/personalcenter/stationmessage",
    "/user/info",
    "/user/message",
    "/exception/403",
    "/exception/404",
    "/exception/500",
    "/blank",
  ]);
});

test("an entry has either a code or role types, and every granted one opens calls or has them opened by codes", () => {
  for (const { path, may, roles } of screensOf)
    expect([path, may && roles]).toEqual([path, undefined]);
  const opening = new Set(
    allEndpoints.flatMap(({ may }) =>
      may !== null && typeof may === "object" && "anyOf" in may ? may.anyOf : [],
    ),
  );
  // Its calls ask for topLink.
  const idle = grantedMenus.filter((path) => !opening.has(path));
  expect(idle).toEqual(["/devopsmonitor/topology"]);
});

test("what calls name as a grant is one", () => {
  for (const { id, may } of allEndpoints) {
    if (may === null || typeof may === "string" || "open" in may) continue;
    for (const one of may.anyOf) expect(isGrant(one), `${id}: ${one}`).toBe(true);
  }
});

test("texts of grants differ: files and forms name them by these", () => {
  const texts = grantCodes.flatMap((code) => grantText(code).map((text) => `${text}`));
  const twice = texts.filter((text, place) => texts.indexOf(text) !== place);
  // CPE and POP are written alike in both languages.
  expect(twice.filter((text) => text.includes("menu") || text.includes("菜单"))).toEqual([]);
});

test("defaults are the codes of the type and its entries; an enterprise has no list of links or POPs", () => {
  for (const type of [0, 1, 2] as const) {
    expect(defaultGrants(type)).toEqual(expect.arrayContaining(defaultPermissions(type)));
    expect(defaultGrants(type)).toContain("/dashboard/workplace");
  }
  expect(defaultGrants(0)).toEqual(expect.arrayContaining([...grantedMenus]));
  for (const path of [
    "/system/configList",
    "/business-system/overlay/linkManage",
    "/sdwan-system/pop",
  ]) {
    expect(defaultGrants(2)).not.toContain(path);
  }
});

test("one of several grants is enough, a stated reason requires none, and user 1 needs none", () => {
  const user = (...authorities: string[]) => ({ userId: 2, authorities });
  const either = { anyOf: ["/system/rolemanage", "sysUserList"] } as const;
  expect(holds(user(), either)).toBe(false);
  expect(holds(user("sysUserList"), either)).toBe(true);
  expect(holds(user("/system/rolemanage"), either)).toBe(true);
  expect(holds(user("/system/configList"), either)).toBe(false);
  expect(holds(user(), { open: "the caller's own" })).toBe(true);
  expect(holds({ userId: 1, authorities: [] }, either)).toBe(true);
});
