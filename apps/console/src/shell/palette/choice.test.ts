import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import { describe, expect, it } from "vitest";
import { type Choice, cutAround, folded, matchingChoices, noteOf } from "./choice.ts";
import { forgetRecent, keepRecent, readRecent } from "./recent.ts";
import { hasScreen, screensOf } from "./screens.ts";

const choice = (title: string, other = "", note = ""): Choice => ({
  id: `screen:${title}`,
  kind: "screen",
  title,
  other,
  note,
  run: () => undefined,
});
const titles = (choices: readonly Choice[]): string[] => choices.map(({ title }) => title);

describe("what a text finds", () => {
  const all = [
    choice("电路管理", "Circuits", "业务管理"),
    choice("CPE 管理", "CPEs", "站点管理"),
    choice("管理员", "Administrators"),
  ];
  it("is a title in either language, whatever the case and width of its letters", () => {
    expect(titles(matchingChoices(all, "circ", 8))).toEqual(["电路管理"]);
    expect(titles(matchingChoices(all, "ＣＰＥ", 8))).toEqual(["CPE 管理"]);
    expect(titles(matchingChoices(all, " 电路 ", 8))).toEqual(["电路管理"]);
    expect(matchingChoices(all, "nothing", 8)).toEqual([]);
  });
  it("begins with the titles that begin with the text, and ends with what is only shown beside", () => {
    expect(titles(matchingChoices(all, "管理", 8))).toEqual(["管理员", "电路管理", "CPE 管理"]);
    expect(titles(matchingChoices(all, "站点", 8))).toEqual(["CPE 管理"]);
    expect(titles(matchingChoices(all, "管理", 2))).toEqual(["管理员", "电路管理"]);
  });
  it("is marked where it matches", () => {
    expect(cutAround("杭州门店-01", folded("门店"))).toEqual(["杭州", "门店", "-01"]);
    expect(cutAround("CPEs", folded("cpe"))).toEqual(["", "CPE", "s"]);
    expect(cutAround("CPEs", folded("pop"))).toEqual(["CPEs", "", ""]);
    expect(cutAround("CPEs", "")).toEqual(["CPEs", "", ""]);
  });
  it("is shown in the language it was found in", () => {
    const circuits = choice("电路管理", "Circuits", "业务管理");
    expect(noteOf(circuits, "circ")).toBe("Circuits");
    expect(noteOf(circuits, "电路")).toBe("业务管理");
    expect(noteOf(circuits, "")).toBe("业务管理");
  });
});

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

describe("screens", () => {
  const menus = [
    node("/group", {
      url: "",
      children: [node("/group/one"), node("/group/hidden", { hide: true })],
    }),
    node("/sdwan-system/enrolment"),
    node("https://example.com/help", { url: "" }),
    node("/gone", { hide: true, children: [node("/gone/below")] }),
    node("/system/blacklist", { hide: true }),
  ];
  const of = (isAllowed: boolean, gone: string[] = []) =>
    screensOf(menus, {
      language: "zh_cn",
      may: (code) => code === null || isAllowed,
      go: (path) => void gone.push(path),
    });
  it("are those of the menus that one may see, and of the hidden ones those that need no id", () => {
    const ids = (isAllowed: boolean) => of(isAllowed).map(({ id }) => id.slice("screen:".length));
    expect(ids(true)).toEqual([
      "/group/one",
      "/sdwan-system/enrolment",
      "https://example.com/help",
      "/system/blacklist",
    ]);
    // Nor the one that a role grants by its entry.
    const unguarded = ["/group/one", "https://example.com/help"];
    expect(ids(false)).toEqual(unguarded);
  });
  it("have their branch and both titles, and lead to their path", () => {
    const gone: string[] = [];
    const [one] = of(true, gone);
    expect(one).toMatchObject({ title: "名 /group/one", other: "Name /group/one" });
    expect(one?.note).toBe("名 /group");
    one?.run();
    expect(gone).toEqual(["/group/one"]);
  });
  it("are offered or not, in whatever branch", () => {
    expect(hasScreen(menus, "/group/one")).toBe(true);
    expect(hasScreen(menus, "/group/hidden")).toBe(false);
    expect(hasScreen(menus, "/gone/below")).toBe(false);
  });
});

describe("the last choices", () => {
  const store = (kept: Record<string, string> = {}) => ({
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => {
      kept[key] = value;
    },
    removeItem: (key: string) => {
      delete kept[key];
    },
  });
  const row = (at: number) => ({ id: `cpe:${at}`, kind: "cpe" as const, title: `${at}`, note: "" });

  it("are eight, the newest first, each once, and each person's own", () => {
    const kept = store();
    for (const at of [1, 2, 3, 4, 5, 6, 7, 8, 9, 3]) keepRecent(7, row(at), kept);
    expect(
      readRecent(7, kept)
        .map(({ title }) => title)
        .join(""),
    ).toBe("39876542");
    expect(readRecent(8, kept)).toEqual([]);
  });
  it("are deleted at logout, for the user who logs out only", () => {
    const kept = store();
    keepRecent(7, row(1), kept);
    keepRecent(8, row(2), kept);
    forgetRecent(7, kept);
    expect(readRecent(7, kept)).toEqual([]);
    expect(readRecent(8, kept).map(({ title }) => title)).toEqual(["2"]);
  });
  it("are none where the browser holds something else, or forbids access", () => {
    for (const text of ["nonsense", "{}", '[{"id":1}]', '[null, {"id":"x","kind":"y"}]']) {
      expect(readRecent(7, store({ "palette.7": text }))).toEqual([]);
    }
    const forbidden = {
      getItem: () => {
        throw new Error("forbidden");
      },
      setItem: () => {
        throw new Error("forbidden");
      },
    };
    expect(readRecent(7, forbidden)).toEqual([]);
    expect(() => keepRecent(7, row(1), forbidden)).not.toThrow();
  });
});
