import { expect, test } from "vitest";
import { endsOf, preferenceOf } from "./link-preference.ts";

const link = { preference: null, a: { slot: 1 } };
const ends = {
  sites: endsOf("cpe", "cpe"),
  site: endsOf("cpe", "pop"),
  pops: endsOf("pop", "pop"),
};

test("a site's own link is preferred to the way through another POP, with and without an order of POPs", () => {
  const between = preferenceOf(link, ends.pops);
  for (const slot of [1, 2, 3, 4]) {
    expect(preferenceOf({ ...link, a: { slot } }, ends.site)).toBeGreaterThan(between);
    const first = { ...link, place: 0, a: { slot } };
    expect(preferenceOf(first, ends.site)).toBeGreaterThan(between);
  }
});

test("a way through the first POP is preferred to a POP of a later place, and all to what leaves", () => {
  const later = preferenceOf({ ...link, place: 1 }, ends.site);
  expect(later).toBeLessThan(preferenceOf({ ...link, a: { slot: 4 } }, ends.pops));
  expect(later).toBeGreaterThan(preferenceOf({ ...link, place: 2 }, ends.site));
  const leaving = preferenceOf({ ...link, place: 0, isLeaving: true }, ends.site);
  expect(leaving).toBeLessThan(preferenceOf({ ...link, place: 9, a: { slot: 4 } }, ends.site));
});

test("a direct way is preferred to every POP, and what an operator set to all of it", () => {
  expect(preferenceOf(link, ends.sites)).toBeGreaterThan(preferenceOf(link, ends.site));
  expect(preferenceOf({ ...link, preference: 700 }, ends.site)).toBe(700);
});
