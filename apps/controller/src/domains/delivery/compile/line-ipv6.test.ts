import { expect, test } from "vitest";
import { compile, type NodeView, type ViewLine } from "./compile.ts";

const line = (slot: number, ipv6?: ViewLine["ipv6"]): ViewLine => ({
  slot,
  interfaceName: `wan${slot}`,
  addressing: "dhcp",
  ip: null,
  gateway: null,
  mtu: 1_420,
  address: null,
  ...(ipv6 && { ipv6 }),
});
const view = (capabilities: readonly string[], ...lines: ViewLine[]): NodeView => ({
  node: { id: 3, kind: "cpe", name: "site", lines, routes: [], sections: [] },
  links: [],
  peers: new Map(),
  capabilities: capabilities.map((name) => ({ name, can: true })),
});
const fixed = { mode: "static", ip: "2001:db8:1::2/64", gateway: "fe80::1" } as const;
const automatic = { mode: "auto", ip: null, gateway: null } as const;
const off = { mode: "off", ip: null, gateway: null } as const;

test("IPv6 of a line is sent as it is set", () => {
  const all = view(["wan.ipv6"], line(1, fixed), line(2, automatic), line(3, off), line(4));
  expect(compile(all).underlay.lines.map(({ ipv6 }) => ipv6)).toEqual([
    fixed,
    { mode: "auto" },
    undefined,
    undefined,
  ]);
});

const section = (network: string, ipv6: { slot: number; subnet: number | null } | null) => ({
  interfaceName: "lan1",
  network,
  network6: null,
  vlan: null,
  enableForward: true,
  enableDirect: true,
  ipv6,
});
const delegated = { mode: "delegated", ip: null, gateway: null, length: 56 } as const;

test("devices that divide a prefix request it, and the LAN service advertises it", () => {
  const of = (capabilities: readonly string[]) => {
    const all = view(capabilities, line(1, delegated));
    const sections = [section("10.1.1.1/24", null), section("10.1.2.1/24", { slot: 1, subnet: 3 })];
    return compile({ ...all, node: { ...all.node, sections } });
  };
  const able = of(["wan.ipv6", "lan.prefix"]);
  expect(able.underlay.lines[0]?.ipv6).toEqual({ mode: "delegated", length: 56 });
  expect(able.underlay.lans.map(({ ipv6 }) => ipv6)).toEqual([undefined, { slot: 1, subnet: 3 }]);
  expect(able.dns).toEqual({ answers: [], servers: [], denied: [], ranges: [] });
  const earlier = of(["wan.ipv6"]);
  expect(earlier.underlay.lines[0]?.ipv6).toEqual({ mode: "auto" });
  expect(earlier.underlay.lans.map(({ ipv6 }) => ipv6)).toEqual([undefined, undefined]);
  expect(earlier.dns).toBeUndefined();
});

test("an edge without the capability is sent the same lines as before", () => {
  const without = compile(view([], line(1), line(2)));
  expect(compile(view([], line(1, fixed), line(2, automatic)))).toEqual(without);
});
