import { expect, test } from "vitest";
import { createRulesReader, isNewsOfKernel, isNewsOfRules } from "./kernel-watch.ts";

test.each([
  ["a route of someone else", "10.0.0.128/25 via 10.0.0.9 dev lan0 proto 3 ", true],
  ["our route", "default via 192.0.2.1 dev wan1 table 101 proto 99 metric 101 ", false],
  ["our route that goes", "Deleted default via 192.0.2.1 dev wan1 table 101 proto 99 ", true],
  ["a learned route", "10.1.1.0/24 via 10.255.11.1 dev wl11 proto 186 metric 20 ", false],
  ["a learned route that goes", "Deleted 10.1.1.0/24 via 10.255.11.1 proto 186 ", false],
  ["an interface that falls", "3: lan0: <BROADCAST,MULTICAST> mtu 1500 state DOWN ", true],
  ["forwarding switched off", "[nsid current]inet all forwarding off ", true],
  ["an empty line", "", false],
])("news of the kernel: %s", (_what, line, isNews) => {
  expect(isNewsOfKernel(line)).toBe(isNews);
});

test.each([
  ["add table inet evil", true],
  ["delete rule inet weft forward handle 7", true],
  ["add element inet weft learned { 192.0.2.1 }", false],
  ['delete element inet weft s_lan4 { "lan0" . 10.1.1.0/24 }', true],
  ["add settings", false],
  ["# new generation 3 by process 16417 (nft)", false],
])("news of rules: %s", (line, isNews) => {
  expect(isNewsOfRules(line)).toBe(isNews);
});

test("a generation of the rules in which nothing was shown is news, one with elements of others is none", () => {
  const generation = "# new generation 3 by process 16417 (nft)";
  const lines = ["add element inet weft learned { 192.0.2.1 }", generation, generation, generation];
  expect(lines.map(createRulesReader())).toEqual([false, false, true, true]);
});
