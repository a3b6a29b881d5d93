/** What a DHCP server gave, from the client's environment to what of it is used. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventProgram } from "./lease.ts";
import { type LeaseReport, leaseOf, parseReport, renewalOf, reportOf } from "./lease-report.ts";

const report: LeaseReport = {
  at: 100,
  ip_address: "203.0.113.20",
  subnet_mask: "255.255.255.0",
  routers: "203.0.113.1 203.0.113.2",
  domain_name_servers: "192.0.2.53 192.0.2.54",
  dhcp_lease_time: "3600",
};

const used = (change: Partial<LeaseReport>, now = 101) => leaseOf({ ...report, ...change }, now);

describe("a lease", () => {
  it("has its address with length, the first router and the name servers", () => {
    expect(used({})).toEqual({
      address: "203.0.113.20/24",
      gateway: "203.0.113.1",
      dns: ["192.0.2.53", "192.0.2.54"],
    });
  });

  it("ends with its time, unless it was given for good", () => {
    expect(used({}, 3_699)).not.toBeNull();
    expect(used({}, 3_700)).toBeNull();
    for (const dhcp_lease_time of ["4294967295", undefined])
      expect(used({ dhcp_lease_time }, 9_000_000_000)).toMatchObject({ gateway: "203.0.113.1" });
  });

  it("is renewed after the time that the server names, or half of its own", () => {
    const renewal = (change: Partial<LeaseReport>) => renewalOf({ ...report, ...change });
    expect(renewal({})).toBe(1_900);
    expect(renewal({ dhcp_renewal_time: "600" })).toBe(700);
    for (const dhcp_renewal_time of ["3600", "0", "-5", "soon", "4294967295"])
      expect(renewal({ dhcp_renewal_time })).toBe(1_900);
    for (const dhcp_lease_time of ["4294967295", undefined]) {
      expect(renewal({ dhcp_lease_time })).toBeNull();
      expect(renewal({ dhcp_lease_time, dhcp_renewal_time: "600" })).toBe(700);
    }
  });

  it("takes the default of classless routes, and with them no other router (RFC 3442)", () => {
    const routes = (classless_static_routes: string) => used({ classless_static_routes })?.gateway;
    expect(routes("10.0.0.0/8 203.0.113.7 0.0.0.0/0 203.0.113.9")).toBe("203.0.113.9");
    expect(routes("10.0.0.0/8 203.0.113.7")).toBeNull();
    expect(routes("0.0.0.0/0")).toBeNull();
  });

  it("of a single address may have its router anywhere, as in clouds", () => {
    expect(used({ subnet_mask: "255.255.255.255", routers: "10.64.0.1" })).toMatchObject({
      address: "203.0.113.20/32",
      gateway: "10.64.0.1",
    });
  });

  it.each([
    ["a router outside of its network", { routers: "203.0.114.1" }],
    ["itself as router", { routers: "203.0.113.20" }],
    ["the broadcast address as router", { routers: "203.0.113.255" }],
    ["a router that is no address", { routers: "$(reboot)" }],
    ["a router nobody has", { subnet_mask: "255.255.255.255", routers: "0.0.0.0" }],
    ["a loopback router", { subnet_mask: "255.255.255.255", routers: "127.0.0.1" }],
  ])("with %s is used without it", (_what, change) => {
    expect(used(change)).toMatchObject({
      address: expect.stringContaining("203.0.113.20/"),
      gateway: null,
      fault: { reason: "leaseGateway", params: { gateway: Object.values(change).at(-1) } },
    });
  });

  it.each([
    ["0.0.0.0", "255.255.255.0"],
    ["127.0.0.1", "255.0.0.0"],
    ["224.0.0.1", "255.255.255.0"],
    ["255.255.255.255", "255.255.255.255"],
    ["203.0.113.0", "255.255.255.0"],
    ["203.0.113.255", "255.255.255.0"],
    ["169.254.1.5", "255.255.255.0"],
    ["203.0.113.20", "0.0.0.0"],
    ["203.0.113.20", "128.0.0.0"],
    ["203.0.113.20", "255.0.255.0"],
    ["203.0.113.20", "255.255.255.0; reboot"],
  ])("of %s with mask %s is for no line", (ip_address, subnet_mask) => {
    expect(used({ ip_address, subnet_mask })).toMatchObject({
      gateway: null,
      fault: { reason: "leaseInvalid" },
    });
  });

  it("of no time is for no line", () => {
    for (const dhcp_lease_time of ["0", "-1", "x"])
      expect(used({ dhcp_lease_time })?.fault).toEqual({ reason: "leaseNoTime", params: {} });
  });

  it("names servers by address only, and four at most", () => {
    const domain_name_servers = "1.1.1.1 $(reboot) 2.2.2.2 ::1 3.3.3.3 4.4.4.4 5.5.5.5";
    expect(used({ domain_name_servers })?.dns).toEqual([
      "1.1.1.1",
      "2.2.2.2",
      "3.3.3.3",
      "4.4.4.4",
    ]);
  });

  it("without an address is none", () => {
    expect(used({ ip_address: undefined })).toBeNull();
    expect(used({ ip_address: "203.0.113.20\n" })).toBeNull();
    for (const text of ["", "null", "7", "{"]) expect(parseReport(text)).toBeNull();
  });

  it("of the client before is used on for ten minutes", () => {
    for (const address of ["203.0.113.20/24", "203.0.113.20/32", "203.0.113.20/29"]) {
      const lease = { address, gateway: "203.0.113.21", dns: ["192.0.2.53"] };
      expect(leaseOf(reportOf(lease, 50), 649)).toEqual(lease);
      expect(leaseOf(reportOf(lease, 50), 650)).toBeNull();
    }
  });
});

describe("the program of the client's events", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "weft-lease-"));
    writeFileSync(join(folder, "event.cjs"), eventProgram(folder), { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (reason: string, given: Record<string, string> = {}) => {
    const env = { PATH: process.env.PATH ?? "", interface: "wan2", reason, ...given };
    const { status, stderr } = spawnSync(join(folder, "event.cjs"), { env, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  };
  const file = () => join(folder, "wan2.json");
  const bound = { new_ip_address: "203.0.113.20", new_subnet_mask: "255.255.255.0" };

  it("writes texts of the server down and runs none of them", () => {
    const hostile = `$(touch ${folder}/a) \`touch ${folder}/b\`; touch ${folder}/c\n"'\\`;
    run("BOUND", {
      ...bound,
      new_routers: hostile,
      new_domain_name_servers: hostile,
      new_host_name: hostile,
      new_interface: "../x",
      new_reason: "NAK",
    });
    expect(readdirSync(folder).sort()).toEqual(["event.cjs", "wan2.json"]);
    expect(parseReport(readFileSync(file(), "utf8"))).toMatchObject({
      ip_address: "203.0.113.20",
      routers: hostile,
    });
  });

  it("keeps the lease when the client ends or the cable is out, and drops it when it is refused", () => {
    run("REBOOT", bound);
    for (const reason of [
      "NOCARRIER",
      "EXPIRE",
      "CARRIER",
      "STOP",
      "STOPPED",
      "PREINIT",
      "DEPARTED",
    ])
      run(reason, { ifcarrier: "down", old_ip_address: "203.0.113.20" });
    expect(existsSync(file())).toBe(true);
    run("NAK");
    expect(existsSync(file())).toBe(false);
  });
});
