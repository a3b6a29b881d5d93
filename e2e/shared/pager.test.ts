import { configItem } from "@weft/contract/domains/enterprises/config-item.ts";
import type { Page, Request } from "playwright-core";
import { describe, expect, test } from "vitest";
import { arrived } from "#e2e/go-on.ts";
import { pageTime } from "#e2e/page-time.ts";
import { adminOf } from "#e2e/people.ts";
import { shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();

declare global {
  /** Whether 900 ms have passed in the page since the last key. */
  var isLate: boolean | undefined;
  /** For each request of the list, whether it came that late. */
  var askedLate: boolean[] | undefined;
}

const limitOf = (request: Request): string | null => {
  const sent = new URL(request.url()).searchParams.get("limit");
  return sent ?? /name="limit"\r\n\r\n(\d+)/.exec(request.postData() ?? "")?.[1] ?? null;
};

/** A list with 30 rows per page, and what is asked of the server from the first key on. */
const openList = async () => {
  const { page } = await open({ path: "/system/recordmanage/operaRecord?limit=30" });
  const size = page.locator(".w-page-size input");
  await size.waitFor();
  await arrived(page);
  const asked: (string | null)[] = [];
  page.on("request", (request) => {
    const limit = /\/list(?:\?|$)/.test(request.url()) ? limitOf(request) : null;
    // Unread notices and the like are not of this list.
    if (limit !== null && request.url().includes("opera")) {
      asked.push(limit);
    }
  });
  return { page, size, asked };
};

const limitIn = (page: Page) => new URL(page.url()).searchParams.get("limit") ?? "10";

describe("the page size", () => {
  test("B-9-08: 2, then 20 within a second asks once, a second after the last key", async () => {
    const { page, size, asked } = await openList();
    // By the page's own timers: they keep their order on a busy machine.
    await size.evaluate(async (input) => {
      const type = (text: string): void => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(
          input,
          text,
        );
        input.dispatchEvent(new Event("input", { bubbles: true }));
      };
      globalThis.askedLate = [];
      const original = globalThis.fetch;
      globalThis.fetch = (request, options) => {
        const url = request instanceof Request ? request.url : String(request);
        if (/operaRecord\/list/.test(url)) globalThis.askedLate?.push(globalThis.isLate === true);
        return original(request, options);
      };
      type("2");
      await new Promise((resolve) => setTimeout(resolve, 400));
      type("20");
      setTimeout(() => {
        globalThis.isLate = true;
      }, 900);
    });
    await soon(async () => limitIn(page)).toBe("20");
    await pageTime(page, 1_500);
    expect(asked).toEqual(["20"]);
    expect(await page.evaluate(() => globalThis.askedLate)).toEqual([true]);
  });

  test("B-5-29: blanks around do not count", async () => {
    const { page, size, asked } = await openList();
    await size.fill("  20 ");
    await soon(async () => limitIn(page)).toBe("20");
    await soon(async () => asked).toEqual(["20"]);
  });

  test("B-5-28: nothing means 10", async () => {
    const { page, size, asked } = await openList();
    await size.fill("7");
    await size.fill("");
    await soon(async () => limitIn(page)).toBe("10");
    // On a busy machine the first is asked for, too.
    await soon(async () => asked.at(-1)).toBe("10");
  });
});

describe("a page beyond the end", () => {
  test("gives way to the last page that has rows, also when its last row is removed", async () => {
    const call = await adminOf(installation());
    const item = { groupid: null, configValue: "1", remark: "" };
    for (let n = 10; n <= 20; n++)
      await call(configItem.ops.add, { ...item, configKey: `end.${n}` });
    const list = "/system/configList?configKey=end.&sort=configKey";
    const { page } = await open({ path: `${list}&page=7` });
    const keys = () => page.locator("[data-row-key] td:first-child").allTextContents();
    const pageIn = () => new URL(page.url()).searchParams.get("page");
    await soon(keys).toEqual(["end.20"]);
    await soon(async () => pageIn()).toBe("2");
    await page.getByRole("button", { name: "Delete" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Delete/ })
      .click();
    await soon(async () => (await keys()).length).toBe(10);
    await soon(async () => pageIn()).toBe(null);
  });
});

describe("rows whose order changes while they are looked at", () => {
  test("stay where they are and say what is new of them, until the user sorts them", async () => {
    const call = await adminOf(installation());
    const item = { groupid: null, configValue: "1", remark: "" };
    for (const configKey of ["order.a", "order.b", "order.c"]) {
      await call(configItem.ops.add, { ...item, configKey });
    }
    const { page } = await open({ path: "/system/configList?configKey=order.&sort=configKey" });
    const keys = () => page.locator("[data-row-key] td:first-child").allTextContents();
    await soon(keys).toEqual(["order.a", "order.b", "order.c"]);
    const listed = { configKey: "order.a", groupid: null, orderByColumn: null, isAsc: null };
    const [row] = (await call(configItem.ops.list, { ...listed, page: 1, limit: 10 })).data;
    await call(configItem.ops.edit, { ...item, id: row?.id ?? 0, configKey: "order.z" });
    // As a window that is looked at again: the list is asked for by itself.
    await pageTime(page, 2_500);
    await page.evaluate(() =>
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true })),
    );
    await soon(keys).toEqual(["order.z", "order.b", "order.c"]);
    await page.getByRole("button", { name: "The order has changed" }).click();
    await soon(keys).toEqual(["order.b", "order.c", "order.z"]);
    await soon(() => page.getByText("has changed").count()).toBe(0);
  });
});
