/** Each address of the console is a route of the menu (specification sections 2.3 and 2.4). */
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { type MenuPath, menu } from "@weft/contract/menu.ts";
import { expect, test } from "vitest";
import { paths } from "./paths.ts";

const screensIn = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap(({ path, view, children = [] }) => [
    ...(view === undefined ? [] : [path]),
    ...screensIn(children),
  ]);
const screens = screensIn(menu);

/** The screen that an address leads to; null: none. */
const screenAt = (address: string): string | null => {
  const { pathname } = new URL(address, "https://weft.invalid");
  const matches = (path: string): boolean =>
    new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`).test(pathname);
  return screens.find((path) => path === pathname) ?? screens.find(matches) ?? null;
};

const {
  cpeReport,
  popReport,
  cpeLogTab,
  popLogTab,
  nodeLog,
  acceleration,
  templateSection,
  login,
  enterprisePages,
  nodePage,
  nodePages,
  linkPages,
} = paths;
const special = {
  cpeReport,
  popReport,
  cpeLogTab,
  popLogTab,
  nodeLog,
  acceleration,
  login,
  enterprisePages,
  nodePage,
  nodePages,
  linkPages,
};

const plain = Object.entries(paths).filter(([name]) => !(name in special));

test.each(plain)("%s is a screen", (_name, address) => {
  expect(screenAt((address as (id: number) => string)(7))).not.toBeNull();
});

test("tabs of reports, logs, templates and groups are screens", () => {
  const tabs = [
    ...["detail", "flow", "performance", "line", "4G"].map((tab) => cpeReport(7, tab)),
    ...["paths", "traffic", "applications", "changes", "logs"].map((tab) =>
      nodePage("cpe", 7, tab),
    ),
    ...["paths", "traffic", "changes", "logs"].map((tab) => nodePage("pop", 7, tab)),
    ...["detail", "line", "interface"].map((tab) => popReport(7, tab)),
    ...["log", "session"].map(cpeLogTab),
    ...["log", "con"].map(popLogTab),
    nodeLog("cpe", 7),
    nodeLog("pop", 7),
    acceleration(),
    ...["domain", "dpi", "ip", "app"].map(acceleration),
  ];
  expect(tabs.filter((address) => screenAt(address) === null)).toEqual([]);
  for (const section of ["add", "wan", "bgp"]) {
    expect(screenAt(templateSection(7, section))).toBe(`/business/template/${section}`);
  }
});

test("an address that is no route is found, also by the compiler", () => {
  expect(screenAt(cpeReport(7, "nothing"))).toBeNull();
  expect(screenAt("/sdwan-system/cpes")).toBeNull();
  // @ts-expect-error: no path of the menu
  const wrong: MenuPath = "/sdwan-system/cpes";
  expect(wrong).toBeTruthy();
});

test("placeholders are filled, everything else is the query", () => {
  expect(paths.popSet(7)).toBe("/sdwan-system/pop/popSet/7");
  expect(paths.cpeDetail(7)).toBe("/sdwan-system/cpe/cpeTable/detail?id=7");
  expect(paths.cug()).toBe("/business-system/cug");
  expect(paths.objectGroups()).toBe("/business-system/objectgroup");
  expect(paths.objectGroups("url", "Games")).toBe(
    "/business-system/objectgroup?tab=url&name=Games",
  );
  expect(templateSection(7, "wan")).toBe("/business/template/wan?templateId=7");
});
