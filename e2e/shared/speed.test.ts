/** Acceleration, segment routes, route notices and clouds in a real browser. */
import { readFileSync } from "node:fs";
import { grantCodes } from "@weft/contract/grants.ts";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { choose, dialog, fill, press, rowOf, save } from "#e2e/console.ts";
import { button, shells, soon } from "#test/shell-page.ts";

const { open } = shells();

const action = (page: Page, row: string, name: string) =>
  rowOf(page, row).getByRole("button", { name, exact: true });

async function remove(page: Page, row: string): Promise<void> {
  await action(page, row, "Delete").click();
  await press(page, "Delete");
  await rowOf(page, row).waitFor({ state: "detached" });
}

interface Kind {
  readonly path: string;
  readonly title: string;
  /** Row of the demonstration. */
  readonly there: string;
  /** A member to type or to choose, and another one. */
  readonly members: readonly [string, string];
  readonly isChosen: boolean;
}

const kinds: readonly Kind[] = [
  {
    path: "domain",
    title: "Domain acceleration groups",
    there: "海外办公域名",
    members: ["*.acme.com", "files.acme.com"],
    isChosen: false,
  },
  {
    path: "ip",
    title: "IP acceleration groups",
    there: "海外仓网段",
    members: ["192.0.2.0/25", "192.0.2.128/25"],
    isChosen: false,
  },
  {
    path: "app",
    title: "Application acceleration groups",
    there: "办公套件",
    members: ["DingTalk", "GitHub"],
    isChosen: true,
  },
  {
    path: "dpi",
    title: "DPI acceleration groups",
    there: "语音与会议",
    members: ["RDP", "SSH"],
    isChosen: true,
  },
];

describe("acceleration groups", () => {
  test.each(kinds)(
    "B-1-18: $path groups are listed, added, edited and removed",
    async ({ path, title, there, members, isChosen }) => {
      const { page, errors } = await open({ path: `/business-system/saasquickly/${path}` });
      await page.getByRole("heading", { name: title }).waitFor();
      await rowOf(page, there).waitFor();
      const enter = async (member: string): Promise<void> => {
        const field = dialog(page).getByLabel("Members");
        if (!isChosen) return field.fill(member);
        await choose(page, field, member);
        await page.keyboard.press("Escape");
      };
      await button(page, "Add group").click();
      await fill(page, { Name: "browser" });
      await enter(members[0]);
      await save(page);
      await soon(() => rowOf(page, "browser").textContent()).toContain(members[0]);
      await action(page, "browser", "Edit").click();
      await enter(members[1]);
      await fill(page, { Remark: "edited" });
      await save(page);
      await soon(() => rowOf(page, "browser").textContent()).toContain(members[1]);
      await remove(page, "browser");
      expect(await rowOf(page, there).count()).toBe(1);
      expect(errors).toEqual([]);
    },
  );

  test("a member of another group is refused at its field", async () => {
    const { page } = await open({ path: "/business-system/saasquickly/ip" });
    await button(page, "Add group").click();
    await fill(page, { Name: "twice", Members: "203.0.113.77" });
    await choose(page, dialog(page).getByLabel("Enterprise"), "海通物流");
    await press(page, "Save");
    await dialog(page).getByText("Overlaps 203.0.113.0/24 of 海外仓网段").waitFor();
  });
});

/** Presses an entry of the menu by which rows go out to files and come in. */
async function files(page: Page, entry: string | RegExp): Promise<void> {
  await button(page, "Import / export").click();
  await page.getByRole("menuitem", { name: entry }).click();
}

/** The text of the file that the browser saves. */
async function saved(page: Page, act: () => Promise<void>): Promise<string> {
  const download = page.waitForEvent("download");
  await act();
  return readFileSync(await (await download).path(), "utf8");
}

