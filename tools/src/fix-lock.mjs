// Adds lock entries for platform builds that a partial registry mirror does not list.
// Without them `npm ci` refuses the lock ("Missing: ... from lock file"). Every entry carries
// os/cpu, so npm never tries to fetch a build for another platform. Run after each `npm install`.
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
lock.packages = Object.fromEntries(
  Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en")),
);
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
