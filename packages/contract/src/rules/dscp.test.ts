import { expect, test } from "vitest";
import { codePointsOf } from "./dscp.ts";

test.each([
  ["EF, CS5,AF41 AF42，AF43", [46, 40, 34, 36, 38]],
  ["af21, 33", [18, 33]],
  ["", []],
])("%s", (text, points) => {
  expect(codePointsOf(text)).toEqual(points);
});

test.each(["EF, AF44", "64", "0", "CS0", "voice", "-1"])("%s is no list of code points", (text) => {
  expect(codePointsOf(text)).toBeNull();
});
