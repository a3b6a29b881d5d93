import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { ownApplicationId } from "@weft/contract/rules/applications.ts";
import { expect, test } from "vitest";
import { mergePolicy } from "#domains/policies/merged/public.ts";
import { policyFindings } from "./findings.ts";

const families = [
  "routerPolicyroute",
  "routerPolicyroute.deny",
  "routerBwpolicy",
  "routerBandwidthpipe",
  "routerAppgroup",
  "routerProtocolex",
  "routerRuleCustom",
];
const context = {
  capabilities: families.map((family) => ({ name: `policy.${family}`, can: true })),
  slots: new Set([1]),
  rates: { up: null, down: null },
  tunnelPorts: new Set<number>(),
  lans: [{ network: "10.1.1.0/24", network6: null }],
  heldAt: null,
};
/** An own protocol with as many addresses as a group may have, and groups: of it, and of HTTPS by its port alone. */
const node = {
  routerProtocolex: [
    {
      id: 7,
      name: "own",
      enable: true,
      sort: 1,
      l7pro: [],
      nPid: 0,
      protocol: "tcp",
      srcPort: null,
      dstPort: "8443",
      dstIp: "192.0.2.1",
    },
  ],
  routerRuleCustom: Array.from({ length: stateLimits.appServices - 1 }, (_, at) => ({
    id: at + 1,
    refId: 7,
    kind: "node",
    name: `n${at}`,
    value: `10.${at >> 8}.${at & 255}.0/24`,
  })),
  routerAppgroup: [
    { id: 1, name: "many", l7ids: [ownApplicationId(7)] },
    { id: 2, name: "ports", l7ids: [101] },
  ],
  routerBandwidthpipe: [{ id: 1, name: "pipe", direction: 0, gbw: 0, maxbw: 0, lineId: null }],
};
const route = (id: number, appgroupId: number | null, more: object = {}) => ({
  id,
  name: `route-${id}`,
  enable: true,
  sort: id,
  appgroupId,
  lineGroup: 1,
  natType: 1,
  srcIpgroupId: null,
  dstIpgroupId: null,
  timeId: null,
  nextHop: null,
  deny: false,
  ttlIncrement: 0,
  natLbextra: 0,
  ...more,
});
const policy = (id: number, appgroupId: number | null) => ({
  id,
  name: `policy-${id}`,
  enable: true,
  sort: id,
  appgroupId,
  pipeId: 1,
  ipgroupId: null,
  timeId: null,
});
const deny = { deny: true };
const most = stateLimits.appRules;
const services = stateLimits.appServices;

const verdictsOf = (rules: object) =>
  policyFindings(mergePolicy({ node: { ...node, ...rules }, template: {} }), context)
    .filter(({ reason }) => ["tooManyMatches", "rulesWithoutRoom", "noLine"].includes(reason))
    .map(({ family, objectId, effect, reason, params }) => [
      `${family} ${objectId}`,
      effect,
      reason,
      params,
    ]);
const beyond = (needed: number, left: number) => [
  "cannot",
  "tooManyMatches",
  { needed: String(needed), left: String(left), most: String(most) },
];
const group = (id: number, rules: string, count = 1) => [
  `routerAppgroup ${id}`,
  "fallback",
  "rulesWithoutRoom",
  { count: String(count), rules },
];

test("room is counted in rules of the firewall: a route is one, a denial six, a bandwidth policy four", () => {
  const fits = Math.floor(most / services);
  const routes = Array.from({ length: fits }, (_, at) => route(at + 1, 1));
  expect(verdictsOf({ routerPolicyroute: routes })).toEqual([]);
  expect(verdictsOf({ routerPolicyroute: [...routes, route(90, 2), route(91, null)] })).toEqual([
    group(2, "route-90"),
    ["routerPolicyroute 90", ...beyond(1, 0)],
  ]);
  const policies = Array.from({ length: fits / 4 + 1 }, (_, at) => policy(at + 1, 1));
  expect(verdictsOf({ routerBwpolicy: policies })).toEqual([
    group(1, `policy-${fits / 4 + 1}`),
    [`routerBwpolicy ${fits / 4 + 1}`, ...beyond(4 * services, 0)],
  ]);
});

test("a denial has room before whatever lets flows through", () => {
  const before = Array.from({ length: 3 }, (_, at) => route(at + 1, 1));
  const after = Array.from({ length: 5 }, (_, at) => route(at + 50, 1));
  const routerPolicyroute = [...before, route(20, 1, deny), ...after];
  // 16 in all: 6 of the denial, of what is before it each 11, and of what is after it each one.
  const left = most - 6 * services;
  expect(verdictsOf({ routerPolicyroute })).toEqual([
    group(1, "route-1, route-2, route-3", 3),
    ...before.map(({ id }) => [`routerPolicyroute ${id}`, ...beyond(11 * services, left)]),
  ]);
  const denials = [route(1, 1), route(2, 1, deny), route(3, 1, deny), route(4, 1, deny)];
  expect(verdictsOf({ routerPolicyroute: denials })).toEqual([
    group(1, "route-4, route-1", 2),
    ["routerPolicyroute 1", ...beyond(11 * services, most - 12 * services)],
    ["routerPolicyroute 4", ...beyond(6 * services, most - 12 * services)],
  ]);
});

test("what does not act for another reason takes no room", () => {
  const fits = Math.floor(most / services);
  const idle = Array.from({ length: fits }, (_, at) => route(at + 1, 1, { lineGroup: 2 }));
  const routes = Array.from({ length: fits }, (_, at) => route(at + 50, 1));
  expect(
    verdictsOf({ routerPolicyroute: [...idle, ...routes] }).filter(([, , why]) => why !== "noLine"),
  ).toEqual([]);
});
