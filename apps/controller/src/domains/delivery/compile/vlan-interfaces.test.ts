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

describe("the tag of a card", () => {
  const acting = [...able, { name: "policy.routerInterface", can: true, reason: null }];
  const card = (netcard: string, vlan: number | null) => ({
    id: 1,
    netcard,
    name: netcard,
    enable: true,
    vlan,
    mtu: null,
  });
  const interfacesOf = (given: Parameters<typeof withVlanInterfaces>[0]) =>
    withVlanInterfaces(given).node.sections.map(({ interfaceName }) => interfaceName);
  const tagged = (vlan: number, capabilities = acting) => ({
    ...view(capabilities),
    policy: { routerInterface: [card("eth2", vlan)] },
  });

  test("is that of the LAN sections on it that have none", () => {
    expect(interfacesOf(tagged(44))).toEqual(["eth2.30", "eth2.30", "eth2.44", "eth3.7"]);
    expect(vlansOf(withVlanInterfaces(tagged(44)))).toContainEqual({
      interfaceName: "eth2.44",
      parent: "eth2",
      tag: 44,
    });
    const once = withVlanInterfaces(tagged(44));
    expect(withVlanInterfaces(once)).toBe(once);
    // In the VLAN of another section of the card they share its interface.
    expect(interfacesOf(tagged(30))).toEqual(["eth2.30", "eth2.30", "eth2.30", "eth3.7"]);
  });

  test("comes from the version of the template, which a card of the node's own replaces", () => {
    const template = {
      templateId: 1,
      version: 1,
      content: { router_interface: [card("eth2", 44)] },
    };
    expect(interfacesOf({ ...view(acting), template })[2]).toBe("eth2.44");
    const policy = { routerInterface: [{ ...card("eth2", null), mtu: 1_400 }] };
    expect(interfacesOf({ ...view(acting), template, policy })[2]).toBe("eth2");
  });

  test("does not act on a device that cannot, and never on the interface of a WAN link", () => {
    expect(interfacesOf(tagged(44, able))[2]).toBe("eth2");
    const wan = { lines: [{ interfaceName: "eth2.44" }], sections: tagged(44).node.sections };
    expect(interfacesOf({ ...tagged(44), node: wan })[2]).toBe("eth2");
  });
});
