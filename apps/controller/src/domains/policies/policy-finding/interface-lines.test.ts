import { describe, expect, test } from "vitest";
import { mergePolicy, type PolicyRows } from "#domains/policies/merged/public.ts";
import { policyFindings } from "./findings.ts";
import { filledLine, rangeOfLan } from "./interface-lines.ts";
import type { PolicyContext } from "./verdict.ts";

type PolicyValues = PolicyRows[string][number];
const can = (...names: string[]) => names.map((name) => ({ name, can: true }));
const own = {
  slot: 1,
  interfaceName: "wan1",
  addressing: "dhcp" as const,
  ip: null,
  gateway: null,
  mtu: 1_420,
  up: null,
  down: 50_000,
};
const lans = [
  { interfaceName: "lan1", network: "10.1.1.1/24", network6: null },
  { interfaceName: "lan1", network: "10.2.1.1/24", network6: null },
];
const context = (more: Partial<PolicyContext> = {}): PolicyContext => ({
  capabilities: can("lan.dhcp"),
  slots: new Set([1]),
  lines: [own],
  lans,
  rates: { up: null, down: null },
  givesAddresses: true,
  heldAt: null,
  tunnelPorts: new Set<number>(),
  ...more,
});
const empty = {
  accessposition: null,
  interfaceId: null,
  accessType: 0,
  ip: null,
  mask: null,
  gateway: null,
  vlan: null,
  mtu: null,
  pppoeUser: "",
  upBandwidth: null,
  downBandwidth: null,
  lineQuality: 0,
  dhcpStart: null,
  dhcpEnd: null,
  hotStandbyGroup: null,
  hotStandbyPriority: null,
};
const wan = (id: number, fields: object = {}): PolicyValues => ({
  ...empty,
  id,
  name: `wan ${id}`,
  kind: "wan",
  accessposition: id,
  ...fields,
});
const lan = (id: number, fields: object = {}): PolicyValues => ({
  ...empty,
  id,
  name: `lan ${id}`,
  kind: "lan",
  accessType: 1,
  ...fields,
});
const cards = [
  { id: 7, name: "", netcard: "wan1", enable: true, vlan: null, mtu: null },
  { id: 8, name: "", netcard: "wan2", enable: true, vlan: null, mtu: null },
];
const merged = (...routerInterfaceline: PolicyValues[]) =>
  mergePolicy({ node: {}, template: { routerInterfaceline, routerInterface: cards } });
const reasons = (line: PolicyValues, at = context()) =>
  policyFindings(merged(line), at)
    .filter(({ family }) => family === "routerInterfaceline")
    .map(({ effect, reason, params }) => [effect, reason, ...Object.values(params)]);

