import { expect, test } from "vitest";
import { fitting } from "./filter-bar.tsx";

/** px of four filters, of which the first is the search; with the gaps of 8 px 584. */
const widths = [200, 120, 120, 120];
const rest = 100;

test("all filters are in the line while they have room, without the button of the rest", () => {
  expect(fitting(widths, 584, rest)).toBe(4);
});

test("without that room the last ones are behind a button, which has room itself", () => {
  expect(fitting(widths, 583, rest)).toBe(3);
  // 200, 120 and 100, with two gaps.
  expect(fitting(widths, 436, rest)).toBe(2);
  expect(fitting(widths, 435, rest)).toBe(1);
});

test("the search is in the line in any case", () => {
  expect(fitting(widths, 0, rest)).toBe(1);
});
