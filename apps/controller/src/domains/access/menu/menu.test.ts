import { permissionCodes } from "@weft/contract/permissions.ts";
import { expect, test } from "vitest";
import { testApi } from "../../../../test/api.ts";
import { menuFor } from "./public.ts";

type Nodes = ReturnType<typeof menuFor>;
const flat = (nodes: Nodes): Nodes => nodes.flatMap((node) => [node, ...flat(node.children)]);
const superuser = { userId: 1, authorities: permissionCodes };
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
  ] as const;
  expect(flat(menuFor(noOne, tree)).map(({ path }) => path)).toEqual(["/c"]);
  const active = { userId: 2, authorities: ["cpeActive"] };
  expect(flat(menuFor(active, tree)).map(({ path }) => path)).toEqual(["/g", "/g/a", "/g/b", "/c"]);
});

test("every role has the overview first; a visitor by a link for templates does not have it", () => {
  const shown = (user: Parameters<typeof menuFor>[0]) => menuFor(user).filter(({ hide }) => !hide);
  for (const user of [superuser, noOne]) {
    expect(shown(user)[0]?.path).toBe("/dashboard/workplace");
  }
  const visitor = { ...noOne, visitEndTime: new Date() };
  expect(flat(menuFor(visitor)).map(({ path }) => path)).not.toContain("/dashboard/workplace");
});

test("endpoints:menu.tree is the caller's menu on its own, and asks for a token", async () => {
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
