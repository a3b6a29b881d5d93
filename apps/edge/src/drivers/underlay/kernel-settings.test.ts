import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  giveBackSetting,
  giveBackSettings,
  isSetByUs,
  setKernelSetting,
} from "./kernel-settings.ts";

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

test("one setting is restored by itself, and one that was never set stays as it is", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "weft-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const device = { dataDir: folder };
  const [key, foreign] = ["ipv4/conf/lo/log_martians", "ipv4/conf/lo/accept_local"] as const;
  const read = (name: string) => readFileSync(`/proc/sys/net/${name}`, "utf8").trim();
  const [before, foreignBefore] = [read(key), read(foreign)];
  onTestFinished(() => writeFileSync(`/proc/sys/net/${key}`, before));
  await setKernelSetting(device, key, before === "0" ? "1" : "0");
  await giveBackSetting(device, key);
  await giveBackSetting(device, foreign);
  expect([read(key), read(foreign)]).toEqual([before, foreignBefore]);
  expect(await isSetByUs(device, key)).toBe(false);
});
