import { expect, test } from "vitest";
import { spanKey, toRange } from "./range.ts";

const now = Date.UTC(2026, 10, 21, 10, 0, 0, 700);

test("a preset ends now, in whole seconds", () => {
  expect(toRange("6h", now)).toEqual({
    key: "6h",
    range: {
      startTime: new Date(Date.UTC(2026, 10, 21, 4)),
      endTime: new Date(Date.UTC(2026, 10, 21, 10)),
    },
  });
});

test.each([null, "", "2h", "toString", "5~", "9~5", "x~y", "-3~5", "5~9e15"])(
  "%j is the last hour",
  (key) => {
    const { key: kept, range } = toRange(key, now);
    expect(kept).toBe("1h");
    expect(range.endTime.getTime() - range.startTime.getTime()).toBe(3_600_000);
  },
);

test("a span keeps its moments, whichever was picked first", () => {
  const [from, to] = [new Date("2026-11-20T08:00:00Z"), new Date("2026-11-21T08:00:00Z")];
  const key = spanKey(to, from);
  expect(key).toBe(spanKey(from, to));
  expect(toRange(key, now)).toEqual({ key, range: { startTime: from, endTime: to } });
});
