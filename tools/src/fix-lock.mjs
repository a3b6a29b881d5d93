// Adds lock entries for platform builds that a registry does not list, and the integrity of entries
// that have none, as the registry gives it. Without the entries `npm ci` refuses the lock ("Missing: ... from lock
// file"). Every entry carries os/cpu, so npm never tries to fetch a build for another platform. Run after each
// `npm install`; tools/src/lock.test.ts fails for what has no integrity then.
import { execFileSync } from "node:child_process";
import fs from "node:fs";

const osName = /(darwin|linux|win32|windows|android|freebsd|openharmony)/;
const cpuName = /(arm64|x64|ia32|riscv64|ppc64|s390x|arm)(?![a-z0-9])/;
const file = "package-lock.json";
const lock = JSON.parse(fs.readFileSync(file, "utf8"));
const packages = lock.packages;

for (const [key, entry] of Object.entries({ ...packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const known = packages[`${key}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
    const os = osName.exec(name)?.[1];
    if (known || !os || !/^\d/.test(version)) continue;
    const cpu = cpuName.exec(name)?.[1];
    packages[`node_modules/${name}`] = {
      version,
      optional: true,
      ...(entry.dev && { dev: true }),
      os: [os === "windows" ? "win32" : os],
      ...(cpu && { cpu: [cpu] }),
      ...(/musl/.test(name) && { libc: ["musl"] }),
    };
  }
}

/**
 * What the registry says of a version; null: it does not have it.
 * @param {string} name
 * @param {string} version
 * @returns {string | null}
 */
function integrityOf(name, version) {
  try {
    const argv = ["view", `${name}@${version}`, "dist.integrity"];
    const text = execFileSync("npm", argv, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return /^sha512-\S+$/.exec(text.trim())?.[0] ?? null;
  } catch {
    return null;
  }
}

const folder = "node_modules/";
for (const [key, entry] of Object.entries(packages)) {
  if (!key.includes(folder) || entry.link || entry.integrity) continue;
  const name = entry.name ?? key.slice(key.lastIndexOf(folder) + folder.length);
  const integrity = integrityOf(name, entry.version);
  if (integrity === null) {
    console.error(`no integrity: the registry has no ${name}@${entry.version}`);
  } else {
    packages[key] = { version: entry.version, integrity, ...entry };
  }
}

lock.packages = Object.fromEntries(
  Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en")),
);
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
