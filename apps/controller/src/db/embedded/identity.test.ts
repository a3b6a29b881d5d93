import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Installation } from "./binaries.ts";
import { chooseIdentity, type Identity, openToNobody, runsAs } from "./identity.ts";
import { classifyFailure } from "./server.ts";

const here: Installation = { folder: "/there/native", version: "18.4.0", major: "18" };
const copied: Installation = { ...here, folder: "/copy/native" };

/** Findings of a machine, faked: which identities run, and with which installation. */
function findings(
  root: boolean,
  open: boolean,
  runs: (identity: Identity, installation: Installation) => boolean,
) {
  const copies: Installation[] = [];
  return {
    copies,
    root,
    runs: async (identity: Identity, installation: Installation) => runs(identity, installation),
    dataOpenToNobody: async () => open,
    copy: async () => {
      copies.push(copied);
      return copied;
    },
  };
}

test.each<[string, ReturnType<typeof findings>, Identity, Installation]>([
  ["not root", findings(false, false, () => true), "self", here],
  ["root with namespaces", findings(true, true, () => true), "namespace", here],
  [
    "root without namespaces",
    findings(true, true, (identity) => identity !== "namespace"),
    "nobody",
    here,
  ],
  [
    "root, programs under a closed folder",
    findings(
      true,
      true,
      (identity, { folder }) =>
        identity === "self" || (identity === "nobody" && folder === "/copy/native"),
    ),
    "nobody",
    copied,
  ],
  [
    "root, everything under a closed folder",
    findings(true, false, (identity) => identity !== "namespace"),
    "setpriv",
    here,
  ],
])("%s", async (_name, found, identity, installation) => {
  expect(await chooseIdentity(here, found)).toEqual({ identity, installation });
  expect(found.copies.length).toBe(installation === copied ? 1 : 0);
});

test("reports what to change when no identity works", async () => {
  const onlyVersion = findings(true, false, (identity) => identity === "self");
  await expect(chooseIdentity(here, onlyVersion)).rejects.toThrow(
    /ordinary user.*WEFT_DATA.*WEFT_DATABASE_URL/s,
  );
  for (const root of [true, false]) {
    const nothing = findings(root, true, () => false);
    await expect(chooseIdentity(here, nothing)).rejects.toThrow(/glibc.*WEFT_DATABASE_URL/s);
  }
});

test("a program that is not there does not run", async () => {
  expect(await runsAs("self", here)).toBe(false);
});

test("a closed folder anywhere above closes the way", async () => {
  const top = await mkdtemp(join(tmpdir(), "weft-open-to-"));
  try {
    await mkdir(join(top, "a/b"), { recursive: true });
    await chmod(top, 0o755);
    expect(await openToNobody(join(top, "a/b"))).toBe(true);
    await chmod(join(top, "a"), 0o700);
    expect(await openToNobody(join(top, "a/b"))).toBe(false);
  } finally {
    await rm(top, { recursive: true });
  }
});

test("recognises from the server's output why it ended", () => {
  const kinds = [
    'FATAL:  lock file "postmaster.pid" already exists',
    "FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use",
    'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use',
    "FATAL:  data directory has wrong ownership",
  ].map((log) => classifyFailure(log).kind);
  expect(kinds).toEqual(["taken", "taken", "port-used", "failed"]);
});
