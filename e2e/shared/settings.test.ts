import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { type Opening, type OpenShell, shells, soon } from "#test/shell-page.ts";

const { open } = shells();

/** The shell with its settings drawer open. */
const openSettings = async (opening: Opening = {}): Promise<OpenShell> => {
  const shell = await open({ path: "/blank", ...opening });
  const name = opening.language === "zh_cn" ? "显示设置" : "Display settings";
  await shell.page.getByRole("button", { name, exact: true }).click();
  await shell.page.locator(".w-settings .ant-drawer-title").waitFor();
  return shell;
};
const flip = (page: Page, name: string) => page.getByRole("switch", { name, exact: true }).click();
const pick = (page: Page, group: string, name: string) =>
  page.getByRole("radiogroup", { name: group }).getByText(name, { exact: true }).click();
const colour = (page: Page, name: string) => page.locator(`.w-settings label[title="${name}"]`);
const styleOf = (page: Page, selector: string, name: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, key) => getComputedStyle(element).getPropertyValue(key), name);
const deviceOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
/** Makes the page taller than the window, and scrolls by the wheel over the content. */
const scroll = async (page: Page) => {
  await page.locator(".w-page").evaluate((element) => {
    (element as HTMLElement).style.minHeight = "3000px";
  });
  await page.mouse.move(600, 500);
  await page.mouse.wheel(0, 900);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("*")].some(({ scrollTop }) => scrollTop > 500),
  );
};

const list = "/sdwan-system/cpe";

interface Setting {
  readonly id: string;
  readonly field: string;
  readonly value: unknown;
  readonly act: (page: Page) => Promise<void>;
  readonly seen: (page: Page) => Promise<boolean>;
}

/** Settings that can be seen side by side: one page shows them, and is loaded again once. */
interface Group {
  readonly theme?: object;
  readonly width?: number;
  /** Seen on a screen with rows; on the empty one by default, around which the frame is the same. */
  readonly path?: string;
  readonly settings: readonly Setting[];
}

const groups: readonly Group[] = [
  {
    theme: { sideStyle: 0, bodyFull: false },
    // Wider than the column that content is in otherwise.
    width: 1_920,
    settings: [
      {
        id: "B-2.5-58",
        field: "sideStyle",
        value: 1,
        act: (page) => pick(page, "Sidebar style", "Dark"),
        seen: async (page) =>
          (await styleOf(page, ".w-side", "background-color")) === "rgb(16, 24, 40)",
      },
      {
        id: "B-2.5-59",
        field: "headStyle",
        value: 2,
        act: (page) => pick(page, "Header style", "Primary"),
        seen: async (page) =>
          (await styleOf(page, ".w-header", "background-color")) === "rgb(22, 104, 220)",
      },
      {
        id: "B-2.5-63",
        field: "bodyFull",
        value: true,
        act: (page) => flip(page, "Full-width content"),
        seen: async (page) =>
          (await deviceOf(page, ".w-page")).width === (await deviceOf(page, ".w-content")).width,
      },
      {
        id: "B-2.5-67",
        field: "logoAutoSize",
        value: true,
        act: (page) => flip(page, "Auto logo width"),
        seen: async (page) => (await deviceOf(page, ".w-logo")).width < 239,
      },
      {
        id: "B-2.5-68",
        field: "colorfulIcon",
        value: true,
        act: (page) => flip(page, "Colourful icons"),
        seen: async (page) => {
          const first = await styleOf(page, ".w-side .w-menu-icon-0", "color");
          return first !== (await styleOf(page, ".w-side .w-menu-icon-1", "color"));
        },
      },
      {
        id: "B-2.5-72",
        field: "tabStyle",
        value: 2,
        act: (page) => pick(page, "Tab style", "Card"),
        seen: async (page) =>
          (await styleOf(page, ".w-tab-box", "border-top-left-radius")) === "6px",
      },
    ],
  },
  {
    path: list,
    settings: [
      {
        id: "B-2.5-60",
        field: "color",
        value: "purple",
        act: (page) => colour(page, "Purple").click(),
        seen: async (page) =>
          (await styleOf(page, ".w-page .ant-btn-primary", "background-color")) ===
          "rgb(114, 46, 209)",
      },
      {
        id: "B-2.5-69",
        field: "sideUniqueOpen",
        value: true,
        act: (page) => flip(page, "One open branch"),
        seen: async (page) => {
          const titles = page.locator(".w-side nav > ul > li > .ant-menu-submenu-title");
          await titles.nth(2).click();
          await titles.nth(2).and(page.locator('[aria-expanded="true"]')).waitFor();
          const open = page.locator('.w-side nav > ul > li > [aria-expanded="true"]');
          const isOne = (await open.count()) === 1;
          await titles.nth(0).click();
          return isOne;
        },
      },
      {
        id: "B-2.5-70",
        field: "weakMode",
        value: true,
        act: (page) => flip(page, "Colour-weak mode"),
        seen: async (page) => (await styleOf(page, ".w-page .w-state svg", "width")) === "14px",
      },
    ],
  },
  {
    theme: { fixedBody: false, fixedHeader: false, fixedSidebar: false },
    settings: [
      {
        id: "B-2.5-64",
        field: "fixedHeader",
        value: true,
        act: (page) => flip(page, "Fixed header"),
        seen: async (page) => {
          await scroll(page);
          return (await deviceOf(page, ".w-header")).y === 0;
        },
      },
      {
        id: "B-2.5-65",
        field: "fixedSidebar",
        value: true,
        act: (page) => flip(page, "Fixed sidebar"),
        seen: async (page) => {
          await scroll(page);
          return (await deviceOf(page, ".w-side")).y === 0;
        },
      },
    ],
  },
  {
    theme: { fixedBody: false, fixedHeader: false },
    settings: [
      {
        id: "B-2.5-66",
        field: "fixedBody",
        value: true,
        act: (page) => flip(page, "Fixed body"),
        seen: async (page) => {
          await scroll(page);
          const moved = await page.locator(".w-content").evaluate((one) => one.scrollTop);
          return moved > 0 && (await deviceOf(page, ".w-header")).y === 0;
        },
      },
      {
        id: "B-2.5-61",
        field: "darkMode",
        value: true,
        act: (page) => flip(page, "Dark mode"),
        seen: async (page) =>
          (await styleOf(page, "body", "background-color")) === "rgb(10, 10, 10)",
      },
    ],
  },
  {
    settings: [
      {
        id: "B-2.5-71",
        field: "showTabs",
        value: false,
        act: (page) => flip(page, "Tab bar"),
        seen: async (page) => (await page.locator(".w-tabs").count()) === 0,
      },
      {
        id: "B-2.5-62",
        field: "layoutStyle",
        value: 1,
        act: (page) => pick(page, "Menu", "Top"),
        seen: async (page) =>
          (await page.locator(".w-head-menu").count()) === 1 &&
          (await page.locator(".w-side").count()) === 0,
      },
    ],
  },
];

