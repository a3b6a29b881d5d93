/** An operator adds an identity provider, and people log in by it: a real provider on loopback, a real browser. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "@weft/lab/world.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pictureFailures } from "#test/picture-of-failure.ts";
import { launchBrowser, logIn, visit } from "./browser.ts";
import { choose, dialog, fill, press, rowOf, save } from "./console.ts";
import { type Installation, startDemonstration } from "./installation.ts";

/** As the provider's program has it. */
const clientSecret = "c1ient-secret-of-the-tests";

interface There {
  readonly issuer: string;
  /** Who logs in from now on. */
  isNext(person: { readonly sub: string; readonly [claim: string]: unknown }): Promise<void>;
  close(): void;
}

async function openProvider(redirectUri: string): Promise<There> {
  const program = join(root, "apps/controller/test/oidc-main.ts");
  const child = spawn(process.execPath, [program, redirectUri], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  /** The next line that begins so: the library has notices of its own. */
  const lineWith = async (start: string): Promise<string> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`the provider ended before it printed ${start}`);
      if (value.startsWith(start)) return value;
    }
  };
  return {
    issuer: await lineWith("http://"),
    async isNext(person) {
      child.stdin.write(`${JSON.stringify(person)}\n`);
      await lineWith(`next: ${person.sub}`);
    },
    close: () => void child.stdin.end(),
  };
}

describe("single sign-on in the console", () => {
  let installation: Installation;
  let browser: Browser;
  let page: Page;
  let there: There;
  beforeAll(async () => {
    installation = await startDemonstration({ WEFT_IDENTITY_NETWORKS: "127.0.0.0/8" });
    there = await openProvider(`${installation.url}/login`);
    browser = await launchBrowser();
    ({ page } = await visit(browser, installation.url));
    page.setDefaultTimeout(30_000);
    await logIn(page, "admin", installation.password);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await installation?.close();
    there?.close();
  }, 60_000);
  pictureFailures("single-sign-on", () => page);

  test("an identity provider is added, and its test names what failed and then that it works", async () => {
    await page.goto("/system/identityprovider");
    await page.getByRole("button", { name: "Add identity provider" }).first().click();
    // Nothing listens there.
    await fill(page, { Name: "Staff-login", Issuer: "http://127.0.0.1:9", "Client ID": "weft" });
    await fill(page, { "Client secret": clientSecret });
    await press(page, "Add mapping");
    await dialog(page).getByRole("textbox", { name: "Group", exact: true }).fill("reports");
    await choose(
      page,
      dialog(page).getByRole("combobox", { name: "Role", exact: true }),
      "报表只读",
    );
    await fill(page, { "Your password": installation.password });
    await save(page);
    await rowOf(page, "Staff-login").getByRole("button", { name: "Test connection" }).click();
    await dialog(page).getByText("ECONNREFUSED").waitFor();
    await page.keyboard.press("Escape");
    await rowOf(page, "Staff-login").getByRole("button", { name: "Edit", exact: true }).click();
    // A secret does not follow to another address by itself.
    await fill(page, { Issuer: there.issuer, "Client secret": clientSecret });
    await fill(page, { "Your password": installation.password });
    await save(page);
    await rowOf(page, "Staff-login").getByRole("button", { name: "Test connection" }).click();
    await dialog(page).getByText("Metadata and keys can be read").waitFor();
    await dialog(page).getByText(`${installation.url}/login`).waitFor();
  });

  test("a person of a mapped group gets an account with its role, and the page that was wanted", async () => {
    await there.isNext({
      sub: "p-1",
      name: "Wang Fang",
      preferred_username: "wangfang",
      groups: ["reports"],
    });
    const own = await visit(browser, installation.url);
    await own.page.goto("/devopsmonitor/topology");
    await own.page.getByRole("button", { name: "Log in with Staff-login" }).click();
    await own.page.waitForURL((url) => url.pathname === "/devopsmonitor/topology");
    await own.page.locator(".w-shell").getByText("wangfang").first().waitFor();
    expect(own.errors).toEqual([]);
    await own.context.close();
  });

  test("a person without a mapped group reads why there is no login", async () => {
    await there.isNext({ sub: "p-2", name: "Guest", groups: ["visitors"] });
    const own = await visit(browser, installation.url);
    await own.page.goto("/login");
    await own.page.getByRole("button", { name: "Log in with Staff-login" }).click();
    await own.page.getByText("none of your groups has a role here").waitFor();
    expect(new URL(own.page.url()).search).toBe("");
    await own.context.close();
  });

  test("a person who saves what makes a way in authenticates there again, and the form keeps what was typed", async () => {
    await page.goto("/system/identityprovider");
    await rowOf(page, "Staff-login").getByRole("button", { name: "Edit", exact: true }).click();
    await press(page, "Add mapping");
    await dialog(page).getByRole("textbox", { name: "Group", exact: true }).last().fill("admins");
    const role = dialog(page).getByRole("combobox", { name: "Role", exact: true }).last();
    await choose(page, role, "控制台管理员");
    await fill(page, { "Your password": installation.password });
    await save(page);
    await there.isNext({ sub: "p-3", preferred_username: "zhaolei", groups: ["admins"] });
    const own = await visit(browser, installation.url);
    await own.page.goto("/system/apikey");
    await own.page.getByRole("button", { name: "Log in with Staff-login" }).click();
    await own.page.getByRole("button", { name: "Add API key" }).first().click();
    await fill(own.page, { Name: "key-of-zhao" });
    const roleOfKey = dialog(own.page).getByRole("combobox", { name: /^Role/ });
    await choose(own.page, roleOfKey, "报表只读");
    await press(own.page, /Save$/);
    await own.page.getByText("Authenticate again at your identity provider and save").waitFor();
    await press(own.page, "Authenticate again");
    await own.page.getByText("What was unsaved when the session ended is here again").waitFor();
    const name = dialog(own.page).getByLabel("Name", { exact: false }).first();
    expect(await name.inputValue()).toBe("key-of-zhao");
    await press(own.page, /Save$/);
    await rowOf(own.page, "key-of-zhao").waitFor({ state: "attached" });
    expect(own.errors).toEqual([]);
    await own.context.close();
  });
});
