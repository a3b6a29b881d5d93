import { expect, test } from "vitest";
import { isNetworkWithin, parsePrefix, prefixText } from "./address.ts";
import { lengthAround, networksAround } from "./prefix-lookup.ts";

const networks = [
  "10.0.0.0/8",
  "10.1.0.0/16",
  "10.1.2.0/24",
  "10.1.2.3/32",
  "0.0.0.0/0",
  "fd00::/8",
  "fd00:1::/32",
  "::/0",
];

/** By comparing with each of them. */
const tried = (inner: string): string[] =>
  networks
    .filter((network) => isNetworkWithin(network, prefixText(inner)))
    .sort((a, b) => (parsePrefix(b)?.length ?? 0) - (parsePrefix(a)?.length ?? 0));

test.each([
  "10.1.2.3",
  "10.1.2.9",
  "10.9.9.9",
  "192.0.2.1",
  "10.1.0.0/16",
  "10.1.2.77/20",
  "fd00:1::7",
  "2001:db8::1",
])("networks around %s are found, the longest first", (inner) => {
  expect(networksAround(networks)(inner)).toEqual(tried(inner));
  expect(tried(inner)).not.toEqual([]);
});

test("host bits of a network do not count, and equal ones are all found", () => {
  expect(networksAround(["10.1.2.9/24", "10.1.2.0/24"])("10.1.2.3")).toEqual([
    "10.1.2.9/24",
    "10.1.2.0/24",
  ]);
});

test("nothing is around what is no address", () => {
  expect(networksAround(networks)("wan1")).toEqual([]);
  expect(networksAround(["wan1", "10.0.0.0/8"])("10.1.1.1")).toEqual(["10.0.0.0/8"]);
});

test("the length is that of the longest, or -1", () => {
  expect(lengthAround(networks, "10.1.2.9")).toBe(24);
  expect(lengthAround(networks.slice(0, 4), "192.0.2.1")).toBe(-1);
  expect(lengthAround(["0.0.0.0/0"], "192.0.2.1")).toBe(0);
});
