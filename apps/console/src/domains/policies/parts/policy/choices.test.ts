import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { expect, test } from "vitest";
import { isMetric } from "./choices.ts";

test.each([
  ["routerInterface", "vlan", true],
  ["routerInterface", "lines", true],
  ["routerBandwidthpipe", "maxbw", true],
  ["routerBandwidthpipe", "direction", false],
  ["routerBwpolicy", "pipeId", false],
  ["routerInterface", "netcard", false],
])("of %s, %s is a value: %s", (family, field, expected) => {
  expect(isMetric(policyFamily(family), field)).toBe(expected);
});
