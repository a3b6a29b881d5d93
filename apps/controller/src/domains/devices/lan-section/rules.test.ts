import { describe, expect, test } from "vitest";
import { overlapIssues, pairIssues, routerIssues } from "./rules.ts";

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

test.each([
  ["10.1.1.1/24", null, []],
  ["10.64.0.1/24", null, ["network"]],
  ["10.64.0.9/24", null, []],
  ["10.64.0.2/30", "fd00:9::1/64", ["network6"]],
  ["10.1.1.1/24", "fd00:9:0:0::1/48", ["network6"]],
])("a section %s %s with the router of a line", (network, network6, fields) => {
  const routers = [
    { siteName: "one", network: "10.64.0.1" },
    { siteName: "two", network: "fd00:9::1" },
  ];
  const issues = routerIssues({ network, network6 }, routers);
  expect(issues.map(({ path, rule }) => `${path} ${rule}`)).toEqual(
    fields.map((path) => `${path} overlap`),
  );
});

describe("a section that two devices of a standby group share", () => {
  const section = (more: object = {}) => ({
    network: "10.1.1.1/24",
    network6: null,
    ownAddress: "10.1.1.2",
    ...more,
  });
  const other = section({ ownAddress: "10.1.1.3" });
  test.each([
    ["each with an address of its own", {}, other, []],
    ["another network", { network: "10.1.2.1/24", ownAddress: null }, other, []],
    ["one address for both", { ownAddress: "10.1.1.3" }, other, ["ownAddress taken"]],
    ["none of its own", { ownAddress: null }, other, ["ownAddress required"]],
    ["none of the other one", {}, section({ ownAddress: null }), ["network overlap"]],
    ["another gateway", { network: "10.1.1.9/24" }, other, ["network overlap"]],
    ["another length", { network: "10.1.1.1/16" }, other, ["network overlap"]],
    [
      "another gateway of IPv6",
      { network6: "fd00:1::2/64" },
      { ...other, network6: "fd00:1::1/64" },
      ["network6 overlap"],
    ],
    [
      "the same of IPv6 in another section",
      { network: "10.1.2.1/24", network6: "fd00:1::1/64" },
      { ...other, network6: "fd00:1::1/64" },
      ["network6 overlap"],
    ],
    ["the same gateways", { network6: "fd00:1::1/64" }, { ...other, network6: "fd00:1::1/64" }, []],
  ])("%s", (_what, more, there, found) => {
    const issues = pairIssues(section(more), [there], "SH-01b");
    expect(issues.map(({ path, rule }) => `${path} ${rule}`)).toEqual(found);
  });
});
