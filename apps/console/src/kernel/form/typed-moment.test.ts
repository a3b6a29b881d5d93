import { expect, test } from "vitest";
import { momentOf } from "./typed-moment.ts";

const day = new Date(2026, 11, 31);

test.each([
  ["2026-12-31", day],
  ["2026/12/31", day],
  ["2026.12.31", day],
  [" 2026年12月31日 ", day],
  ["２０２６－１２－３１", day],
  ["2026-1-2", new Date(2026, 0, 2)],
  ["2026-12-31 08:30", new Date(2026, 11, 31, 8, 30)],
  ["2026年12月31日8:30", new Date(2026, 11, 31, 8, 30)],
  ["2026-12-31T23:59:59", new Date(2026, 11, 31, 23, 59, 59)],
])("%s is a moment", (text, at) => {
  expect(momentOf(text)).toEqual(at);
});

test.each([
  "",
  "tomorrow",
  "2026",
  "12-31",
  "2026-13-01",
  "2026-04-31",
  "2027-02-29",
  "2026-12-31 24:00",
  "2026-12-31 8",
])("%j is none, and no other one in its place", (text) => {
  expect(momentOf(text)).toBeNull();
});
