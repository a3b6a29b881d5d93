import { describe, expect, test } from "vitest";
import { mergePolicy, type PolicyRows } from "#domains/policies/merged/public.ts";
import { policyFindings } from "./findings.ts";
import type { PolicyContext } from "./verdict.ts";

const all = [
  "routerInterfaceline",
  "routerIpgroup",
  "routerIpgroupdefine",
  "routerPolicyroute",
  "routerProtocolex",
  "routerRuleCustom",
  "routerAppgroup",
].map((family) => ({ name: `policy.${family}`, can: true }));
const lan = { network: "10.1.1.0/24", network6: null };
const context = (more: Partial<PolicyContext> = {}): PolicyContext => ({
  capabilities: all,
  slots: new Set([1, 2]),
  rates: { up: null, down: null },
  lans: [lan],
  tunnelPorts: new Set([51_820]),
  heldAt: null,
  ...more,
});
const found = (template: PolicyRows, node: PolicyRows = {}, at = context()) =>
  policyFindings(mergePolicy({ node, template }), at).map(
    ({ family, level, objectId, effect, reason, params }) => [
      `${family} ${level} ${objectId}`,
      effect,
      reason,
      params,
    ],
  );
const route = (id: number, lineGroup: number, more: object = {}) => ({
  id,
  name: `route ${id}`,
  enable: true,
  sort: id,
  lineGroup,
  srcIpgroupId: null,
  dstIpgroupId: null,
  appgroupId: null,
  timeId: null,
  natType: 1,
  ttlIncrement: 0,
  natLbextra: 0,
  nextHop: null,
  ...more,
});

test("a connection limit of one family names the other, by which hosts open as many as they like", () => {
  const limited = (ips: readonly string[]) => ({
    routerIpgroup: [{ id: 1, name: "tills" }],
    routerIpgroupdefine: ips.map((ip, at) => ({ id: at + 1, name: ip, ipgroupId: 1, ip })),
    routerConnlimit: [{ id: 1, enable: true, ipgroupId: 1 }],
  });
  const capabilities = [...all, { name: "policy.routerConnlimit", can: true }];
  const lans = [{ network: "10.1.1.1/24", network6: "fd57:1::1/64" }];
  const dual = context({ capabilities, lans });
  const only = (one: string, other: string) => [
    ["routerConnlimit template 1", "fallback", "oneFamily", { only: one, other }],
  ];
  expect(found(limited(["10.1.1.0/24"]), {}, dual)).toEqual(only("IPv4", "IPv6"));
  expect(found(limited(["fd57:1::/64"]), {}, dual)).toEqual(only("IPv6", "IPv4"));
  expect(found(limited(["10.1.1.0/24", "fd57:1::/64"]), {}, dual)).toEqual([]);
  expect(found(limited(["10.1.1.0/24"]), {}, context({ capabilities }))).toEqual([]);
});

