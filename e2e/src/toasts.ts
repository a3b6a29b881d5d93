/** Messages that a page shows for three seconds: a busy machine may look at the page later than that. */
import type { BrowserContext, Page } from "playwright-core";

declare global {
  var shownToasts: string[] | undefined;
}

/** Runs in the page before its own scripts: keeps the text of each message that was ever shown. */
function keepToasts(): void {
  const kept: string[] = [];
  globalThis.shownToasts = kept;
  const read = (): void => {
    for (const { textContent } of document.querySelectorAll(".ant-message-notice"))
      if (textContent && !kept.includes(textContent)) kept.push(textContent);
  };
  const everything = { childList: true, subtree: true, characterData: true } as const;
  new MutationObserver(read).observe(document, everything);
}

export const recordToasts = (pages: BrowserContext | Page): Promise<unknown> =>
  pages.addInitScript(keepToasts);

/** Waits until a message with this text has been shown since the page was loaded. */
export const toasted = (page: Page, text: string): Promise<unknown> =>
  page.waitForFunction(
    (wanted) => globalThis.shownToasts?.some((shown) => shown.includes(wanted)),
    text,
    { polling: 100 },
  );
