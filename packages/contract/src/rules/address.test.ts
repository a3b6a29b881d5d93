import { describe, expect, test } from "vitest";
import { formatAddress, networkOf, overlaps, parseAddress, parsePrefix } from "#rules/address.ts";

describe("addresses", () => {
  test.each([
    "0.0.0.0",
    "255.255.255.255",
    "10.1.2.3",
    "::",
    "::1",
    "2001:db8::ff00:42:8329",
    "fe80::1",
    "1:0:0:2::3",
    "a:b:c:d:e:f:1:2",
  ])("%s survives parsing and printing", (text) => {
    const parsed = parseAddress(text);
    expect(parsed && formatAddress(parsed.family, parsed.address)).toBe(text);
  });

  test.each([
    "256.1.1.1",
    "1.1.1",
    "192.168.01.1",
    " 1.1.1.1",
    "1::2::3",
    "12345::",
    "::1/128",
    "fe80::1%eth0",
    "",
    "1.1.1.1\n",
  ])("%j is no address", (text) => expect(parseAddress(text)).toBeNull());

  test.each([
    ["10.1.1.1/24", "10.1.1.0/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["10.1.1.1/32", "10.1.1.1/32"],
    ["fd00:1:1::1/64", "fd00:1:1::/64"],
    ["2001:DB8::1/128", "2001:db8::1/128"],
    ["::ffff:192.0.2.1/128", "::ffff:c000:201/128"],
  ])("the network of %s is %s", (prefix, network) => expect(networkOf(prefix)).toBe(network));

  test.each([
    ["10.0.0.0/8", "10.200.0.1/32", true],
    ["10.0.0.0/24", "10.0.1.0/24", false],
    ["10.0.0.1/24", "10.0.0.99/24", true],
    ["0.0.0.0/0", "fd00::/8", false],
    ["fd00::/8", "fd12::1/128", true],
  ])("%s and %s overlap: %s", (one, other, shared) => {
    const [a, b] = [parsePrefix(one), parsePrefix(other)];
    expect(a && b && overlaps(a, b)).toBe(shared);
  });
});
