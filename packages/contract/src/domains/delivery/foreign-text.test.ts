import { expect, test } from "vitest";
import { driftStepText, foreignLine, seenAt } from "./foreign-text.ts";

const lines = [
  [
    "route",
    { prefix: "10.1.1.0/25", way: "via 10.9.9.1 dev eth9", hidden: "10.1.1.0/24" },
    "外部：其他程序的路由 10.1.1.0/25 via 10.9.9.1 dev eth9 遮蔽了 10.1.1.0/24",
  ],
  [
    "rule",
    { family: 4, priority: 900, rule: "from 10.1.1.0/24 lookup 77" },
    "外部：其他程序的 IPv4 规则 900（from 10.1.1.0/24 lookup 77）先于设备的路由生效",
  ],
  [
    "policy",
    { table: "ip6 last", seen: seenAt("input") ?? "", chain: "i" },
    "外部：其他程序的 nft 表 ip6 last 丢弃设备自身接收的数据包（i）",
  ],
  [
    "chain",
    { table: "inet docker", seen: seenAt("forward") ?? "", chain: "f(1)" },
    "外部：其他程序的 nft 表 inet docker 有规则会丢弃转发的数据包（f(1)）",
  ],
] as const;

test.each(lines)("a line about a foreign %s has both languages", (kind, params, chinese) => {
  const line = foreignLine(kind, params);
  expect(driftStepText(line, "en_gb")).toBe(line);
  expect(driftStepText(line, "zh_cn")).toBe(chinese);
});

test("steps of the device, and lines that a later version writes, stay as they are", () => {
  for (const step of ["lan0: add 10.1.1.1/24", "foreign: route of a kind that is new", ""]) {
    expect(driftStepText(step, "zh_cn")).toBe(step);
  }
  expect(seenAt("toString")).toBe(undefined);
});
