/** A browser that has nothing of the console yet: what it is shown meanwhile, and what it asks for. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { shiftsOf, watchShifts } from "#e2e/crawl/shifts.ts";
import { shells } from "#test/shell-page.ts";

const { open } = shells();
const list = "/sdwan-system/cpe";

/** Ends when it is released. */
const gate = () => {
  let release: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { isOpen, release };
};

const boxesOf = (page: Page, prefix: string) =>
  page.evaluate(
    (before) =>
      ["side", "header", "tabs", "content"].map((part) => {
        const box = document.querySelector(`.${before}-${part}`)?.getBoundingClientRect();
        // The frame leaves out by its styles what the shell does not render.
        return box && box.width > 0 ? [part, box.x, box.y, box.width, box.height] : [part];
      }),
    prefix,
  );

/** Runs in the page. */
const startOf = () => {
  const frame = document.querySelector(".w-frame");
  return {
    lang: document.documentElement.lang,
    busy: frame?.getAttribute("aria-busy"),
    line: frame?.querySelector('[role="progressbar"]')?.getAttribute("aria-label"),
    text: frame?.querySelector("p")?.textContent,
    colorScheme: document.documentElement.style.colorScheme,
    backgroundColor: getComputedStyle(document.body).backgroundColor,
    painted: performance.getEntriesByName("first-contentful-paint").length,
  };
};

describe("before its first script is there", () => {
  test.each([
    ["zh_cn", {}, "zh-CN", "正在加载…", "light", "rgb(244, 246, 249)"],
    ["en_gb", { darkMode: true }, "en-GB", "Loading…", "dark", "rgb(10, 10, 10)"],
  ] as const)(
    "the page shows the frame in %s with %o",
    async (language, theme, lang, text, colorScheme, backgroundColor) => {
      const { isOpen, release } = gate();
      let start: ReturnType<typeof startOf> | undefined;
      let asked = 0;
      const { errors } = await open({
        language,
        theme,
        path: list,
        apart: true,
        prepare: async (page) => {
          // Neither scripts nor styles: what is shown is in the page itself.
          await page.route(/\/assets\//, async (route) => {
            asked += 1;
            await isOpen;
            await route.continue();
          });
          const isPainted = () =>
            performance.getEntriesByName("first-contentful-paint").length > 0 &&
            document.querySelector(".w-frame") !== null;
          void page.waitForFunction(isPainted, undefined, { polling: 50 }).then(async () => {
            start = await page.evaluate(startOf);
            release();
          });
        },
      });
      expect(asked).toBeGreaterThan(0);
      expect(start).toEqual({
        lang,
        busy: "true",
        line: text,
        text,
        colorScheme,
        backgroundColor,
        painted: 1,
      });
      expect(errors).toEqual([]);
    },
  );
});

describe("until the screen is there", () => {
  test("the shell is, and says that it loads", async () => {
    const { isOpen, release } = gate();
    let meanwhile: unknown;
    const { page, errors } = await open({
      path: list,
      apart: true,
      prepare: async (page) => {
        await page.route(/\/assets\/nodes-.*\.js/, async (route) => {
          await isOpen;
          await route.continue();
        });
        void page.waitForSelector(".w-page .w-opening[aria-busy] .w-bars").then(async () => {
          meanwhile = [
            await page.locator(".w-side .ant-menu-item-selected").count(),
            await page.locator(".w-opening").textContent(),
            await page.locator(".w-frame").count(),
          ];
          release();
        });
      },
    });
    await page.locator(".ant-table-row").first().waitFor();
    expect(meanwhile).toEqual([1, "Loading…", 0]);
    expect(await page.locator(".w-opening").count()).toBe(0);
    expect(await page.locator("h1").count()).toBe(1);
    expect(errors).toEqual([]);
  });
});

