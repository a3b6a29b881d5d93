/**
 * What was last done to a page, for the report of a failed test: a press that is released elsewhere, or
 * an address that something else changed, is in no picture.
 */
import type { Page } from "playwright-core";

declare global {
  var lastInput: string[] | undefined;
}

/** Runs in the page before its own scripts: keeps the last events of the pointer and changes of the address. */
function keepLastInput(): void {
  const most = 24;
  const kept: string[] = [];
  globalThis.lastInput = kept;
  const keep = (what: string): void => {
    kept.push(`${Math.round(performance.now())} ms ${what}`);
    if (kept.length > most) kept.shift();
  };
  for (const type of ["pointerdown", "pointerup", "click"] as const) {
    addEventListener(
      type,
      ({ target, clientX, clientY }) => {
        const { tagName, className, textContent } = target as Element;
        const shown = `${tagName}.${className} "${textContent?.slice(0, 24)}"`;
        keep(`${type} ${shown} at ${Math.round(clientX)}, ${Math.round(clientY)}`);
      },
      true,
    );
  }
  for (const change of ["pushState", "replaceState"] as const) {
    const original = history[change].bind(history);
    history[change] = (state, unused, url) => {
      keep(`${change} ${url}`);
      original(state, unused, url);
    };
  }
}

export const recordInput = (page: Page): Promise<unknown> => page.addInitScript(keepLastInput);

/** Lines, the oldest first. */
export const lastInputOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => globalThis.lastInput ?? []);
