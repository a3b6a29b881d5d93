import { describe, expect, test } from "vitest";
import { neededFolders } from "./install.mjs";
import { packagesLoadedBy } from "./production-imports.ts";
import { readJson } from "./repository.ts";

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
}

/** What an operator runs: the scripts of package.json that ask for no build tools. */
const { scripts } = readJson<{ scripts: Record<string, string> }>("package.json");
const programs = Object.values(scripts).flatMap(
  (line) => /run\.mjs --production (\S+)/.exec(line)?.[1] ?? [],
);

const { packages } = readJson<{ packages: Record<string, { dev?: boolean }> }>("package-lock.json");

/** The folder that Node finds a package in, from a file of ours. */
function folderOf(file: string, name: string): string {
  const workspace = file.split("/").slice(0, 2).join("/");
  const own = `${workspace}/node_modules/${name}`;
  return own in packages ? own : `node_modules/${name}`;
}

describe("of the packages that the programs of production load", () => {
  const loaded = packagesLoadedBy(["tools/src/run.mjs", ...programs]);
  const names = new Set(loaded.map(({ name }) => name));

  test("none is missing after `npm ci --omit=dev`", () => {
    const omitted = loaded.filter(
      ({ file, name }) => packages[folderOf(file, name)]?.dev !== undefined,
    );
    expect(omitted).toEqual([]);
  });

  test("none is missing in what the launcher looks for before it runs them", () => {
    const linux = { os: "linux", cpu: "x64", libc: "glibc" };
    const needed = new Set(neededFolders(packages as never, linux, true));
    expect(loaded.filter(({ file, name }) => !needed.has(folderOf(file, name)))).toEqual([]);
  });

  test("all are dependencies of the controller, which has no others", () => {
    const { dependencies } = readJson<Manifest>("apps/controller/package.json");
    const foreign = Object.keys(dependencies).filter((name) => !name.startsWith("@weft/"));
    expect([...names].sort()).toEqual(foreign.sort());
  });

  test("those of a process and of a thread of their own are among them", () => {
    // fork() of metrics-store/child.ts, and the worker that reads sheets.
    expect(names).toContain("chdb");
    expect(names).toContain("@e965/xlsx");
  });
});
