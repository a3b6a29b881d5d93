import { describe, expect, test } from "vitest";
import { checkWire } from "#kernel/rule.ts";
import {
  besideLinks,
  formatAddress,
  ipCidr,
  networkOf,
  ofInterfaces,
  ofSites,
  overlaps,
  parseAddress,
  parsePrefix,
} from "#rules/address.ts";

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
    "192.168.1.00",
    "192.168.1.1.",
    ".192.168.1.1",
    "192.168..1",
    "192.168.1.1.1",
    "192.168.1.1 ",
    "192.168.1.+1",
    "1e2.0.0.1",
    "٠.0.0.1",
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

describe("networks of interfaces", () => {
  const rulesOf = (schema: typeof ipCidr | ReturnType<typeof ofInterfaces>, value: string) => {
    const checked = checkWire(schema, value);
    return checked.ok
      ? []
      : checked.issues.map(({ rule, params }) => [rule, ...Object.values(params)]);
  };
  const lan = ofInterfaces(ofSites(ipCidr));
  const wan = besideLinks(ofInterfaces(ipCidr));

  test.each([
    ["169.1.0.1/8", "169.254.0.0/16"],
    ["169.252.0.1/14", "169.254.0.0/16"],
    ["198.0.0.1/8", "198.18.0.0/15"],
    ["198.16.0.1/14", "198.18.0.0/15"],
    ["fd57::1/16", "fd57:6566::/32"],
    ["fd57:6566::1/31", "fd57:6566::/32"],
  ])("%s has reserved addresses inside: %s", (value, network) => {
    expect(rulesOf(lan, value)).toEqual([["reservedInside", network]]);
  });

  test.each([
    "169.0.0.1/9",
    "198.20.0.1/14",
    "198.16.0.1/15",
    "100.64.0.1/10",
    "10.0.0.1/8",
    "fd57:6565::1/32",
  ])("%s has none", (value) => expect(rulesOf(lan, value)).toEqual([]));

  test("one that is wide is only that, and a part of a reserved one is reserved", () => {
    expect(rulesOf(lan, "168.0.0.1/7")).toEqual([["wideNetwork"]]);
    expect(rulesOf(lan, "169.254.7.1/24")).toEqual([["reservedNetwork"]]);
  });

  test("a WAN link may have a link-local transfer network beside those of tunnels", () => {
    expect(rulesOf(wan, "169.254.0.5/30")).toEqual([]);
    for (const value of ["169.254.77.2/30", "169.254.255.254/31", "169.254.0.1/16"])
      expect(rulesOf(wan, value)).toMatchObject([["insideLinks", expect.any(String)]]);
    expect(rulesOf(wan, "169.255.0.5/16")).toEqual([]);
  });

  test("a route or an announcement may be a summary with reserved ones inside", () => {
    for (const value of ["0.0.0.0/0", "::/0", "168.0.0.0/5", "198.0.0.0/8", "fd00::/8"])
      expect(rulesOf(ofSites(ipCidr) as typeof ipCidr, value)).toEqual([]);
  });
});

test("a text that comes again is not parsed again, and none is kept for ever", () => {
  const text = "10.200.3.4/24";
  const first = parsePrefix(text);
  expect(first).toEqual({ family: 4, address: 0x0ac80304n, length: 24 });
  expect(parsePrefix(text)).toBe(first);
  expect(networkOf(text)).toBe("10.200.3.0/24");
  // More than are kept, and one that is too long for it.
  for (let at = 0; at < 10_001; at += 1) parsePrefix(`10.201.${at >> 8}.${at & 255}/32`);
  expect(parsePrefix(text)).not.toBe(first);
  expect(parsePrefix(text)).toEqual(first);
  expect(parsePrefix(" ".repeat(65))).toBeNull();
  expect(() => networkOf("10.1.1.1/33")).toThrow("10.1.1.1/33");
  expect(() => networkOf("10.1.1.1/33")).toThrow("10.1.1.1/33");
});
