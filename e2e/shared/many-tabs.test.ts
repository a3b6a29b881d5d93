/** Many tabs of one browser: they share its six connections to a host (HTTP/1.1). */
import { once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { liveEventName, livePath } from "@weft/contract/domains/monitoring/live-stream.ts";
import { alarmEventSummary } from "@weft/contract/domains/notifications/alarm-event.ts";
import type { BrowserContext, Page, Request, Route } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "#e2e/browser.ts";
import { onPage } from "#e2e/pages.ts";
import { tokenOf } from "#e2e/people.ts";
import { shells } from "#test/shell-page.ts";

const { open, installation } = shells();
const list = "/sdwan-system/cpe";
const rows = (page: Page) => page.locator(".ant-table-row");
const streamsOf = (context: BrowserContext) => {
  const pages: Page[] = [];
  context.on("request", (request) => {
    if (new URL(request.url()).pathname === livePath) pages.push(request.frame().page());
  });
  return pages;
};
/** Nothing but events asks for the counts of alarms again. */
const isAlarmSummary = (sent: Request) =>
  new URL(sent.url()).pathname.endsWith(alarmEventSummary.path);
/** The list is there, and all that is asked for after it. */
const goToList = async (page: Page): Promise<void> => {
  await Promise.all([page.waitForRequest(isAlarmSummary), page.goto(list)]);
  await rows(page).first().waitFor();
};
/** Eight pages load on whatever the machine has left. */
const patience = { timeout: 600_000 };
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 120_000, interval: 500 });
const openTab = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await goToList(page);
  return page;
};
const alarmRaised = JSON.stringify({
  kind: "alarm",
  nodeId: 1,
  linkId: null,
  name: "1",
  up: true,
  at: 0,
});
const alarmEvent = `event: ${liveEventName}\ndata: ${alarmRaised}\n\n`;
/** How often a page asked again for what the event is about, from now on. */
const countOf = (page: Page): (() => number) => {
  let count = 0;
  page.on("request", (sent) => {
    if (isAlarmSummary(sent)) count += 1;
  });
  return () => count;
};
const saysNotLive = (page: Page) => page.getByText("Not live").count();

test(
  "eight tabs have their lists and one stream of events, which another tab takes over",
  patience,
  async () => {
    const { page, context } = await open({ apart: true, path: list });
    const streams = streamsOf(context);
    // It may have had its stream already.
    await goToList(page);
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
  },
);

test("what comes over the stream of one tab refreshes the others", patience, async () => {
  const { page, context } = await open({ apart: true, path: list });
  const held: Route[] = [];
  await context.route(`**${livePath}?**`, (route) => void held.push(route));
  // It may have had its stream already.
  await goToList(page);
  const other = await openTab(context);
  await soon(async () => held.length).toBe(1);
  const listener = held[0]?.request().frame().page() === page ? other : page;
  const refreshes = countOf(listener);
  let answered = 0;
  // Each stream has one event and ends; the next one goes on behind it. A tab may join after the first.
  await soon(async () => {
    if (held.length > answered) {
      await held[answered]?.fulfill({
        contentType: "text/event-stream",
        body: `id: ${answered + 7}\n${alarmEvent}`,
      });
      answered += 1;
    }
    return refreshes();
  }).toBeGreaterThan(0);
  await soon(async () => held.length).toBeGreaterThan(1);
  expect(new URL(held[1]?.request().url() ?? "").searchParams.get("after")).toBe("7");
});

/** A name that a browser does not trust as it trusts 127.0.0.1: pages of it have no secure context. */
const hostOfLan = "console.test";

/** Passes requests on to the demonstration, keeps count of streams, and can be without the controller's. */
async function streamsInBetween() {
  const { hostname, port } = new URL(installation().url);
  const streams = new Set<ServerResponse>();
  /** `after` of each stream that was asked for. */
  const asked: (string | null)[] = [];
  let isAway = false;
  const server = createServer((incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "", "http://h");
    if (pathname === livePath) {
      asked.push(searchParams.get("after"));
      if (isAway) return void outgoing.destroy();
      streams.add(outgoing);
      outgoing.once("close", () => streams.delete(outgoing));
    }
    const { method, headers, url } = incoming;
    const sent = request({ hostname, port, method, headers, path: url }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    sent.once("error", () => outgoing.destroy());
    outgoing.once("close", () => sent.destroy());
    incoming.pipe(sent);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://${hostOfLan}:${(server.address() as AddressInfo).port}`,
    streams,
    asked,
    away(now: boolean) {
      isAway = now;
      if (now) for (const stream of streams) stream.destroy();
    },
  };
}

test(
  "at a plain address of a LAN, without a secure context, eight tabs have one stream of events as well",
  patience,
  async () => {
    const between = await streamsInBetween();
    const browser = await launchBrowser([`--host-resolver-rules=MAP ${hostOfLan} 127.0.0.1`]);
    onTestFinished(() => browser.close());
    const { url, password } = installation();
    const access_token = await tokenOf(url, "admin", password);
    const storage = { access_token, lang: "en_gb" };
    const beginning = {
      url: between.url,
      width: 1_440,
      height: 800,
      storage,
      apart: true,
    } as const;
    await onPage(browser, beginning, async (page) => {
      const context = page.context();
      page.setDefaultTimeout(120_000);
      await goToList(page);
      expect(await page.evaluate(() => [isSecureContext, "locks" in navigator])).toEqual([
        false,
        false,
      ]);
      const tabs = [page];
      for (let more = 0; more < 7; more += 1) tabs.push(await openTab(context));
      await soon(async () => between.streams.size).toBe(1);

      const refreshes = tabs.map(countOf);
      await soon(async () => {
        for (const stream of between.streams) stream.write(`id: 7\n${alarmEvent}`);
        return refreshes.filter((count) => count() === 0).length;
      }).toBe(0);

      between.away(true);
      for (const tab of tabs) await soon(() => saysNotLive(tab)).toBe(1);
      between.away(false);
      for (const tab of tabs) await soon(() => saysNotLive(tab)).toBe(0);
      expect(between.streams.size).toBe(1);
      // Whichever tab it was of: none is needed for the others' stream.
      for (const tab of tabs.slice(0, 4)) await tab.close();
      for (const tab of tabs.slice(4)) {
        await goToList(tab);
        await soon(() => saysNotLive(tab)).toBe(0);
      }
      expect(between.streams.size).toBe(1);
      expect(new Set(between.asked)).toEqual(new Set([null, "7"]));
    });
  },
);
