import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  assertLabPossible,
  ensureInstalled,
  labObstacles,
  missing,
  type Requirement,
  requirements,
  withoutServices,
} from "./requirements.ts";

const absent: Requirement = { package: "no-such-thing", proof: ["no-such-cmd"], neededBy: "lab" };

describe("requirements", () => {
  it("are commands and files; each missing one names its package", () => {
    const present: Requirement = { package: "here", proof: ["sh", "/bin/sh"], neededBy: "lab" };
    const half: Requirement = { package: "half", proof: ["sh", "/no/file"], neededBy: "edge" };
    expect(missing([present, absent, half])).toEqual([absent, half]);
  });

  it("name each package once", () => {
    const names = requirements.map((requirement) => requirement.package);
    expect(new Set(names).size).toBe(names.length);
  });

  it("list everything that prevents a lab", () => {
    const obstacles = labObstacles(1000, [absent]);
    expect(obstacles).toHaveLength(2);
    expect(() => assertLabPossible(obstacles)).toThrow(
      /no lab here: it needs root.*package no-such-thing is missing \(no-such-cmd\)/,
    );
  });

  it("install nothing when nothing is missing", async () => {
    expect(
      await ensureInstalled(
        requirements.filter((requirement) => missing([requirement]).length === 0),
      ),
    ).toEqual({ installed: [], reasons: [] });
  });
});

describe("the policy that keeps services from starting", () => {
  const folder = mkdtempSync(join(tmpdir(), "weft-policy-"));
  const policy = join(folder, "policy-rc.d");
  afterAll(() => rmSync(folder, { recursive: true }));

  const whileInPlace = () =>
    withoutServices(async () => {
      expect(readFileSync(policy, "utf8")).toContain("exit 101");
      expect(statSync(policy).mode & 0o777).toBe(0o755);
    }, policy);

  it("exists during the installation only", async () => {
    await whileInPlace();
    expect(existsSync(policy)).toBe(false);
  });

  it("is restored if there was one, also after a failure", async () => {
    writeFileSync(policy, "someone's own", { mode: 0o700 });
    const failing = withoutServices(() => Promise.reject(new Error("apt broke")), policy);
    await expect(failing).rejects.toThrow("apt broke");
    expect(readFileSync(policy, "utf8")).toBe("someone's own");
    expect(statSync(policy).mode & 0o777).toBe(0o700);
  });

  it("is restored even if an earlier run was interrupted", async () => {
    writeFileSync(`${policy}.before-weft`, "someone's own");
    writeFileSync(policy, "#!/bin/sh\nexit 101\n");
    await whileInPlace();
    expect(readFileSync(policy, "utf8")).toBe("someone's own");
  });
});
