import { expect, test } from "vitest";
import { collisions } from "./space-networks.ts";

type Networks = Parameters<typeof collisions>[0];
const of = (site: string, network: string, kind: Networks[number]["kind"]) => ({
  site,
  siteName: site,
  network,
  kind,
});
const far = [
  of("SH-01", "10.1.1.1/24", "lan"),
  of("SH-02", "10.9.0.0/16", "announced"),
  of("SH-03", "10.20.4.0/24", "route"),
  of("SH-04", "0.0.0.0/0", "announced"),
  of("clients", "10.30.0.0/24", "pool"),
  of("SH-01", "fd00:1::1/64", "lan"),
];

test.each([
  ["10.2.0.0/16", "announced", null],
  // Inside another site's section, or all of it.
  ["10.1.1.128/25", "announced", "SH-01"],
  ["10.1.1.128/25", "route", "SH-01"],
  ["10.1.1.0/24", "announced", "SH-01"],
  ["fd00:1::/64", "announced", "SH-01"],
  ["10.30.0.7/32", "route", "clients"],
  // A summary over sections: theirs are longer.
  ["10.1.0.0/16", "announced", null],
  // The network that another announces; a part of it is a longer prefix of its own.
  ["10.9.0.0/16", "announced", "SH-02"],
  ["10.9.0.0/16", "route", "SH-02"],
  ["10.9.3.0/24", "announced", null],
  ["fd00::/8", "announced", null],
  // A network of its own that another one's section shares, announces in part, or has a way to.
  ["10.1.0.1/16", "lan", "SH-01"],
  ["10.9.3.1/24", "lan", null],
  ["10.9.0.1/16", "lan", "SH-02"],
  ["10.8.0.1/14", "lan", "SH-02"],
  ["10.20.0.1/16", "lan", "SH-03"],
  // What another announces to all, one has a way of its own to; ways of two sites are their own.
  ["10.20.4.0/24", "announced", "SH-03"],
  ["10.20.4.0/24", "route", null],
  // A second site through which the others leave; one that leaves by itself.
  ["0.0.0.0/0", "announced", "SH-04"],
  ["0.0.0.0/0", "route", null],
] as const)("%s (%s) beside what other sites bring in", (network, kind, other) => {
  const found = collisions([of("own", network, kind)], far);
  expect(found[0]?.other.siteName ?? null).toBe(other);
});

test("what collides already is not named, and a site never collides with itself", () => {
  const there = [...far, of("SH-09", "10.1.1.1/24", "lan"), of("SH-02", "10.9.0.0/16", "route")];
  expect(collisions([of("SH-02", "10.9.0.0/16", "route")], there)).toEqual([]);
});

test("30,000 networks of a space are compared within seconds", () => {
  const all = Array.from({ length: 30_000 }, (_, at) =>
    of(`site ${at % 100}`, `10.${at >> 8}.${at & 255}.0/24`, "announced"),
  );
  expect(collisions(all, [])).toEqual([]);
});
