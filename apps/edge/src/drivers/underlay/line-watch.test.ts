import { expect, test } from "vitest";
import { isNewsOfLines } from "./line-watch.ts";

test.each([
  ["a line that falls", "3: wan1: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500 state DOWN ", true],
  ["an address that goes", "Deleted 3: wan1    inet 192.0.2.11/24 scope global wan1", true],
  ["a line whose name begins like a link's", "9: wlan0: <BROADCAST,UP> mtu 1500 ", true],
  ["a link that is made", "14: wl7: <POINTOPOINT,NOARP> mtu 1420 qdisc noop state DOWN ", false],
  ["an address of a link", "Deleted 14: wl7    inet 169.254.1.1/31 scope global wl7", false],
  ["mobile clients", "15: wm2    inet 10.7.0.1/24 scope global wm2", false],
  ["messages that were lost", null, true],
  ["an empty line", "", false],
] as const)("news of lines: %s", (_what, line, isNews) => {
  expect(isNewsOfLines(line)).toBe(isNews);
});
