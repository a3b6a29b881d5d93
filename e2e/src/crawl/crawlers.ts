/** The users of the crawl: one of each role, each with a page that is used again and again. */

import { type ServerMenuNode, session } from "@weft/contract/domains/access/session.ts";
import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import { routerTemplate } from "@weft/contract/domains/templates/router-template.ts";
import { neededAt } from "@weft/contract/grants.ts";
import { callerOf } from "@weft/contract/kernel/client.ts";
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { menu } from "@weft/contract/menu.ts";
import { holds } from "@weft/contract/permissions.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import type { Browser, Page } from "playwright-core";
import type { Display } from "#e2e/browser.ts";
import type { Reached } from "#e2e/installation.ts";
import { addPerson, adminOf, type Person, tokenOf } from "#e2e/people.ts";
import { listen, type PageFaults } from "./page-faults.ts";
import { watchShifts } from "./shifts.ts";

/** The first administrator, each role type of section 1, and one who may only read. */
export const roleNames = ["admin", "operator", "agent", "enterprise", "reader"] as const;
export type RoleName = (typeof roleNames)[number];

export interface Crawler {
  readonly page: Page;
  readonly received: PageFaults;
  /** Whether the console lets this person see the screen of a path. */
  maySee(path: string): boolean;
  /** The address of a path, about a row that this person has. */
  addressOf(path: string): Promise<string>;
  /** What the menu calls a path; undefined: no entry of the menu. */
  titleOf(path: string, language: Display["language"]): string | undefined;
  /** From the next page on. */
  show(display: Display): Promise<void>;
  close(): Promise<void>;
}

/** Paths that are about one row, and the call that lists such rows. */
const about: readonly (readonly [path: RegExp, list: string, name?: string])[] = [
  [/\/business\/template\//, "/customer/routerTemplate/combo", "templateId"],
  [/\/mobileTerminal\/table/, "/customer/mobileAccount/list?page=1&limit=1"],
  [/\/linkMonitor\/linkTable/, "/customer/link/list?page=1&limit=1"],
  [/\/circuitTable/, "/customer/circuit/list?page=1&limit=1"],
  [/\/sdwan-system\/cpe\//, "/customer/cpe/combo"],
  [/\/sdwan-system\/pop\//, "/customer/pop/combo"],
];

const flat = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);
const known: ReadonlyMap<string, MenuNode> = new Map(flat(menu).map((node) => [node.path, node]));

const pathsIn = (nodes: readonly ServerMenuNode[]): string[] =>
  nodes.flatMap((node) => [node.path, ...pathsIn(node.children)]);

const isHidden = (path: string): boolean =>
  // The children of a hidden group are as hidden as the group.
  [...known.values()].some((node) => node.hide && `${path}/`.startsWith(`${node.path}/`));

/** A person's page, logged in. */
async function crawlerOf(browser: Browser, url: string, token: string): Promise<Crawler> {
  const me = (await callerOf(url, () => token)(session, {})).data;
  const inMenus = new Set(pathsIn(me.menus));
  // Not `visit`: that opens every page with one display.
  const context = await browser.newContext({ baseURL: url, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  // Any file of the console: storage belongs to the origin.
  await page.goto("/icon.svg");
  await page.evaluate((text) => localStorage.setItem("access_token", text), token);
  await watchShifts(context);
  const ids = new Map<string, Promise<number | null>>();
  const idBy = (call: string, name: string): Promise<number | null> => {
    const id = ids.get(call) ?? firstId(`${url}${call}`, token, name);
    ids.set(call, id);
    return id;
  };
  return {
    page,
    received: listen(page),
    maySee: (path) =>
      (inMenus.has(path) || isHidden(path) || !known.has(path)) &&
      holds(me as never, neededAt(path)),
    titleOf: (path, language) => known.get(path)?.title[language === "zh_cn" ? 0 : 1],
    async addressOf(path) {
      const [, call, name = "id"] = about.find(([pattern]) => pattern.test(path)) ?? [];
      const id = call ? await idBy(call, name) : null;
      const plain = path.replace(":id", String(id ?? 1)).replace(":param", "interface");
      return id === null || path.includes(":id") ? plain : `${plain}?${name}=${id}`;
    },
    async show({ language, dark, width, height }) {
      await page.setViewportSize({ width, height });
      // The page that is open keeps what it shows; the next one reads what is stored.
      await page.evaluate(
        ([lang, darkMode]) => {
          localStorage.setItem("lang", lang);
          localStorage.setItem("theme", JSON.stringify({ version: "1.0.0", darkMode }));
        },
        [language, dark] as const,
      );
    },
    close: () => context.close(),
  };
}

/** A field of the first row that a call lists; null: there is none, or no such call. */
async function firstId(url: string, token: string, name: string): Promise<number | null> {
  const reply = await fetch(url, { headers: { authorization: token } });
  const { data } = (await reply.json()) as { data: readonly Record<string, number>[] | null };
  return data?.[0]?.[name] ?? null;
}

/** One page for each role. Agent and enterprise are those of the demonstration. */
export async function crawlersOf(
  browser: Browser,
  installation: Reached,
): Promise<Readonly<Record<RoleName, Crawler>>> {
  const { url, password } = installation;
  const call = await adminOf(installation);
  const { data: enterprises } = await call(enterpriseCombo, {});
  const idOf = (name: string) =>
    enterprises.find((enterprise) => enterprise.name === name)?.groupid ?? 1;
  const people: readonly Person[] = [
    { name: "operator", groupid: 1, roleType: 0 },
    { name: "agent", groupid: idOf("华东渠道"), roleType: 1 },
    { name: "enterprise", groupid: idOf("蓝海零售"), roleType: 2 },
    { name: "reader", groupid: idOf("蓝海零售"), roleType: 2, authorities: ["alarmStrategyView"] },
  ];
  for (const person of people) await addPerson(call, person);
  const tokens = await Promise.all(
    roleNames.map((name) => (name === "admin" ? tokenOf(url, name, password) : tokenOf(url, name))),
  );
  // Pages about a template need one, and it belongs to the enterprise of its author.
  const draft = samples.routerTemplate.valid({ groupid: 1, cpeId: 1, popId: 1 });
  for (const [at, token] of tokens.entries()) {
    const isMaker = ["admin", "agent", "enterprise"].includes(roleNames[at] ?? "");
    if (isMaker) await callerOf(url, () => token)(routerTemplate.ops.add, draft);
  }
  const crawlers = await Promise.all(tokens.map((token) => crawlerOf(browser, url, token)));
  return Object.fromEntries(roleNames.map((name, at) => [name, crawlers[at]])) as never;
}