describe("a policy route", () => {
  test("over slots that the node has acts; over some of them it is a fallback, over none it cannot", () => {
    const routerPolicyroute = [route(1, 1 + 2), route(2, 2 + 4), route(3, 4 + 8)];
    expect(found({ routerPolicyroute })).toEqual([
      ["routerPolicyroute template 2", "fallback", "noLine", { slot: "3" }],
      ["routerPolicyroute template 3", "cannot", "noLine", { slot: "3, 4" }],
    ]);
  });

  test("with a setting that no device carries out does not act, or acts without it", () => {
    const routerPolicyroute = [
      route(1, 0, { nextHop: "10.1.1.2" }),
      route(2, 1, { natType: 4 }),
      route(3, 1, { natType: 0 }),
      route(6, 1, { natType: 2, nextHop: "10.1.1.2" }),
      route(4, 1 + 4, { ttlIncrement: 2 }),
      route(5, 1, { natLbextra: 3 }),
    ];
    const field = (name: string) => ["fieldNotCarriedOut", { field: name }] as const;
    expect(found({ routerPolicyroute })).toEqual([
      ["routerPolicyroute template 1", "cannot", ...field("nextHop")],
      ["routerPolicyroute template 2", "cannot", ...field("natType")],
      ["routerPolicyroute template 4", "fallback", "noLine", { slot: "3" }],
      ["routerPolicyroute template 5", "fallback", ...field("natLbextra")],
      ["routerPolicyroute template 6", "cannot", ...field("natType")],
    ]);
    const capabilities = [...all, { name: "policy.routerPolicyroute.nat", can: true }];
    const kinds = [4, 8, 5].map((natType, at) => route(at, 1, { natType }));
    expect(found({ routerPolicyroute: kinds }, {}, context({ capabilities }))).toEqual([]);
    const raises = [...all, { name: "policy.routerPolicyroute.ttl", can: true }];
    const raised = [route(1, 1, { ttlIncrement: 2 }), route(2, 1)];
    expect(found({ routerPolicyroute: raised })).toEqual([
      ["routerPolicyroute template 1", "fallback", ...field("ttlIncrement")],
    ]);
    expect(found({ routerPolicyroute: raised }, {}, context({ capabilities: raises }))).toEqual([]);
    const moves = [...all, { name: "policy.routerPolicyroute.destination", can: true }];
    const moved = [route(1, 0, { natType: 2, nextHop: "203.0.113.9" })];
    expect(found({ routerPolicyroute: moved }, {}, context({ capabilities: moves }))).toEqual([]);
    expect(found({ routerPolicyroute: [route(1, 1)] }, {}, context({ lans: [] }))).toEqual([
      ["routerPolicyroute template 1", "cannot", "noLan", {}],
    ]);
  });

  test("to a next hop acts where the device is connected to its network, and can send there", () => {
    const capabilities = [...all, { name: "policy.routerPolicyroute.hop", can: true }];
    const connected = [
      { interfaceName: "wan1", network: "198.51.100.10/24" },
      { interfaceName: "lan0", network: "10.1.1.1/24" },
      { interfaceName: "lan0", network: "fd57:1::1/64" },
    ];
    // The last is the broadcast address of the LAN.
    const hops = ["10.1.1.2", "fd57:1::fe", "10.1.1.1", "10.9.0.1", "198.51.100.1", "10.1.1.255"];
    const routerPolicyroute = hops.map((nextHop, at) => route(at + 1, 0, { nextHop }));
    expect(found({ routerPolicyroute }, {}, context({ capabilities, connected }))).toEqual([
      ["routerPolicyroute template 3", "cannot", "hopIsDevice", { host: "10.1.1.1" }],
      ["routerPolicyroute template 4", "cannot", "hopNotConnected", { host: "10.9.0.1" }],
      ["routerPolicyroute template 6", "cannot", "hopNotConnected", { host: "10.1.1.255" }],
    ]);
    const many = Array.from({ length: 17 }, (_, at) =>
      route(at + 1, 0, { nextHop: `10.1.1.${at + 2}` }),
    );
    const beyond = found({ routerPolicyroute: many }, {}, context({ capabilities, connected }));
    expect(beyond.map(([object, , reason]) => [object, reason])).toEqual([
      ["routerPolicyroute template 16", "tooMany"],
      ["routerPolicyroute template 17", "tooMany"],
    ]);
  });

  test("that denies acts where the device can, and names the family of its hosts that is open", () => {
    const denial = (id: number, more: object = {}) =>
      route(id, 0, { deny: true, natType: 0, ...more });
    const entries = (ips: readonly string[]) => ({
      routerIpgroup: [{ id: 1, name: "tills" }],
      routerIpgroupdefine: ips.map((ip, at) => ({ id: at + 1, name: ip, ipgroupId: 1, ip })),
    });
    const blocks = (ips: readonly string[]) => ({
      ...entries(ips),
      routerPolicyroute: [denial(1, { srcIpgroupId: 1 })],
    });
    expect(found(blocks(["10.1.1.0/24"]))).toEqual([
      ["routerPolicyroute template 1", "cannot", "fieldNotCarriedOut", { field: "deny" }],
    ]);
    const capabilities = [...all, { name: "policy.routerPolicyroute.deny", can: true }];
    const lans = [{ network: "10.1.1.1/24", network6: "fd57:1::1/64" }];
    const dual = context({ capabilities, lans });
    const only = { only: "IPv4", other: "IPv6" };
    expect(found(blocks(["10.1.1.0/24"]), {}, dual)).toEqual([
      ["routerPolicyroute template 1", "fallback", "oneFamily", only],
    ]);
    expect(found(blocks(["10.1.1.0/24", "fd57:1::/64"]), {}, dual)).toEqual([]);
    const towards = (ips: readonly string[]) => ({
      ...entries(ips),
      routerPolicyroute: [denial(1, { dstIpgroupId: 1 })],
    });
    expect(found(towards(["203.0.113.0/24"]), {}, dual)).toEqual([
      ["routerPolicyroute template 1", "fallback", "oneFamily", only],
    ]);
    expect(found(towards(["203.0.113.0/24", "2001:db8::/32"]), {}, dual)).toEqual([]);
  });

  test("of a device beside the gateway is about no flow", () => {
    expect(found({ routerPolicyroute: [route(1, 1)] }, {}, context({ isBypass: true }))).toEqual([
      ["routerPolicyroute template 1", "cannot", "bypass", {}],
    ]);
  });

  test("to a group without entries never fits, also when the node's own group replaced a full one", () => {
    const template = {
      routerIpgroup: [{ id: 1, name: "tills" }],
      routerIpgroupdefine: [{ id: 1, name: "a", ipgroupId: 1 }],
      routerPolicyroute: [route(1, 1, { dstIpgroupId: 1 })],
    };
    expect(found(template)).toEqual([]);
    expect(found(template, { routerIpgroup: [{ id: 9, name: "tills" }] })).toEqual([
      ["routerPolicyroute template 1", "cannot", "emptyGroup", { field: "dstIpgroupId" }],
      ["routerIpgroup template 1", "replaced", "replaced", {}],
      ["routerIpgroupdefine template 1", "replaced", "replaced", {}],
    ]);
  });
});

