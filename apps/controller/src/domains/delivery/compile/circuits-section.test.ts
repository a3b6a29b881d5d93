import { circuitsCapability } from "@weft/contract/device/v1/shaping.ts";
import { expect, test } from "vitest";
import { circuitFindings } from "#domains/policies/policy-finding/public.ts";
import { type CircuitedView, circuitContextOf, circuitStatesOf } from "./circuits-section.ts";

interface End {
  readonly kind: "cpe" | "pop";
}
const pop: End = { kind: "pop" };
const cpe: End = { kind: "cpe" };
const link = (id: number, a: number, b: number, spaceId = 4) => ({
  id,
  spaceId,
  a: { node: a },
  b: { node: b },
});
const circuit = (id: number, peer: number, more: object = {}) => ({
  id,
  name: `circuit-${id}`,
  peer,
  peerKind: "cpe" as const,
  bandwidth: 5_000,
  guaranteed: null,
  until: null,
  spaceId: 4,
  networks: ["10.2.0.0/24"],
  ...more,
});
/** A site (1) with a POP (9) and another site (2), and the POP with a second one (8). */
const site: CircuitedView = {
  node: { id: 1, ...cpe, lines: [{ slot: 1, up: 10_000 }] },
  links: [link(31, 1, 9), link(32, 9, 1), link(33, 1, 2), link(34, 1, 9, 5)],
  peers: new Map([
    [9, pop],
    [2, cpe],
  ]),
  capabilities: [{ name: circuitsCapability, can: true }],
};
const atPop: CircuitedView = {
  ...site,
  node: { id: 9, ...pop, lines: [] },
  links: [link(31, 1, 9), link(35, 2, 9), link(36, 8, 9)],
  peers: new Map([
    [1, cpe],
    [2, cpe],
    [8, pop],
  ]),
};
const found = (view: CircuitedView) =>
  circuitFindings(view.circuits ?? [], () => circuitContextOf(view, null)).map(
    ({ objectId, effect, reason }) => `${objectId} ${effect} ${reason}`,
  );

test("a site sends to another by every link of their space, and to a POP by those that lead there", () => {
  const toPop = circuit(7, 9, { peerKind: "pop", networks: [], until: 1_000 });
  const view = { ...site, circuits: [circuit(5, 2), toPop] };
  expect(circuitStatesOf(view, null)).toEqual([
    {
      id: 5,
      guaranteed: null,
      most: 5_000,
      until: null,
      links: [31, 32, 33],
      networks: ["10.2.0.0/24"],
    },
    { id: 7, guaranteed: null, most: 5_000, until: 1_000, links: [31, 32], networks: null },
  ]);
  expect(found(view)).toEqual([]);
});

test("a POP sends to a site by its links and by other POPs", () => {
  const view = { ...atPop, circuits: [circuit(5, 1, { networks: ["10.1.0.0/24"] })] };
  expect(circuitStatesOf(view, null)).toMatchObject([
    { links: [31, 36], networks: ["10.1.0.0/24"] },
  ]);
  const between = { ...atPop, circuits: [circuit(6, 8, { peerKind: "pop", networks: [] })] };
  expect(circuitStatesOf(between, null)).toMatchObject([{ links: [36], networks: null }]);
});

test("one that cannot be applied reports the reason and is not sent", () => {
  const circuits = [
    circuit(1, 2),
    circuit(2, 2),
    circuit(3, 3, { networks: [] }),
    circuit(4, 3, { spaceId: null }),
    circuit(5, 3, { spaceId: 6 }),
  ];
  const view = { ...site, circuits };
  expect(found(view)).toEqual([
    "2 cannot sameEnds",
    "3 cannot noNetworks",
    "4 cannot noCommonSpace",
    "5 cannot noCircuitLink",
  ]);
  expect(circuitStatesOf(view, null).map(({ id }) => id)).toEqual([1]);
  const old = { ...view, capabilities: [{ name: circuitsCapability, can: false }] };
  expect(found(old)).toHaveLength(circuits.length);
  expect(circuitStatesOf(old, null)).toEqual([]);
  expect(circuitStatesOf({ ...view, capabilities: null }, null)).toEqual([]);
});

test("a guarantee needs a rate to take it from, and those above it are cut", () => {
  const guaranteed = { ...site, circuits: [circuit(1, 2, { guaranteed: 5_000 })] };
  expect(found(guaranteed)).toEqual([]);
  expect(found({ ...guaranteed, node: { ...site.node, lines: [{ slot: 1, up: null }] } })).toEqual([
    "1 fallback noLineRate",
  ]);
  const second = circuit(2, 9, { peerKind: "pop", networks: [], guaranteed: 5_000 });
  expect(found({ ...guaranteed, circuits: [...guaranteed.circuits, second] })).toEqual([
    "1 fallback guaranteesAbove",
    "2 fallback guaranteesAbove",
  ]);
});

test("bandwidth tunnels and circuits share the room for classes", () => {
  const tunnels = Array.from({ length: 99 }, (_, at) => ({
    id: at + 1,
    guaranteed: 64,
    most: 64,
    up: true,
    down: true,
    slot: null,
  }));
  const circuits = Array.from({ length: 11 }, (_, at) => circuit(at + 1, 100 + at));
  const policy = { sets: [], limits: [], tunnels };
  expect(circuitStatesOf({ ...site, circuits }, policy)).toHaveLength(10);
  expect(circuitStatesOf({ ...site, circuits }, null)).toHaveLength(11);
});
