/**
 * Pages of a browser, one after the other, for which the console's files are fetched, parsed and
 * compiled once: they share a context, and with it the process that renders them. A page in a context
 * of its own costs half as much again. Nothing else is shared: each begins without cookies, and with
 * the storage that it is given.
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { motionOf } from "./browser.ts";
import { recordInput } from "./last-input.ts";
import { recordRequests } from "./last-requests.ts";
import { recordToasts } from "./toasts.ts";

export interface Beginning {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly motion?: true;
  /** What the page finds in its local storage. */
  readonly storage: Readonly<Record<string, string>>;
  /** In a context of its own, because the test changes that: its clock, its routes, its scripts. */
  readonly apart?: true;
}

/** A page, and the end of it. */
export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  close(): Promise<void>;
  /** After a failure: nothing of what rendered the page is used again. */
  discard(): Promise<void>;
}

/** A file of the console that loads nothing else: storage belongs to the origin. */
const quietFile = "/icon.svg";

interface Shared {
  readonly context: BrowserContext;
  /** Always open: the process would end with its last page. */
  readonly anchor: Page;
  isTaken: boolean;
}

const sharedOf = new WeakMap<Browser, Map<string, Promise<Shared>>>();

async function newShared(browser: Browser, baseURL: string): Promise<Shared> {
  const context = await browser.newContext({ baseURL });
  const anchor = await context.newPage();
  await anchor.goto(quietFile);
  return { context, anchor, isTaken: false };
}

/** Runs in a page: its origin's storage is this and nothing else. */
const store = (items: Readonly<Record<string, string>>): void => {
  localStorage.clear();
  for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
};

/** The shared context, as if it were new; null: another page has it at the moment. */
async function take(browser: Browser, { url, storage }: Beginning): Promise<Shared | null> {
  const known = sharedOf.get(browser) ?? new Map<string, Promise<Shared>>();
  sharedOf.set(browser, known);
  const made = known.get(url) ?? newShared(browser, url);
  known.set(url, made);
  const shared = await made;
  if (shared.isTaken) return null;
  shared.isTaken = true;
  await shared.context.clearCookies();
  await shared.anchor.evaluate(store, storage);
  return shared;
}

/** Closes all that was opened in the shared context, and gives it back. */
async function giveBack(shared: Shared): Promise<void> {
  const pages = shared.context.pages().filter((page) => page !== shared.anchor);
  await Promise.all(pages.map((page) => page.close()));
  shared.isTaken = false;
}

/** Closes the shared context: the next page begins with a new one. */
async function discard(browser: Browser, url: string, { context }: Shared): Promise<void> {
  sharedOf.get(browser)?.delete(url);
  await context.close();
}

async function record(page: Page): Promise<void> {
  await recordInput(page);
  await recordToasts(page);
  recordRequests(page);
}

/** Opens an empty page that finds this when it goes to the console. */
export async function openPage(browser: Browser, beginning: Beginning): Promise<Opened> {
  const { url, width, height, storage, apart } = beginning;
  const look = { viewport: { width, height }, reducedMotion: motionOf(beginning) };
  const shared = apart ? null : await take(browser, beginning);
  if (shared) {
    const page = await shared.context.newPage();
    await record(page);
    await page.setViewportSize(look.viewport);
    await page.emulateMedia({ reducedMotion: look.reducedMotion });
    return {
      page,
      context: shared.context,
      close: () => giveBack(shared),
      discard: () => discard(browser, url, shared),
    };
  }
  const localStorage = Object.entries(storage).map(([name, value]) => ({ name, value }));
  const context = await browser.newContext({
    ...look,
    baseURL: url,
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  });
  const page = await context.newPage();
  await record(page);
  const close = () => context.close();
  return { page, context, close, discard: close };
}

/** Runs on a page that is opened for it and ends with it. */
export async function onPage(
  browser: Browser,
  beginning: Beginning,
  run: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, close, discard: throwAway } = await openPage(browser, beginning);
  try {
    await run(page);
  } catch (error) {
    await throwAway();
    throw error;
  }
  await close();
}
