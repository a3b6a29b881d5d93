/** How far content moves by itself while a page opens. */
import type { BrowserContext, Page } from "playwright-core";

export interface Shifts {
  /** Sum of the shifts that no press caused (Layout Instability, W3C draft). */
  readonly sum: number;
  /** Classes of what moved, each with x, y, width and height before and after. */
  readonly moved: readonly string[];
}

/** Runs in the page. */
function watch(): void {
  interface Moved {
    readonly node: Element | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }
  const sizeOf = ({ width, height }: DOMRectReadOnly): number => width * height;
  const areaOf = (sources: readonly Moved[]): number =>
    sources
      .map(({ previousRect, currentRect }) => Math.max(sizeOf(previousRect), sizeOf(currentRect)))
      .reduce((sum, area) => sum + area, 0);
  const placeOf = ({ x, y, width, height }: DOMRectReadOnly): string =>
    [x, y, width, height].map(Math.round).join(" ");
  const seen = { sum: 0, moved: [] as string[], apart: null as string | null };
  Object.assign(globalThis, { __shifts: seen });
  const rows = ".w-row-card, tr[data-row-key]";
  const isRow = (node: Node): boolean => node instanceof Element && node.matches(rows);
  let grewAt = Number.NEGATIVE_INFINITY;
  // A row that comes to others is news, a message for example, and moves those below it.
  new MutationObserver((changes) => {
    const added = new Map<Node, number>();
    for (const { target, addedNodes } of changes) {
      const more = [...addedNodes].filter(isRow).length;
      if (more > 0) added.set(target, (added.get(target) ?? 0) + more);
    }
    for (const [list, more] of added)
      if ([...list.childNodes].filter(isRow).length > more) grewAt = performance.now();
  }).observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources, startTime } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: readonly Moved[];
      };
      const isApart = ({ node }: Moved): boolean =>
        seen.apart !== null && node instanceof Element && node.closest(seen.apart) !== null;
      const isNews = Math.abs(startTime - grewAt) < 100;
      const isMovedByNews = ({ node }: Moved): boolean =>
        isNews && node instanceof Element && node.closest(rows) !== null;
      const others = sources.filter((source) => !isApart(source) && !isMovedByNews(source));
      if (hadRecentInput || (sources.length > 0 && others.length === 0)) continue;
      // What moved in one frame has one value: the part of it that is not set apart counts.
      seen.sum += value * (areaOf(others) / areaOf(sources) || 1);
      for (const { node, previousRect, currentRect } of others) {
        const name = node?.className?.toString() ?? "text";
        seen.moved.push(`${name} ${placeOf(previousRect)} to ${placeOf(currentRect)}`);
      }
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
