/** Signing in as a person does it: login, codes, recovery, the user's own password and MFA methods. */

import { editPassword, login } from "@weft/contract/domains/access/session.ts";
import { user, userInfo } from "@weft/contract/domains/access/user.ts";
import { callerOf } from "@weft/contract/kernel/client.ts";
import { TOTP } from "otpauth";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { launchBrowser, logIn, type Visit, visit } from "./browser.ts";
import { dialog, press } from "./console.ts";
import { type Installation, startEmpty } from "./installation.ts";
import { type Mailbox, openMailbox } from "./mailbox.ts";
import { tokenOf } from "./people.ts";
import { toasted } from "./toasts.ts";

let device: Mailbox;
let installation: Installation;
let browser: Browser;
/** By host name: passkeys have no addresses. */
let url: string;
const person = {
  loginName: "wangfang",
  password: "first-Key7",
  phone: "13800001111",
  email: "wang@example.com",
};
/** Whoever recovers a password: a code is sent to an account once a minute. */
const forgetful = {
  loginName: "lina",
  password: "first-Key7",
  phone: "13800002222",
  email: "lina@example.com",
};
/** Users of one test each: what it changes of them reaches no other test. */
const others = {
  editor: "pweditor",
  changer: "pwchanger",
  reader: "reader",
  withApp: "appholder",
  withKey: "keyholder",
} as const;

beforeAll(async () => {
  device = await openMailbox();
  installation = await startEmpty({ ...device.env, WEFT_LOGIN_SMS: "on" });
  url = installation.url.replace("127.0.0.1", "localhost");
  browser = await launchBrowser();
  let token: string | null = null;
  const call = callerOf(installation.url, () => token);
  token = (await call(login, { loginName: "admin", password: installation.password, sms: null }))
    .data.token;
  const oldPsw = installation.password;
  const common = { groupid: 1, roleIds: [1], name: "", remark: "", oldPsw };
  await call(user.ops.add, { ...common, ...person });
  await call(user.ops.add, { ...common, ...forgetful });
  for (const loginName of Object.values(others))
    await call(user.ops.add, {
      ...common,
      loginName,
      password: person.password,
      phone: null,
      email: null,
    });
  expect((await call(userInfo, {})).data.userId).toBe(1);
}, 240_000);
beforeEach(() => device.clear());
afterAll(async () => {
  await browser?.close();
  await installation?.close();
  await device?.close();
});

/** A page in a context of its own, for one test. */
async function visitor(): Promise<Visit> {
  const opened = await visit(browser, url);
  onTestFinished(() => opened.context.close());
  return opened;
}

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
const submit = (page: Page) => page.locator('button[type="submit"]').click();
const alertOf = (page: Page) => page.locator(".w-login-error");
const fillLogin = async (page: Page, loginName: string, password: string): Promise<void> => {
  await field(page, "loginName").fill(loginName);
  await field(page, "password").fill(password);
};
/** Requests whose address holds this, as they are made. */
const watch = (page: Page, part: string): Request[] => {
  const seen: Request[] = [];
  page.on("request", (request) => {
    if (request.url().includes(part)) seen.push(request);
  });
  return seen;
};
const stored = (page: Page) =>
  page.evaluate(() => [
    localStorage.getItem("access_token"),
    sessionStorage.getItem("access_token"),
    (globalThis as unknown as { document: { cookie: string } }).document.cookie.includes(
      "access_token",
    ),
  ]);
const arrive = (page: Page) => page.waitForURL((to) => !to.pathname.startsWith("/login"));