describe("a WAN interface line", () => {
  test("gives the link of its slot the rates that it has not", () => {
    const lines = merged(wan(1, { upBandwidth: 8_000, downBandwidth: 40_000 }));
    expect(filledLine(lines, own)).toEqual({ ...own, up: 8_000 });
    expect(filledLine(lines, { ...own, slot: 2, down: null })).toMatchObject({
      up: null,
      down: null,
    });
    expect(reasons(wan(1, { upBandwidth: 8_000, interfaceId: 7 }))).toEqual([]);
  });

  test("makes the link of its slot a special line unless the link is one of another kind", () => {
    const lines = merged(wan(1, { lineQuality: 1 }));
    expect(filledLine(lines, { ...own, quality: 0 })).toMatchObject({ quality: 1 });
    expect(filledLine(lines, { ...own, quality: 2 })).toMatchObject({ quality: 2 });
    expect(filledLine(merged(wan(1)), own)).not.toHaveProperty("quality");
    const at = (quality: number) =>
      context({ capabilities: can("path.lines"), lines: [{ ...own, quality }] });
    expect(reasons(wan(1, { lineQuality: 1 }), at(0))).toEqual([]);
    expect(reasons(wan(1, { lineQuality: 1 }), at(2))).toEqual([
      ["fallback", "ofLineItself", "lineQuality"],
    ]);
    expect(reasons(wan(1, { lineQuality: 1 }))).toEqual([
      ["fallback", "fieldNotCarriedOut", "lineQuality"],
    ]);
  });

  test.each([
    [{ interfaceId: 8 }, "interfaceId"],
    [{ accessType: 1, ip: "192.0.2.9", mask: "255.255.255.0" }, "accessType"],
    [{ mtu: 1_300 }, "mtu"],
    [{ downBandwidth: 40_000 }, "downBandwidth"],
  ])("of which the link itself says something else names it: %j", (fields, field) => {
    expect(reasons(wan(1, fields))).toEqual([["fallback", "ofLineItself", field]]);
  });

  test("is compared with the fixed address of the link by its mask", () => {
    const lines = [
      { ...own, addressing: "static" as const, ip: "192.0.2.9/24", gateway: "192.0.2.1" },
    ];
    const fixed = (mask: string, gateway: string | null) =>
      reasons(wan(1, { accessType: 1, ip: "192.0.2.9", mask, gateway }), context({ lines }));
    expect(fixed("255.255.255.0", null)).toEqual([]);
    expect(fixed("255.255.255.0", "192.0.2.2")).toEqual([["fallback", "ofLineItself", "gateway"]]);
    expect(fixed("255.255.254.0", null)).toEqual([["fallback", "ofLineItself", "ip"]]);
  });

  test.each([
    [wan(3), "noLine"],
    [wan(1, { accessType: 2, pppoeUser: "a" }), "noPppoe"],
    [wan(1, { vlan: 9 }), "noVlan"],
  ])("does not act where the node has none, or the device cannot", (line, reason) => {
    expect(reasons(line)).toMatchObject([{ 0: "cannot", 1: reason }]);
  });

  test("names what no edge carries out although the device could", () => {
    const at = context({ capabilities: can("pppoe") });
    const dialled = wan(1, { accessType: 2, pppoeUser: "a" });
    expect(reasons(dialled, at)).toEqual([["cannot", "fieldNotCarriedOut", "accessType"]]);
    const standby = wan(1, { hotStandbyGroup: 3 });
    expect(reasons(standby)).toEqual([["fallback", "fieldNotCarriedOut", "hotStandbyGroup"]]);
  });

  test("is of the VLAN that the interface of the link is named by", () => {
    const at = (interfaceName: string) =>
      context({ capabilities: can("vlan"), lines: [{ ...own, interfaceName }] });
    expect(reasons(wan(1, { vlan: 9 }), at("wan1.9"))).toEqual([]);
    expect(reasons(wan(1, { vlan: 9, interfaceId: 7 }), at("wan1.9"))).toEqual([]);
    expect(reasons(wan(1, { vlan: 9 }), at("wan1"))).toEqual([
      ["fallback", "ofLineItself", "vlan"],
    ]);
    expect(reasons(wan(1, { vlan: 9, interfaceId: 7 }), at("wan1.8"))).toEqual([
      ["fallback", "ofLineItself", "interfaceId"],
    ]);
  });

  test("has no finding for a node whose device never reported", () => {
    expect(reasons(wan(3), context({ capabilities: null }))).toEqual([]);
  });
});

