import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { settings } from "#edge/config.ts";
import { clientArgv } from "./lease.ts";

const profile = readFileSync(
  path.join(import.meta.dirname, "../../../packaging/sbin.dhclient"),
  "utf8",
);

/** Rules of the profile (apparmor.d(5)): a path with globs, and what may be done with it. */
const rules = [...profile.matchAll(/^(\/\S+) (\w+),$/gm)].map(([, glob = "", may = ""]) => ({
  path: new RegExp(`^${glob.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`),
  may,
}));

test("AppArmor's lines allow the DHCP client each path that the edge gives it", () => {
  const dir = path.join(settings.data.default ?? "", "dhcp");
  const argv = clientArgv(dir, "wan2");
  const after = (flag: string) => argv[argv.indexOf(flag) + 1] ?? "";
  const mayOf = (file: string) =>
    rules.filter((rule) => rule.path.test(file)).map(({ may }) => may);
  expect(mayOf(after("-sf"))).toEqual(["Uxr"]);
  expect(mayOf(after("-cf"))).toEqual(["r"]);
  expect(mayOf(after("-lf"))).toEqual(["lrwk"]);
  // It writes a new one beside the old one and renames it.
  expect(mayOf(`${after("-lf")}.1795382`)).toEqual(["lrwk"]);
  expect(mayOf(after("-pf"))).toEqual(["lrwk"]);
  expect(mayOf("/var/lib/weft-edge/identity.json")).toEqual([]);
});
