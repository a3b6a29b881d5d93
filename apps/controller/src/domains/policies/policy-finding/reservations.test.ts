import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { expect, test } from "vitest";
import { keptReservations, reservationFindings } from "./reservations.ts";

const section = { network: "10.1.1.1/24", vlan: null, ownAddress: "10.1.1.2" };
const sections = [
  section,
  { network: "10.7.1.1/24", vlan: 7 },
  { network: "10.9.1.1/31", vlan: null },
];
const one = (id: number, address: string, more: object = {}) => ({
  id,
  isOwn: true,
  mac: `02:00:00:00:00:${id.toString(16).padStart(2, "0")}`,
  address,
  name: null,
  ...more,
});
const able = {
  capabilities: ["lan.dhcp", "lan.reservations"].map((name) => ({ name, can: true })),
  givesAddresses: true,
};
const reasons = (all: readonly ReturnType<typeof one>[], context: object = {}) =>
  reservationFindings(all, sections, { ...able, ...context }).map(({ objectId, reason }) => [
    objectId,
    reason,
  ]);

test("a reservation for which its LANs have no room left does not act, and reports why", () => {
  const all = [
    one(1, "10.1.1.20"),
    one(2, "10.2.1.20"),
    one(3, "10.1.1.1"),
    one(4, "10.1.1.2"),
    one(5, "10.1.1.255"),
    one(6, "10.7.1.20"),
    one(7, "10.9.1.0"),
  ];
  expect(keptReservations(all, sections).map(({ id }) => id)).toEqual([1]);
  expect(reasons(all)).toEqual([
    [2, "notInLan"],
    [3, "addressOfLan"],
    [4, "addressOfLan"],
    [5, "addressOfLan"],
    [6, "fieldNotCarriedOut"],
    [7, "notInLan"],
  ]);
});

test("without DHCP, beside the gateway and at a device that cannot, none of them acts", () => {
  const all = [one(1, "10.1.1.20")];
  expect(reasons(all)).toEqual([]);
  expect(reasons(all, { givesAddresses: false })).toEqual([[1, "dhcpOff"]]);
  expect(reasons(all, { givesAddresses: false, isBypass: true })).toEqual([[1, "bypass"]]);
  const old = [{ name: "lan.dhcp", can: true }];
  expect(reasons(all, { capabilities: old })).toEqual([[1, "notCarriedOut"]]);
  expect(reasons(all, { capabilities: null })).toEqual([]);
});

test("both devices of a standby group keep the addresses of either, their own first", () => {
  const mac = "02:00:00:00:00:77";
  const far = { isOwn: false, name: "Till" };
  const all = [
    one(1, "10.1.1.20", far),
    one(2, "10.1.1.21", { ...far, mac }),
    one(3, "10.1.1.22", { mac, name: "till" }),
    one(4, "10.1.1.20"),
  ];
  expect(keptReservations(all, sections).map(({ id, name }) => [id, name])).toEqual([
    [4, null],
    [3, "till"],
  ]);
  // Of the other device's own it is that one's list that says so.
  expect(reasons(all)).toEqual([]);
  const free = keptReservations([one(1, "10.1.1.9", far), one(2, "10.1.1.8")], sections);
  expect(free.map(({ id }) => id)).toEqual([2, 1]);
});

test("beyond what a device takes the last ones do not act", () => {
  const max = stateLimits.dhcpReservations;
  const wide = [{ network: "10.0.0.1/8", vlan: null }];
  const all = Array.from({ length: max + 1 }, (_, at) => ({
    id: at,
    isOwn: true,
    mac: `m${at}`,
    address: `10.8.${at >> 8}.${at & 255}`,
    name: null,
  }));
  expect(keptReservations(all, wide)).toHaveLength(max);
  expect(reservationFindings(all, wide, able)).toMatchObject([
    { objectId: max, reason: "tooMany", family: "dhcpReservation", level: "node" },
  ]);
});
