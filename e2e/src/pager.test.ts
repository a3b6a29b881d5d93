import type { Page, Request } from "playwright-core";
import { describe, expect, test } from "vitest";
import { shells, soon } from "#test/shell-page.ts";

const { open } = shells();

interface Asked {
  readonly limit: string | null;
  /** Since the last key, in ms. */
  readonly afterMs: number;
}

const limitOf = (request: Request): string | null => {
  const sent = new URL(request.url()).searchParams.get("limit");
  return sent ?? /name="limit"\r\n\r\n(\d+)/.exec(request.postData() ?? "")?.[1] ?? null;
};

/** A list with 30 rows a page, and what is asked of the server from the first key on. */
const openList = async () => {
  const { page } = await open({ path: "/system/recordmanage/operaRecord?limit=30" });
  const size = page.locator(".w-page-size input");
  await size.waitFor();
  await page.waitForLoadState("networkidle");
  const asked: Asked[] = [];
  let lastKey = 0;
  page.on("request", (request) => {
    const limit = /\/list(?:\?|$)/.test(request.url()) ? limitOf(request) : null;
    // Unread notices and the like are not of this list.
    if (limit !== null && request.url().includes("opera")) {
      asked.push({ limit, afterMs: Date.now() - lastKey });
    }
  });
  const type = async (text: string): Promise<void> => {
    await size.fill(text);
    lastKey = Date.now();
  };
  return { page, size, asked, type };
};

const limitIn = (page: Page) => new URL(page.url()).searchParams.get("limit") ?? "10";

describe("how many rows a page has", () => {
  test("B-9-08: 2, then 20 within a second asks once, a second after the last key", async () => {
    const { page, asked, type } = await openList();
    await type("2");
    await page.waitForTimeout(400);
    await type("20");
    await soon(async () => limitIn(page)).toBe("20");
    await page.waitForTimeout(1_500);
    expect(asked.map(({ limit }) => limit)).toEqual(["20"]);
    expect(asked[0]?.afterMs).toBeGreaterThan(900);
  });

  test("B-5-29: blanks around do not count", async () => {
    const { page, asked, type } = await openList();
    await type("  20 ");
    await soon(async () => limitIn(page)).toBe("20");
    await soon(async () => asked.map(({ limit }) => limit)).toEqual(["20"]);
  });

  test("B-5-28: nothing means 10", async () => {
    const { page, asked, type } = await openList();
    await type("7");
    await type("");
    await soon(async () => limitIn(page)).toBe("10");
    await soon(async () => asked.map(({ limit }) => limit)).toEqual(["10"]);
  });
});