describe("a LAN interface line", () => {
  const range = { dhcpStart: "10.2.1.50", dhcpEnd: "10.2.1.60" };

  test("gives its range to the LAN that has all of it, and to no other", () => {
    const lines = merged(lan(1, range));
    const [one, two] = lans;
    expect(one && rangeOfLan(lines, one, lans)).toBeNull();
    expect(two && rangeOfLan(lines, two, lans)).toEqual({ first: "10.2.1.50", last: "10.2.1.60" });
    expect(reasons(lan(1, range))).toEqual([]);
  });

  test("is about the LAN of its VLAN", () => {
    const tagged = [...lans, { interfaceName: "wan2.30", network: "10.3.1.1/24", network6: null }];
    const at = context({ lans: tagged, capabilities: can("vlan", "lan.dhcp") });
    const inTagged = { dhcpStart: "10.3.1.50", dhcpEnd: "10.3.1.60" };
    expect(reasons(lan(1, { vlan: 30, interfaceId: 8, ...inTagged }), at)).toEqual([]);
    expect(reasons(lan(1, { vlan: 30, ...inTagged }), at)).toEqual([]);
    expect(reasons(lan(1, { vlan: 31, ...inTagged }), at)).toMatchObject([{ 1: "rangeInNoLan" }]);
    expect(reasons(lan(1, { vlan: 30, ...range }), at)).toMatchObject([{ 1: "rangeInNoLan" }]);
    // The interface of a card with a long name does not say which VLAN it is of.
    const short = { interfaceName: "v30-242ac110002", vlanInterface: { tag: 30 } };
    const long = context({
      lans: [{ ...short, network: "10.3.1.1/24", network6: null }],
      capabilities: can("vlan", "lan.dhcp"),
    });
    expect(reasons(lan(1, { vlan: 30, ...inTagged }), long)).toEqual([]);
    expect(reasons(lan(1, { vlan: 31, ...inTagged }), long)).toMatchObject([{ 1: "rangeInNoLan" }]);
  });

  test("comes after one that gives the same LAN a range", () => {
    const found = policyFindings(merged(lan(1, range), lan(2, range)), context());
    expect(found).toMatchObject([{ objectId: 2, effect: "cannot", params: { name: "lan 1" } }]);
  });

  test("gives no LAN the addresses of its gateway, its device or the ends of the network", () => {
    const shared = lans.map((one) => ({ ...one, ownAddress: "10.2.1.55" }));
    const at = context({ lans: shared });
    expect(reasons(lan(1, range), at)).toEqual([["cannot", "rangeHas", "10.2.1.55"]]);
    expect(rangeOfLan(merged(lan(1, range)), shared[1] as (typeof shared)[number], shared)).toBe(
      null,
    );
    const whole = { dhcpStart: "10.2.1.1", dhcpEnd: "10.2.1.9" };
    expect(reasons(lan(1, whole))).toEqual([["cannot", "rangeHas", "10.2.1.1"]]);
    const end = { dhcpStart: "10.2.1.200", dhcpEnd: "10.2.1.255" };
    expect(reasons(lan(1, end))).toEqual([["cannot", "rangeHas", "10.2.1.255"]]);
  });

  test("leaves a LAN section the addresses that it names itself", () => {
    const said = (first: string) =>
      context({ lans: lans.map((one) => ({ ...one, range: { first, last: "10.2.1.60" } })) });
    expect(reasons(lan(1, range), said("10.2.1.50"))).toEqual([]);
    expect(reasons(lan(1, range), said("10.2.1.40"))).toEqual([
      ["fallback", "ofLineItself", "dhcpStart"],
    ]);
  });

  test.each([
    [{ dhcpStart: "10.2.1.250", dhcpEnd: "10.3.1.9" }, {}, "rangeInNoLan"],
    [range, { isBypass: true }, "bypass"],
    [range, { givesAddresses: false }, "dhcpOff"],
    [range, { capabilities: can() }, "notCarriedOut"],
    [{}, { lans: [] }, "noLan"],
  ])("says why it does not act: %j at %j", (fields, at, reason) => {
    expect(reasons(lan(1, fields), context(at))).toMatchObject([{ 0: "cannot", 1: reason }]);
  });

  test("leaves the device its own address there", () => {
    expect(reasons(lan(1, { ...range, ip: "10.2.1.9", mask: "255.255.255.0" }))).toEqual([
      ["fallback", "ofLineItself", "ip"],
    ]);
  });

  test("finds the LAN that is on the VLAN of its card", () => {
    const onCard = [{ interfaceName: "wan2.30", network: "10.3.1.1/24", network6: null }];
    const line = lan(1, { interfaceId: 8 });
    const tagged = cards.map((card) => ({ ...card, vlan: card.id === 8 ? 30 : null }));
    const about = (routerInterface: typeof tagged) =>
      policyFindings(
        mergePolicy({ node: {}, template: { routerInterfaceline: [line], routerInterface } }),
        context({ lans: onCard }),
      ).filter(({ family }) => family === "routerInterfaceline");
    expect(about(tagged)).toEqual([]);
    expect(about(cards as unknown as typeof tagged)).toMatchObject([{ reason: "noLan" }]);
  });

  test("is about the LAN of its address, of several on its interface", () => {
    expect(reasons(lan(1, { ip: "10.2.1.1", mask: "255.255.255.0" }))).toEqual([]);
  });

  describe("with a standby group", () => {
    const shared = lans.map((one) => ({ ...one, ownAddress: one.network.replace("1/24", "2") }));
    const line = lan(1, {
      ip: "10.2.1.1",
      mask: "255.255.255.0",
      hotStandbyGroup: 3,
      hotStandbyPriority: 100,
    });
    const place = { group: 3, line: "lan 1", partner: "B", partnerCan: true };
    const at = (more: Partial<PolicyContext> = {}): PolicyContext =>
      context({ capabilities: can("standby"), lans: shared, standby: place, ...more });

    test("acts where its device is one of two that can", () => {
      expect(reasons(line, at())).toEqual([]);
      expect(reasons(line, at({ standby: { ...place, partnerCan: null } }))).toEqual([]);
    });

    test.each([
      [{ standby: { ...place, line: null, group: 4 } }, "standbyOfNode", "3"],
      [{ standby: { ...place, line: "lan 0" } }, "standbyOfLine", "lan 0"],
      [{ lans }, "standbyNoOwnAddress", "10.2.1.1/24"],
      [{ capabilities: can("vlan") }, "fieldNotCarriedOut", "hotStandbyGroup"],
      [{ standby: { ...place, isBeyond: true } }, "standbyBeyond", "3"],
      [{ standby: { ...place, partner: null, partnerCan: null } }, "standbyAlone", "3"],
      [{ standby: { ...place, partnerCan: false } }, "standbyPartnerCannot", "B"],
    ])("says why its group does not: %j", (more, reason, value) => {
      expect(reasons(line, at(more))).toMatchObject([{ 0: "fallback", 1: reason, 2: value }]);
    });

    test("says nothing of a group that the settings of the CPE name as well", () => {
      expect(reasons(line, at({ standby: { ...place, line: null } }))).toEqual([]);
    });

    test("does not act without an address, as lines from before have it", () => {
      expect(reasons({ ...line, ip: null }, at())).toMatchObject([{ 1: "standbyNoLan" }]);
    });
  });
});
