import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { folderInMemory } from "./test-temporary.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "weft-memory-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const mounted = (options: string) =>
  `/dev/vda / ext4 rw 0 0\ntmpfs ${folder} tmpfs ${options} 0 0\n`;
const plenty = 64 * 1024 ** 3;
const inFolder = (given: object = {}) =>
  folderInMemory({ folder, available: plenty, mounts: mounted("rw,relatime"), ...given });

test("a run gets a folder that other users may pass through but not read", () => {
  const made = inFolder();
  expect(made).toBe(path.join(folder, `weft-tests-${process.pid}`));
  expect(statSync(made ?? "").mode & 0o777).toBe(0o711);
});

test.each([
  ["is a folder of the disk", { mounts: "/dev/vda / ext4 rw 0 0\n" }],
  ["lets no program run", { mounts: () => mounted("rw,nosuid,noexec") }],
  ["is covered by another that does not", { mounts: () => mounted("rw") + mounted("noexec") }],
  ["would leave the machine little", { available: 2 * 1024 ** 3 }],
] as const)("there is none where the file system %s", (_, given) => {
  const mounts = "mounts" in given ? given.mounts : undefined;
  const text = typeof mounts === "function" ? mounts() : mounts;
  expect(inFolder({ ...given, ...(text !== undefined && { mounts: text }) })).toBeNull();
});

test("folders of runs that were killed are removed, those of others stay", async () => {
  const ended = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(ended, "exit");
  const [dead, living, other] = [`weft-tests-${ended.pid}`, `weft-tests-${process.ppid}`, "pulse"];
  for (const name of [dead, living, other]) mkdirSync(path.join(folder, name));
  inFolder();
  expect([dead, living, other].map((name) => existsSync(path.join(folder, name)))).toEqual([
    false,
    true,
    true,
  ]);
});