test("a rule whose time group a device cannot carry out does not act at all", () => {
  const template = {
    routerTimenode: [{ id: 7, name: "night", weekdays: [], startTime: "22:00", endTime: "06:00" }],
    routerPolicyroute: [route(1, 1, { timeId: 7 }), route(2, 1)],
  };
  const rule = ["routerPolicyroute template 1", "cannot", "notCarriedOut", {}];
  const group = ["routerTimenode template 7", "cannot", "notCarriedOut", {}];
  expect(found(template)).toEqual(expect.arrayContaining([rule, group]));
  expect(found(template)).toHaveLength(2);
  const capabilities = [...all, { name: "policy.routerTimenode", can: true }];
  expect(found(template, {}, context({ capabilities }))).toEqual([]);
});

test("a time group waits for a rule that acts and names it", () => {
  const group = { id: 7, name: "night", weekdays: [], startTime: "22:00", endTime: "06:00" };
  const capabilities = [...all, { name: "policy.routerTimenode", can: true }];
  const on = (rules: readonly object[]) => {
    const rows = { routerTimenode: [group], routerPolicyroute: rules } as PolicyRows;
    return found(rows, {}, context({ capabilities })).filter(([name]) =>
      `${name}`.includes("Time"),
    );
  };
  const waits = ["routerTimenode template 7", "fallback", "unused", {}];
  expect(on([route(1, 1)])).toEqual([waits]);
  // Its only line is missing.
  expect(on([route(1, 8, { timeId: 7 })])).toEqual([waits]);
  expect(on([route(1, 1, { timeId: 7 })])).toEqual([]);
});

test("a card of which nothing is set has no finding; what is set acts, but for what the device cannot do", () => {
  const port = (id: number, netcard: string, fields: object = {}) => ({
    id,
    netcard,
    name: netcard,
    enable: true,
    vlan: null,
    mtu: null,
    ...fields,
  });
  const routerInterface = [
    port(1, "eth0"),
    port(2, "eth1", { vlan: 12 }),
    port(3, "eth2", { enable: false }),
    port(4, "wan1", { enable: false, mtu: 1_300 }),
    port(5, "lan0", { mtu: 1_200 }),
    port(6, "eth3", { mtu: 1_200, vlan: 9 }),
  ];
  expect(found({ routerInterface })).toEqual(
    [2, 3, 4, 5, 6].map((id) => [`routerInterface template ${id}`, "cannot", "notCarriedOut", {}]),
  );
  const capabilities = [...all, { name: "policy.routerInterface", can: true }];
  const connected = [{ interfaceName: "lan0", network: "fd57:1::1/64" }];
  const at = (wanCards: string[], ...more: { name: string; can: boolean }[]) =>
    context({ capabilities: [...capabilities, ...more], connected, wanCards });
  const about = (id: number, effect: string, reason: string, params: object = {}) => [
    `routerInterface template ${id}`,
    effect,
    reason,
    params,
  ];
  const small = about(5, "cannot", "mtuBelowIpv6", { least: "1280" });
  expect(found({ routerInterface }, {}, at(["wan1"]))).toEqual([
    about(2, "cannot", "noVlan", { vlan: "12" }),
    about(4, "fallback", "lastLine"),
    small,
    about(6, "fallback", "noVlan", { vlan: "9" }),
  ]);
  const onVlan = [{ interfaceName: "lan0.9", card: "lan0", network: "fd57:1::1/64" }];
  expect(
    found(
      { routerInterface: [port(5, "lan0", { mtu: 1_200 })] },
      {},
      {
        ...at(["wan1"]),
        connected: onVlan,
      },
    ),
  ).toEqual([small]);
  expect(found({ routerInterface }, {}, at(["wan1", "wan2"], { name: "vlan", can: true }))).toEqual(
    [about(2, "cannot", "noLanOfCard"), small, about(6, "fallback", "noLanOfCard")],
  );
});

