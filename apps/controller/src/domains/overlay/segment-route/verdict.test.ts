import { expect, test } from "vitest";
import { type SegmentHop, verdictOf } from "./verdict.ts";

const good = { nodes: 1, able: 1, linked: 1, online: 1, carrying: 1, cut: 0, unsettled: 0 };
const hop = (place: number, change: Partial<SegmentHop> = {}): SegmentHop => ({
  place,
  name: place === 0 ? "CPE" : `P${place}`,
  ...good,
  reason: null,
  ...change,
});
const cut = { cut: 1, reason: "segmentCut" };
const shown = (...changes: Partial<SegmentHop>[]): string => {
  const hops = [0, 1, 2].map((place) => hop(place, changes[place]));
  const { state, reason, params, sites, sitesActing } = verdictOf(true, null, hops);
  return [state, reason, ...Object.values(params), `${sitesActing}/${sites}`].join(" ");
};

test("a route acts when every hop reports nothing else", () => {
  expect(shown()).toBe("acts  1/1");
  expect(shown({ nodes: 5, able: 4, online: 5, carrying: 4, cut: 1 })).toBe("acts  3/5");
});

test("of those that report it, the last one is where the route is cut", () => {
  expect(shown(cut, cut)).toBe("withdrawn hopGone P1 P2 0/1");
  expect(shown(cut)).toBe("withdrawn hopGone CPE P1 0/1");
  expect(shown(cut, cut, { cut: 1, reason: "segmentEnd" })).toBe("withdrawn endGone P2 0/1");
  // What a POP reported before it lost its contact may be long ago.
  expect(shown(cut, cut, { cut: 1, reason: "segmentEnd", online: 0 })).toBe(
    "withdrawn hopGone P1 P2 0/1",
  );
});

test("what is not known is not shown as success", () => {
  expect(shown({}, { online: 0 })).toBe("pending offline P1 0/1");
  expect(shown({}, { carrying: 0 })).toBe("pending unconfirmed P1 0/1");
  expect(shown({}, { unsettled: 1 })).toBe("pending unconfirmed P1 0/1");
  expect(shown({ carrying: 0 })).toBe("pending unconfirmed CPE 0/1");
});

test("what rows and devices lack comes before what is reported", () => {
  expect(shown({}, { able: 0 })).toBe("cannot noCapability P1 0/1");
  expect(shown({}, { linked: 0 })).toBe("withdrawn noLink P1 P2 0/1");
  expect(verdictOf(true, { reason: "tooWide", params: {} }, [hop(0)])).toMatchObject({
    state: "cannot",
    reason: "tooWide",
  });
  expect(verdictOf(true, null, [])).toMatchObject({ state: "cannot", reason: "noSpace" });
  expect(verdictOf(false, null, [hop(0)])).toMatchObject({ state: "off", reason: null });
});
