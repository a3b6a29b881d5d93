/** The shell for tests of its own: opened with a display, a width and a session. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launchBrowser } from "#e2e/browser.ts";
import { type Installation, type Reached, startDemonstration } from "#e2e/installation.ts";
import { openPage } from "#e2e/pages.ts";
import { tokenOf } from "#e2e/people.ts";
import { demonstration } from "./demonstration.ts";
import { pictureFailure } from "./picture-of-failure.ts";

export interface Opening {
  readonly language?: "zh_cn" | "en_gb";
  readonly width?: number;
  /** Fields of the remembered theme; text is written as it is. */
  readonly theme?: object | string;
  /** What the session's answer says otherwise than this installation's administrator has it. */
  readonly session?: Readonly<Record<string, unknown>>;
  readonly path?: string;
  /** Whose page it is; the first administrator's by default. */
  readonly token?: string;
  /** Before anything is loaded: how calls are answered, what is listened for. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Parts move, which they do otherwise only for who asks for it. */
  readonly motion?: true;
  /** In a context of its own, because the test changes that: its clock, its routes, its scripts. */
  readonly apart?: true;
}

export interface OpenShell {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly errors: string[];
  /** The remembered theme. */
  theme(): Promise<Record<string, unknown>>;
  close(): Promise<void>;
  /** After a failure: nothing of what rendered the page is used again. */
  discard(): Promise<void>;
}

/** A login costs a hash: the first one's token serves all pages of a file. */
let token: string | undefined;

/** After a logout: the token is invalid. */
export const forgetLogIn = (): void => {
  token = undefined;
};

async function tokenOfAdmin(url: string, password: string): Promise<string> {
  token ??= await tokenOf(url, "admin", password);
  return token;
}

async function openShell(
  browser: Browser,
  { url, password }: Reached,
  opening: Opening = {},
): Promise<OpenShell> {
  const { language = "en_gb", width = 1_440, theme = {}, session, path = "/", ...more } = opening;
  const stored = typeof theme === "string" ? theme : JSON.stringify({ version: "1.0.0", ...theme });
  // As after a login that is remembered.
  const access_token = more.token ?? (await tokenOfAdmin(url, password));
  const storage = { access_token, lang: language, theme: stored };
  const opened = await openPage(browser, { url, width, height: 800, storage, ...more });
  const { page } = opened;
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  if (session) await changeSession(page, session);
  await more.prepare?.(page);
  await page.goto(path);
  await page.locator(".w-shell").waitFor();
  // The shell is there before the code of its first screen.
  await page.locator(".w-opening").waitFor({ state: "detached" });
  return {
    ...opened,
    errors,
    theme: () => page.evaluate(() => JSON.parse(localStorage.getItem("theme") ?? "{}")),
  };
}

/** Another answer to the menu load: what a server with other rows would say. */
async function changeSession(page: Page, change: Readonly<Record<string, unknown>>): Promise<void> {
  await page.route(/\/customer\/session(?:\?|$)/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: object };
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, ...change } } });
  });
}

/** Titles in the tab bar. */
export const tabsOf = (page: Page): Promise<string[]> => page.locator(".w-tab").allTextContents();
export const activeTab = (page: Page) => page.locator('.w-tab[aria-current="page"]').textContent();

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** A busy machine takes its time; only what never comes fails. */
export const soon = <T>(read: () => Promise<T>, message?: string) =>
  expect.poll(read, { timeout: 30_000, ...(message !== undefined && { message }) });

interface Shells {
  open(opening?: Opening): Promise<OpenShell>;
  installation(): Reached;
}

/**
 * An installation of its own for the tests of a file.
 * @param settings of the installation, asked for before it starts.
 */
export function ownShells(
  settings: () => Promise<Readonly<Record<string, string>>> = async () => ({}),
): Shells {
  let installation: Installation | undefined;
  afterAll(() => installation?.close(), 60_000);
  return shells(async () => {
    installation = await startDemonstration(await settings());
    return installation;
  });
}

/** One browser for the tests of a file; what a test opened ends with it. */
export function shells(reach: () => Promise<Reached> = async () => demonstration()): Shells {
  let installation: Reached;
  let browser: Browser;
  const opened: OpenShell[] = [];
  beforeAll(async () => {
    [installation, browser] = await Promise.all([reach(), launchBrowser()]);
  }, 240_000);
  afterAll(() => browser?.close(), 60_000);
  afterEach(async ({ task }) => {
    const shown = opened.splice(0);
    // Before they close; pages that were closed by the test show nothing.
    const pages = shown.map(({ page }) => page).filter((page) => !page.isClosed());
    const hasFailed = task.result?.state === "fail";
    try {
      if (hasFailed)
        for (const [at, page] of pages.entries())
          await pictureFailure(`shell${at}`, task.name, page);
    } finally {
      await Promise.all(shown.map((shell) => (hasFailed ? shell.discard() : shell.close())));
    }
  });
  return {
    installation: () => installation,
    async open(opening = {}) {
      const shell = await openShell(browser, installation, opening);
      opened.push(shell);
      return shell;
    },
  };
}
