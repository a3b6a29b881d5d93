/** What a server could answer that this one does not: faults on the wire, between it and a page. */
import type { Page, Route } from "playwright-core";

export const sessionUrl = "**/customer/session?**";

type Json = Record<string, unknown>;

/** Lets the server answer and hands on what `change` makes of it. */
async function altered(page: Page, url: string, change: (body: Json) => void) {
  await page.route(url, async (route: Route) => {
    const response = await route.fetch();
    const json = (await response.json()) as Json;
    change(json);
    await route.fulfill({ response, json });
  });
}

/** Answers in the server's place. */
export const answered = (page: Page, url: string, json: unknown, headers = {}) =>
  page.route(url, (route) => route.fulfill({ json, headers }));

/** One entry of a server's menu. */
export const entry = (menuId: number, path: string, view: string, more: Json = {}): Json => ({
  menuId,
  parentId: 0,
  menuName: `甲${menuId}`,
  menuNameEn: `Entry ${menuId}`,
  icon: "",
  path,
  url: view,
  hide: false,
  children: [],
  ...more,
});

/** A server that delivers these menus. */
export const withMenus = (page: Page, menus: readonly Json[]) =>
  altered(page, sessionUrl, (body) => {
    (body.data as Json).menus = menus;
  });

/** Counts calls to a path from now on. */
export function countCalls(page: Page, path: string): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === path) count += 1;
  });
  return () => count;
}

/** Where the token is kept. */
export const storedTokens = (page: Page) =>
  page.evaluate(`({
    local: localStorage.getItem("access_token"),
    session: sessionStorage.getItem("access_token"),
    cookie: /access_token=([^;]*)/.exec(document.cookie)?.[1] ?? null,
  })`) as Promise<Record<"local" | "session" | "cookie", string | null>>;

export const pathOf = (page: Page): string => new URL(page.url()).pathname;
