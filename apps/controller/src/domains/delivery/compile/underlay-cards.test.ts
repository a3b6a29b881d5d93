import { expect, test } from "vitest";
import { cardsOf } from "./compile.ts";
import type { PolicyView } from "./policy-section.ts";

const card = (id: number, netcard: string, fields: object = {}) => ({
  id,
  netcard,
  name: netcard,
  enable: true,
  vlan: null,
  mtu: null,
  ...fields,
});
const able = [{ name: "policy.routerInterface", can: true }];
const view = (
  routerInterface: ReturnType<typeof card>[],
  capabilities: PolicyView["capabilities"] = able,
): PolicyView => ({
  node: {
    id: 1,
    lines: [1, 2].map((slot) => ({ slot, interfaceName: `wan${slot}` })),
    sections: [
      {
        network: "10.1.1.1/24",
        network6: "fd57:1::1/64",
        vlan: null,
        interfaceName: "lan1",
      },
    ],
  },
  links: [],
  policy: { routerInterface },
  capabilities,
});

test("cards of which something is set are sent to devices that can, without what cannot act", () => {
  const rows = [
    card(1, "wan2", { enable: false }),
    card(2, "lan1", { mtu: 1_200 }),
    card(3, "lan2", { mtu: 1_400, vlan: 7 }),
    card(4, "lan3"),
    card(5, "lan4", { vlan: 7 }),
  ];
  expect(cardsOf(view(rows))).toEqual([
    { interfaceName: "lan2", off: false, mtu: 1_400 },
    { interfaceName: "wan2", off: true, mtu: null },
  ]);
  expect(cardsOf(view(rows, null))).toEqual([]);
  expect(cardsOf(view(rows, []))).toEqual([]);
});

test("cards without which the device would have no WAN link stay on", () => {
  const off = [card(1, "wan1", { enable: false, mtu: 1_300 }), card(2, "wan2", { enable: false })];
  expect(cardsOf(view(off))).toEqual([{ interfaceName: "wan1", off: false, mtu: 1_300 }]);
});
