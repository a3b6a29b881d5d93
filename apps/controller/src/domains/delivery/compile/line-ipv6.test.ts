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

test("an edge that does not know of it is sent the same lines as before", () => {
  const without = compile(view([], line(1), line(2)));
  expect(compile(view([], line(1, fixed), line(2, automatic)))).toEqual(without);
});