test("B-7.2-10, B-7.2-11: definitions come in from a file, go out and come back with a bad row", async () => {
  const { page } = await open({ path: "/business-system/saasquickly" });
  await rowOf(page, "跨境办公").getByRole("link", { name: "Definitions" }).click();
  await page.getByRole("heading", { name: "Definitions of 跨境办公" }).waitFor();
  await rowOf(page, "*.sap.com").waitFor();
  const pick = async (text: string): Promise<void> => {
    const file = { name: "defines.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
    await dialog(page).locator('input[type="file"]').setInputFiles(file);
  };
  const takeIn = async (text: string): Promise<void> => {
    await files(page, /^Import from/);
    await dialog(page).getByText("Are changed as in the file").click();
    await pick(text);
  };
  await files(page, /^Import from/);
  await pick("kind,value,remark\nDomain,not a name,\n");
  await dialog(page).getByText("Must be a host name").first().waitFor();
  await pick("kind,value,remark\nDomain,*.browser.example.com,\nip,192.0.2.77,\n");
  await dialog(page).getByText("Written to: 跨境办公").waitFor();
  await press(page, /Import 2/);
  await rowOf(page, "*.browser.example.com").waitFor();
  await rowOf(page, "192.0.2.77").waitFor();
  expect(await rowOf(page, "not a name").count()).toBe(0);

  const exported = await saved(page, () => files(page, /csv/i));
  const [changed, broken] = ["*.browser.example.com,mended", "192.0.2.777"];
  await takeIn(exported.replace("*.browser.example.com,", changed).replace("192.0.2.77", broken));
  const wrong = dialog(page).getByRole("table", { name: "Wrong cells" });
  await wrong.getByText(broken, { exact: true }).waitFor();
  const changes = dialog(page).getByRole("table", { name: "Values that change" });
  expect(await changes.textContent()).toContain("mended");
  const bad = await saved(page, () => button(page, "Download the wrong rows").click());
  await dialog(page).getByRole("checkbox").check();
  await press(page, /Import 1/);
  await rowOf(page, "mended").waitFor();
  expect(await rowOf(page, "192.0.2.77").count()).toBe(1);

  await takeIn(bad.replace(broken, "192.0.2.78"));
  await press(page, /Import 1/);
  await rowOf(page, "192.0.2.78").waitFor();
});

test("B-2.4-13: the edit screen of a segment route shows that route and saves it", async () => {
  const { page, errors } = await open({ path: "/business-system/underlay/segmentRoute" });
  await rowOf(page, "华南去往北京").getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("heading", { name: "Edit segment route 华南去往北京" }).waitFor();
  const { pathname, searchParams } = new URL(page.url());
  expect(pathname).toBe("/business-system/underlay/segmentRoute/routeEdit");
  expect(Number(searchParams.get("id"))).toBeGreaterThan(0);
  expect(await page.getByLabel("Destination").inputValue()).toBe("10.200.0.0/16");
  for (const hop of ["广州-01", "上海-01", "北京-01"]) await page.getByText(hop).first().waitFor();
  await page.getByLabel("Metric").fill("77");
  await button(page, "Save").click();
  await page.waitForURL((url) => url.pathname === "/business-system/underlay/segmentRoute");
  await soon(() => rowOf(page, "华南去往北京").textContent()).toContain("77");
  expect(errors).toEqual([]);
});

test("a route notice goes to the device, and another site's network is refused", async () => {
  const { page } = await open({ path: "/business-system/routernotice" });
  await rowOf(page, "172.16.0.0/21").waitFor();
  await button(page, "Add notice").click();
  await choose(page, dialog(page).getByLabel("CPE"), "杭州总部");
  await fill(page, { Network: "10.102.1.0/25" });
  await press(page, "Save");
  await dialog(page).getByText("Overlaps 10.102.1.1/24 of 杭州门店-01").waitFor();
  await fill(page, { Network: "172.30.0.9/16" });
  await save(page);
  await rowOf(page, "172.30.0.0/16").waitFor();
  await rowOf(page, "172.30.0.0/16").getByRole("link", { name: "杭州总部" }).click();
  await page.getByRole("heading", { name: "杭州总部" }).waitFor();
});

test("B-6-19: cross-cloud nodes are reviewed with the permission, and not without", async () => {
  const path = "/business-system/vbrNode/vbrNode";
  const authorities = grantCodes.filter((code) => code !== "vbrNodeAudit");
  const without = await open({ path, session: { userId: 2, authorities } });
  await rowOf(without.page, "腾讯云广州").waitFor();
  await action(without.page, "腾讯云广州", "Edit").waitFor();
  expect(await action(without.page, "腾讯云广州", "Audit").count()).toBe(0);

  const { page } = await open({ path });
  await soon(() => rowOf(page, "腾讯云广州").textContent()).toContain("Pending");
  await action(page, "腾讯云广州", "Audit").click();
  await dialog(page).getByText("Reject").click();
  await fill(page, { "Review comment": "no such line" });
  await press(page, "Audit");
  await soon(() => rowOf(page, "腾讯云广州").textContent()).toContain("Rejected");
  await rowOf(page, "阿里云华东2").getByRole("link", { name: "Table" }).click();
  await page.getByRole("heading", { name: "VBR table of 阿里云华东2" }).waitFor();
  await rowOf(page, "172.18.0.0/16").waitFor();
});