test("the tag of a card is that of its LAN sections, and of no WAN link", () => {
  const capabilities = ["policy.routerInterface", "vlan"].map((name) => ({ name, can: true }));
  const routerInterface = [
    { id: 1, netcard: "eth1", name: "eth1", enable: true, vlan: 12, mtu: null },
  ];
  const lan = { network: "10.1.1.1/24", network6: null };
  const onVlan = { ...lan, interfaceName: "eth1.12", vlanInterface: { tag: 12, parent: "eth1" } };
  const wan = { slot: 1, name: "isp-a", interfaceName: "eth1" };
  const at = (more: Partial<PolicyContext>) =>
    found({ routerInterface }, {}, context({ capabilities, ...more }));
  const about = (effect: string, reason: string, params: object = {}) => [
    ["routerInterface template 1", effect, reason, params],
  ];
  expect(at({ lans: [onVlan] })).toEqual([]);
  const named = { line: "isp-a", name: "eth1.12" };
  expect(at({ lans: [onVlan], lines: [wan] })).toEqual(about("fallback", "wanOfCard", named));
  expect(at({ lans: [], lines: [wan] })).toEqual(about("cannot", "wanOfCard", named));
  expect(at({ lans: [{ ...lan, interfaceName: "eth1" }] })).toEqual(
    about("cannot", "vlanTaken", { name: "eth1.12" }),
  );
  expect(at({ lans: [] })).toEqual(about("cannot", "noLanOfCard"));
});

test("a device that cannot carry a family out acts on none of it; an unknown one has no finding", () => {
  const template = { routerPolicyroute: [route(1, 1), route(2, 1, { enable: false })] };
  const about = "routerPolicyroute template 1";
  const capabilities = [{ name: "policy.routerPolicyroute", can: false }];
  expect(found(template, {}, context({ capabilities }))).toEqual([
    [about, "cannot", "notCarriedOut", {}],
  ]);
  expect(found(template, {}, context({ capabilities: null }))).toEqual([]);
});

test("a device that is held has no object that it could not carry out; the others act as they are today", () => {
  const template = { routerPolicyroute: [route(1, 1)] };
  const about = "routerPolicyroute template 1";
  const capabilities = [{ name: "policy.routerPolicyroute", can: false }];
  expect(found(template, {}, context({ heldAt: 7, capabilities }))).toEqual([
    [about, "cannot", "held", { serial: "7" }],
  ]);
  expect(found(template, {}, context({ heldAt: 7 }))).toEqual([]);
});

test("a limit of the hosts of a node without LANs cannot act; one of a group can", () => {
  const limit = { name: "few", enable: true, maxConnections: 9, maxNewPerSecond: null };
  const template = {
    routerIpgroup: [{ id: 1, name: "tills" }],
    routerIpgroupdefine: [{ id: 1, name: "a", ipgroupId: 1 }],
    routerConnlimit: [
      { ...limit, id: 1, ipgroupId: null },
      { ...limit, id: 2, ipgroupId: 1 },
    ],
  };
  const capabilities = [...all, { name: "policy.routerConnlimit", can: true }];
  expect(found(template, {}, context({ capabilities }))).toEqual([]);
  expect(found(template, {}, context({ capabilities, lans: [] }))).toEqual([
    ["routerConnlimit template 1", "cannot", "noLan", {}],
  ]);
});
