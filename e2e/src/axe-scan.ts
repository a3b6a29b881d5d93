/** Asks axe-core what a page breaks of WCAG 2.0 to 2.2, levels A and AA. */
import { AxeBuilder } from "@axe-core/playwright";
import axe from "axe-core";
import type { Page } from "playwright-core";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** How long no request may be under way before a screen counts as whole, and how long that may take; ms. */
const QUIET = 150;
const AT_MOST = 6_000;

/** Lines "rule: what is wrong | where"; none: nothing is broken. No rule and no part is left out. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Without the mode that opens a page of its own for each answer: there are no frames here.
  const builder = new AxeBuilder({ page, axeSource: axe.source }).setLegacyMode(true);
  const { violations } = await builder
    .options({ resultTypes: ["violations"] })
    .withTags(tags)
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all, none }) => {
      const [check] = [...any, ...all, ...none];
      return `${id}: ${check?.message ?? ""} | ${html.slice(0, 200)}`;
    }),
  );
}

/** Waits until nothing is asked for any more and the page stands still. */
export function quietOf(page: Page): () => Promise<void> {
  const pending = new Set<object>();
  let last = Date.now();
  const ended = (request: object): void => {
    if (pending.delete(request)) last = Date.now();
  };
  page.on("request", (request) => {
    // The stream of the live bus has no end.
    if (request.url().includes("/live/events")) return;
    pending.add(request);
    last = Date.now();
  });
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  return async () => {
    const until = Date.now() + AT_MOST;
    last = Date.now();
    while (Date.now() < until && (pending.size > 0 || Date.now() - last < QUIET)) {
      await page.waitForTimeout(50);
    }
  };
}
