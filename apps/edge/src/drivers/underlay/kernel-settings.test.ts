import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { giveBackSettings, setKernelSetting } from "./kernel-settings.ts";

test("a kernel setting is restored to its value before the first change, not before the last", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "weft-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const key = "ipv4/conf/lo/log_martians";
  const read = () => readFileSync(`/proc/sys/net/${key}`, "utf8").trim();
  const before = read();
  const other = before === "0" ? "1" : "0";
  onTestFinished(() => writeFileSync(`/proc/sys/net/${key}`, before));
  await setKernelSetting({ dataDir: folder }, key, other);
  await setKernelSetting({ dataDir: folder }, key, other);
  expect(read()).toBe(other);
  await giveBackSettings({ dataDir: folder });
  expect(read()).toBe(before);
  expect(readdirSync(folder)).toEqual([]);
});
