import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { expect, test } from "vitest";
import { policyFindings } from "#domains/policies/policy-finding/public.ts";
import { mergedPolicyOf } from "./node-policy.ts";
import { policyContextOf } from "./policy-section.ts";
import { siteSectionOf } from "./site-section.ts";

const neighbor = (fields: object = {}) => ({
  id: 7,
  asn: 64_900,
  neighborIp: "10.1.1.2",
  neighborAsn: 64_901,
  networks: "",
  holdTime: null,
  password: "",
  hasPassword: false,
  enable: true,
  ...fields,
});
const section = {
  interfaceName: "lan0",
  network: "10.1.1.1/24",
  network6: null,
  vlan: null,
  enableForward: true,
  enableDirect: true,
};
const node = {
  id: 1,
  kind: "cpe" as const,
  lines: [],
  sections: [section],
  routes: [],
  notices: ["10.9.0.0/24"],
};
const links = [{ a: { node: 1, port: 1 }, b: { node: 2, port: 2 }, spaceId: 5 }];
const capabilities = [{ name: "policy.routerBgp", can: true }];
const view = (rows: readonly object[], change: object = {}) => ({
  node,
  links,
  capabilities,
  spaces: new Map([[5, ["10.1.1.1/24", "10.2.2.0/24"]]]),
  policy: { routerBgp: rows as { id: number }[] },
  ...change,
});
const found = (...given: Parameters<typeof view>) => {
  const all = view(...given);
  return policyFindings(mergedPolicyOf(all), policyContextOf(all)).map(
    ({ effect, reason, params }) => [effect, reason, ...Object.values(params)].join(" "),
  );
};

test("a neighbour is sent with the LAN that it is in, and with what the space does not have", () => {
  const networks = "10.2.2.7/24, 192.0.2.1/24,192.0.2.0/24,0.0.0.0/0";
  const given = view([neighbor({ networks, holdTime: 9 }), neighbor({ id: 3, enable: false })]);
  expect(siteSectionOf(given)).toEqual({
    neighbors: [
      {
        id: 7,
        interfaceName: "lan0",
        address: "10.1.1.2",
        asn: 64_900,
        neighborAsn: 64_901,
        holdTime: 9,
        networks: ["0.0.0.0/0", "192.0.2.0/24"],
      },
    ],
    interfaces: [],
    sent: [],
  });
  expect(found([neighbor()])).toEqual([]);
});

test("a site with no networks declared behind its LANs accepts no routes and reports it", () => {
  expect(found([neighbor()], { node: { ...node, notices: [] } })).toEqual([
    "fallback nothingDeclared",
  ]);
  const route = { destination: "10.9.0.0/24", nextHop: "10.1.1.2", metric: 1, enabled: true };
  const routed = (announce: boolean) => ({
    node: { ...node, notices: [], routes: [{ ...route, announce }] },
  });
  expect(found([neighbor()], routed(true))).toEqual([]);
  expect(found([neighbor()], routed(false))).toEqual(["fallback nothingDeclared"]);
  // What is not to be taken by way of a router: the site's own LAN, a default, and what it is held from.
  const useless = { notices: ["10.1.1.0/24", "0.0.0.0/0", "2001:db8::/48"] };
  expect(found([neighbor()], { node: { ...node, ...useless } })).toEqual([
    "fallback nothingDeclared",
  ]);
  expect(found([neighbor()], { node: { ...node, announced: [] } })).toEqual([
    "fallback nothingDeclared",
  ]);
});

test("a neighbour that cannot be one is left out, with the reason", () => {
  const cases: readonly (readonly [object, object, string])[] = [
    [{ neighborIp: "10.7.7.7" }, {}, "notInSpaceLan 10.7.7.7"],
    [{ neighborIp: "10.1.1.1" }, {}, "hopIsDevice 10.1.1.1"],
    [
      {},
      { node: { ...node, sections: [{ ...section, enableForward: false }] } },
      "notInSpaceLan 10.1.1.2",
    ],
    [{}, { node: { ...node, sections: [{ ...section, vlan: 7 }] } }, "notInSpaceLan 10.1.1.2"],
    [{}, { links: [] }, "noSpaceLink"],
    [{}, { node: { ...node, kind: "pop" } }, "noSpaceLink"],
    [{ neighborAsn: 64_900 }, {}, "sameAsn 64900"],
    [{ neighborAsn: 4_200_000_005 }, {}, "sameAsn 4200000005"],
    [{ password: "sealed:1:x" }, {}, "fieldNotCarriedOut password"],
    [{}, { capabilities: [{ name: "policy.routerBgp", can: false }] }, "notCarriedOut"],
  ];
  for (const [fields, change, reason] of cases) {
    expect(found([neighbor(fields)], change)).toEqual([`cannot ${reason}`]);
    expect(siteSectionOf(view([neighbor(fields)], change))).toBeNull();
  }
});

