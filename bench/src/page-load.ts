/** One page opened in headless Chromium as on a slow phone, and what that cost. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { root } from "./child.ts";

/** Lighthouse's "slow 4G" with 4 × slower processor (throttling.mobileSlow4G). */
const slow = { latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 768_000 / 8 };
const slowerCpu = 4;

export interface Opened {
  /** Bytes that came over the wire with their heads. */
  readonly bytes: number;
  readonly requests: number;
  /** ms since the navigation (web-vitals). */
  readonly fcp: number;
  readonly lcp: number;
  /** ms from the press to the next frame. */
  readonly inp: number;
  readonly cls: number;
}

export interface Target {
  readonly url: string;
  /** Shown when the page is there. */
  readonly ready: string;
  /** Is pressed once, for INP. */
  readonly press: string;
  readonly token?: string;
}

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });

interface Vital {
  readonly name: string;
  readonly value: number;
}

/** Runs in the page, after the library: keeps the latest of each measure. */
function listen(): void {
  const all: Record<string, number> = {};
  const keep = ({ name, value }: Vital): void => {
    all[name] = value;
  };
  const { webVitals } = globalThis as unknown as {
    webVitals: Record<"onFCP" | "onLCP" | "onCLS" | "onINP", (...given: unknown[]) => void>;
  };
  const options = { reportAllChanges: true, durationThreshold: 16 };
  for (const on of ["onFCP", "onLCP", "onCLS", "onINP"] as const) webVitals[on](keep, options);
  Object.assign(globalThis, { __vitals: all });
}

const library = join(root, "node_modules/web-vitals/dist/web-vitals.iife.js");

async function slowPage(context: BrowserContext, token: string | undefined): Promise<Page> {
  // `var webVitals` of a script that is run in the page stays in it: made global by hand.
  const code = readFileSync(library, "utf8");
  await context.addInitScript(`${code};globalThis.webVitals = webVitals;(${listen})();`);
  await context.addInitScript((stored) => {
    localStorage.setItem("lang", "en_gb");
    if (stored !== null) localStorage.setItem("access_token", stored);
  }, token ?? null);
  return context.newPage();
}

/** Opens a page in a browser that has never seen it. */
export async function openPage(browser: Browser, target: Target): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  try {
    const page = await slowPage(context, target.token);
    const wire = await context.newCDPSession(page);
    let bytes = 0;
    let requests = 0;
    wire.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      requests += 1;
    });
    await wire.send("Network.enable");
    await wire.send("Network.emulateNetworkConditions", { offline: false, ...slow });
    await wire.send("Emulation.setCPUThrottlingRate", { rate: slowerCpu });
    await page.goto(target.url);
    await page.locator(target.ready).first().waitFor({ timeout: 60_000 });
    await page.waitForTimeout(1_500);
    const loaded = { bytes, requests };
    // LCP ends with the first press: it is read before.
    const vitals = () =>
      page.evaluate(() => (globalThis as unknown as { __vitals: Record<string, number> }).__vitals);
    const before = await vitals();
    await page.locator(target.press).first().click();
    await page.waitForTimeout(1_000);
    const after = await vitals();
    return {
      ...loaded,
      fcp: before.FCP ?? Number.NaN,
      lcp: before.LCP ?? Number.NaN,
      // Shorter than the least that the browser reports.
      inp: after.INP ?? 16,
      cls: before.CLS ?? 0,
    };
  } finally {
    await context.close();
  }
}
