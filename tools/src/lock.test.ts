/** What `npm ci` installs is what was looked at: the lock holds a hash of each package. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "./repository.ts";

interface Entry {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly os?: readonly string[];
}

/**
 * Builds for platforms that the registry in use did not serve when the lock was made: npm checks them against what the
 * registry says at the time. fix-lock.mjs adds their hashes where the registry has them.
 */
const unknown = [
  "node_modules/@chdb/lib-darwin-arm64",
  "node_modules/@chdb/lib-darwin-x64",
  "node_modules/@chdb/lib-linux-arm64-gnu",
];

const { packages } = JSON.parse(readFileSync(inRoot("package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, Entry>>;
};
const installed = Object.entries(packages).filter(
  ([key, { link }]) => key.includes("node_modules/") && link !== true,
);

test("every package of the lock has a hash, but for builds that the registry did not serve", () => {
  expect(installed.length).toBeGreaterThan(300);
  const without = installed.filter(
    ([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""),
  );
  expect(without.map(([key]) => key)).toEqual(unknown);
});

test("a build without a hash is for a platform of its own, so that no other one installs it", () => {
  for (const name of unknown) expect(packages[name]?.os?.length).toBe(1);
});

test("the lock names no registry: each installation uses its own", () => {
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
