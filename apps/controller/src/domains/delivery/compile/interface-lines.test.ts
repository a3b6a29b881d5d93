import { expect, test } from "vitest";
import { compile, type NodeView } from "./compile.ts";

const line = {
  ...({ interfaceName: "wan1", addressing: "dhcp", ip: null, gateway: null, mtu: 1_420 } as const),
  slot: 1,
  address: null,
  up: null,
  down: 40_000,
};
const lan = (network: string) => ({
  interfaceName: "lan1",
  network,
  network6: null,
  vlan: null,
  enableForward: true,
  enableDirect: true,
});
const interfaceLine = (id: number, fields: object) => ({
  id,
  name: `line ${id}`,
  accessposition: null,
  interfaceId: null,
  accessType: 0,
  ip: null,
  vlan: null,
  mtu: null,
  upBandwidth: null,
  downBandwidth: null,
  dhcpStart: null,
  dhcpEnd: null,
  ...fields,
});
const view = (...routerInterfaceline: { id: number }[]): NodeView => ({
  node: {
    id: 3,
    kind: "cpe",
    name: "site",
    lines: [line],
    routes: [],
    sections: [lan("10.1.1.1/24"), lan("10.2.1.1/24")],
  },
  links: [],
  peers: new Map(),
  policy: { routerInterfaceline },
  site: { rules: [], blocked: [], restart: "close", drift: null, givesAddresses: true },
  capabilities: ["shaping", "dns.entries", "lan.dhcp"].map((name) => ({ name, can: true })),
});

test("a WAN interface line gives the link of its slot a rate that it has not", () => {
  const given = interfaceLine(1, { kind: "wan", accessposition: 1, upBandwidth: 8_000 });
  expect(compile(view(given)).shaping).toEqual({
    up: 8_000,
    down: 40_000,
    lines: [{ slot: 1, up: 8_000 }],
  });
  expect(compile(view()).shaping).toEqual({ up: null, down: 40_000, lines: [] });
});

test("a LAN interface line gives the LAN that has all of its range these addresses", () => {
  const given = interfaceLine(1, { kind: "lan", dhcpStart: "10.2.1.50", dhcpEnd: "10.2.1.60" });
  const at = (address: string, first: string, last: string) => ({
    interfaceName: "lan1",
    address,
    first,
    last,
  });
  expect(compile(view(given)).dns?.ranges).toEqual([
    at("10.1.1.1/24", "10.1.1.128", "10.1.1.254"),
    at("10.2.1.1/24", "10.2.1.50", "10.2.1.60"),
  ]);
});
