import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { isName } from "@weft/contract/rules/text.ts";
import { describe, expect, it, test } from "vitest";
import { checkOf, typeOf } from "./paste-dialog.tsx";
import { entryName, readLines } from "./pasted-lines.ts";

const addresses = checkOf("routerIpgroupdefine");
const hosts = (count: number) =>
  Array.from({ length: count }, (_, at) => `10.0.${at >> 8}.${at & 255}`);

describe("pasted lines", () => {
  it("of 200 are counted: three come twice, two are wrong, comments are none", () => {
    const text = [
      "# printers of the office",
      ...hosts(195),
      "10.0.0.7",
      "10.0.0.8   # again",
      "10.0.0.9",
      "10.0.0.300",
      "printer.example",
      "",
      "// end",
    ].join("\r\n");
    const read = readLines(text, addresses);
    expect(read.lines).toBe(200);
    expect(read.good).toHaveLength(195);
    expect(read.double.map(({ line, first }) => [line, first])).toEqual([
      [197, 9],
      [198, 10],
      [199, 11],
    ]);
    expect(read.wrong).toMatchObject([
      { line: 200, value: "10.0.0.300", issue: { rule: "ipSet" } },
      { line: 201, value: "printer.example", issue: { rule: "ipSet" } },
    ]);
  });

  it("keep what is behind a value as its comment, and take several values and full-width digits", () => {
    const read = readLines("１０.0.0.1, 10.0.0.2 # lab\n10.0.0.0/8", addresses);
    expect(read.good).toEqual([
      { line: 1, value: "10.0.0.1", comment: "lab" },
      { line: 1, value: "10.0.0.2", comment: "lab" },
      { line: 2, value: "10.0.0.0/8", comment: "" },
    ]);
  });

  it("are double also when they are written differently", () => {
    const read = readLines("10.0.0.0/8\n10.9.9.9/8\nfd00::1\nFD00:0::1", addresses);
    expect(read.double.map(({ line, first }) => [line, first])).toEqual([
      [2, 1],
      [4, 3],
    ]);
  });

  it("of a blacklist have their kind by themselves", () => {
    const all = "203.0.113.0/24 3C-22-FB-00-00-01 ads.example.com https://example.com/a#b";
    const { good, wrong } = readLines(all, checkOf("blacklist"));
    expect(wrong).toEqual([]);
    expect(good.map(({ value }) => typeOf(value))).toEqual(["ip", "mac", "domain", "url"]);
    expect(readLines("10.0.0.300", checkOf("blacklist")).wrong).toHaveLength(1);
  });
});

test.each([
  "10.0.0.0/8",
  "10.0.0.1-10.0.0.9",
  "fd00::1/64",
  "*.example.com",
  `a.example/${"x".repeat(200)}`,
])("the name of an entry for %s obeys the rule of names", (value) => {
  const name = entryName("办公网", value);
  expect(isName(name)).toBe(true);
  expect([...name].length).toBeLessThanOrEqual(64);
  expect(entryName("办公网", `${value}x`)).not.toBe(name);
  expect(policyFamily("routerIpgroupdefine").spec.label).toBe("name");
});
