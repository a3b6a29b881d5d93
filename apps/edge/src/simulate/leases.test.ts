import { hostLease } from "@weft/contract/device/v1/leases.ts";
import { isWithin } from "@weft/contract/rules/address.ts";
import { describe, expect, it } from "vitest";
import { simulatedLeases } from "./leases.ts";

const range = {
  interfaceName: "lan1",
  address: "10.1.1.1/24",
  first: "10.1.1.100",
  last: "10.1.1.199",
};
const printer = { mac: "3c:2a:f4:00:00:01", address: "10.1.1.20", name: "printer-1" };
const hour = 3_600_000;

describe("leases of a simulated device", () => {
  it("are of the range, each another address and card, and hold", () => {
    const { items, total } = simulatedLeases(7, { ranges: [range] }, 100 * hour);
    expect(total).toBe(items.length);
    expect(total).toBeGreaterThan(4);
    for (const item of items) {
      expect(hostLease.parse(item)).toEqual(item);
      expect(isWithin("10.1.1.0/24", item.address)).toBe(true);
      expect(Number(item.address.split(".")[3])).toBeGreaterThanOrEqual(100);
      expect(item.until).toBeGreaterThan(100 * hour);
    }
    expect(new Set(items.map(({ address }) => address)).size).toBe(total);
    expect(new Set(items.map(({ mac }) => mac)).size).toBe(total);
  });

  it("have the host of a reservation at its address, and no other host there", () => {
    const inside = { ...printer, address: "10.1.1.100" };
    for (const kept of [printer, inside]) {
      const { items } = simulatedLeases(7, { ranges: [range], reservations: [kept] }, 0);
      expect(items.filter(({ address }) => address === kept.address)).toEqual([
        expect.objectContaining({ mac: printer.mac, name: "printer-1" }),
      ]);
    }
  });

  it("are the same hosts later, with leases that were renewed; of a small range as many as fit", () => {
    const hosts = (now: number) =>
      simulatedLeases(7, { ranges: [range] }, now).items.map(({ until: _, ...host }) => host);
    expect(hosts(0)).toEqual(hosts(900 * hour));
    const small = { ...range, last: range.first };
    expect(simulatedLeases(7, { ranges: [small] }, 0).total).toBe(1);
    expect(simulatedLeases(7, { ranges: [] }, 0).total).toBe(0);
  });
});
