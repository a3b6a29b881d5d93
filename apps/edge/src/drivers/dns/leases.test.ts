import { expect, test } from "vitest";
import { leasesOf, parseLeases } from "./leases.ts";

const line = (at: number, name = "*", until = 2_000) =>
  `${until} 02:00:00:00:${(at >> 8).toString(16).padStart(2, "0")}:${(at & 255).toString(16).padStart(2, "0")} 10.1.${at >> 8}.${at & 255} ${name} 01:02`;

test("a lease is read with the name that the host gave, until it ends", () => {
  const text = [line(9, "till-9"), line(7, "*"), line(8, "gone", 900), ""].join("\n");
  expect(parseLeases(text, 1_000_000)).toEqual({
    items: [
      { address: "10.1.0.7", mac: "02:00:00:00:00:07", name: null, until: 2_000_000 },
      { address: "10.1.0.9", mac: "02:00:00:00:00:09", name: "till-9", until: 2_000_000 },
    ],
    total: 2,
  });
});

test("a name that is none, and a line that is no lease, are left out", () => {
  const hostile = ["<b>x</b>", "a\u0000b", "x".repeat(64), "-a", "a..b", "\u202Egnp.exe", "a;rm"];
  const { items } = parseLeases(hostile.map((name, at) => line(at + 1, name)).join("\n"), 0);
  expect(items.map(({ name }) => name)).toEqual(hostile.map(() => null));
  const broken = ["duid 00:01", "x 02:00:00:00:00:01 10.1.1.1 a *", "9 zz 10.1.1.1 a *", "9 02"];
  expect(parseLeases(broken.join("\n"), 0)).toEqual({ items: [], total: 0 });
});

test("of ten thousand those that end last are reported, with the number of all", () => {
  const text = Array.from({ length: 10_000 }, (_, at) => line(at, "*", 10_000 + at)).join("\n");
  const { items, total } = parseLeases(text, 0);
  expect([items.length, total]).toEqual([1_000, 10_000]);
  expect(Math.min(...items.map(({ until }) => until))).toBe(19_000_000);
});

test("leases in a file are kept if they lie in a configured range", () => {
  const text = [line(9), line(260), line(300), "duid 00:01", ""].join("\n");
  const of = (first: string, last: string) => ({ first, last });
  expect(leasesOf(text, [of("10.1.1.4", "10.1.1.9"), of("10.1.0.9", "10.1.0.9")])).toBe(
    `${line(9)}\n${line(260)}\n`,
  );
  expect(leasesOf(text, [of("10.2.0.1", "10.2.0.9")])).toBe("");
  expect(leasesOf(text, [of("10.2.0.1", "10.2.0.9")], ["10.1.1.44"])).toBe(`${line(300)}\n`);
});
