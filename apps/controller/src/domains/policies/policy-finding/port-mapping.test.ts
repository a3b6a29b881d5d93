import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { expect, test } from "vitest";
import { mergePolicy } from "#domains/policies/merged/public.ts";
import { policyFindings } from "./findings.ts";
import type { PolicyContext } from "./verdict.ts";

const context: PolicyContext = {
  capabilities: ["routerPortmapping", "routerInterfaceline"].map((family) => ({
    name: `policy.${family}`,
    can: true,
  })),
  slots: new Set([1, 2]),
  rates: { up: null, down: null },
  lans: [{ network: "10.1.1.1/24", network6: null }],
  tunnelPorts: new Set([51_820]),
  heldAt: null,
};
const lines = [
  { id: 5, kind: "wan", accessposition: 1, name: "first" },
  { id: 6, kind: "wan", accessposition: 2, name: "second" },
  { id: 7, kind: "wan", accessposition: 3, name: "third" },
  { id: 8, kind: "lan", accessposition: null, name: "lan" },
];
const map = (id: number, externalPort: string, fields: object = {}) => ({
  id,
  enable: true,
  protocol: "tcp",
  externalPort,
  lineId: null,
  internalIp: "10.1.1.9",
  internalPort: "443",
  ...fields,
});
const found = (mappings: readonly ReturnType<typeof map>[], at: Partial<PolicyContext> = {}) => {
  const template = { routerInterfaceline: lines, routerPortmapping: mappings };
  return policyFindings(mergePolicy({ node: {}, template }), { ...context, ...at }).flatMap(
    ({ family, objectId, effect, reason, params }) =>
      family === "routerPortmapping" ? [[objectId, effect, reason, params]] : [],
  );
};

test("a mapping needs its line, which is a WAN link, and its host in a LAN of the node", () => {
  expect(found([map(1, "80", { lineId: 5 }), map(2, "81")])).toEqual([]);
  expect(
    found([
      map(1, "80", { lineId: 7 }),
      map(2, "81", { lineId: 8 }),
      map(3, "82", { internalIp: "10.1.2.9" }),
    ]),
  ).toEqual([
    [1, "cannot", "noLine", { slot: "3" }],
    [2, "cannot", "notWan", { field: "lineId" }],
    [3, "cannot", "notInLan", { host: "10.1.2.9" }],
  ]);
  expect(found([map(1, "80")], { lans: [] })).toEqual([[1, "cannot", "noLan", {}]]);
});

test("a device beside the gateway maps no ports: hosts answer by their gateway", () => {
  expect(found([map(1, "80")], { isBypass: true })).toEqual([[1, "cannot", "bypass", {}]]);
});

test("the ports of the device's own tunnels stay theirs; TCP of the same number does not matter", () => {
  const range = { internalPort: "51000-52000" };
  expect(
    found([
      map(1, "51820"),
      map(2, "51820", { protocol: "udp" }),
      map(3, "51000-52000", { ...range, protocol: "both" }),
    ]),
  ).toEqual([
    [2, "cannot", "portsOfTunnels", { port: "51820" }],
    [3, "cannot", "portsOfTunnels", { port: "51820" }],
  ]);
});

test("of mappings that want one port of one line the first that acts has it", () => {
  const other = (id: number, fields: object) => map(id, "8443", fields);
  expect(
    found([
      other(1, { internalIp: "10.9.9.9" }),
      other(2, { lineId: 5 }),
      other(3, { lineId: 6 }),
      other(4, { lineId: 5, protocol: "udp" }),
      map(5, "8440-8450", { lineId: 5, protocol: "both" }),
      map(6, "8443", { protocol: "udp", lineId: null }),
      map(7, "8444-8450"),
    ]),
  ).toEqual([
    [1, "cannot", "notInLan", { host: "10.9.9.9" }],
    [5, "cannot", "portsTaken", { name: "8443" }],
    [6, "cannot", "portsTaken", { name: "8443" }],
  ]);
});

test("a range may keep its numbers whatever its size; only so many ports get others", () => {
  const { movedPorts } = stateLimits;
  const range = (first: number, count: number) => `${first}-${first + count - 1}`;
  expect(
    found([
      map(1, range(1_000, 9_000), { internalPort: range(1_000, 9_000) }),
      map(2, range(20_000, movedPorts), { internalPort: range(30_000, movedPorts) }),
      map(3, range(40_000, movedPorts + 1), { internalPort: range(30_000, movedPorts + 1) }),
      map(4, range(60_000, 5_000), { internalPort: "443" }),
    ]),
  ).toEqual([[3, "cannot", "movedPorts", { most: `${movedPorts}` }]]);
});
