import { describe, expect, test } from "vitest";
import { lanRangeFindings } from "./lan-ranges.ts";

const capabilities = [{ name: "lan.dhcp", can: true }];
const section = {
  id: 4,
  network: "10.1.1.1/24",
  vlan: null,
  range: { first: "10.1.1.50", last: "10.1.1.60" },
};
const context = { capabilities, isBypass: false, givesAddresses: true };

describe("addresses that a LAN section is to give its hosts", () => {
  test("act where the device assigns addresses, and have no finding without ranges", () => {
    expect(lanRangeFindings([section], context)).toEqual([]);
    const off = { ...context, givesAddresses: false };
    expect(lanRangeFindings([{ ...section, range: null }], off)).toEqual([]);
    expect(lanRangeFindings([section], { ...off, capabilities: null })).toEqual([]);
  });

  test.each([
    ["DHCP is off", {}, { givesAddresses: false }, "dhcpOff"],
    ["it is beside the gateway", {}, { isBypass: true }, "bypass"],
    ["the device cannot", {}, { capabilities: [] }, "notCarriedOut"],
    ["the section is tagged", { vlan: 7 }, {}, "fieldNotCarriedOut"],
  ])("do not where %s", (_, of, at, reason) => {
    expect(lanRangeFindings([{ ...section, ...of }], { ...context, ...at })).toEqual([
      expect.objectContaining({ family: "lansection", objectId: 4, name: "10.1.1.1/24", reason }),
    ]);
  });
});
