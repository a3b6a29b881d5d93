// npm run pictures: the pictures of README and docs, taken of the demonstration; with a folder as
// argument every screen in both languages, both modes and three widths, to be looked at.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { root } from "@weft/lab/world.ts";
import type { Page } from "playwright-core";
import { type Display, launchBrowser, logIn, visit } from "./browser.ts";
import { startDemonstration } from "./installation.ts";
import { adminOf } from "./people.ts";

/** Name -> path of every screen; CPE and POP stand for ids of the demonstration. */
const screens: Readonly<Record<string, string>> = {
  overview: "/dashboard/workplace",
  "enterprise-list": "/sdwan-system/enterprisemanage",
  "pop-list": "/sdwan-system/pop",
  "pop-detail": "/sdwan-system/pop/popTable/detail?id=POP",
  "pop-set": "/sdwan-system/pop/popSet/POP",
  "cpe-list": "/sdwan-system/cpe",
  "cpe-detail": "/sdwan-system/cpe/cpeTable/detail?id=CPE",
  "cpe-set": "/sdwan-system/cpe/cpeSet/CPE",
  enrolment: "/sdwan-system/enrolment",
  "space-list": "/business-system/overlay/space",
  "link-list": "/business-system/overlay/linkManage",
  kernel: "/dev/kernel",
};

const displays: readonly Display[] = (["zh_cn", "en_gb"] as const).flatMap((language) =>
  [false, true].flatMap((dark) =>
    [390, 1440, 1920].map((width) => ({ language, dark, width, height: width < 768 ? 844 : 900 })),
  ),
);

const forDocs = new Set(["overview", "cpe-list", "cpe-detail", "space-list", "kernel"]);

/** The shell or the login page is there, and nothing on it stands for what is still to come: but on the page of samples. */
const isWhole = (): boolean =>
  document.querySelector("main h1, form") !== null &&
  (location.pathname === "/dev/kernel" ||
    document.querySelector(':is(.w-bars, [aria-busy="true"])') === null);

async function take(page: Page, path: string, file: string): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(isWhole, undefined, { polling: 100, timeout: 120_000 });
  // Charts are drawn after their figures came.
  await sleep(700);
  await page.screenshot({ path: file });
}

const folder = process.argv[2] ?? join(root, "docs/pictures");
const whole = process.argv[2] !== undefined;
mkdirSync(folder, { recursive: true });
const installation = await startDemonstration();
const browser = await launchBrowser();
/** The first of each kind, by name. */
async function idsOf(): Promise<(path: string) => string> {
  const call = await adminOf(installation);
  const [cpes, pops] = await Promise.all([call(cpe.ops.combo, {}), call(pop.ops.combo, {})]);
  return (path) =>
    path.replace("CPE", String(cpes.data[0]?.id)).replace("POP", String(pops.data[0]?.id));
}

try {
  // The fleet needs a moment to apply and to measure.
  await sleep(25_000);
  const withIds = await idsOf();
  const selected = whole
    ? displays
    : displays.filter(
        (display) => display.language === "en_gb" && !display.dark && display.width === 1440,
      );
  for (const display of selected) {
    const { page, context, errors } = await visit(browser, installation.url, display);
    page.setDefaultTimeout(120_000);
    const name = `${display.language}-${display.dark ? "dark" : "light"}-${display.width}`;
    if (whole) await take(page, "/login", join(folder, `login-${name}.png`));
    await logIn(page, "admin", installation.password);
    for (const [screen, path] of Object.entries(screens)) {
      if (!whole && !forDocs.has(screen)) continue;
      await take(
        page,
        withIds(path),
        join(folder, whole ? `${screen}-${name}.png` : `${screen}.png`),
      );
    }
    for (const error of errors) console.error(`${name}: ${error}`);
    // A picture of a failure is none.
    if (errors.length > 0) process.exitCode = 1;
    await context.close();
  }
} finally {
  await browser.close();
  await installation.close();
}
