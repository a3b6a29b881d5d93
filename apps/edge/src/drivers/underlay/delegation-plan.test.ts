import type { LanInterface } from "@weft/contract/device/v1/lan-interfaces.ts";
import type { UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import { expect, test } from "vitest";
import { delegatedPrefixes, divide, ownOfPrefix, prefixClaims } from "./delegation.ts";
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
const lan = (number: number, slot: number, subnet: number | null): LanInterface => ({
  interfaceName: `lan${number}`,
  vlan: 0,
  addresses: [`10.${number}.1.1/24`],
  ipv6: { slot, subnet },
});
const lease = (prefix: string) => ({ address: null, gateway: null, prefix: held(prefix) });
const none = { lans: [], closed: [] };
const given = (leases: Ipv6Leases, lans: readonly LanInterface[]) => {
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

test("a prefix with a network of another line in it is not divided, whoever gave that one", () => {
  const prefix = "2001:db8:f000::/48";
  const both = [line(1), line(2)];
  const other = (address: string) => ({
    wan1: lease(prefix),
    wan2: { address: held(address), gateway: null, prefix: null },
  });
  expect(delegatedPrefixes(both, other("2001:db8:f001::2/64"), none)).toHaveLength(1);
  for (const address of ["2001:db8:f000:7::2/64", "2001:db8:f000:7::2/128"]) {
    expect(delegatedPrefixes(both, other(address), none)).toEqual([]);
    expect(prefixClaims(both, other(address), none)).toEqual([
      { interfaceName: "wan1", prefix, network: address },
    ]);
  }
  const ip = "2001:db8:f000:7::2/64";
  const fixed = { ...line(2), ipv6: { mode: "static" as const, ip, gateway: "fe80::1" } };
  expect(delegatedPrefixes([line(1), fixed], { wan1: lease(prefix) }, none)).toEqual([]);
});

test("a prefix with an address in it that tunnels or the device call is not divided", () => {
  const leases = { wan1: lease("2001:db8:f000::/56") };
  const own = { ...none, ends: ["2001:db8:f000:1::99"] };
  expect(delegatedPrefixes([line(1)], leases, own)).toEqual([]);
  expect(prefixClaims([line(1)], leases, own)).toMatchObject([
    { network: "2001:db8:f000:1::99/128" },
  ]);
  const managed = { ...none, controllers: ["2001:db8:f000:1::99", "192.0.2.1"] };
  expect(delegatedPrefixes([line(1)], leases, managed)).toEqual([]);
  const outside = { ...none, ends: ["2001:db8:f001::99"] };
  expect(delegatedPrefixes([line(1)], leases, outside)).toHaveLength(1);
});

test("a network of its prefix that the line itself is in goes to no LAN", () => {
  const at = (address: string) => ({
    wan1: { address: held(address), gateway: null, prefix: held("2001:db8:f000::/60") },
  });
  expect(given(at("2001:db8:f000::5/64"), [lan(0, 1, null), lan(1, 1, 0)])).toEqual([
    ["lan0 2001:db8:f000:1::1/64"],
    ["lan1 prefixTooSmall"],
  ]);
  expect(given(at("2001:db8:f000:2::5/128"), [lan(0, 1, null), lan(1, 1, 2)])).toEqual([
    ["lan0 2001:db8:f000::1/64"],
    ["lan1 prefixTooSmall"],
  ]);
});

test("a line without an address of its own has one of the last network", () => {
  expect(ownOfPrefix(held("2001:db8:f000::/56")).value).toBe("2001:db8:f000:ff::ffff/128");
  expect(ownOfPrefix(held("2001:db8:f000::/64")).value).toBe("2001:db8:f000::ffff/128");
});
