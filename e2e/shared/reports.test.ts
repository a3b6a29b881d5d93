/** Reports, logs and what refreshes by itself, in a browser on the demonstration. */
import { login } from "@weft/contract/domains/access/session.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { anyLink, linkList } from "@weft/contract/domains/overlay/link.ts";
import { callerOf } from "@weft/contract/kernel/client.ts";
import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();

interface Named {
  readonly id: number;
  readonly name: string;
}

let cpe: Named;
let lineId: number;
let lineName: string;

beforeAll(async () => {
  const { url, password } = installation();
  let token: string | null = null;
  const call = callerOf(url, () => token);
  token = (await call(login, { loginName: "admin", password, sms: null })).data.token;
  cpe = await vi.waitFor(
    async () => {
      const { data } = await call(linkList, { ...anyLink, page: 1, limit: 10 });
      const end = data.map(({ source }) => source).find(({ kind }) => kind === "cpe");
      if (!end) throw new Error("no CPE has a link yet");
      return { id: end.nodeId, name: end.name };
    },
    { timeout: 120_000, interval: 1_000 },
  );
  const unsorted = { orderByColumn: null, isAsc: null };
  const lines = await call(line.ops.list, { nodeId: cpe.id, page: 1, limit: 10, ...unsorted });
  lineId = lines.data[0]?.id ?? 0;
  lineName = lines.data[0]?.name ?? "";
}, 240_000);

const picked = (page: Page) => page.locator(".ant-select").first().textContent();

describe("reports", () => {
  test("B-2.4-19: a report shows the same device after a reload", async () => {
    const { page, errors } = await open({ path: `/sdwan-system/cpe/cpeTable/flow?id=${cpe.id}` });
    await soon(() => picked(page)).toContain(cpe.name);
    await page.getByRole("heading", { name: /^Throughput/ }).waitFor({ timeout: 60_000 });
    await page.reload();
    await soon(() => picked(page)).toContain(cpe.name);
    const tabs = page.getByRole("navigation", { name: "CPE report" });
    await tabs.getByRole("link", { name: "WAN links" }).click();
    await page.waitForURL(/cpeTable\/line\?id=/);
    await soon(() => picked(page)).toContain(cpe.name);
    expect(errors).toEqual([]);
  });

  test("B-2.4-03: the report of a line shows that line", async () => {
    const { page } = await open({ path: `/sdwan-system/cpe/line/lineTable?id=${lineId}` });
    await page.getByRole("heading", { name: `${cpe.name} · ${lineName}` }).waitFor();
    await page.getByRole("heading", { name: "Availability" }).waitFor();
  });

  test("dragging over a chart picks that part of the range, a double click resets it", async () => {
    const { page } = await open({ path: `/sdwan-system/cpe/cpeTable/flow?id=${cpe.id}&range=1h` });
    const range = () => new URL(page.url()).searchParams.get("range") ?? "";
    const chart = page.locator("canvas").first();
    await chart.waitFor({ timeout: 60_000 });
    const box = await chart.boundingBox();
    if (!box) throw new Error("the chart is not drawn");
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
    await page.mouse.up();
    await soon(async () => range()).toMatch(/^\d+~\d+$/);
    const [from = 0, to = 0] = range().split("~").map(Number);
    // A fifth of an hour, give or take what the axis takes of the width.
    expect((to - from) / 60_000).toBeGreaterThan(9);
    expect((to - from) / 60_000).toBeLessThan(18);
    await page.locator("canvas").first().dblclick();
    await soon(async () => range()).toBe("1h");
  });

  test("B-2.4-05: the neighbours of a device are shown", async () => {
    const { page } = await open({ path: `/sdwan-system/cpe/cpeNeighbor/${cpe.id}` });
    await page.getByRole("heading", { name: cpe.name }).waitFor();
    const card = page.locator(".w-card", {
      has: page.getByRole("heading", { name: "Neighbours" }),
    });
    await soon(() => card.locator("tbody tr").count()).toBeGreaterThan(0);
  });

  test("a log without records shows an empty state, and its tabs keep the device", async () => {
    const { page, errors } = await open({ path: `/sdwan-system/cpe/cpeLog/log?id=${cpe.id}` });
    await soon(() => page.locator("tbody tr").count()).toBeGreaterThan(0);
    const tabs = page.getByRole("navigation", { name: "CPE logs" });
    for (const name of ["Applications", "Web visits", "Connections", "Sessions"]) {
      await tabs.getByRole("link", { name, exact: true }).click();
      await page.locator(`[aria-current="page"]`, { hasText: name }).first().waitFor();
      await soon(() => picked(page)).toContain(cpe.name);
    }
    expect(errors).toEqual([]);
  });
});

