/** One row is created, edited and removed on the screens that are listed, through their own forms. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import { routerTemplate } from "@weft/contract/domains/templates/router-template.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { root } from "@weft/lab/world.ts";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pictureFailures } from "#test/picture-of-failure.ts";
import { soon } from "#test/shell-page.ts";
import { launchBrowser } from "./browser.ts";
import { confirm, dialog, press, save } from "./console.ts";
import { businessForms, settings } from "./crud/business-screens.ts";
import { derivedForms, screensOfMenu } from "./crud/derived.ts";
import { fillForm, textIn } from "./crud/hand.ts";
import { type Form, nodeForms } from "./crud/screens.ts";
import { arrived, goTo, load } from "./go-on.ts";
import { type Installation, startDemonstration } from "./installation.ts";
import { addPerson, adminOf, tokenOf, visitAs } from "./people.ts";
import { pathOf } from "./wire.ts";

/** Routes on which the crawl creates nothing, each with its reason. */
const withoutForm: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^\/(?:login|forget)$/, "no rows; login.test.ts fills them in"],
  [/^\/exception\/|^\/\*$|^\/blank$|download\.html$/, "nothing is entered there"],
  [/^\/screen$|topology$|linkMonitor$|workplace$|cpeNeighbor|\/status$/, "shows what there is"],
  [
    /\/(?:cpe|pop)\/site\/|\/enterprise\/\w+$/,
    "one site or enterprise, with lists of other screens",
  ],
  [/\/enrolment$/, "devices ask for it by themselves"],
  [/\/devopsmonitor\/alarm$/, "alarms come by themselves"],
  [/\/identityprovider$/, "its provider answers in single-sign-on.test.ts"],
  [/Table\/|Table$|mobileTerminal\/table\//, "a report"],
  [/Log\/|\/logs\/|\/recordmanage\/|\/dealmanage\//, "records of what happened"],
  [/^\/user\/message$|stationmessage$/, "messages come by themselves"],
  [/^\/user\/info$/, "the own account; login.test.ts changes it"],
  [/templatemanage$/, "the list of /business/template under its public path"],
  [/template\/(?:add|:param)$/, "overview of a template, and keys that are no section"],
];

let installation: Installation;
let browser: Browser;
let page: Page;
let ids: Readonly<Record<string, number>>;
/** Paths of the writes that the page sent. */
const writes: string[] = [];

beforeAll(async () => {
  [installation, browser] = await Promise.all([startDemonstration(), launchBrowser()]);
  const { url, password } = installation;
  const token = await tokenOf(url, "admin", password);
  const call = await adminOf(installation);
  const draft = samples.routerTemplate.valid({ groupid: 1, cpeId: 1, popId: 1 });
  const template = await call(routerTemplate.ops.add, draft);
  const reply = await fetch(`${url}/customer/cpe/combo?token=${token}`);
  const { data } = (await reply.json()) as { data: { id: number }[] };
  const pops = (await call(pop.ops.combo, {})).data;
  ids = { template: template.data.id, cpe: data[0]?.id ?? 0, pop: pops[0]?.id ?? 0 };
  // What forms of other rows choose from.
  const popIds = pops.map(({ id }) => id);
  await call(popStrategy.ops.add, { name: "crud-ways", popIds, groupid: 1, remark: "" });
  page = (await visitAs(browser, url, token)).page;
  page.setDefaultTimeout(15_000);
  page.on("request", (request) => {
    if (request.method() === "POST") writes.push(new URL(request.url()).pathname);
  });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await installation?.close();
}, 60_000);

pictureFailures("crud", () => page);

const opened = (path: string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => String(ids[name]));

/** The path of a screen, as the menu has it. */
const screenOf = (path: string): string => path.replace(/\?.*/, "").replace(/:\w+/, ":id");

const listed = [...nodeForms, ...businessForms];
const forms = [
  ...listed,
  ...derivedForms(new Set([...listed, ...settings].map(({ path }) => screenOf(path)))),
];

const firstOf = (fields: Form["fill"]): string => String(Object.values(fields)[0]);
const editOf = ({ fill, edit }: Form): Form["fill"] =>
  edit ?? { [String(Object.keys(fill)[0])]: `${firstOf(fill)}-2` };

/** The row with this text; a list that can be searched is searched for it, or for `sought`. */
async function rowOf(text: string, sought = text): Promise<Locator> {
  // Whether it can be searched is seen once the list is rendered.
  const search = page.locator("main input[data-search]");
  await search.or(page.locator("main table")).first().waitFor();
  if ((await search.count()) > 0) {
    await search.fill(sought);
    await page.waitForURL((url) => [...url.searchParams.values()].includes(sought));
    // Rows of the list before move away when those that were searched for come: a press would miss.
    await arrived(page);
  }
  const row = page.locator("main tr", { hasText: text }).first();
  await row.waitFor();
  return row;
}

/** An action of a row: a button, or a link to a screen. */
const actionOf = (row: Locator, name: string): Locator =>
  row.getByRole("button", { name, exact: true }).or(row.getByRole("link", { name, exact: true }));

const act = (row: Locator, name: string) => actionOf(row, name).click();

/** Calls of the page since then that remove something. */
const removals = (from: number): string[] =>
  writes.slice(from).filter((path) => path.endsWith("/remove"));

/** Removes a row as its screen asks for that: some want its name typed. */
async function remove(row: Locator, name: string, sought = "Delete"): Promise<void> {
  const before = writes.length;
  await act(row, sought);
  const question = page.locator(".w-confirm");
  await question.waitFor();
  // Nothing is removed before it is confirmed.
  expect(removals(before)).toEqual([]);
  const typed = question.getByRole("textbox");
  if ((await typed.count()) > 0) await typed.fill(name);
  await confirm(page, new RegExp(sought));
  await row.waitFor({ state: "detached", timeout: 40_000 });
}

/** Opens a screen; loaded again where something that was shown before still lies over it. */
async function openClear(path: string): Promise<void> {
  const isCovered = (await page.locator(".ant-notification-notice").count()) > 0;
  await (isCovered ? load : goTo)(page, path);
}

/** The form on the page itself, and its button. */
const formOfPage = (): Locator => page.locator("main form.w-form");
const saveOfPage = () => formOfPage().getByRole("button", { name: "Save" }).click();

describe("a row of each screen", () => {
  const done = ({ stays }: Form) => (stays ? "edited; it stays" : "edited and removed (B-8-14)");
  test.each(forms.map((form) => [form.proves, form.add ?? "Add", done(form), form] as const))(
    "%s: %s: is created, %s",
    async (_, __, ___, form) => {
      const { texts = {}, search } = form;
      const edit = editOf(form);
      await openClear(opened(form.path));
      await (form.add === null
        ? page.locator("main .w-page-actions .ant-btn-primary")
        : page.getByRole("button", { name: form.add, exact: true }).first()
      ).click();
      await fillForm(page, form.fill);
      await save(page, texts.save);
      await form.next?.(page);
      let row = await rowOf(form.made ?? firstOf(form.fill), search);
      // A device has to carry it out first.
      if (form.expects) await row.filter({ hasText: form.expects }).waitFor({ timeout: 90_000 });

      await act(row, texts.edit ?? "Edit");
      if (form.editScreen) {
        await page.waitForURL((url) => url.pathname === form.editScreen);
        await fillForm(page, edit, formOfPage());
        await saveOfPage();
        await page.waitForURL((url) => url.pathname === form.path);
      } else {
        await fillForm(page, edit);
        await save(page);
      }
      const shown = form.shows ?? firstOf(edit);
      row = await rowOf(shown, search);
      if (form.stays) return;

      const before = writes.length;
      await remove(row, shown, texts.remove);
      expect(removals(before)).toHaveLength(1);
    },
  );
});

describe("what is not created", () => {
  test.each(settings)(
    "$path: a value is changed, stays after a reload, and is put back",
    async ({ path, of, label, value }) => {
      const form = of ? dialog(page) : formOfPage();
      const show = async (): Promise<void> => {
        if (!of) return;
        const container = page.locator("main .w-card, main tr").filter({ hasText: of });
        await container.getByRole("button", { name: "Edit", exact: true }).first().click();
      };
      const change = async (to: string): Promise<void> => {
        await fillForm(page, { [label]: to }, form);
        await (of ? save(page) : saveOfPage());
        await page.getByText("Successful").first().waitFor();
        await page.reload();
        await show();
        await soon(() => textIn(form, label)).toBe(to);
      };
      // Loaded: no report of an earlier save is left.
      await load(page, opened(path));
      await show();
      const first = await textIn(form, label);
      expect(first).not.toBe(value);
      await change(value);
      await change(first);
    },
  );
});

test("every screen of the routes and of the menu is tried, or there is a reason why not", () => {
  const file = join(root, "packages/contract/spec/routes.json");
  const { routes } = JSON.parse(readFileSync(file, "utf8")) as {
    routes: { path: string; view: string | null; redirectTo: string | null }[];
  };
  // The specification's, and those that it does not have.
  const screens = new Set([
    ...routes
      .filter(({ path, view, redirectTo }) => view && !redirectTo && path !== "/")
      .map(({ path }) => path),
    ...screensOfMenu.map(({ path }) => path),
  ]);
  const paths = [
    ...[...forms, ...settings].map(({ path }) => path),
    ...forms.flatMap(({ editScreen }) => editScreen ?? []),
  ];
  const walked = new Set(paths.map(screenOf));
  const reasonOf = (path: string) => withoutForm.find(([pattern]) => pattern.test(path))?.[1];
  const lines = [...screens].map(
    (path) => `${path}: ${walked.has(path) ? "walked" : reasonOf(path)}`,
  );
  process.stdout.write(`${lines.join("\n")}\n`);
  expect(lines.filter((line) => line.endsWith(": undefined"))).toEqual([]);
  // A reason is no excuse for a screen that is walked, or that is no more.
  const excused = [...screens].filter((path) => !walked.has(path));
  const stale = withoutForm.filter(([pattern]) => !excused.some((path) => pattern.test(path)));
  expect(stale).toEqual([]);
});

describe("before anything is sent", () => {
  test("B-5-08: a template without a name is refused with the reason", async () => {
    await goTo(page, "/business/template");
    await page.getByRole("button", { name: "Add template" }).first().click();
    const before = writes.length;
    await press(page, "Save");
    await dialog(page).getByRole("alert").filter({ hasText: "Required" }).waitFor();
    expect(writes.slice(before).filter((path) => path.includes("routerTemplate"))).toEqual([]);
  });

  test("B-5-10: a batch action without a selected row shows a message", async () => {
    const lists = [
      "/sdwan-system/cpe",
      "/system/usermanage",
      "/sdwan-system/mobileTerminal/account",
    ];
    for (const path of lists) {
      // Loaded: what the list before this one showed is gone.
      await load(page, path);
      const actions = page.locator(".w-batch button");
      await actions.first().waitFor();
      const before = writes.length;
      for (const action of await actions.all()) {
        await action.click();
        await page.getByText("Select at least one").first().waitFor();
      }
      expect(writes.slice(before)).toEqual([]);
      expect(pathOf(page)).toBe(path);
    }
  });
});

test("B-1-23: users and roles are managed on their screens; a changed role shows its effect at the next menu load", async () => {
  const call = await adminOf(installation);
  const own = { "Your password": installation.password };
  const authorities = ["sysUserList"] as const;
  await addPerson(call, { name: "crudReader", groupid: 1, roleType: 0, authorities });
  const token = await tokenOf(installation.url, "crudReader");
  const person = await visitAs(browser, installation.url, token);
  const users = person.page.locator('aside nav a[href="/system/usermanage"]');
  await goTo(person.page, "/system/usermanage");
  await person.page.locator("h1", { hasText: "User management" }).waitFor();
  await goTo(page, "/system/rolemanage");
  const row = await rowOf("crudReader");
  await act(row, "Edit");
  await press(page, "Clear all");
  await fillForm(page, own);
  await save(page);
  await users.waitFor();
  await person.page.reload();
  await person.page.locator(".w-state-code").waitFor();
  expect(await users.count()).toBe(0);

  // A user is made, changed, disabled and removed; the role is free then and goes as well.
  await goTo(page, "/system/usermanage");
  await page.getByRole("button", { name: "Add user", exact: true }).first().click();
  await fillForm(page, {
    "Login name": "crudClerk",
    Name: "Li",
    Password: "crud-2468",
    ...own,
  });
  await save(page);
  await act(await rowOf("crudClerk"), "Edit");
  await fillForm(page, { Remark: "night shift" });
  await save(page);
  await act(await rowOf("crudClerk"), "Disable");
  await confirm(page, "Disable");
  await (await rowOf("crudClerk")).getByText("Disabled").waitFor();
  await expect(tokenOf(installation.url, "crudClerk", "crud-2468")).rejects.toThrow();
  for (const [path, name] of [
    ["/system/usermanage", "crudClerk"],
    ["/system/usermanage", "crudReader"],
    ["/system/rolemanage", "crudReader"],
  ] as const) {
    await goTo(page, path);
    await remove(await rowOf(name), name);
  }
  await person.context.close();
});
