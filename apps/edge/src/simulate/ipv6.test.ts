import { ipv6Line } from "@weft/contract/device/v1/wan-ipv6.ts";
import { isNetworkWithin, isWithin } from "@weft/contract/rules/address.ts";
import { expect, it } from "vitest";
import { simulatedIpv6, simulatedIpv6State } from "./ipv6.ts";

const hour = 3_600_000;
const line = (slot: number) => ({
  slot,
  interfaceName: `wan${slot}`,
  addressing: "dhcp" as const,
  ip: null,
  gateway: null,
});
const lines = [
  {
    ...line(1),
    ipv6: { mode: "static" as const, ip: "2001:db8:1::2/64", gateway: "2001:db8:1::1" },
  },
  { ...line(2), ipv6: { mode: "delegated" as const, length: 60 } },
  { ...line(3), ipv6: { mode: "auto" as const } },
  line(4),
];
const of = (now: number, dead: readonly string[] = []) =>
  simulatedIpv6(7, lines, now, (name) => dead.includes(name));

it("has what is set on a static link, and addresses that end on the others; nothing where IPv6 is off", () => {
  const [fixed, delegated, automatic, ...others] = of(100 * hour);
  expect(others).toEqual([]);
  expect(fixed).toMatchObject({ address: "2001:db8:1::2/64", validUntil: null, prefix: null });
  expect(delegated?.prefix).toMatch(/\/60$/);
  expect(isNetworkWithin("2001:db8::/32", delegated?.prefix ?? "")).toBe(true);
  expect(automatic?.prefix).toBe(null);
  for (const one of [delegated, automatic]) {
    expect(isWithin("2001:db8::/32", one?.address?.split("/")[0] ?? "")).toBe(true);
    expect(one?.validUntil).toBeGreaterThan(100 * hour);
  }
  expect(delegated?.address).not.toBe(automatic?.address);
  for (const { validUntil, prefixUntil, ...one } of of(0))
    expect(() =>
      ipv6Line.parse({ ...one, validMs: validUntil, prefixMs: prefixUntil }),
    ).not.toThrow();
});

it("keeps them with every renewal, and loses them with the carrier", () => {
  const addresses = (now: number) => of(now).map(({ address, prefix }) => [address, prefix]);
  expect(addresses(0)).toEqual(addresses(900 * hour));
  // What changes is sent: not every report is another one.
  expect(of(100 * hour)).toEqual(of(100 * hour + 1));
  expect(of(0, ["wan2"])[1]).toMatchObject({ address: null, gateway: null, prefix: null });
});

it("has the same from routers and servers, for what is divided among LANs", () => {
  const reports = of(0);
  const { leases } = simulatedIpv6State(reports);
  expect(Object.keys(leases)).toEqual(["wan2", "wan3"]);
  expect(leases.wan2?.prefix?.value).toBe(reports[1]?.prefix);
  expect(simulatedIpv6State(of(0, ["wan2"])).leases.wan2).toBeUndefined();
});
