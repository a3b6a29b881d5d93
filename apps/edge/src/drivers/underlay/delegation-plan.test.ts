import type { UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import { expect, test } from "vitest";
import { delegatedPrefixes, divide, ownOfPrefix } from "./delegation.ts";
import type { Ipv6Leases } from "./ipv6-state.ts";

const times = { preferredUntil: 100, validUntil: 200 };
const held = (value: string) => ({ value, ...times });
const line = (slot: number): UnderlaySection["lines"][number] => ({
  slot,
  interfaceName: `wan${slot}`,
  addressing: "dhcp",
  ip: null,
  gateway: null,
  ipv6: { mode: "delegated", length: null },
});
const lan = (
  number: number,
  slot: number,
  subnet: number | null,
): UnderlaySection["lans"][number] => ({
  interfaceName: `lan${number}`,
  vlan: 0,
  addresses: [`10.${number}.1.1/24`],
  ipv6: { slot, subnet },
});
const lease = (prefix: string) => ({ address: null, gateway: null, prefix: held(prefix) });
const none = { lans: [], closed: [] };
const given = (leases: Ipv6Leases, lans: UnderlaySection["lans"]) => {
  const found = divide(lans, delegatedPrefixes([line(1), line(2)], leases, none));
  return [
    found.lans.map(({ interfaceName, address }) => `${interfaceName} ${address.value}`),
    found.without.map(({ interfaceName, reason }) => `${interfaceName} ${reason}`),
  ];
};

test("LANs get the networks that they name, and others those that are left", () => {
  expect(
    given({ wan1: lease("2001:db8:f000::/56") }, [
      lan(0, 1, null),
      lan(1, 1, 0),
      lan(2, 1, null),
      lan(3, 1, 255),
    ]),
  ).toEqual([
    [
      "lan0 2001:db8:f000:1::1/64",
      "lan1 2001:db8:f000::1/64",
      "lan2 2001:db8:f000:2::1/64",
      "lan3 2001:db8:f000:ff::1/64",
    ],
    [],
  ]);
});

test("a prefix has as many networks as it has, and each of them once", () => {
  expect(given({ wan1: lease("2001:db8:f000::/64") }, [lan(0, 1, null), lan(1, 1, null)])).toEqual([
    ["lan0 2001:db8:f000::1/64"],
    ["lan1 prefixTooSmall"],
  ]);
  expect(given({ wan1: lease("2001:db8:f000::/63") }, [lan(0, 1, 1), lan(1, 1, 1)])).toEqual([
    ["lan0 2001:db8:f000:1::1/64"],
    ["lan1 prefixTooSmall"],
  ]);
});

test("a LAN has the network of its own line alone", () => {
  expect(given({ wan2: lease("2001:db8:f200::/60") }, [lan(0, 1, null), lan(1, 2, null)])).toEqual([
    ["lan1 2001:db8:f200::1/64"],
    ["lan0 noPrefix"],
  ]);
});

test("a prefix that overlaps the space, a LAN or that of another line is not divided", () => {
  const leases = { wan1: lease("2001:db8:f000::/56"), wan2: lease("2001:db8:f000:80::/60") };
  const prefixes = (own: { lans: string[]; closed: string[] }) =>
    delegatedPrefixes([line(1), line(2)], leases, own).map(({ slot }) => slot);
  expect(prefixes({ lans: [], closed: [] })).toEqual([1]);
  expect(prefixes({ lans: [], closed: ["2001:db8:f000:1::/64"] })).toEqual([2]);
  expect(prefixes({ lans: ["2001:db8::1/32"], closed: [] })).toEqual([]);
});

test("a line without an address of its own has one of the last network", () => {
  expect(ownOfPrefix(held("2001:db8:f000::/56")).value).toBe("2001:db8:f000:ff::ffff/128");
  expect(ownOfPrefix(held("2001:db8:f000::/64")).value).toBe("2001:db8:f000::ffff/128");
});
