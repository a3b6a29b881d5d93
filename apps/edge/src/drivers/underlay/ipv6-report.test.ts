import { expect, test } from "vitest";
import { type Ipv6Report, ipv6LeaseOf, parseIpv6Report, refusedOf } from "./ipv6-report.ts";

const router = "fe80::1";
const linkLocal = "fe80::a:b:c:d";
const prefix = (number: number, value: string, more: Record<string, string> = {}) => {
  const [text = "", length = ""] = value.split("/");
  const own = `nd1_prefix_information${number}_`;
  return {
    [`${own}prefix`]: text,
    [`${own}length`]: length,
    [`${own}flags`]: more.flags ?? "LA",
    [`${own}vltime`]: more.vltime ?? "3600",
    [`${own}pltime`]: more.pltime ?? "1800",
  };
};
const advertised = (options: Record<string, string>, at = 1_000): Ipv6Report => ({
  at,
  linkLocal,
  options: { nd1_from: router, nd1_lifetime: "1800", ...options },
});
const leased = (options: Record<string, string>): Ipv6Report => ({ at: 1_000, linkLocal, options });

test("an address is formed of the advertised prefix and the link-local one, for as long as it says", () => {
  const ra = advertised(prefix(1, "2001:db8:2::/64"));
  const lease = ipv6LeaseOf({ ra, dhcp: null }, 1_000);
  expect(lease).toEqual({
    address: { value: "2001:db8:2:0:a:b:c:d/64", preferredUntil: 2_800, validUntil: 4_600 },
    gateway: router,
    prefix: null,
  });
  // The router first, then the address.
  expect(ipv6LeaseOf({ ra, dhcp: null }, 2_800)).toMatchObject({ gateway: null });
  expect(ipv6LeaseOf({ ra, dhcp: null }, 4_599)).not.toBeNull();
  expect(ipv6LeaseOf({ ra, dhcp: null }, 4_600)).toBeNull();
});

test("what came before with an advertisement of now is as old as it is", () => {
  const ra = advertised({
    ...prefix(1, "2001:db8:2::/64", { vltime: "600", pltime: "600" }),
    nd1_acquired: "100",
    nd1_now: "500",
  });
  expect(ipv6LeaseOf({ ra, dhcp: null }, 1_000)?.address?.validUntil).toBe(1_200);
});

test.each([
  ["no A flag", prefix(1, "2001:db8:2::/64", { flags: "L" })],
  ["no time", prefix(1, "2001:db8:2::/64", { vltime: "0" })],
  ["another length than an interface identifier leaves", prefix(1, "2001:db8:2::/56")],
  ["the link-local network", prefix(1, "fe80::/64")],
  ["multicast", prefix(1, "ff02::/64")],
  ["addresses inside tunnels", prefix(1, "fd57:6566:1:2::/64")],
  ["the loopback network", prefix(1, "::/64")],
  ["a text", prefix(1, "$(reboot)/64")],
  ["a length that is none", prefix(1, "2001:db8:2::/6x")],
])("a prefix with %s makes no address", (_what, options) => {
  expect(ipv6LeaseOf({ ra: advertised(options), dhcp: null }, 1_000)?.address).toBeNull();
});

test("what is preferred for longer than it is valid is ignored, as the kernel would refuse it", () => {
  const infinite = "4294967295";
  for (const [pltime, vltime] of [
    ["3601", "3600"],
    [infinite, "3600"],
  ] as const) {
    const ra = advertised(prefix(1, "2001:db8:2::/64", { pltime, vltime }));
    expect(ipv6LeaseOf({ ra, dhcp: null }, 1_000)?.address).toBeNull();
    const own = "new_dhcp6_ia_na1_ia_addr1";
    const times = { [`${own}_pltime`]: pltime, [`${own}_vltime`]: vltime };
    expect(
      ipv6LeaseOf({ ra: null, dhcp: leased({ [own]: "2001:db8::9", ...times }) }, 1_000),
    ).toBeNull();
    const dhcp = delegated("2001:db8:f000::/56", { pltime, vltime });
    expect(ipv6LeaseOf({ ra: null, dhcp }, 1_000)).toBeNull();
  }
  const forGood = advertised(prefix(1, "2001:db8:2::/64", { pltime: infinite, vltime: infinite }));
  expect(ipv6LeaseOf({ ra: forGood, dhcp: null }, 1_000)?.address).toMatchObject({
    preferredUntil: null,
    validUntil: null,
  });
});

test.each(["fe80::a:b:c:d", "fe80:0::a:b:c:d"])(
  "a router with the line's own address %s is none",
  (own) => {
    const ra = advertised({ ...prefix(1, "2001:db8:2::/64"), nd1_from: own });
    expect(ipv6LeaseOf({ ra, dhcp: null }, 1_000)).toBeNull();
    const another = { ...ra.options, nd2_from: router, nd2_lifetime: "1800" };
    expect(ipv6LeaseOf({ ra: { ...ra, options: another }, dhcp: null }, 1_000)?.gateway).toBe(
      router,
    );
  },
);

