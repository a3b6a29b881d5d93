import { describe, expect, test } from "vitest";
import { policyContextOf } from "./policy-section.ts";
import { vlansOf, withVlanInterfaces } from "./vlan-interfaces.ts";

const able = [{ name: "vlan", can: true, reason: null }];
const view = (capabilities: typeof able | null) => ({
  node: {
    lines: [{ interfaceName: "eth1.20" }, { interfaceName: "eth0" }],
    sections: [
      { interfaceName: "eth2", vlan: 30, network: "10.30.0.1/24" },
      { interfaceName: "eth2", vlan: 30, network: "10.31.0.1/24" },
      { interfaceName: "eth2", vlan: null, network: "10.1.0.1/24" },
      { interfaceName: "eth3.7", vlan: 0, network: "10.7.0.1/24" },
    ],
  },
  capabilities,
});

describe("LAN sections with a tag", () => {
  test("are on the interface of their VLAN for a device that makes it", () => {
    const { node } = withVlanInterfaces(view(able));
    expect(node.sections.map(({ interfaceName, vlan }) => [interfaceName, vlan])).toEqual([
      ["eth2.30", null],
      ["eth2.30", null],
      ["eth2", null],
      ["eth3.7", 0],
    ]);
    expect(vlansOf(withVlanInterfaces(view(able)))).toEqual([
      { interfaceName: "eth1.20", parent: "eth1", tag: 20 },
      { interfaceName: "eth2.30", parent: "eth2", tag: 30 },
      { interfaceName: "eth3.7", parent: "eth3", tag: 7 },
    ]);
  });

  test("stay as they are for a device that makes none, or has not reported", () => {
    for (const capabilities of [null, [{ name: "vlan", can: false, reason: null }]]) {
      const given = view(capabilities);
      expect(withVlanInterfaces(given)).toBe(given);
      expect(vlansOf(given)).toEqual([]);
    }
  });

  test("are carried by their cards, as policies of the cards have to know", () => {
    const { wanCards, connected, lans } = policyContextOf({
      node: {
        id: 1,
        lines: [{ slot: 1, interfaceName: "eth1.20", ip: "192.0.2.2/24" }],
        sections: [
          { interfaceName: "enx0242ac110002", vlan: 30, network: "10.30.0.1/24", network6: null },
        ],
      },
      links: [],
      capabilities: able,
    });
    expect(wanCards).toEqual(["eth1"]);
    expect(lans).toMatchObject([
      { interfaceName: "v30-242ac110002", vlanInterface: { tag: 30 }, network: "10.30.0.1/24" },
    ]);
    expect(connected).toEqual([
      { interfaceName: "eth1.20", card: "eth1", network: "192.0.2.2/24" },
      { interfaceName: "v30-242ac110002", card: "enx0242ac110002", network: "10.30.0.1/24" },
    ]);
  });

  test("are named once: a second reading of the view changes nothing", () => {
    const once = withVlanInterfaces(view(able));
    expect(withVlanInterfaces(once)).toBe(once);
  });
});
