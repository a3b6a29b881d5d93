/** Asks axe-core what a page breaks of WCAG 2.0 to 2.2, levels A and AA. */
import axe, { type Result, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** How long no request may be under way before a screen counts as whole, and how long that may take; ms. */
const QUIET = 150;
const AT_MOST = 6_000;

/** Runs in the page, where axe-core is. */
const violationsIn = async (values: string[]): Promise<Result[]> => {
  const { axe: own } = globalThis as unknown as { axe: typeof axe };
  const options: RunOptions = { runOnly: { type: "tag", values }, resultTypes: ["violations"] };
  return (await own.run(document, options)).violations;
};

/** Lines "rule: what is wrong | where"; none: nothing is broken. No rule and no part is left out. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Once for each page that is loaded: compiling it again costs as much as to run it.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(violationsIn, tags);
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