describe("the login", () => {
  test("routes:route.login B-2.1-01 B-2.1-02: shows name, password, code, remember me and a button", async () => {
    const { page, errors } = await visitor();
    await page.goto("/");
    await page.waitForURL(/\/login/);
    await field(page, "loginName").waitFor();
    for (const name of ["loginName", "password", "sms", "remember"]) {
      await field(page, name).waitFor();
    }
    await page.getByRole("button", { name: "Log in" }).waitFor();
    expect(await page.getByLabel("Remember me").isChecked()).toBe(false);
    expect(errors).toEqual([]);
  });

  test("B-2.1-03: the right password stores the token, loads the menus and follows the root path", async () => {
    const { page } = await visitor();
    await page.goto("/login");
    await fillLogin(page, "admin", installation.password);
    await page.getByLabel("Remember me").check();
    await submit(page);
    await arrive(page);
    const [local, session, cookie] = await stored(page);
    expect([typeof local, session, cookie]).toEqual(["string", null, true]);
    await page.getByRole("link", { name: "Overview", exact: true }).first().waitFor();
    await page.waitForURL((to) => to.pathname !== "/");
  });

  test("B-2.1-04: a wrong password shows the server's message, stays and stores nothing", async () => {
    const { page } = await visitor();
    await page.goto("/login");
    const answers = watch(page, "/api/v1/customer/login");
    await fillLogin(page, "admin", "not-it");
    await submit(page);
    await alertOf(page).getByText("Login name or password is wrong").waitFor();
    const answer = await answers[0]?.response();
    const answered = (await answer?.json()) as { msg: string } | undefined;
    expect(answered?.msg).toBe("Login name or password is wrong");
    expect(new URL(page.url()).pathname).toBe("/login");
    expect(await stored(page)).toEqual([null, null, false]);
  });

  test("B-5-07: a password of 13 characters is refused without a request", async () => {
    const { page } = await visitor();
    const calls = watch(page, "/api/v1/customer/login");
    await page.goto("/login");
    await page.locator(".w-login-code button").waitFor();
    await fillLogin(page, "admin", "1234567890abc");
    await submit(page);
    await alertOf(page).getByText("A password has at most 12 characters").waitFor();
    expect(calls).toEqual([]);
  });

  test("B-2.1-05: requests a code with name and password, and logs in with it", async () => {
    const { page } = await visitor();
    const asked = watch(page, "/api/sendSMS");
    await page.goto("/login");
    const send = page.getByRole("button", { name: "Send", exact: true });
    await send.waitFor();
    await fillLogin(page, person.loginName, person.password);
    await submit(page);
    await alertOf(page).getByText("Enter the code to finish the login").waitFor();
    await send.click();
    await page.getByText("Code sent; valid for 5 minutes").waitFor();
    const query = new URL(asked[0]?.url() ?? "").searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      username: person.loginName,
      password: person.password,
    });
    await page.getByRole("button", { name: /Resend in \d+ s/ }).waitFor();
    await field(page, "sms").fill(await device.nextCode());
    await submit(page);
    await arrive(page);
  });

  test("leads nowhere else: an address behind ?from= of another site is not followed", async () => {
    for (const from of ["//evil.example/x", "https://evil.example", "/\\evil.example"]) {
      const { page } = await visitor();
      await page.goto(`/login?from=${encodeURIComponent(from)}`);
      await fillLogin(page, "admin", installation.password);
      await submit(page);
      await arrive(page);
      expect(new URL(page.url()).origin, from).toBe(url);
    }
  });
});

