import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { batchLock, groupsLock, locks, nodeLock, rowLock } from "./locks.ts";

const sources = join(import.meta.dirname, "..");

test("no two locks have one key", () => {
  const rows = [rowLock("batch", 1), rowLock("line", 1), rowLock("line", 2)];
  const all = [...Object.values(locks), nodeLock(1), nodeLock(2), batchLock(1), ...rows];
  const keys = [...all, groupsLock(1, "url"), groupsLock(1, "ip"), groupsLock(11, "url")].map(
    (lock) => JSON.stringify(lock),
  );
  expect(new Set(keys).size).toBe(keys.length);
  const spaces = Object.values(locks).map(([space]) => space);
  expect(spaces).not.toContain(nodeLock(1)[0]);
});

test("no other file has a lock of its own", async () => {
  const files = (await readdir(sources, { recursive: true })).filter((name) =>
    /\.(?:ts|sql)$/.test(name),
  );
  const found = await Promise.all(
    files.map(async (name) => ({ name, text: await readFile(join(sources, name), "utf8") })),
  );
  // Tests and migrations.ts name keys of this file only; code that calls PostgreSQL's functions
  // passes one of `locks`.
  const own = found.filter(
    ({ name, text }) =>
      !/^db\/locks(?:\.test)?\.ts$/.test(name) &&
      (/0x7765(?:66|6e)/.test(text) ||
        text
          .split("\n")
          .some((line) => /pg_(?:try_)?advisory\w*lock/.test(line) && !/locks\./.test(line))),
  );
  expect(own.map(({ name }) => name)).toEqual([]);
});
