import { describe, expect, it } from "vitest";
import { defaultRange, rangeObstacle } from "./dhcp-range.ts";

describe("the range of a LAN without one of its own", () => {
  it.each([
    ["10.1.1.1/24", "10.1.1.128", "10.1.1.254"],
    ["10.1.1.200/24", "10.1.1.128", "10.1.1.254"],
    ["10.0.0.1/8", "10.128.0.0", "10.128.3.231"],
    ["192.168.0.1/29", "192.168.0.4", "192.168.0.6"],
    ["192.168.0.1/30", "192.168.0.2", "192.168.0.2"],
    ["192.168.0.2/30", "192.168.0.1", "192.168.0.1"],
  ])("of %s is %s to %s", (own, first, last) => expect(defaultRange(own)).toEqual({ first, last }));

  it.each(["10.1.1.1/31", "10.1.1.1/32", "fd00::1/64"])("of %s there is none", (own) =>
    expect(defaultRange(own)).toBeNull(),
  );
});

describe("addresses that a LAN gives its hosts", () => {
  const lan = { network: "10.1.1.1/24", ownAddresses: ["10.1.1.20"] };
  it.each([
    ["10.1.1.2", "10.1.1.19", null],
    ["10.1.1.9", "10.1.1.9", null],
    ["10.1.0.250", "10.1.1.9", { at: "first", rule: "outsideSection", address: "10.1.0.250" }],
    ["10.1.1.250", "10.1.2.9", { at: "last", rule: "outsideSection", address: "10.1.2.9" }],
    ["10.1.1.9", "10.1.1.8", { at: "last", rule: "order", address: "10.1.1.8" }],
    ["10.1.1.1", "10.1.1.9", { at: "first", rule: "rangeHas", address: "10.1.1.1" }],
    ["10.1.1.2", "10.1.1.99", { at: "first", rule: "rangeHas", address: "10.1.1.20" }],
    ["10.1.1.0", "10.1.1.0", { at: "first", rule: "rangeHas", address: "10.1.1.0" }],
    ["10.1.1.200", "10.1.1.255", { at: "first", rule: "rangeHas", address: "10.1.1.255" }],
  ])("%s to %s: %j", (first, last, found) =>
    expect(rangeObstacle({ first, last }, lan)).toEqual(found),
  );

  it("are none of a network without room for a host beside the device", () => {
    const pair = { network: "10.1.1.1/31", ownAddresses: [] };
    expect(rangeObstacle({ first: "10.1.1.0", last: "10.1.1.0" }, pair)?.rule).toBe("rangeHas");
  });
});
