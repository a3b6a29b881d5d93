import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { recordToasts } from "./toasts.ts";

const programs = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const places = programs.map((program) => `/usr/bin/${program}`);

/**
 * Starts the system's Chromium without the calls home that a closed network would refuse.
 * @param more arguments beside the usual ones
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = places.find((place) => existsSync(place));
  if (!executablePath) throw new Error(`no Chromium: looked for ${places.join(", ")}`);
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // What `openPage` shares: a context has one process for all of its pages.
      "--process-per-site",
      // A page of a test does not live long enough to earn what optimizing its code costs: a sixth of the computing.
      "--js-flags=--no-opt,--no-maglev",
      ...more,
    ],
  });
}

export interface Display {
  readonly language: "zh_cn" | "en_gb";
  readonly dark: boolean;
  readonly width: number;
  readonly height: number;
  /** Parts move as for anyone who asks for nothing else; without it, as for who wants no motion. */
  readonly motion?: true;
}

/**
 * Motion costs a third of the computing of a page, and is tested where it matters: the first start,
 * the agent's day, the keyboard, and what moves by itself.
 */
export const motionOf = ({ motion }: { readonly motion?: true }) =>
  motion ? ("no-preference" as const) : ("reduce" as const);

export const desk: Display = { language: "en_gb", dark: false, width: 1440, height: 900 };

/** A page of the console, and what the pages of its context logged that they should not. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly errors: string[];
}

/** Opens the console's login page as a person with these display preferences would see it. */
export async function visit(
  browser: Browser,
  url: string,
  display: Display = desk,
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: display.width, height: display.height },
    colorScheme: display.dark ? "dark" : "light",
    reducedMotion: motionOf(display),
    baseURL: url,
  });
  await context.addInitScript(
    ([language, dark]) => {
      // The empty page that each begins as has no storage.
      if (location.origin === "null") return;
      localStorage.setItem("lang", language);
      if (localStorage.getItem("theme") === null) {
        localStorage.setItem("theme", JSON.stringify({ version: "1.0.0", darkMode: dark }));
      }
    },
    [display.language, display.dark] as const,
  );
  await recordToasts(context);
  const errors: string[] = [];
  context.on("weberror", (failure) => errors.push(failure.error().message));
  context.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  const page = await context.newPage();
  return { page, context, errors };
}

/**
 * Logs a person in and waits for the shell.
 * @param isRemembered in all windows of the context, and not only in this one
 */
export async function logIn(
  page: Page,
  loginName: string,
  password: string,
  isRemembered = false,
): Promise<void> {
  await page.goto("/login");
  await page.locator('input[autocomplete="username"]').fill(loginName);
  await page.locator('input[autocomplete="current-password"]').fill(password);
  if (isRemembered) await page.locator('[name="remember"]').check();
  await page.locator('button[type="submit"]').click();
  await page.waitForURL((url) => !url.pathname.startsWith("/login"));
}
