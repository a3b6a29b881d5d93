import type { DnsSection } from "@weft/contract/device/v1/dns.ts";
import { describe, expect, it } from "vitest";
import { cpeState } from "../../../test/states.ts";
import { pickDns, planDns } from "./plan.ts";
import { nameserversOf, renderServers } from "./render.ts";

const paths = {
  config: "/run/c",
  servers: "/run/s",
  sets: "/run/n",
  pid: "/run/p",
  leases: "/data/l",
};
const none: DnsSection = { answers: [], servers: [], denied: [], ranges: [] };
const configOf = (dns: Partial<DnsSection>): string[] =>
  pickDns({ ...cpeState(), dns: { ...none, ...dns } }, paths)?.config.split("\n") ?? [];

describe("the configuration of a site's resolver", () => {
  it("binds LANs only, and opens no port of DHCP without a range", () => {
    const lines = configOf({ answers: [{ domain: "a.example", address: "10.1.7.9" }] });
    expect(lines).toEqual(expect.arrayContaining(["bind-dynamic", "except-interface=lo"]));
    expect(lines.filter((line) => line.startsWith("interface="))).toEqual(["interface=lan1"]);
    expect(lines.filter((line) => line.startsWith("dhcp"))).toEqual([]);
  });

  it("forwards no name with a static answer, unless it has a server as well", () => {
    const answers = ["a.example", "b.example"].map((domain) => ({ domain, address: "10.1.7.9" }));
    const lines = configOf({ answers, servers: [{ domain: "b.example", address: "10.1.7.8" }] });
    expect(lines.filter((line) => /^(local|address|server)=/.test(line))).toEqual([
      "local=/a.example/",
      "address=/a.example/10.1.7.9",
      "address=/b.example/10.1.7.9",
      "server=/b.example/10.1.7.8",
    ]);
  });

  it("denies a name for both families, and reaches a server in the space from the LAN's address", () => {
    const lines = configOf({
      denied: ["bad.example"],
      servers: [{ domain: "corp.example", address: "10.1.8.53" }],
    });
    expect(lines).toContain("address=/bad.example/");
    expect(lines).toContain("server=/corp.example/10.1.8.53@10.1.7.1");
  });

  it("gives addresses of the network's range with its own router and mask", () => {
    const range = { interfaceName: "lan1", address: "10.1.7.1/20" };
    const lines = configOf({ ranges: [{ ...range, first: "10.1.8.0", last: "10.1.8.99" }] });
    expect(lines.filter((line) => line.startsWith("dhcp"))).toEqual([
      "dhcp-leasefile=/data/l",
      "dhcp-lease-max=100",
      "dhcp-range=set:r0,10.1.8.0,10.1.8.99,255.255.240.0,43200",
      "dhcp-option=tag:r0,option:router,10.1.7.1",
      "dhcp-option=tag:r0,option:dns-server,10.1.7.1",
    ]);
  });

  it("keeps addresses for hosts in networks that it serves, also outside of their ranges", () => {
    const range = { interfaceName: "lan1", address: "10.1.7.1/24" };
    const lines = configOf({
      ranges: [{ ...range, first: "10.1.7.128", last: "10.1.7.129" }],
      reservations: [
        { mac: "02:00:00:00:00:07", address: "10.1.7.9", name: "till-7" },
        { mac: "02:00:00:00:00:08", address: "10.1.7.129", name: null },
        { mac: "02:00:00:00:00:09", address: "10.1.9.9", name: null },
      ],
    });
    expect(lines).toContain("dhcp-lease-max=5");
    expect(lines.filter((line) => line.startsWith("dhcp-host"))).toEqual([
      "dhcp-host=02:00:00:00:00:07,10.1.7.9,till-7",
      "dhcp-host=02:00:00:00:00:08,10.1.7.129",
    ]);
  });

  it("gives none in a LAN that the device does not have", () => {
    const range = { interfaceName: "lan9", address: "10.9.7.1/24" };
    const lines = configOf({ ranges: [{ ...range, first: "10.9.7.9", last: "10.9.7.99" }] });
    expect(lines.filter((line) => line.startsWith("dhcp"))).toEqual([]);
  });
});

describe("servers of all other names", () => {
  const base = { lines: ["wan1", "wan2"], inner: ["10.1.7.0/24"], own: ["192.0.2.53", "10.1.7.1"] };
  const lease = (dns: string[]) => ({ address: "198.51.100.9/24", gateway: null, dns });

  it("are those of the leases by their lines, and the device's own for a line without", () => {
    expect(
      renderServers({ ...base, leases: { wan2: lease(["203.0.113.1", "2001:db8::1"]) } }),
    ).toBe("server=203.0.113.1@wan2\nserver=2001:db8::1@wan2\nserver=192.0.2.53\n");
    const both = { wan1: lease(["203.0.113.1"]), wan2: lease(["203.0.113.2"]) };
    expect(renderServers({ ...base, leases: both })).not.toContain("192.0.2.53");
  });

  it("are none that is no address, or of the LANs themselves", () => {
    const hostile = ["10.1.7.9", "1.2.3.4@lo", "x\nserver=/a/1.1.1.1", ""];
    expect(renderServers({ ...base, own: [], leases: { wan1: lease(hostile) } })).toBe("");
  });

  it("are read from a file as resolv.conf has them", () => {
    const text =
      "# nameserver 9.9.9.9\nnameserver 192.0.2.1\n nameserver 2001:db8::1 \noptions x\n";
    expect(nameserversOf(text)).toEqual(["192.0.2.1", "2001:db8::1"]);
  });
});

describe("the plan", () => {
  const part = pickDns({ ...cpeState(), dns: none }, paths);
  const config = part?.config ?? null;
  const found = { running: config, config, isThere: true, failed: null };

  it("is empty while the program runs as it should, and while it cannot", () => {
    expect(planDns(part, found)).toEqual([]);
    expect(planDns(part, { ...found, running: null, failed: config })).toEqual([]);
    expect(planDns(null, { ...found, running: null, config: null, isThere: false })).toEqual([]);
  });

  it("serves what is wanted now, and ends what is not wanted", () => {
    expect(planDns(part, { ...found, running: null })).toMatchObject([{ kind: "serve" }]);
    expect(planDns(part, { ...found, config: "other" })).toMatchObject([{ kind: "serve" }]);
    expect(planDns(part, { ...found, running: null, failed: "other" })).toMatchObject([
      { kind: "serve" },
    ]);
    expect(planDns(null, found)).toMatchObject([{ kind: "end" }]);
  });
});
