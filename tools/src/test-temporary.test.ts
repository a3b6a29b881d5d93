import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { isMemoryFit, ownFolder } from "./test-temporary.ts";

const folder = mkdtempSync(path.join(tmpdir(), "weft-memory-"));
afterAll(() => rmSync(folder, { recursive: true }));

const mounted = (options: string) => `tmpfs /dev/shm tmpfs ${options} 0 0\n`;

test.each([
  ["is a folder of the disk", "/dev/vda / ext4 rw 0 0\n", 2 ** 40],
  ["lets no program run", mounted("rw,nosuid,noexec"), 2 ** 40],
  ["is covered by another that does not", mounted("rw") + mounted("rw,noexec"), 2 ** 40],
  ["would leave the machine little", mounted("rw"), 2 ** 31],
])("no run is in memory where it %s", (_, mounts, available) => {
  expect(isMemoryFit(mounts, available)).toBe(false);
});

test.runIf(process.platform === "linux")(
  "a run has a folder that others pass through, and those of killed runs are removed",
  () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const names = [`weft-tests-${pid}`, `weft-tests-${process.ppid}`, "weft-tests-x1"];
    for (const name of names) mkdirSync(path.join(folder, name));
    const own = ownFolder(folder);
    expect(own).toBe(path.join(folder, `weft-tests-${process.pid}`));
    expect(statSync(own).mode & 0o777).toBe(0o711);
    const isThere = names.map((name) => existsSync(path.join(folder, name)));
    expect(isThere).toEqual([false, true, true]);
  },
);
