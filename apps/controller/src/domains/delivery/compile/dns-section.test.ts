import { describe, expect, it } from "vitest";
import { dnsSectionOf } from "./dns-section.ts";

const lan = (network: string, vlan: number | null = null) => ({
  interfaceName: "lan1",
  network,
  vlan,
});
const view = (...capabilities: string[]) => ({
  node: { sections: [lan("10.1.1.1/24"), lan("10.2.1.1/31"), lan("10.3.1.1/24", 7)] },
  site: {
    givesAddresses: true,
    names: [
      { type: 1, domain: "corp.example", address: "10.9.0.53" },
      { type: 0, domain: "ERP.example", address: "10.1.1.20" },
    ] as const,
  },
  capabilities: capabilities.map((name) => ({ name, can: true })),
});

describe("what a site serves its LANs", () => {
  it("is names by their kind, and the range of each LAN with room for hosts", () => {
    expect(dnsSectionOf(view("dns.entries", "lan.dhcp"))).toEqual({
      answers: [{ domain: "erp.example", address: "10.1.1.20" }],
      servers: [{ domain: "corp.example", address: "10.9.0.53" }],
      denied: [],
      ranges: [
        {
          interfaceName: "lan1",
          address: "10.1.1.1/24",
          first: "10.1.1.128",
          last: "10.1.1.254",
        },
      ],
    });
  });

  it("gives hosts of a LAN section the addresses that it names, before those of policies", () => {
    const all = view("lan.dhcp");
    const own = { first: "10.1.1.50", last: "10.1.1.60" };
    const node = { sections: [{ ...lan("10.1.1.1/24"), range: own }, lan("10.2.1.1/24")] };
    const ofPolicies = { first: "10.2.1.9", last: "10.2.1.9" };
    expect(dnsSectionOf({ ...all, node }, [], () => ofPolicies)?.ranges).toEqual([
      { interfaceName: "lan1", address: "10.1.1.1/24", ...own },
      { interfaceName: "lan1", address: "10.2.1.1/24", ...ofPolicies },
    ]);
  });

  it("is only what the device can, and nothing before it has reported", () => {
    expect(dnsSectionOf(view("dns.entries"))?.ranges).toEqual([]);
    expect(dnsSectionOf(view("lan.dhcp"))?.answers).toEqual([]);
    expect(dnsSectionOf(view())).toBeNull();
    expect(dnsSectionOf({ ...view("dns.entries"), capabilities: null })).toBeNull();
  });

  it("denies blacklisted names and their subdomains despite DNS entries", () => {
    const all = view("dns.entries");
    const site = { ...all.site, deniedNames: ["Example", "ads.test", "ads.test"] };
    expect(dnsSectionOf({ ...all, site })).toEqual({
      answers: [],
      servers: [],
      denied: ["ads.test", "example"],
      ranges: [],
    });
    const beside = { ...all.site, deniedNames: ["p.example"] };
    expect(dnsSectionOf({ ...all, site: beside })?.answers).toHaveLength(1);
  });

  it("keeps addresses for hosts of LANs that get theirs of the device, where the device can", () => {
    const all = view("lan.dhcp", "lan.reservations");
    const kept = {
      id: 1,
      isOwn: true,
      mac: "02:00:00:00:00:01",
      address: "10.1.1.9",
      name: "till",
    };
    const site = {
      ...all.site,
      names: [],
      reservations: [kept, { ...kept, id: 2, mac: "02:00:00:00:00:02", address: "10.3.1.9" }],
    };
    const { id: _, isOwn: __, ...sent } = kept;
    expect(dnsSectionOf({ ...all, site })?.reservations).toEqual([sent]);
    const { capabilities } = view("lan.dhcp");
    expect(dnsSectionOf({ ...all, site, capabilities })).not.toHaveProperty("reservations");
    const off = { ...site, givesAddresses: false };
    expect(dnsSectionOf({ ...all, site: off })).toBeNull();
  });

  it("is nothing without a LAN, and without a setting of it", () => {
    const all = view("dns.entries", "lan.dhcp");
    expect(dnsSectionOf({ ...all, node: { sections: [] } })).toBeNull();
    expect(dnsSectionOf({ ...all, site: { names: [], givesAddresses: false } })).toBeNull();
  });
});