test("a prefix that no line can have is reported", () => {
  const ra = advertised({ ...prefix(1, "ff02::/64"), ...prefix(2, "2001:db8:2::/64") });
  expect(refusedOf({ ra, dhcp: null }, 1_000)).toEqual(["ff02::/64"]);
});

test("one that is not on the link, and a router without a time or by a global address, bring no route", () => {
  const offLink = advertised(prefix(1, "2001:db8:2::/64", { flags: "A" }));
  expect(ipv6LeaseOf({ ra: offLink, dhcp: null }, 1_000)?.address?.value).toMatch(/\/128$/);
  const silent = advertised({ ...prefix(1, "2001:db8:2::/64"), nd1_lifetime: "0" });
  expect(ipv6LeaseOf({ ra: silent, dhcp: null }, 1_000)?.gateway).toBeNull();
  const strange = advertised({ ...prefix(1, "2001:db8:2::/64"), nd1_from: "2001:db8::1" });
  expect(ipv6LeaseOf({ ra: strange, dhcp: null }, 1_000)).toBeNull();
});

test("a deprecated prefix is used behind one that is not", () => {
  const ra = advertised({
    ...prefix(1, "2001:db8:2::/64", { pltime: "0" }),
    ...prefix(2, "2001:db8:3::/64"),
  });
  expect(ipv6LeaseOf({ ra, dhcp: null }, 1_000)?.address?.value).toMatch(/^2001:db8:3:/);
});

test("the address that a server gives comes before, and ends by itself", () => {
  const ra = advertised(prefix(1, "2001:db8:2::/64"));
  const dhcp = leased({
    new_dhcp6_ia_na1_ia_addr1: "2001:db8:2::99",
    new_dhcp6_ia_na1_ia_addr1_pltime: "60",
    new_dhcp6_ia_na1_ia_addr1_vltime: "120",
  });
  expect(ipv6LeaseOf({ ra, dhcp }, 1_000)?.address?.value).toBe("2001:db8:2::99/128");
  expect(ipv6LeaseOf({ ra, dhcp }, 1_120)?.address?.value).toBe("2001:db8:2:0:a:b:c:d/64");
  const hostile = leased({
    new_dhcp6_ia_na1_ia_addr1: "::1",
    new_dhcp6_ia_na1_ia_addr1_vltime: "120",
  });
  expect(ipv6LeaseOf({ ra, dhcp: hostile }, 1_000)?.address?.value).toMatch(/^2001:db8:2:0:a/);
  expect(refusedOf({ ra, dhcp: hostile }, 1_000)).toEqual(["::1/128"]);
});

const delegated = (prefix: string, more: Record<string, string> = {}) => {
  const [value = "", length = ""] = prefix.split("/");
  const own = "new_dhcp6_ia_pd2_prefix1";
  return leased({
    [own]: value,
    [`${own}_length`]: length,
    [`${own}_vltime`]: more.vltime ?? "120",
    [`${own}_pltime`]: more.pltime ?? (more.vltime === "0" ? "0" : "60"),
  });
};

test("a delegated prefix holds for its time, and one that is withdrawn is none", () => {
  const dhcp = delegated("2001:db8:f000::/56");
  expect(ipv6LeaseOf({ ra: null, dhcp }, 1_000)?.prefix).toEqual({
    value: "2001:db8:f000::/56",
    preferredUntil: 1_060,
    validUntil: 1_120,
  });
  expect(ipv6LeaseOf({ ra: null, dhcp }, 1_120)).toBeNull();
  const gone = delegated("2001:db8:f000::/56", { vltime: "0" });
  expect(ipv6LeaseOf({ ra: null, dhcp: gone }, 1_000)).toBeNull();
});

test.each([
  "ff02::/56",
  "fe80::/56",
  "fd00:1::/56",
  "::/3",
  "2000::/3",
  "2001:db8:f000::/72",
  "2001:db8:f000::1/56",
])("nobody delegates %s", (prefix) => {
  const dhcp = delegated(prefix);
  expect(ipv6LeaseOf({ ra: null, dhcp }, 1_000)).toBeNull();
  expect(refusedOf({ ra: null, dhcp }, 1_000)).toEqual([prefix]);
});

test.each(["", "{", "[]", '{"at":"1"}', '{"at":1e999}', '{"at":5,"options":{"nd1_from":7}}'])(
  "a report of %s brings nothing",
  (text) => {
    const ra = parseIpv6Report(text);
    expect(ipv6LeaseOf({ ra, dhcp: ra }, 10)).toBeNull();
  },
);
