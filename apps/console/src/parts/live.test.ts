import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { concerned, gather } from "./live.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the first event of a resource is acted on immediately, what follows is gathered", () => {
  const refreshed: string[][] = [];
  const refreshes = gather((...resources) => refreshed.push([...resources]), 1_000);
  refreshes.add(["link"]);
  expect(refreshed).toEqual([["link"]]);
  // Another one does not wait for it.
  for (let at = 0; at < 100; at += 1) refreshes.add(["link", "cpe"]);
  expect(refreshed).toEqual([["link"], ["cpe"]]);
  vi.advanceTimersByTime(999);
  expect(refreshed).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(refreshed.slice(2)).toEqual([["link"], ["cpe"]]);
  vi.advanceTimersByTime(1_000);
  expect(refreshed).toHaveLength(4);
  refreshes.add(["pop"]);
  expect(refreshed.at(-1)).toEqual(["pop"]);
  refreshes.add(["pop"]);
  refreshes.end();
  vi.advanceTimersByTime(5_000);
  expect(refreshed).toHaveLength(5);
});

test("a fall of a link concerns the screens that show links", () => {
  expect(concerned.link).toContain("link");
  expect(concerned.node).toEqual(expect.arrayContaining(["cpe", "pop"]));
});
