/** How one comes in: addresses that lead on, links that have ended. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { arrived } from "#e2e/go-on.ts";
import { pathOf, storedTokens } from "#e2e/wire.ts";
import { shells, soon } from "#test/shell-page.ts";

const { open } = shells();
const before = "/icon.svg";

/** A page of another kind, then an address that leads on. */
const enter = async (page: Page, path: string) => {
  await page.goto(before);
  await page.goto(path);
  await page.locator(".w-shell").waitFor();
};

describe("Back", () => {
  test.each(["/", "/system", "/business-system/overlay"])(
    "leaves the console that was entered by %s",
    async (path) => {
      const { page } = await open({ path: "/blank" });
      await enter(page, path);
      await soon(async () => pathOf(page)).not.toBe(path);
      await arrived(page);
      await page.goBack();
      await soon(async () => pathOf(page)).toBe(before);
    },
  );

  test("leads to the screen before, over an address that led on", async () => {
    const { page } = await open({ path: "/system/rolemanage" });
    const branch = page.locator(".w-breadcrumb > a").first();
    await branch.evaluate((anchor) => anchor instanceof HTMLElement && anchor.click());
    await soon(async () => pathOf(page)).not.toBe("/system/rolemanage");
    await arrived(page);
    await page.goBack();
    await soon(async () => pathOf(page)).toBe("/system/rolemanage");
  });
});

describe("a link for templates", () => {
  test.each([
    ["en_gb", "This link has expired"],
    ["zh_cn", "链接已失效"],
  ] as const)("that has ended leads to the login, which says so: %s", async (language, heading) => {
    const { page } = await open({ language, path: "/blank" });
    await page.goto("/business-system/templatemanage?token=dead");
    await page.getByRole("heading", { name: heading }).waitFor();
    await soon(async () => pathOf(page)).toBe("/login");
    await page.getByRole("status").waitFor();
    expect((await storedTokens(page)).session).toBe(null);
  });
});