describe("until the shell is there", () => {
  test.each([
    ["zh_cn", 1_440, {}],
    ["en_gb", 1_440, {}],
    ["en_gb", 1_440, { layoutStyle: 1, darkMode: true }],
    ["zh_cn", 1_440, { layoutStyle: 2, showTabs: false, headStyle: 2 }],
    ["en_gb", 900, {}],
    ["zh_cn", 390, {}],
  ] as const)(
    "%s at %i px with %o: its parts are shown where they will be",
    async (language, width, theme) => {
      const { isOpen, release } = gate();
      let frame: unknown;
      const { page, errors } = await open({
        language,
        width,
        theme,
        path: list,
        apart: true,
        prepare: async (page) => {
          await watchShifts(page.context());
          await page.route(/\/assets\/shell-.*\.js/, async (route) => {
            await isOpen;
            await route.continue();
          });
          void page.waitForSelector(".w-frame .w-bars").then(async () => {
            frame = await boxesOf(page, "w-frame");
            release();
          });
        },
      });
      expect(frame).toEqual(await boxesOf(page, "w"));
      await page.locator(".w-table .ant-table-row, .w-row-card").first().waitFor();
      expect(await page.locator(".w-frame").count()).toBe(0);
      const { sum, moved } = await shiftsOf(page);
      expect(sum, moved.join(", ")).toBeLessThanOrEqual(0.02);
      expect(errors).toEqual([]);
    },
  );
});

describe("the first list", () => {
  test("is 22 requests, and the files of the shell are asked for in the order in which they are needed, two at a time", async () => {
    const { isOpen, release } = gate();
    const asked: string[] = [];
    const parts: string[] = [];
    const part = /\/assets\/(calls|screens|library|shell|lists)-[\w-]+\.js$/;
    let onTheirWay = 0;
    let most = 0;
    const { page } = await open({
      path: list,
      apart: true,
      prepare: async (page) => {
        page.on("request", (request) => {
          asked.push(new URL(request.url()).pathname.replace(/-[\w-]{8}(?=\.\w+$)/, ""));
          const [, name] = part.exec(request.url()) ?? [];
          if (name === undefined) return;
          parts.push(name);
          onTheirWay += 1;
          most = Math.max(most, onTheirWay);
          if (name === "lists") release();
        });
        page.on("requestfinished", (request) => {
          if (part.test(request.url())) onTheirWay -= 1;
        });
        // With a session what is rendered asks for its code itself, in whatever order.
        await page.route(/\/customer\/session$/, async (route) => {
          await isOpen;
          await route.continue();
        });
      },
    });
    await page.locator(".ant-table-row").first().waitFor();
    expect(parts).toEqual(["calls", "screens", "library", "shell", "lists"]);
    expect(most).toBe(2);
    const files = asked.filter((path) => path.startsWith("/assets/"));
    expect(files).toEqual([...new Set(files)]);
    expect(files.length).toBeLessThanOrEqual(10);
    // Until the list has its rows; a stream of events follows, and only the demonstration asks what it is.
    const others = asked.filter(
      (path) => !path.startsWith("/assets/") && !/events|icon|demonstration/.test(path),
    );
    expect(files.length + others.length, asked.join("\n")).toBeLessThanOrEqual(22);
  });

  test("is asked for beside its code, and what stands beside it after its rows", async () => {
    const { isOpen, release } = gate();
    const asked: string[] = [];
    const { page } = await open({
      path: list,
      apart: true,
      prepare: async (page) => {
        page.on("request", (request) => {
          const { pathname } = new URL(request.url());
          if (pathname.startsWith("/customer/") || pathname.startsWith("/temp/"))
            asked.push(pathname);
          if (pathname === "/customer/cpe/findAll") release();
        });
        // Without its code nothing but the declaration of the screen knows what it asks for.
        await page.route(/\/assets\/(?:shell|lists|nodes)-.*\.js/, async (route) => {
          await isOpen;
          await route.continue();
        });
      },
    });
    await page.locator(".ant-table-row").first().waitFor();
    await expect.poll(() => asked, { timeout: 30_000 }).toContain("/temp/expireDevice");
    const first = asked.slice(0, asked.indexOf("/temp/expireDevice"));
    for (const path of [
      "cpe/findAll",
      "nodeHealth.counts",
      "userconsole/numbers",
      "cpeArea/tree",
    ]) {
      expect(first.filter((one) => one === `/customer/${path}`)).toHaveLength(1);
    }
  });
});
