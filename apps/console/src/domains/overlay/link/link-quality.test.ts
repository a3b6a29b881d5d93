import { describe, expect, it } from "vitest";
import { gradeOf } from "./link-quality.ts";

const fine = { status: 1, delay: 20, jitter: 2, loss: 0 };

describe("the grade of a link", () => {
  it.each([
    ["good", {}],
    ["good", { loss: 1, delay: 300, jitter: 30 }],
    ["fair", { loss: 1.1 }],
    ["fair", { delay: 301 }],
    ["fair", { jitter: 31 }],
    ["poor", { loss: 5.1 }],
    ["poor", { delay: 801, loss: 2 }],
    ["good", { loss: null, jitter: null }],
    [null, { delay: null }],
    [null, { status: 0 }],
  ] as const)("is %s with %o", (grade, change) => {
    expect(gradeOf({ ...fine, ...change })).toBe(grade);
  });
});
