/** What the client of IPv6 leaves of its events. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ipv6EventProgram } from "./ipv6-client.ts";
import { parseIpv6Report } from "./ipv6-report.ts";

describe("the program of the client's events", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "weft-ipv6-"));
    writeFileSync(join(folder, "event.cjs"), ipv6EventProgram(folder), { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (reason: string, given: Record<string, string> = {}): void => {
    const env = { PATH: process.env.PATH ?? "", interface: "wan2", reason, ...given };
    const { status, stderr } = spawnSync(join(folder, "event.cjs"), { env, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  };
  const file = (): string => join(folder, "wan2.dhcp.json");
  const bound = {
    ifcarrier: "up",
    new_dhcp6_ia_pd1_prefix1: "2001:db8:f000::",
    new_dhcp6_ia_pd1_prefix1_length: "56",
  };

  it("keeps the prefix when the client ends or the cable is out, and drops it when it is over", () => {
    run("BOUND6", bound);
    // dhcpcd 9.4.1 sends EXPIRE6 with every loss of the carrier, whatever time is left.
    for (const reason of ["NOCARRIER", "EXPIRE6", "CARRIER", "STOP6", "STOPPED", "DEPARTED"])
      run(reason, { ifcarrier: "down" });
    expect(parseIpv6Report(readFileSync(file(), "utf8"))?.options).toMatchObject({
      new_dhcp6_ia_pd1_prefix1: "2001:db8:f000::",
    });
    run("EXPIRE6", { ifcarrier: "up" });
    expect(existsSync(file())).toBe(false);
  });
});
