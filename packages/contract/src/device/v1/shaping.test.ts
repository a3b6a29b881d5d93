import { expect, test } from "vitest";
import type { BandwidthTunnel } from "./policy.ts";
import {
  type CircuitState,
  circuitClass,
  circuitRest,
  circuitsAt,
  circuitsOn,
  innerClass,
  type ShapedCircuit,
  type ShapingSection,
  spaceTreeOf,
  treesOf,
} from "./shaping.ts";

const rates = (given: Partial<ShapingSection>): ShapingSection => ({
  up: null,
  down: null,
  lines: [],
  ...given,
});
const tunnel = (id: number, given: Partial<BandwidthTunnel> = {}): BandwidthTunnel => ({
  id,
  guaranteed: 4_000,
  most: 20_000,
  up: true,
  down: true,
  slot: null,
  ...given,
});

test("without a rate or a tunnel nothing is shaped, and rates of the WAN links alone need no tree", () => {
  expect(treesOf(undefined)).toEqual({ up: null, down: null });
  const lines = [
    { slot: 1, up: 8_000 },
    { slot: 2, up: 2_000 },
  ];
  expect(treesOf(rates({ up: 10_000, lines })).up).toBeNull();
  expect(treesOf(rates({ up: 9_000, lines })).up).toEqual({
    rate: 9_000,
    leaves: [],
    circuits: [],
  });
  expect(treesOf(rates({ down: 9_000 })).down).toEqual({ rate: 9_000, leaves: [], circuits: [] });
});

test("a tunnel is in its directions, by its place, with no more than the device has", () => {
  const tunnels = [tunnel(7, { down: false }), tunnel(9, { slot: 2 })];
  const { up, down } = treesOf(rates({ up: 10_000 }), { tunnels });
  expect(up?.leaves).toEqual([
    { leaf: 1, slot: null, guaranteed: 4_000, most: 10_000 },
    { leaf: 2, slot: 2, guaranteed: 4_000, most: 10_000 },
  ]);
  expect(down).toEqual({
    rate: null,
    leaves: [{ leaf: 2, slot: 2, guaranteed: 4_000, most: 20_000 }],
    circuits: [],
  });
});

test("guarantees above what there is are cut in proportion, and leave a tenth to the rest", () => {
  const tunnels = [tunnel(1, { guaranteed: 12_000 }), tunnel(2, { guaranteed: 6_000 })];
  const guaranteed = treesOf(rates({ up: 10_000 }), { tunnels }).up?.leaves.map(
    (leaf) => leaf.guaranteed,
  );
  expect(guaranteed).toEqual([6_000, 3_000]);
});

const circuit = (id: number, given: Partial<CircuitState> = {}): CircuitState => ({
  id,
  guaranteed: 2_000,
  most: 6_000,
  until: null,
  links: [11],
  networks: null,
  ...given,
});
const first = (circuits: readonly ShapedCircuit[] = []): ShapedCircuit => {
  const [one] = circuits;
  if (!one) throw new Error("no circuit");
  return one;
};

test("circuits keep their number whichever of them is on a link or has ended", () => {
  const shaping = rates({ circuits: [circuit(7, { links: [21] }), circuit(9, { until: 5_000 })] });
  expect(circuitsOn(shaping, new Set([11])).map(({ id, place }) => [id, place])).toEqual([[9, 2]]);
  const all = circuitsOn(shaping, new Set([11, 21]));
  expect(circuitsAt(all, 4_999).map(({ id }) => id)).toEqual([7, 9]);
  expect(circuitsAt(all, 5_000).map(({ id }) => id)).toEqual([7]);
});

test("circuits take their guarantees with the tunnels, and a tunnel in one is within it", () => {
  const circuits = circuitsOn(rates({ circuits: [circuit(7)] }), new Set([11]));
  const { up } = treesOf(rates({ up: 4_000 }), { tunnels: [tunnel(1)] }, circuits);
  // 6,000 were asked for of nine tenths of 4,000.
  expect(up?.leaves).toMatchObject([{ guaranteed: 2_400 }]);
  expect(up?.circuits).toEqual([
    {
      place: 1,
      guaranteed: 1_200,
      most: 4_000,
      leaves: [{ leaf: 1, slot: null, guaranteed: 1_080, most: 4_000 }],
    },
  ]);
  expect(spaceTreeOf([])).toBe(null);
  expect(spaceTreeOf(circuits)).toEqual({
    rate: null,
    leaves: [],
    circuits: [{ place: 1, guaranteed: 2_000, most: 6_000, leaves: [] }],
  });
});

test("no two classes of circuits have one number, as full as they may be", () => {
  const leaf = { leaf: 1, slot: null, guaranteed: 64, most: 64 };
  const numbersOf = (places: number, tunnels: number) =>
    Array.from({ length: places }, (_, at) => {
      const leaves = Array.from({ length: tunnels }, () => leaf);
      const one = { place: at + 1, guaranteed: 1, most: 1, leaves };
      return [
        circuitClass(one.place),
        circuitRest(one),
        ...leaves.map((_, inner) => innerClass(one, inner + 1)),
      ];
    }).flat();
  for (const [places, tunnels] of [
    [500, 1],
    [3, 254],
  ] as const) {
    const numbers = numbersOf(places, tunnels);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(Math.max(...numbers)).toBeLessThan(0xff00);
  }
  const plain = first(
    spaceTreeOf(circuitsOn(rates({ circuits: [circuit(7)] }), new Set([11])))?.circuits,
  );
  expect(circuitRest(plain)).toBe(circuitClass(1));
});