test("a password is sent to a device that authenticates segments, as what it opens", () => {
  const given = [neighbor({ password: "sealed:1:x" })];
  const owners: object[] = [];
  const sealPassword = (stored: string, owner: object) => {
    owners.push(owner);
    return `${stored.slice(-1)}${"s".repeat(70)}`;
  };
  const able = [...capabilities, { name: "tcp.md5", can: true }];
  expect(siteSectionOf(view(given, { capabilities: able, sealPassword }))).toMatchObject({
    neighbors: [{ id: 7, password: `x${"s".repeat(70)}` }],
  });
  expect(new Set(owners.map((owner) => JSON.stringify(owner)))).toEqual(
    new Set([JSON.stringify({ template_id: null, node_id: 1 })]),
  );
  expect(found(given, { capabilities: able, sealPassword })).toEqual([]);
  // A template's rows are sealed for the template.
  const row = { id: 7, asn: 64_900, neighbor_ip: "10.1.1.2", neighbor_asn: 64_901, enable: true };
  const content = { router_bgp: [{ ...row, networks: "", password: "sealed:1:y" }] };
  const template = { templateId: 9, version: 1, content };
  owners.length = 0;
  siteSectionOf(view([], { capabilities: able, sealPassword, template }));
  expect(owners).toContainEqual({ template_id: 9, node_id: null });
  expect(owners).not.toContainEqual({ template_id: null, node_id: 1 });
  expect(found(given, { sealPassword })).toEqual(["cannot fieldNotCarriedOut password"]);
  // Nothing that the device lacks: an operator has to enter it again.
  expect(found(given, { capabilities: able, sealPassword: () => null })).toEqual([
    "cannot secretUnusable password",
  ]);
});

test("those beyond what a device takes are left out", () => {
  const many = Array.from({ length: stateLimits.siteNeighbors + 1 }, (_, at) =>
    neighbor({ id: at + 1, neighborIp: `10.1.1.${at + 2}` }),
  );
  expect(siteSectionOf(view(many))?.neighbors).toHaveLength(stateLimits.siteNeighbors);
  expect(found(many)).toEqual([`cannot tooMany ${stateLimits.siteNeighbors}`]);
});

const ospf = (fields: object = {}) => ({
  id: 4,
  interfaceName: "lan0",
  area: "9",
  cost: null,
  flags: 0,
  helloInterval: null,
  deadInterval: null,
  enable: true,
  ...fields,
});
const ospfView = (rows: readonly object[], change: object = {}) =>
  view([], {
    policy: { routerOspf: rows },
    capabilities: [{ name: "policy.routerOspf", can: true }],
    ...change,
  });

test("a LAN with OSPF is sent with its area as an address, and with a patience that fits its hello", () => {
  const lan1 = { ...section, interfaceName: "lan1", network: "10.1.2.1/24" };
  const given = ospfView(
    [
      ospf({ flags: 9, helloInterval: 30 }),
      ospf({ id: 5, interfaceName: "lan1", area: "0.0.1.0", cost: 7, flags: 4, deadInterval: 9 }),
    ],
    { node: { ...node, sections: [section, lan1] } },
  );
  expect(siteSectionOf(given)).toEqual({
    neighbors: [],
    interfaces: [
      { id: 4, interfaceName: "lan0", area: "0.0.0.9", cost: null, hello: 30, dead: 120 },
      { id: 5, interfaceName: "lan1", area: "0.0.1.0", cost: 7, hello: null, dead: 9 },
    ],
    sent: ["connected", "bgp", "default"],
  });
});

test("OSPF is not applied where no LAN is in the space, and reports the reason", () => {
  const reasons = (fields: object, change: object = {}) => {
    const all = ospfView([ospf(fields)], change);
    return policyFindings(mergedPolicyOf(all), policyContextOf(all)).map(
      ({ effect, reason }) => `${effect} ${reason}`,
    );
  };
  expect(reasons({})).toEqual([]);
  expect(reasons({ interfaceName: "lan9" })).toEqual(["cannot noSpaceLan"]);
  expect(reasons({}, { links: [] })).toEqual(["cannot noSpaceLink"]);
  expect(reasons({}, { node: { ...node, notices: [] } })).toEqual(["fallback nothingDeclared"]);
  expect(reasons({}, { capabilities })).toEqual(["cannot notCarriedOut"]);
  expect(siteSectionOf(ospfView([ospf()], { links: [] }))).toBeNull();
});
