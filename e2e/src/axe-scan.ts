/** Asks axe-core what a page breaks of WCAG 2.0 to 2.2, levels A and AA. */
import axe, { type AxeResults, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Runs in the page, where axe-core is. */
const run = (options: RunOptions): Promise<AxeResults> =>
  (globalThis as unknown as { axe: typeof axe }).axe.run(document, options);

async function ask(page: Page, options: RunOptions): Promise<AxeResults> {
  // Once for each page that is loaded: compiling it again costs as much as to run it.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(run, options);
}

/** Lines "rule: what is wrong | where"; none: nothing is broken. No rule and no part is left out. */
export async function violationsOf(page: Page): Promise<string[]> {
  const runOnly = { type: "tag", values: tags } as const;
  const { violations } = await ask(page, { runOnly, resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all, none }) => {
      const [check] = [...any, ...all, ...none];
      return `${id}: ${check?.message ?? ""} | ${html.slice(0, 200)}`;
    }),
  );
}

/** Parts that break one rule, and how many keep it; `html` of a part is cut short. */
export async function ruleResultOf(
  page: Page,
  rule: string,
): Promise<{ readonly broken: string[]; readonly kept: number }> {
  const { violations, passes } = await ask(page, { runOnly: { type: "rule", values: [rule] } });
  return {
    broken: violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 160))),
    kept: passes.flatMap(({ nodes }) => nodes).length,
  };
}
