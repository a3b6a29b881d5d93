import { expect, test } from "vitest";
import { shadowing } from "./strangers.ts";

const learned = { dst: "10.1.0.0/16", gateway: "10.255.11.0", dev: "wl11", protocol: "186" };
const route = (dst: string, protocol = "3") => ({
  dst,
  gateway: "10.9.0.1",
  dev: "lan0",
  protocol,
});

test.each([
  ["more specific than a learned one", route("10.1.2.0/24"), "10.1.0.0/16"],
  ["of the same prefix", route("10.1.0.0/16"), "10.1.0.0/16"],
  ["to a single host of a LAN", route("10.9.0.7"), "10.9.0.0/24"],
])("a foreign route %s is named", (_what, foreign, hidden) => {
  const [line, ...more] = shadowing([learned, foreign], ["10.9.0.0/24"]);
  expect(line).toMatch(new RegExp(`^foreign: route .* shadows ${hidden}$`));
  expect(more).toEqual([]);
});

test.each([
  ["wider", route("10.0.0.0/8")],
  ["elsewhere", route("172.17.0.0/16")],
  ["default", route("default")],
  ["of an address of the device", route("10.9.0.0/24", "2")],
  ["of ours", route("10.1.2.0/24", "99")],
])("a route that is %s hides nothing", (_what, foreign) => {
  expect(shadowing([learned, foreign], ["10.9.0.0/24"])).toEqual([]);
});
