import { appRulesOfBandwidth, appRulesOfRoute } from "@weft/contract/device/v1/app-rules.ts";
import type { AppService, PolicyRoute } from "@weft/contract/device/v1/policy.ts";
import { describe, expect, test } from "vitest";
import { classParts } from "./classes.ts";
import { denialParts } from "./denials.ts";
import { policyRouteParts } from "./policy-routes.ts";

const service = (given: Partial<AppService>): AppService => ({
  protocol: "tcp",
  port: null,
  sourcePort: null,
  target: null,
  ...given,
});
const services = [
  service({ port: "443" }),
  service({ port: "53", protocol: "any" }),
  service({ sourcePort: "9" }),
  service({ port: "80", target: "192.0.2.0/24" }),
  service({ port: "80", target: "2001:db8::/32" }),
  service({ protocol: "udp" }),
];
const applications = [{ id: 6, services }];
/** Rules that match by the group. */
const countIn = (chains: readonly string[]): number =>
  chains
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.includes("meta l4proto") && !line.includes("reject")).length;

const route = (given: Partial<PolicyRoute>): PolicyRoute => ({
  id: 3,
  sources: null,
  targets: null,
  app: 6,
  time: null,
  slots: [1],
  nat: true,
  ...given,
});
const deny: Pick<PolicyRoute, "slots" | "nat" | "deny"> = { slots: [], nat: false, deny: true };
const context = {
  lines: [{ slot: 1, interfaceName: "wan1", address: null }],
  hosts: ["iifname { lan0 } "],
  lans: ["lan0"],
  reserved: [],
  kept: [],
};
const rendered = (...routes: PolicyRoute[]): number => {
  const policy = { sets: [], limits: [], routes, applications };
  return countIn([
    ...policyRouteParts(policy, context).chains,
    ...denialParts(policy, { lans: ["lan0"], wan: ["wan1"] }).chains,
  ]);
};

describe("firewall rules that name an application group are no more than the contract's limit", () => {
  const ends = [
    {},
    { sources: 8 },
    { targets: 9 },
    { sources: 8, targets: 9 },
    { hop: { address: "10.0.0.2", interfaceName: "lan0" }, slots: [] },
    { destination: "2001:db8::2", slots: [] },
  ];
  test.each(ends)("of a route: %j", (end) => {
    const asked = {
      services,
      isAimed: "targets" in end,
      isGrouped: Object.keys(end).length > 0,
    };
    const other = route({ id: 1, app: null });
    expect(rendered(route(end))).toBeLessThanOrEqual(appRulesOfRoute({ ...asked, denial: null }));
    const last = route({ id: 4, app: null, ...deny });
    expect(rendered(route(end), last)).toBeLessThanOrEqual(
      appRulesOfRoute({ ...asked, denial: "after" }),
    );
    const denied = { ...route(end), ...deny, hop: undefined, destination: undefined };
    expect(rendered(other, denied)).toBeLessThanOrEqual(
      appRulesOfRoute({ ...asked, denial: "is" }),
    );
  });

  test("and as many for one with sources and targets", () => {
    const asked = { services, isAimed: true, isGrouped: true };
    const aimed = { sources: 8, targets: 9 };
    expect(rendered(route(aimed))).toBe(appRulesOfRoute({ ...asked, denial: null }));
    expect(rendered(route({ id: 1, app: null }), route({ ...aimed, ...deny }))).toBe(
      appRulesOfRoute({ ...asked, denial: "is" }),
    );
  });

  test.each([null, 8])("of a bandwidth policy about hosts %j", (hosts) => {
    const tunnel = {
      id: 1,
      guaranteed: 0,
      most: 100,
      up: true,
      down: true,
      slot: null,
    };
    const bandwidths = [{ id: 3, tunnel: 1, hosts, app: 6, time: null }];
    const { chains } = classParts({
      wan: ["wan1"],
      lan: [{ interfaceName: "lan0" }],
      policy: { sets: [], limits: [], tunnels: [tunnel], bandwidths, applications },
      shaped: {
        trees: { up: null, down: null },
        ratesLines: true,
        bySlot: [],
        carriesTunnels: false,
      },
    });
    const isGrouped = hosts !== null;
    expect(countIn(chains)).toBe(appRulesOfBandwidth({ services, isGrouped }));
  });
});
