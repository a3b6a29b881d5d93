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
  const seen = { sum: 0, moved: [] as string[] };
  Object.assign(globalThis, { __shifts: seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: readonly { node: Element | null }[];
      };
      if (hadRecentInput) continue;
      seen.sum += value;
      for (const { node } of sources) seen.moved.push(node?.className?.toString() ?? "text");
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Every page that is opened here from now on adds up what moves in it. */
export async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(watch);
}

/** What has moved since the page was opened. */
export const shiftsOf = (page: Page): Promise<Shifts> =>
  page.evaluate(
    () => (globalThis as unknown as { __shifts?: Shifts }).__shifts ?? { sum: 0, moved: [] },
  );
