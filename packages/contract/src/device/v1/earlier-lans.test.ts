import { expect, test } from "vitest";
import { joinLans, splitLans } from "#contract/device/v1/earlier-lans.ts";
import { type UnderlaySection, underlaySection } from "#contract/device/v1/underlay.ts";

/** Sections of a state as versions before wrote them: two sections of lan1, and one with a VLAN. */
const earlier = new Map<string, unknown>([
  [
    "underlay",
    {
      lines: [],
      lans: [
        {
          interfaceName: "lan1",
          vlan: 0,
          addresses: ["10.1.5.1/24", "10.1.6.1/24", "fd00:1:5::1/64"],
          ipv6: { slot: 1, subnet: null },
        },
        { interfaceName: "lan1", vlan: 7, addresses: ["10.1.7.1/24"] },
      ],
    },
  ],
  [
    "firewall",
    {
      wan: ["wan1"],
      lan: [
        {
          interfaceName: "lan1",
          networks: ["10.1.5.0/24", "10.8.0.0/16", "fd00:1:5::/64"],
          direct: true,
          forward: true,
          translated: true,
        },
        {
          interfaceName: "lan1",
          networks: ["10.1.6.0/24"],
          direct: false,
          forward: true,
          central: true,
        },
      ],
      tunnelPorts: [51_001],
    },
  ],
]);
const joined = new Map<string, unknown>([
  [
    "underlay",
    {
      lines: [],
      lans: [
        {
          interfaceName: "lan1",
          vlan: 0,
          network: "10.1.5.0/24",
          addresses: ["10.1.5.1/24", "fd00:1:5::1/64"],
          networks: ["10.1.5.0/24", "10.8.0.0/16", "fd00:1:5::/64"],
          direct: true,
          forward: true,
          translated: true,
          ipv6: { slot: 1, subnet: null },
        },
        {
          interfaceName: "lan1",
          vlan: 0,
          network: "10.1.6.0/24",
          addresses: ["10.1.6.1/24"],
          networks: ["10.1.6.0/24"],
          direct: false,
          forward: true,
          central: true,
        },
        {
          interfaceName: "lan1",
          vlan: 7,
          network: "10.1.7.0/24",
          addresses: ["10.1.7.1/24"],
          networks: ["10.1.7.0/24"],
          direct: false,
          forward: false,
        },
      ],
    },
  ],
  ["firewall", { wan: ["wan1"], tunnelPorts: [51_001] }],
]);

test("a LAN section is one entry, whichever form a state was stored in", () => {
  expect(joinLans(earlier)).toEqual(joined);
  expect(joinLans(joined)).toEqual(joined);
  expect(splitLans(joined)).toEqual(earlier);
});

test("of two sections with a network, as one of them is routed to by a router in the other, each has its own address", () => {
  const access = { interfaceName: "lan1", direct: true, forward: true };
  const routed = new Map<string, unknown>([
    [
      "underlay",
      {
        lines: [],
        lans: [{ interfaceName: "lan1", vlan: 0, addresses: ["10.1.6.1/24", "10.1.5.1/24"] }],
      },
    ],
    [
      "firewall",
      {
        wan: [],
        lan: [
          { ...access, networks: ["10.1.5.0/24", "10.1.6.0/24"] },
          { ...access, networks: ["10.1.6.0/24"], forward: false },
          // Of no address of the interface: no section that a device could have.
          { ...access, networks: ["10.1.9.0/24"] },
        ],
        tunnelPorts: [],
      },
    ],
  ]);
  const { lans } = joinLans(routed).get("underlay") as UnderlaySection;
  expect(lans.map(({ network, addresses, forward }) => ({ network, addresses, forward }))).toEqual([
    { network: "10.1.5.0/24", addresses: ["10.1.5.1/24"], forward: true },
    { network: "10.1.6.0/24", addresses: ["10.1.6.1/24"], forward: false },
  ]);
  expect(underlaySection.safeParse(joinLans(routed).get("underlay")).success).toBe(true);
});

test("sections without networks, as in the first states, let in what arrives on the interface", () => {
  const access = { interfaceName: "lan1", direct: false, forward: true };
  const first = new Map<string, unknown>([
    ...earlier,
    ["firewall", { wan: [], lan: [access, { ...access, direct: true }], tunnelPorts: [] }],
  ]);
  const { lans } = joinLans(first).get("underlay") as { lans: readonly object[] };
  expect(lans[0]).toEqual({
    interfaceName: "lan1",
    vlan: 0,
    network: "10.1.5.0/24",
    addresses: ["10.1.5.1/24", "10.1.6.1/24", "fd00:1:5::1/64"],
    direct: true,
    forward: true,
    ipv6: { slot: 1, subnet: null },
  });
  expect(lans).toHaveLength(2);
});

test("a part of a state that says nothing of LANs, or half of it, is left as it is", () => {
  const [half] = [new Map([["firewall", earlier.get("firewall")]])];
  expect(joinLans(half)).toBe(half);
  expect(joinLans(new Map([["node", {}]]))).toEqual(new Map([["node", {}]]));
});

test("an earlier form that breaks its schema gives no state", () => {
  const broken = new Map([
    ...earlier,
    ["firewall", { wan: [], lan: [{ zone: 7 }], tunnelPorts: [] }],
  ]);
  expect(() => joinLans(broken)).toThrow(/zone/);
});
