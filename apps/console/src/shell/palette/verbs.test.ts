import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import { foundKinds } from "@weft/contract/domains/monitoring/search.ts";
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { menu } from "@weft/contract/menu.ts";
import { describe, expect, it } from "vitest";
import { withHiddenRoutes } from "#client/menus.ts";
import { nodeAt } from "#shell/menu-tree.ts";
import type { Choice } from "./choice.ts";
import { type Search, turnOf } from "./use-search.ts";
import { verbs } from "./verbs.ts";

const served = (nodes: readonly MenuNode[]): ServerMenuNode[] =>
  nodes
    .filter(({ hide }) => !hide)
    .map(({ path, title, view, children = [] }) => ({
      menuId: 0,
      parentId: 0,
      icon: "",
      hide: false,
      path,
      url: view ?? "",
      menuName: title[0],
      menuNameEn: title[1],
      children: served(children),
    }));

it.each(foundKinds)("what can be done with %s leads to a screen that there is", (kind) => {
  const all = withHiddenRoutes(served(menu));
  for (const [key, path] of verbs[kind]({ id: 12, title: "温州 01" })) {
    expect([key, nodeAt(all, path.split("?")[0] ?? "")?.url]).not.toEqual([key, undefined]);
  }
});

describe("keys of the field", () => {
  const choice: Choice = {
    id: "cpe:1",
    kind: "cpe",
    title: "温州",
    note: "",
    other: "",
    run: () => undefined,
    verbs: [{ id: "v", kind: "cpe", title: "打开", note: "", other: "", run: () => undefined }],
  };
  const search = (typed: string, more: Partial<Search> = {}): Search => ({
    typed,
    text: typed,
    all: [choice],
    at: 0,
    subject: null,
    offer: { groups: [], isSearching: false, error: null, retry: () => undefined },
    type: () => undefined,
    select: () => undefined,
    enter: () => undefined,
    leave: () => undefined,
    ...more,
  });

  it("go to the verbs from the end of the text alone, and only where there are some", () => {
    expect(turnOf(search("wz"), "ArrowRight", 2)).toBe("enter");
    expect(turnOf(search("wz"), "ArrowRight", 1)).toBeNull();
    expect(turnOf(search("wz", { all: [{ ...choice, verbs: [] }] }), "ArrowRight", 2)).toBeNull();
    expect(turnOf(search("wz", { all: [] }), "ArrowRight", 2)).toBeNull();
    expect(turnOf(search("wz"), "Escape", 2)).toBeNull();
  });

  it("lead back while nothing is typed, and by Escape always", () => {
    const inside = (typed: string) => search(typed, { subject: choice });
    for (const key of ["ArrowLeft", "Backspace", "Escape"])
      expect(turnOf(inside(""), key, 0)).toBe("leave");
    expect(turnOf(inside("x"), "Backspace", 1)).toBeNull();
    expect(turnOf(inside("x"), "Escape", 1)).toBe("leave");
    expect(turnOf(inside(""), "ArrowRight", 0)).toBeNull();
  });
});
