import { expect, test } from "vitest";
import { mergePolicy } from "#domains/policies/merged/public.ts";
import { policyFindings } from "./findings.ts";
import type { PolicyContext } from "./verdict.ts";

const families = ["routerBandwidthpipe", "routerBwpolicy", "routerInterfaceline"];
const context: PolicyContext = {
  capabilities: families.map((family) => ({ name: `policy.${family}`, can: true })),
  slots: new Set([1]),
  rates: { up: 10_000, down: 50_000 },
  lans: [{ network: "10.1.1.1/24", network6: null }],
  tunnelPorts: new Set(),
  heldAt: null,
};
const lines = [
  { id: 5, kind: "wan", accessposition: 1, name: "first" },
  { id: 6, kind: "wan", accessposition: 3, name: "third" },
  { id: 7, kind: "lan", accessposition: null, name: "lan" },
];
const tunnel = (id: number, given: object = {}) => ({
  id,
  name: `tunnel-${id}`,
  gbw: 1_000,
  maxbw: 5_000,
  direction: 0,
  lineId: null,
  ...given,
});
const policy = (id: number, pipeId: number, given: object = {}) => ({
  id,
  name: `policy-${id}`,
  enable: true,
  sort: 1,
  pipeId,
  appgroupId: null,
  ipgroupId: null,
  timeId: null,
  ...given,
});
const found = (
  tunnels: readonly object[],
  policies: readonly object[],
  at: Partial<PolicyContext> = {},
) => {
  const node = {
    routerInterfaceline: lines,
    routerBandwidthpipe: tunnels,
    routerBwpolicy: policies,
  } as Parameters<typeof mergePolicy>[0]["node"];
  return policyFindings(mergePolicy({ node, template: {} }), { ...context, ...at })
    .filter(({ family }) => family !== "routerInterfaceline")
    .map(({ family, objectId, effect, reason }) => [family, objectId, effect, reason].join(" "));
};

test("a tunnel that a policy names acts, and one that none names waits", () => {
  expect(found([tunnel(1)], [policy(1, 1)])).toEqual([]);
  expect(found([tunnel(1)], [])).toEqual(["routerBandwidthpipe 1 fallback unused"]);
});

test("without a rate there is no guarantee, and above it none is whole", () => {
  const rates = { up: null, down: 50_000 };
  expect(found([tunnel(1)], [policy(1, 1)], { rates })).toEqual([
    "routerBandwidthpipe 1 fallback noLineRate",
  ]);
  expect(found([tunnel(1, { direction: 2 })], [policy(1, 1)], { rates })).toEqual([]);
  const two = [tunnel(1, { gbw: 5_000 }), tunnel(2, { gbw: 5_000 })];
  expect(found(two, [policy(1, 1), policy(2, 2)])).toEqual([
    "routerBandwidthpipe 1 fallback guaranteesAbove",
    "routerBandwidthpipe 2 fallback guaranteesAbove",
  ]);
  // What no policy names asks for nothing.
  expect(found(two, [policy(1, 1)])).toEqual(["routerBandwidthpipe 2 fallback unused"]);
});

test("a policy does not act through a tunnel of a link that is not there, or for applications", () => {
  expect(found([tunnel(1, { lineId: 6 })], [policy(1, 1)])).toEqual([
    "routerBandwidthpipe 1 cannot noLine",
    "routerBwpolicy 1 cannot noLine",
  ]);
  expect(found([tunnel(1, { lineId: 7 })], [policy(1, 1)])).toEqual([
    "routerBandwidthpipe 1 cannot notWan",
    "routerBwpolicy 1 cannot notWan",
  ]);
  expect(found([tunnel(1)], [policy(1, 1, { appgroupId: 4 })])).toContain(
    "routerBwpolicy 1 cannot offReference",
  );
});
