/** The screens of an agent: all of the menu, and the lists that other screens lead to. */
import { type ServerMenuNode, session } from "@weft/contract/domains/access/session.ts";
import type { Page } from "playwright-core";
import { goTo, quiet } from "#e2e/go-on.ts";
import type { Seller } from "./seller.ts";

/** Lists that are in no menu. */
const beside = [
  "/business-system/cug",
  "/business-system/saasquickly/domain",
  "/business-system/saasquickly/dpi",
  "/business-system/saasquickly/ip",
  "/business-system/saasquickly/app",
  "/sdwan-system/cpe/dialTask",
  "/sdwan-system/enterprisemanage/companyAudit",
  "/system/blacklist",
];

const leaves = (nodes: readonly ServerMenuNode[]): string[] =>
  nodes
    .filter(({ hide }) => !hide)
    .flatMap(({ path, children }) => {
      const below = leaves(children);
      return below.length > 0 ? below : [path];
    });

/** Paths of all that this agent's menu leads to, and of the lists beside it. */
export async function screensOf({ call }: Seller): Promise<string[]> {
  return [...leaves((await call(session, {})).data.menus), ...beside];
}

/** Goes to a screen, waits until it has what it shows, and gives its text. */
export async function openScreen(page: Page, path: string): Promise<string> {
  await goTo(page, path);
  await quiet(page);
  return (await page.locator("body").textContent()) ?? "";
}

/** Types a text into each text search of the open list and waits for the answers. */
export async function searchFor(page: Page, text: string): Promise<void> {
  for (const field of await page.locator("main input[data-search]").all()) {
    const answered = page.waitForResponse((one) => decodeURIComponent(one.url()).includes(text));
    await field.fill(text);
    await (await answered).finished();
    await field.fill("");
  }
}
