/** How far content moves by itself while a page opens. */
import type { BrowserContext, Page } from "playwright-core";

export interface Shifts {
  /** Sum of the shifts that no press caused (Layout Instability, W3C draft). */
  readonly sum: number;
  /** Classes of what moved. */
  readonly moved: readonly string[];
}

/** Runs in the page. */
function watch(): void {
  const seen = { sum: 0, moved: [] as string[], apart: null as string | null };
  Object.assign(globalThis, { __shifts: seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: readonly { node: Element | null }[];
      };
      const isApart = ({ node }: { node: Element | null }): boolean =>
        seen.apart !== null && node instanceof Element && node.closest(seen.apart) !== null;
      if (hadRecentInput || (sources.length > 0 && sources.every(isApart))) continue;
      seen.sum += value;
      for (const { node } of sources) seen.moved.push(node?.className?.toString() ?? "text");
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Every page that is opened here from now on adds up what moves in it. */
export async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(watch);
}

/** From now on what moves counts from zero: another screen follows, whose branch of the menu unfolds. */
export const countShiftsAnew = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { __shifts: seen } = globalThis as unknown as { __shifts?: object };
    if (seen) Object.assign(seen, { sum: 0, moved: [], apart: ".w-side" });
  });

/** What has moved since the page was opened, or since it is counted from zero. */
export const shiftsOf = (page: Page): Promise<Shifts> =>
  page.evaluate(
    () => (globalThis as unknown as { __shifts?: Shifts }).__shifts ?? { sum: 0, moved: [] },
  );
