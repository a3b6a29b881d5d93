import { dnsRouteCapability } from "@weft/contract/device/v1/dns.ts";
import { expect, test } from "vitest";
import { policyFindings } from "#domains/policies/policy-finding/public.ts";
import { dnsControlsOf } from "./dns-controls.ts";
import { dnsSectionOf } from "./dns-section.ts";
import { mergedPolicyOf } from "./node-policy.ts";
import { type PolicyView, policyContextOf } from "./policy-section.ts";

const families = ["routerDnsgroup", "routerDomains", "routerDnscontrol"];
const can = [...families.map((family) => `policy.${family}`), dnsRouteCapability];
const control = (id: number, given: object = {}) => ({
  id,
  name: `control-${id}`,
  enable: true,
  sort: id,
  returnTrip: 0,
  effectivedate: [],
  dnsgroup: null,
  domainid: null,
  outlineid: null,
  dnsroute: 0,
  serverip: "192.0.2.53",
  serverip2: null,
  ...given,
});
const domains = {
  routerInterfaceline: [
    { id: 5, kind: "wan", accessposition: 1, name: "first" },
    { id: 6, kind: "wan", accessposition: 3, name: "third" },
  ],
  routerDnsgroup: [
    { id: 8, name: "crm" },
    { id: 9, name: "empty" },
  ],
  routerDomains: [
    { id: 81, dnsgroupId: 8, domain: "CRM.example" },
    { id: 82, dnsgroupId: 8, domain: "*.crm.example" },
  ],
};
const view = (controls: readonly object[], capabilities: readonly string[] = can) => ({
  node: {
    id: 1,
    lines: [{ slot: 1 }],
    sections: [{ interfaceName: "lan1", network: "10.1.1.1/24", network6: null, vlan: null }],
  },
  links: [],
  timeZone: "Asia/Shanghai",
  policy: { ...domains, routerDnscontrol: controls } as unknown as PolicyView["policy"],
  capabilities: capabilities.map((name) => ({ name, can: true })),
});
const found = (controls: readonly object[], capabilities?: readonly string[]) => {
  const given = view(controls, capabilities) as unknown as PolicyView;
  return policyFindings(mergedPolicyOf(given), policyContextOf(given))
    .filter(({ family }) => family === "routerDnscontrol")
    .map(({ objectId, effect, reason }) => [objectId, effect, reason].join(" "));
};
const sent = (controls: readonly object[], capabilities?: readonly string[]) =>
  dnsControlsOf(view(controls, capabilities) as unknown as PolicyView);

const whole = control(1, { dnsgroup: 8, outlineid: 5, dnsroute: 1, serverip2: "192.0.2.54" });

test("a DNS control has the names of its group, both servers, its WAN link and its days", () => {
  const controls = sent([{ ...whole, effectivedate: [1, 5] }, control(2)]);
  expect(controls).toEqual([
    {
      id: 1,
      names: ["*.crm.example", "crm.example"],
      servers: ["192.0.2.53", "192.0.2.54"],
      slot: 1,
      weekdays: [1, 5],
      routes: true,
    },
    { id: 2, names: null, servers: ["192.0.2.53"], slot: null, weekdays: [], routes: false },
  ]);
  const given = view([]);
  expect(dnsSectionOf(given, controls)).toMatchObject({ controls, timeZone: "Asia/Shanghai" });
  expect(dnsSectionOf(given, controls.slice(1))).not.toHaveProperty("timeZone");
  expect(dnsSectionOf(given, [])).toBeNull();
});

test("each reports what the resolver cannot hold and why connections do not follow it", () => {
  expect(found([whole, control(2, { dnsroute: 1 })])).toEqual([
    "1 fallback ownDnsOnly",
    "2 fallback routeWithoutLine",
  ]);
  const withoutRoutes = can.filter((name) => name !== dnsRouteCapability);
  expect(found([whole], withoutRoutes)).toEqual(["1 fallback fieldNotCarriedOut"]);
  expect(sent([whole], withoutRoutes)).toMatchObject([{ id: 1, routes: false }]);
});

test("one that cannot be applied is not sent: its names, or all names, would be resolved elsewhere", () => {
  const off = [
    control(1, { outlineid: 6 }),
    control(2, { dnsgroup: 9 }),
    control(3, { enable: false }),
  ];
  expect(found(off)).toEqual(["1 cannot noLine", "2 cannot emptyGroup"]);
  expect(sent(off)).toEqual([]);
  expect(sent([whole], can.slice(1))).toEqual([]);
  expect(found([whole], can.slice(1))).toEqual(["1 cannot notCarriedOut"]);
});
