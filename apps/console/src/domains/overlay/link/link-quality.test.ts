import type { LinkExcess } from "@weft/contract/domains/devices/link-quality.ts";
import { describe, expect, it } from "vitest";
import { gradeOf } from "./link-monitor-page.tsx";

const fine = { status: 1, delay: 20, excess: null };
const excess = (metric: LinkExcess["metric"], value: number | null): { excess: LinkExcess } => ({
  excess: { metric, value, limit: value, since: new Date() },
});

describe("the grade of a link", () => {
  it.each([
    ["good", {}],
    ["good", { delay: 900 }],
    ["fair", excess("loss", 1.6)],
    ["fair", excess("delay", 420)],
    ["poor", excess("loss", 3.9)],
    ["poor", excess("jitter", 101)],
    ["poor", excess("oneWay", null)],
    [null, { delay: null }],
    [null, { status: 0, ...excess("loss", 100) }],
  ] as const)("is %s with %o: the last sample alone decides nothing", (grade, change) => {
    expect(gradeOf({ ...fine, ...change })).toBe(grade);
  });
});
