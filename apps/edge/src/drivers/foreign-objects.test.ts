import { expect, test } from "vitest";
import { canDrop, interferingRules, shadowing } from "./foreign-objects.ts";

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

const rule = (chain: string, expr: object) => ({
  rule: { chain, expr: [{ counter: null }, expr] },
});
const map = { map: { name: "verdicts", elem: [["lan0", { goto: { target: "far" } }]] } };

test.each([
  ["drops itself", [rule("base", { drop: null })], true],
  ["rejects itself", [rule("base", { reject: { type: "tcp reset" } })], true],
  [
    "rejects by a target of iptables",
    [rule("base", { xt: { type: "target", name: "REJECT" } })],
    true,
  ],
  ["hands packets to a program", [rule("base", { queue: { num: 3 } })], true],
  ["matches by iptables alone", [rule("base", { xt: { type: "match", name: "comment" } })], false],
  [
    "jumps to one that does",
    [rule("base", { jump: { target: "far" } }), rule("far", { drop: null })],
    true,
  ],
  [
    "has a map of verdicts that does",
    [map, rule("base", { vmap: { data: "@verdicts" } }), rule("far", { drop: null })],
    true,
  ],
  ["jumps in a circle", [rule("base", { jump: { target: "base" } })], false],
  [
    "is beside one that does",
    [rule("other", { drop: null }), rule("base", { accept: null })],
    false,
  ],
])("a chain that %s: %s", (_what, table, drops) => {
  expect(canDrop(table, "base")).toBe(drops);
});

test("each rule of a table of 5,000 chains and 50,000 rules is read once: the edge does nothing else then", () => {
  const reads = { chain: 0, expr: 0 };
  const counted = (chain: string, expr: object) => ({
    rule: {
      get chain() {
        reads.chain += 1;
        return chain;
      },
      get expr() {
        reads.expr += 1;
        return [{ counter: null }, expr];
      },
    },
  });
  const names = Array.from({ length: 5_000 }, (_, at) => `KUBE-SVC-${at}`);
  const table = names.flatMap((name) => [
    counted("base", { jump: { target: name } }),
    ...Array.from({ length: 9 }, () => counted(name, { accept: null })),
  ]);
  expect(canDrop(table, "base")).toBe(false);
  // Looking for the rules of each chain in the whole table reads each of them 5,000 times.
  expect(reads).toEqual({ chain: 50_000, expr: 50_000 });
  expect(canDrop([...table, rule("KUBE-SVC-9", { drop: null })], "base")).toBe(true);
});

test("rules of others before the table main are named, and the kernel's and our own are not", () => {
  const own = { priority: 1_001, src: "all", fwmark: "0x1000000", table: "101", protocol: "99" };
  const kernel = { src: "all", protocol: "2" };
  const rules = [
    { ...kernel, priority: 0, table: "255" },
    own,
    { priority: 1_000, src: "all", l3mdev: null, protocol: "2" },
    { priority: 900, src: "10.1.1.0", srclen: 24, table: "77", protocol: "3" },
    { priority: 5_000, src: "all", iif: "lan0", action: "8" },
    { ...kernel, priority: 32_766, table: "254" },
    { priority: 40_000, src: "all", table: "78", protocol: "3" },
  ];
  expect(interferingRules(4, rules)).toEqual([
    "foreign: rule 900 of IPv4 (from 10.1.1.0/24 lookup 77) of another program is looked at before the device's routes",
    "foreign: rule 5000 of IPv4 (iif lan0 prohibit) of another program is looked at before the device's routes",
  ]);
});
