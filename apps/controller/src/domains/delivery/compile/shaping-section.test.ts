import { expect, test } from "vitest";
import { type RateView, shapingSectionOf } from "./shaping-section.ts";

const capabilities = [{ name: "shaping", can: true }];
const view = (node: Partial<RateView["node"]>): RateView => ({
  node: { kind: "cpe", lines: [], ...node },
  capabilities,
});
const one = { slot: 1, up: 8_000, down: 40_000 };
const two = { slot: 2, up: 2_000, down: null };

test("a device has the rates of its WAN links together, and no more than its own", () => {
  expect(shapingSectionOf(view({ lines: [one, { ...two, down: 10_000 }] }))).toEqual({
    up: 10_000,
    down: 50_000,
    lines: [
      { slot: 1, up: 8_000 },
      { slot: 2, up: 2_000 },
    ],
  });
  expect(shapingSectionOf(view({ bandwidth: 5_000, lines: [one] }))).toMatchObject({
    up: 5_000,
    down: 5_000,
  });
});

test("with a WAN link without a rate there is no sum", () => {
  expect(shapingSectionOf(view({ lines: [one, two] }))).toMatchObject({ up: 10_000, down: null });
  const lines = [one, { slot: 2, up: null }];
  expect(shapingSectionOf(view({ lines }))).toMatchObject({ up: null, lines: [{ slot: 1 }] });
});

test("a POP has a rate for what it sends alone; nothing set, or a device that cannot: no section", () => {
  const pop = view({ kind: "pop", bandwidth: 9_000, lines: [{ slot: 1 }] });
  expect(shapingSectionOf(pop)).toEqual({ up: 9_000, down: null, lines: [] });
  expect(shapingSectionOf(view({ lines: [{ slot: 1 }] }))).toBeNull();
  expect(shapingSectionOf({ ...pop, capabilities: [{ name: "shaping", can: false }] })).toBeNull();
  expect(shapingSectionOf({ ...pop, capabilities: null })).toBeNull();
});
