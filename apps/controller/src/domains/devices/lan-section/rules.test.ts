import { describe, expect, test } from "vitest";
import { overlapIssues } from "./rules.ts";

const others = [
  { siteName: "SH-01", network: "10.1.1.1/24" },
  { siteName: "SH-02", network: "fd00:1:1::1/64" },
];

describe("sections of a space do not overlap", () => {
  test.each([
    ["10.1.2.1/24", null, []],
    ["10.1.1.200/25", null, ["network"]],
    ["10.0.0.1/8", null, ["network"]],
    ["10.1.2.1/24", "fd00:1:1:0:1::1/80", ["network6"]],
    ["10.1.1.1/24", "fd00:1:1::9/64", ["network", "network6"]],
  ])("%s and %s", (network, network6, fields) => {
    const issues = overlapIssues({ network, network6 }, others);
    expect(issues.map((issue) => issue.path)).toEqual(fields);
  });

  test("the issue names the other site and its network", () => {
    expect(overlapIssues({ network: "10.1.1.9/32", network6: null }, others)).toEqual([
      { path: "network", rule: "overlap", params: { value: "10.1.1.1/24", other: "SH-01" } },
    ]);
  });
});
