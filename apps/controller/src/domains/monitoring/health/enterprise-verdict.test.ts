import { describe, expect, it } from "vitest";
import {
  type EnterpriseFacts,
  enterpriseHealthOf,
  type StateGroup,
  tonesOf,
} from "./enterprise-verdict.ts";

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 26, 8, minute));
const group = (
  state: StateGroup["state"],
  count: number,
  more: Partial<StateGroup> = {},
): StateGroup => ({
  state,
  count,
  isOwn: true,
  since: at(5),
  siteId: count,
  siteName: `${state}`,
  ...more,
});
const of = (groups: readonly StateGroup[], more: Partial<EnterpriseFacts> = {}) =>
  enterpriseHealthOf({ enabled: true, endAt: null, isExpired: false, groups, ...more });

describe("the health of an enterprise", () => {
  it("is called by its worst site, and counts those of the same tone", () => {
    const groups = [group("online", 30), group("poor", 4), group("cutOff", 2), group("offline", 1)];
    expect(of(groups)).toEqual({
      tone: "bad",
      reason: "bad",
      state: "offline",
      count: 3,
      of: 37,
      since: at(5),
      site: { id: 1, name: "offline" },
    });
    expect(of(groups.slice(0, 2))).toMatchObject({ tone: "warn", state: "poor", count: 4, of: 34 });
  });

  it("names the site that has been so for the longest time, also of an enterprise below", () => {
    const later = group("offline", 2, { since: at(9), siteId: 9 });
    const first = group("offline", 3, { since: at(1), siteId: 8, isOwn: false });
    expect(of([later, first])).toMatchObject({ since: at(1), site: { id: 8 }, count: 5 });
  });

  it("is not worse for sites that are not in service yet, and never well without one that is", () => {
    expect(of([group("online", 3), group("unclaimed", 1)])).toMatchObject({
      tone: "ok",
      reason: "well",
      count: 3,
      of: 4,
      site: null,
    });
    expect(of([group("unclaimed", 1), group(null, 2)])).toMatchObject({
      tone: "unknown",
      reason: "idle",
      state: "unclaimed",
      count: 3,
    });
    expect(of([group("comingUp", 1)])).toMatchObject({ tone: "run", reason: "idle" });
    expect(of([])).toMatchObject({ tone: "unknown", reason: "empty", of: 0 });
  });

  it("follows what was decided first, and a term that is over only while no site is bad", () => {
    const bad = [group("offline", 1)];
    expect(of(bad, { enabled: false })).toMatchObject({ tone: "off", reason: "disabled" });
    const over = { isExpired: true, endAt: at(2) };
    expect(of([group("online", 1)], over)).toMatchObject({ reason: "expired", since: at(2) });
    expect(of(bad, over)).toMatchObject({ reason: "bad" });
  });
});

it("sites are counted by tone, those that were never looked at as unknown", () => {
  expect(tonesOf([group("offline", 2), group(null, 3), group("online", 4)])).toEqual({
    bad: 2,
    warn: 0,
    run: 0,
    unknown: 3,
    ok: 4,
    off: 0,
  });
});
