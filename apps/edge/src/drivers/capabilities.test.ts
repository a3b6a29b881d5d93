import { describe, expect, it } from "vitest";
import { attempts, findCapabilities } from "./capabilities.ts";
import { type Argv, CommandFailed, type Run } from "./exec.ts";

/** A machine that lacks whatever the pattern finds in a command. */
const without =
  (lacks: RegExp): Run =>
  async (argv: Argv) => {
    if (!lacks.test(argv.join(" "))) return "";
    throw new CommandFailed(argv, 2, { stdout: "", stderr: "Error: Unknown device type.\nmore" });
  };

describe("findCapabilities", () => {
  it("tells each thing once, with the tool's words where it is missing", async () => {
    const found = await findCapabilities(without(/type vlan|ppp/));
    expect(found.map(({ name }) => name)).toEqual(attempts.map(({ name }) => name));
    expect(found.filter(({ can }) => !can)).toEqual([
      { name: "vlan", can: false, reason: "Error: Unknown device type." },
      { name: "pppoe", can: false, reason: "Error: Unknown device type." },
    ]);
  });
  it("tries kernel objects only in a namespace that ends with the attempt", () => {
    const changes = attempts.flatMap(({ tries }) => tries).filter((argv) => argv.includes("add"));
    expect(changes.length).toBeGreaterThan(10);
    for (const argv of changes) expect(argv.slice(0, 2)).toEqual(["unshare", "--net"]);
  });
});
