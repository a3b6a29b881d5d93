import { chmod, cp, lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  copyInstallation,
  findInstallation,
  type Installation,
  missingLinks,
  withLinks,
} from "./binaries.ts";
import { runsAs } from "./identity.ts";

let folder: string;
let bare: Installation;

/** The installation as `npm install --ignore-scripts` leaves it: no symbolic link. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-binaries-"));
  const found = await findInstallation();
  bare = { ...found, folder: join(folder, "package", "native") };
  await cp(found.folder, bare.folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("names platform and way out where there is no package", async () => {
  await expect(findInstallation("plan9-mips")).rejects.toThrow(/plan9-mips.*WEFT_DATABASE_URL/s);
});

test("the installed package is whole and runs", async () => {
  const found = await findInstallation();
  expect(found.major).toMatch(/^\d+$/);
  expect(await missingLinks(found.folder)).toEqual([]);
});

test("a package without its links is copied where it may not be written, and mended", async () => {
  expect((await missingLinks(bare.folder)).length).toBeGreaterThan(5);
  expect(await runsAs("self", bare)).toBe(false);
  const copy = await copyInstallation(bare, join(folder, "copies"));
  expect(await readdir(join(folder, "copies"))).toEqual([`server-${bare.version}`]);
  expect(await copyInstallation(bare, join(folder, "copies"))).toEqual(copy);
  expect(await withLinks(copy, join(folder, "unused"))).toEqual(copy);
  expect(await missingLinks(copy.folder)).toEqual([]);
  expect((await missingLinks(bare.folder)).length).toBeGreaterThan(5);
});

test("a package without its links is mended in place, by two starts at once", async () => {
  await chmod(join(bare.folder, "lib"), 0o755);
  const mended = await Promise.all([withLinks(bare, folder), withLinks(bare, folder)]);
  expect(mended).toEqual([bare, bare]);
  expect(await missingLinks(bare.folder)).toEqual([]);
  expect(await runsAs("self", bare)).toBe(true);
});