describe("recovery", () => {
  /** Only an address that its user has confirmed with a code recovers a password. */
  const confirmAddress = async (): Promise<void> => {
    const { page, errors } = await visitor();
    await page.goto("/login");
    await fillLogin(page, forgetful.loginName, forgetful.password);
    const send = page.getByRole("button", { name: "Send", exact: true });
    await send.waitFor();
    await send.click();
    await page.getByText("Code sent; valid for 5 minutes").waitFor();
    await field(page, "sms").fill(await device.nextCode());
    await submit(page);
    await arrive(page);
    await page.goto("/user/info");
    await page.getByRole("button", { name: "Confirm", exact: true }).last().click();
    await dialog(page).getByText(`Confirm the address ${forgetful.email}`).waitFor();
    await press(page, "Send the code");
    await dialog(page)
      .getByLabel("The code that arrived")
      .fill(await device.nextCode());
    await press(page, "Confirm");
    await page.getByText("Confirmed", { exact: true }).waitFor();
    expect(errors).toEqual([]);
  };

  test("routes:route.forget B-2.1-06: /forget opens without a token and without a redirect, and a mail brings the code", async () => {
    await confirmAddress();
    const { page, errors } = await visitor();
    await page.goto("/forget");
    await page.getByRole("heading", { name: "Recover your password" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/forget");
    await page.getByLabel("E-mail").check();
    await field(page, "target").fill("nobody");
    await page.getByRole("button", { name: "Send the code" }).click();
    await page.getByText("Not an e-mail address").waitFor();
    await field(page, "target").fill(forgetful.email);
    await page.getByRole("button", { name: "Send the code" }).click();
    await page.getByText("If an account uses lina@example.com").waitFor();
    await field(page, "sms").fill(await device.nextCode());
    await field(page, "newPsw").fill("second-Key8");
    await field(page, "rePsw").fill("other-Key8");
    await page.getByRole("button", { name: "Set the new password" }).click();
    await alertOf(page).getByText("The two entries differ").waitFor();
    await field(page, "rePsw").fill("second-Key8");
    await page.getByRole("button", { name: "Set the new password" }).click();
    await page.getByText("The password was set; log in with it").waitFor();
    expect(errors).toEqual([]);
  });
});

describe("the user's own password", () => {
  const open = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menuitem", { name: "Change password" }).click();
    await dialog(page).getByLabel("Old password").waitFor();
  };
  const label = (page: Page, name: string) => dialog(page).getByLabel(name, { exact: false });
  const issue = (page: Page, text: string) =>
    dialog(page).locator(".w-field-issue", { hasText: text });

  test("B-5-01 B-5-02 B-5-03 B-5-04 B-5-05 B-5-06: fields show their error on blur, and nothing invalid is sent", async () => {
    const { page } = await visitor();
    await logIn(page, others.editor, person.password);
    const calls = watch(page, "/customer/user/editpassword");
    await open(page);
    // Nothing is shown while the field has the focus.
    await label(page, "New password").pressSequentially("1234");
    expect(await dialog(page).locator(".w-field-issue").count()).toBe(0);
    await label(page, "Old password").focus();
    await issue(page, "5 to 12 characters").waitFor();
    await label(page, "New password").focus();
    await issue(page, "Please enter old password").waitFor();
    await label(page, "New password").fill("third-Key9");
    await label(page, "Confirm password").fill("third-Key8");
    await label(page, "New password").focus();
    await issue(page, "The two entries differ").waitFor();
    await label(page, "Confirm password").fill("third-Key9");
    await label(page, "New password").fill("third-Key0");
    await label(page, "Old password").fill(person.password);
    await press(page, "Change password");
    await issue(page, "The two entries differ").waitFor();
    await press(page, "Cancel");
    await dialog(page).waitFor({ state: "hidden" });
    await open(page);
    await press(page, "Change password");
    await issue(page, "Please enter old password").waitFor();
    await expect.poll(() => dialog(page).locator(".w-field-issue").count()).toBe(3);
    expect(calls).toEqual([]);
  });

  test("B-7.1-08 B-7.1-09 B-7.1-10 B-8-07: a wrong old password keeps the dialog open with the server's message; the right one closes it", async () => {
    const { page } = await visitor();
    await logIn(page, others.changer, person.password);
    const calls = watch(page, "/customer/user/editpassword");
    await open(page);
    await label(page, "Old password").fill("wrong");
    await label(page, "New password").fill("third-Key9");
    await label(page, "Confirm password").fill("third-Key9");
    await press(page, "Change password");
    await dialog(page).getByText("The old password is wrong").waitFor();
    const body = calls[0]?.postData() ?? "";
    for (const name of ["userId", "oldPsw", "newPsw", "rePsw"]) {
      expect(body, name).toContain(`name="${name}"`);
    }
    await label(page, "Old password").fill(person.password);
    await press(page, "Change password");
    await toasted(page, "Password changed");
    await dialog(page).waitFor({ state: "hidden" });
  });
});

describe("the own account", () => {
  const { password } = person;

  test("routes:route.user.info routes:route.user.message B-2.1-24 B-2.1-25: /user/info is there, and the account menu keeps its two entries", async () => {
    const { page, errors } = await visitor();
    const token = await tokenOf(url, others.reader, password);
    const call = callerOf(url, () => token);
    const { userId } = (await call(userInfo, {})).data;
    const changed = "third-Key9";
    const change = {
      userId,
      oldPsw: password,
      newPsw: changed,
      rePsw: changed,
      revokeKeys: true,
    };
    await call(editPassword, change);
    await logIn(page, others.reader, changed);
    await page.getByRole("button", { name: /^Account/ }).click();
    const entries = page.locator(".ant-dropdown-menu-item");
    await expect.poll(() => entries.allTextContents()).toEqual(["Change password", "Log out"]);
    expect(await page.locator('a[href*="/user/info"]').count()).toBe(0);
    await page.goto("/user/info");
    await page.getByRole("heading", { name: "Profile", level: 1 }).waitFor();
    await page.getByText("This session", { exact: true }).waitFor();
    await page.goto("/user/message");
    await page.getByText("Your password was changed").waitFor();
    await page.getByRole("link", { name: "Open" }).first().click();
    await page.waitForURL(/\/user\/info$/);
    expect(errors).toEqual([]);
  });

  test("an authenticator app protects the account, a recovery code replaces it once, and both are removed again", async () => {
    const { page } = await visitor();
    await logIn(page, others.withApp, password);
    await page.goto("/user/info");
    await page.getByRole("button", { name: "Add an app" }).click();
    await dialog(page).getByLabel("Your password").fill(password);
    await press(page, "Next");
    const secret = (await dialog(page).locator("code").textContent()) ?? "";
    await dialog(page).getByLabel("The six digits").fill(new TOTP({ secret }).generate());
    await press(page, "Confirm");
    await dialog(page).getByText("Keep your recovery codes").waitFor();
    const codes = await dialog(page).locator("li").allTextContents();
    expect(codes).toHaveLength(10);
    await press(page, "I have saved them");
    await page.getByText("10 left").waitFor();

    const other = await visitor();
    await other.page.goto("/login");
    await fillLogin(other.page, others.withApp, password);
    await submit(other.page);
    await alertOf(other.page).getByText("Enter the code").waitFor();
    await field(other.page, "sms").fill("000000");
    await submit(other.page);
    await alertOf(other.page).getByText("The code is wrong").waitFor();
    await field(other.page, "sms").fill(codes[0]?.toLowerCase() ?? "");
    await submit(other.page);
    await arrive(other.page);

    await page.reload();
    await page.getByText("9 left").waitFor();
    await page.getByRole("button", { name: "End this session" }).first().click();
    await press(page, "End this session");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog(page).getByLabel("Your password").fill(password);
    await press(page, "Delete");
    await page.getByRole("button", { name: "Add an app" }).waitFor();
  });

  test("a passkey protects the account: created, required at login, and invalid elsewhere", async () => {
    const { page } = await visitor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await logIn(page, others.withKey, password);
    await page.goto("/user/info");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await dialog(page).getByLabel("A name to recognize it by").fill("desk key");
    await dialog(page).getByLabel("Your password").fill(password);
    await press(page, "Add a passkey");
    await press(page, "I have saved them");
    await page.getByText("Passkey desk key").waitFor();
    const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
    expect(credentials).toHaveLength(1);
    expect(credentials[0]?.rpId).toBe("localhost");

    await page.evaluate(() => {
      localStorage.removeItem("access_token");
      sessionStorage.clear();
      (globalThis as unknown as { document: { cookie: string } }).document.cookie =
        "access_token=; path=/; max-age=0";
    });
    await page.goto("/login");
    await fillLogin(page, others.withKey, password);
    await submit(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await arrive(page);

    // A copy of the key whose counter lags behind is refused.
    const [credential] = credentials;
    if (!credential) throw new Error("no credential");
    await devtools.send("WebAuthn.removeCredential", {
      authenticatorId,
      credentialId: credential.credentialId,
    });
    await devtools.send("WebAuthn.addCredential", {
      authenticatorId,
      credential: { ...credential, signCount: 0 },
    });
    const copy = await signedIn(page);
    expect(copy).toBe(465);
  });

  /** Code of the answer to a login with the passkey of this page, made by hand. */
  const signedIn = async (page: Page): Promise<number> => {
    const answer = page.waitForResponse((one) => one.url().includes("/customer/passkeyLogin"));
    await page.evaluate(() => {
      sessionStorage.clear();
      localStorage.removeItem("access_token");
      (globalThis as unknown as { document: { cookie: string } }).document.cookie =
        "access_token=; path=/; max-age=0";
    });
    await page.goto("/login");
    await fillLogin(page, others.withKey, password);
    await submit(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    const { code } = (await (await answer).json()) as { code: number };
    return code;
  };
});
