/** Asks axe-core what a page breaks of WCAG 2.0 to 2.2, levels A and AA. */
import axe, { type Result, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

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
