import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isLivePaused, isOff, pauseLive, remember } from "./use-auto-refresh.ts";

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

test("a screen is on until it was switched off, and others stay as they are", () => {
  expect(isOff("cpe")).toBe(false);
  remember("cpe", false);
  remember("cpe", false);
  expect([isOff("cpe"), isOff("pop")]).toEqual([true, false]);
  remember("cpe", true);
  expect(isOff("cpe")).toBe(false);
});

test("what cannot be read is on", () => {
  for (const text of ["{", '"cpe"', "[1, null]"]) {
    stored.set("autoRefreshOff", text);
    expect(isOff("cpe")).toBe(false);
  }
});

test("events rest until the last screen that wants so has gone", () => {
  const [one, other] = [pauseLive(), pauseLive()];
  one();
  expect(isLivePaused()).toBe(true);
  other();
  expect(isLivePaused()).toBe(false);
});