/** Calls of a page by the kind that the specification's periods speak of. */
const kinds = {
  basic: /\/customer\/(cpe\/findById|nodeState\/)/,
  charts: /\/customer\/(cpeReport\/(line|performance)|link\/report)/,
} as const;

const listen = (page: Page) => {
  const asked: string[] = [];
  page.on("request", (request: Request) => asked.push(new URL(request.url()).pathname));
  return {
    all: () => asked.filter((path) => path.startsWith("/customer/")),
    count: (kind: keyof typeof kinds) => asked.filter((path) => kinds[kind].test(path)).length,
    forget: () => asked.splice(0),
  };
};

/**
 * The traffic of a CPE, once all of it is there, on a clock that stands still: what it takes to
 * load counts in no period, however busy the machine is.
 */
async function details() {
  const shell = await open({ path: "/blank", apart: true });
  const { page } = shell;
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 5_000));
  const calls = listen(page);
  await page.goto(`/sdwan-system/cpe/site/traffic?id=${cpe.id}`);
  // The page renders by its clock as well.
  const shown = async (): Promise<boolean> => {
    await page.clock.runFor(20);
    return page.getByRole("heading", { name: "Metrics" }).isVisible();
  };
  await soon(async () => (await shown()) && calls.count("charts") > 2).toBe(true);
  calls.forget();
  return { ...shell, calls };
}

/** Moves the page's clock until it holds; gives the milliseconds that this took. */
async function passed(page: Page, holds: () => boolean): Promise<number> {
  let ms = 0;
  await soon(async () => {
    if (!holds()) {
      await page.clock.runFor(500);
      ms += 500;
    }
    return holds();
  }).toBe(true);
  return ms;
}

describe("auto refresh", () => {
  test("B-9-09 B-9-10: information is refreshed every 15 s, charts every 30 s", async () => {
    const { page, calls } = await details();
    // A request may be noticed after the clock went on, and the period begins with an effect of the page.
    expect(await passed(page, () => calls.count("basic") > 0)).toBeGreaterThanOrEqual(14_500);
    expect(calls.count("charts")).toBe(0);
    await passed(page, () => calls.count("charts") > 2);
  });

  test("B-9-11 B-3-21: sends no request when switched off, and stays off", async () => {
    const { page, calls } = await details();
    const auto = page.getByRole("switch", { name: "Auto refresh" });
    await auto.click();
    await page.clock.runFor(1_000);
    await soon(() => auto.getAttribute("aria-checked")).toBe("false");
    calls.forget();
    await page.clock.runFor(60_000);
    // What the page has asked for by now is known when it answers.
    await page.evaluate(() => document.title);
    expect(calls.all()).toEqual([]);
    await page.clock.resume();
    await page.goto(`/sdwan-system/cpe/site/traffic?id=${cpe.id}`);
    await soon(() => auto.getAttribute("aria-checked")).toBe("false");
    const report = `/sdwan-system/cpe/cpeTable/flow?id=${cpe.id}`;
    await page.goto(report);
    await soon(() => auto.getAttribute("aria-checked")).toBe("true");
  });

  test("B-9-12: sends no request after the page was left", async () => {
    const { page, calls } = await details();
    await page.locator(".w-page a", { hasText: "←" }).first().click();
    await soon(() => page.getByRole("heading", { name: "Metrics" }).count()).toBe(0);
    calls.forget();
    await page.clock.runFor(60_000);
    await page.evaluate(() => document.title);
    expect(calls.count("basic") + calls.count("charts")).toBe(0);
  });
});
