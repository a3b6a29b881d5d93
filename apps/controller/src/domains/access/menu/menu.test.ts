import { grantCodes, grantedMenus } from "@weft/contract/grants.ts";
import { expect, test } from "vitest";
import { testApi } from "../../../../test/api.ts";
import { menuFor } from "./public.ts";

type Nodes = ReturnType<typeof menuFor>;
const flat = (nodes: Nodes): Nodes => nodes.flatMap((node) => [node, ...flat(node.children)]);
const superuser = { userId: 1, authorities: grantCodes };
const noOne = { userId: 2, authorities: [] };

test("ids are unique, belong to the path and name the parent", () => {
  const all = flat(menuFor(superuser));
  expect(new Set(all.map(({ menuId }) => menuId)).size).toBe(all.length);
  expect(all.every(({ menuId }) => menuId > 0)).toBe(true);
  for (const node of all)
    for (const child of node.children) expect(child.parentId).toBe(node.menuId);
  const tree = [
    { path: "/x", title: ["一", "X"], view: "X" },
    { path: "/sdwan-system/pop", title: ["二", "P"], view: "P" },
  ] as const;
  const pop = all.find(({ path }) => path === "/sdwan-system/pop");
  expect(menuFor(superuser, tree)[1]?.menuId).toBe(pop?.menuId);
});

test("what a user may not do is not in it, nor a group that nothing is left of", () => {
  const tree = [
    {
      path: "/g",
      title: ["组", "Group"],
      children: [
        { path: "/g/a", title: ["甲", "A"], view: "A", may: "cpeActive" },
        { path: "/g/b", title: ["乙", "B"], view: "B", hide: true },
      ],
    },
    { path: "/c", title: ["丙", "C"], view: "C" },
    { path: "/d", title: ["丁", "D"], view: "D", roles: [0] },
  ] as const;
  const holder = { userId: 2, authorities: ["/d"] };
  expect(flat(menuFor(holder, tree)).map(({ path }) => path)).toEqual(["/c", "/d"]);
  expect(flat(menuFor(noOne, tree)).map(({ path }) => path)).toEqual(["/c"]);
  const active = { userId: 2, authorities: ["cpeActive"] };
  expect(flat(menuFor(active, tree)).map(({ path }) => path)).toEqual(["/g", "/g/a", "/g/b", "/c"]);
});

test("who has the overview has it first; a visitor by a link for templates does not have it", () => {
  const shown = (user: Parameters<typeof menuFor>[0]) => menuFor(user).filter(({ hide }) => !hide);
  for (const user of [superuser, { userId: 2, authorities: grantedMenus }]) {
    expect(shown(user)[0]?.path).toBe("/dashboard/workplace");
  }
  const visitor = { ...noOne, visitEndTime: new Date() };
  expect(flat(menuFor(visitor)).map(({ path }) => path)).not.toContain("/dashboard/workplace");
});

test("a role that gives nothing shows the caller's own messages, and no screen of anything else", () => {
  const paths = flat(menuFor(noOne)).map(({ path }) => path);
  const shown = flat(menuFor(noOne).filter(({ hide }) => !hide)).map(({ path }) => path);
  expect(shown).toEqual(["/personalcenter", "/personalcenter/stationmessage"]);
  const own = ["/user/info", "/user/message", "/blank"];
  expect(paths.filter((path) => !shown.includes(path) && !path.startsWith("/exception/"))).toEqual(
    own,
  );
});

test("an entry brings the hidden screens that it opens, and not those that another one opens", () => {
  const paths = (authorities: readonly string[]) =>
    flat(menuFor({ userId: 2, authorities })).map(({ path }) => path);
  const cpe = paths(["/sdwan-system/cpe"]);
  expect(cpe).toContain("/sdwan-system/cpe/cpeTable/flow");
  expect(cpe).toContain("/sdwan-system/cpe/site/paths");
  expect(cpe).not.toContain("/sdwan-system/cpe/site/changes");
  expect(cpe).not.toContain("/sdwan-system/cpe/dialTask");
  expect(cpe).not.toContain("/sdwan-system/pop/popTable/line");
  const both = paths(["/sdwan-system/cpe", "/system/recordmanage/operaRecord"]);
  expect(both).toContain("/sdwan-system/cpe/site/changes");
  expect(paths(["/sdwan-system/mobileTerminal/account"])).toContain(
    "/sdwan-system/mobileTerminal/table/flow",
  );
});

test("endpoints:menu.tree returns the caller's menu alone and requires a token", async () => {
  const api = await testApi();
  try {
    const admin = await api.logIn("admin");
    const [tree, session] = [
      await api.get("/customer/menu/tree", {}, admin),
      await api.get("/customer/session", {}, admin),
    ];
    expect(tree).toMatchObject({ code: 0 });
    expect(tree.data).toEqual((session.data as { menus: unknown }).menus);
    expect(await api.get("/customer/menu/tree", {})).toMatchObject({ code: 500 });
  } finally {
    await api.close();
  }
});
