import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import type { Language } from "@weft/contract/kernel/message.ts";
import { expect, it } from "vitest";
import { renderForTest } from "#client/render-for-test.tsx";
import { itemsOf } from "./menu-items.tsx";

const node = (menuNameEn: string): ServerMenuNode => ({
  menuId: 1,
  parentId: 0,
  menuName: "站点",
  menuNameEn,
  icon: "",
  path: "/site",
  url: "X",
  hide: false,
  children: [],
});
const label = (menuNameEn: string, language: Language): string => {
  const [item] = itemsOf([node(menuNameEn)], language);
  return renderForTest(item && "label" in item ? item.label : null, []).replace(/<[^>]*>/g, "");
};

it("B-3-14: an entry is rendered with menuName in Chinese and menuNameEn in English", () => {
  expect([label("Sites", "zh_cn"), label("Sites", "en_gb")]).toEqual(["站点", "Sites"]);
});

it("B-3-15: an entry without menuNameEn is rendered with menuName in English too", () => {
  expect(label("", "en_gb")).toBe("站点");
});
