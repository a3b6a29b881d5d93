/** Many tabs of one browser: they share its six connections to a host (HTTP/1.1). */
import { livePath } from "@weft/contract/domains/monitoring/live.ts";
import type { BrowserContext, Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { shells, soon } from "#test/shell-page.ts";

const { open } = shells();
const list = "/sdwan-system/cpe";
const rows = (page: Page) => page.locator(".ant-table-row");
const streamsOf = (context: BrowserContext) => {
  const pages: Page[] = [];
  context.on("request", (request) => {
    if (new URL(request.url()).pathname === livePath) pages.push(request.frame().page());
  });
  return pages;
};
const openTab = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(list);
  await rows(page).first().waitFor();
  return page;
};
const saysNotLive = (page: Page) => page.getByText("Not live").count();

test("eight tabs have their lists and one stream of events, which another tab takes over", async () => {
  const { page, context } = await open({ apart: true, path: list });
  const streams = streamsOf(context);
  await rows(page).first().waitFor();
  const tabs = [page];
  for (let more = 0; more < 7; more += 1) tabs.push(await openTab(context));
  await soon(async () => streams.length).toBe(1);

  // The controller is away for the next one, which all of them say until it is back.
  const stream = (url: URL) => url.pathname === livePath;
  await context.route(stream, (route) => route.abort());
  const [leader] = streams;
  await leader?.close();
  await soon(async () => streams.length).toBeGreaterThan(1);
  expect(streams[1]).not.toBe(leader);
  const left = tabs.filter((tab) => tab !== leader);
  for (const tab of left) await soon(() => saysNotLive(tab)).toBe(1);
  await context.unroute(stream);
  for (const tab of left) await soon(() => saysNotLive(tab)).toBe(0);
  expect(new Set(streams).size).toBe(2);
});

test("what comes over the stream of one tab refreshes the lists of the others", async () => {
  const { page, context } = await open({ apart: true, path: list });
  const held: Route[] = [];
  await context.route(`**${livePath}?**`, (route) => void held.push(route));
  // It may have had its stream already.
  await page.reload();
  const other = await openTab(context);
  await rows(page).first().waitFor();
  await soon(async () => held.length).toBe(1);
  const [stream] = held;
  const listener = stream?.request().frame().page() === page ? other : page;
  const refreshed = listener.waitForRequest((request) => request.url().includes("/cpe/findAll"));
  const data = { kind: "node", nodeId: 1, linkId: null, name: null, up: true, at: Date.now() };
  await stream?.fulfill({
    contentType: "text/event-stream",
    body: `id: 7\nevent: transition\ndata: ${JSON.stringify(data)}\n\n`,
  });
  await refreshed;
  // It goes on behind the last event.
  await soon(async () => held.length).toBe(2);
  expect(new URL(held[1]?.request().url() ?? "").searchParams.get("after")).toBe("7");
});