/** Ids and fields of a group, as its test is named. */
const titled = (group: Group) =>
  [
    group.settings.map(({ id }) => id).join(", "),
    group.settings.map(({ field }) => field).join(", "),
    group,
  ] as const;

describe("a setting shows immediately, and again after a reload", () => {
  test.each(groups.map(titled))("%s: %s", async (_, __, { settings, path = "/blank", ...more }) => {
    const { page, theme: remembered } = await openSettings({ path, ...more });
    const shown = page.locator(path === list ? ".w-page .w-state svg" : ".w-page").first();
    await shown.waitFor({ state: "attached" });
    for (const { field, value, act, seen } of settings) {
      expect(await seen(page), `${field} before it is set`).toBe(false);
      await act(page);
      await soon(async () => (await remembered())[field], field).toBe(value);
      await soon(() => seen(page), field).toBe(true);
    }
    await page.reload();
    await shown.waitFor({ state: "attached" });
    for (const { field, value, seen } of settings) {
      await soon(() => seen(page), `${field} after a reload`).toBe(true);
      expect((await remembered())[field], field).toBe(value);
    }
  });
});

describe("colours", () => {
  test("B-4-32, B-4-33: are eight; the default blue is remembered as null", async () => {
    const { page, theme } = await openSettings({ theme: { color: "cyan" } });
    const names = await page
      .locator(".w-settings-colours label")
      .evaluateAll((labels) => labels.map((label) => label.getAttribute("title")));
    expect(names).toEqual([
      "Default blue",
      "Dust",
      "Sunset",
      "Volcano",
      "Purple",
      "Cyan",
      "Green",
      "Geek blue",
    ]);
    await colour(page, "Default blue").click();
    await soon(async () => (await theme()).color).toBeNull();
  });

  test("endpoints:asset.darkTheme B-4-34, B-4-38: the dark variant is fetched when dark mode is switched on", async () => {
    const { page } = await openSettings();
    const files: string[] = [];
    page.on("request", (request) => files.push(new URL(request.url()).pathname));
    const fill = () =>
      page.evaluate(() => document.documentElement.style.getPropertyValue("--w-fill"));
    await colour(page, "Purple").click();
    await soon(fill).toBe("#722ed1");
    expect(files.some((file) => file.includes("purple-light"))).toBe(true);
    expect(files.some((file) => file.includes("purple-dark"))).toBe(false);
    await flip(page, "Dark mode");
    await soon(fill).toBe("#b37feb");
    expect(files.some((file) => file.includes("purple-dark"))).toBe(true);
  });

  test("B-4-35: shows progress while one is loaded", async () => {
    const { page } = await openSettings();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/green-light/, async (route) => {
      await held;
      await route.continue();
    });
    await colour(page, "Green").click();
    await page.getByText("Loading theme").waitFor();
    answer();
    await page.getByText("Loading theme").waitFor({ state: "detached" });
  });

  test("B-4-36, B-4-37, B-8-09: one that cannot be fetched leaves everything as it was", async () => {
    const { page, theme } = await openSettings({ language: "zh_cn", theme: { color: "purple" } });
    await page.route(/dust-light/, (route) => route.abort());
    await colour(page, "薄暮红").click();
    await page.getByText("主题加载失败").waitFor();
    expect((await theme()).color).toBe("purple");
    expect(
      await page.evaluate(() => document.documentElement.style.getPropertyValue("--w-fill")),
    ).toBe("#722ed1");
  });

  test("B-4-39: a fixed body has no width of its own any more", async () => {
    const { page } = await openSettings({ theme: { fixedBody: false } });
    await page.evaluate(() => {
      document.body.style.width = "900px";
    });
    await flip(page, "Fixed body");
    await soon(() => page.evaluate(() => document.body.style.width)).toBe("");
  });
});

test.each([
  ["B-3-18", JSON.stringify({ version: "0.9.0", darkMode: true, layoutStyle: 1 })],
  ["B-3-19", "{damaged"],
])("%s: what cannot be understood gives way to the defaults", async (_, theme) => {
  const shell = await open({ theme });
  expect(await shell.page.locator(".w-side").count()).toBe(1);
  expect(await styleOf(shell.page, "body", "background-color")).toBe("rgb(244, 246, 249)");
  expect(shell.errors).toEqual([]);
});
