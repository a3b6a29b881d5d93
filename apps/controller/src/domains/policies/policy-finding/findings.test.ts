import { describe, expect, test } from "vitest";
import { mergePolicy, type PolicyRows } from "#domains/policies/merged/public.ts";
import { policyFindings } from "./findings.ts";
import type { PolicyGround } from "./verdict.ts";

const all = [
  ...["routerInterfaceline", "routerIpgroup", "routerIpgroupdefine", "routerPolicyroute"],
  ...["routerProtocolex", "routerRuleCustom", "routerAppgroup"],
].map((family) => ({ name: `policy.${family}`, can: true }));
const lan = { network: "10.1.1.0/24", network6: null };
const ground = (more: Partial<PolicyGround> = {}): PolicyGround => ({
  ...{
    capabilities: all,
    slots: new Set([1, 2]),
    lans: [lan],
    tunnelPorts: new Set([51_820]),
    heldAt: null,
  },
  ...more,
});
const found = (template: PolicyRows, node: PolicyRows = {}, at = ground()) =>
  policyFindings(mergePolicy({ node, template }), at).map(
    ({ family, level, objectId, effect, reason, params }) => [
      `${family} ${level} ${objectId}`,
      effect,
      reason,
      params,
    ],
  );
const route = (id: number, lineGroup: number, more: object = {}) => ({
  ...{ id, name: `route ${id}`, enable: true, sort: id, lineGroup },
  ...{ srcIpgroupId: null, dstIpgroupId: null, appgroupId: null, timeId: null, ...more },
});

describe("a policy route", () => {
  test("over slots that the node has acts; over some of them it is a fallback, over none it cannot", () => {
    const routerPolicyroute = [route(1, 1 + 2), route(2, 2 + 4), route(3, 4 + 8), route(4, 0)];
    expect(found({ routerPolicyroute })).toEqual([
      ["routerPolicyroute template 2", "fallback", "noLine", { slot: "3" }],
      ["routerPolicyroute template 3", "cannot", "noLine", { slot: "3, 4" }],
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

test("a port of the device is there; what is set of it is carried out by none", () => {
  const port = (id: number, netcard: string, fields: object = {}) => ({
    ...{ id, netcard, name: netcard, enable: true, vlan: null, mtu: null, ...fields },
  });
  const routerInterface = [
    port(1, "eth0"),
    port(2, "eth1", { vlan: 12 }),
    port(3, "eth2", { enable: false }),
  ];
  expect(found({ routerInterface })).toEqual([
    ["routerInterface template 2", "cannot", "notCarriedOut", {}],
    ["routerInterface template 3", "cannot", "notCarriedOut", {}],
  ]);
});

test("a device that cannot carry a family out acts on none of it; an unknown one has no finding", () => {
  const template = { routerPolicyroute: [route(1, 1), route(2, 1, { enable: false })] };
  const about = "routerPolicyroute template 1";
  const capabilities = [{ name: "policy.routerPolicyroute", can: false }];
  expect(found(template, {}, ground({ capabilities }))).toEqual([
    [about, "cannot", "notCarriedOut", {}],
  ]);
  expect(found(template, {}, ground({ capabilities: null }))).toEqual([]);
});

test("a device that is held has no object that it could not carry out; the others act as they are today", () => {
  const template = { routerPolicyroute: [route(1, 1)] };
  const about = "routerPolicyroute template 1";
  const capabilities = [{ name: "policy.routerPolicyroute", can: false }];
  expect(found(template, {}, ground({ heldAt: 7, capabilities }))).toEqual([
    [about, "cannot", "held", { serial: "7" }],
  ]);
  expect(found(template, {}, ground({ heldAt: 7 }))).toEqual([]);
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
  expect(found(template, {}, ground({ capabilities }))).toEqual([]);
  expect(found(template, {}, ground({ capabilities, lans: [] }))).toEqual([
    ["routerConnlimit template 1", "cannot", "noLan", {}],
  ]);
});
