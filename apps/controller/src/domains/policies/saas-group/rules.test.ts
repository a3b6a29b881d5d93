import { expect, test } from "vitest";
import { clashOf } from "./rules.ts";

const others = [
  { name: "one", members: ["10.1.0.0/16", "fd00:1::/48"] },
  { name: "two", members: ["192.0.2.10-192.0.2.20", "0.0.0.7"] },
];

test.each([
  ["10.2.0.0/16", null],
  ["10.1.9.9", ["10.1.0.0/16", "one"]],
  ["10.0.0.0/8", ["10.1.0.0/16", "one"]],
  ["192.0.2.20-192.0.2.30", ["192.0.2.10-192.0.2.20", "two"]],
  ["192.0.2.21-192.0.2.30", null],
  ["fd00:1:0:5::/64", ["fd00:1::/48", "one"]],
  ["::7", null],
])("addresses of two groups share none: %s", (value, clash) => {
  const issue = clashOf("ip", ["172.16.0.0/12", value], others);
  expect(issue && [issue.params.value, issue.params.other]).toEqual(clash);
  expect(issue?.rule ?? "overlap").toBe("overlap");
});

test("a member is in one group, whatever its case; a name below it is another", () => {
  const group = [{ name: "office", members: ["*.example.com"] }];
  expect(clashOf("domain", ["*.EXAMPLE.com"], group)).toEqual({
    path: "values",
    rule: "inUse",
    params: { value: "*.example.com", other: "office" },
  });
  expect(clashOf("domain", ["mail.example.com"], group)).toBeNull();
  expect(clashOf("dpi", ["100"], [{ name: "web", members: ["100"] }])?.rule).toBe("inUse");
});
