import type { AppService } from "@weft/contract/device/v1/policy.ts";
import { expect, test } from "vitest";
import { appMatches, appSets } from "./apps.ts";

const service = (given: Partial<AppService>): AppService => ({
  protocol: "tcp",
  port: null,
  sourcePort: null,
  target: null,
  ...given,
});

test("ports of a group are one set, in which no ranges overlap", () => {
  const ports = ["443", "8000-8100", "8050-8200", "8201", "442"].map((port) => service({ port }));
  const services = [...ports, service({ protocol: "any", port: "53" })];
  expect(appSets([{ id: 6, services }]).map(({ text }) => text)).toEqual([
    "set s_app_6 { type inet_proto . inet_service; flags interval; elements = { tcp . 53, tcp . 442-443, tcp . 8000-8201, udp . 53 } }",
  ]);
});

test("answers are matched by the other ends, and what has an address by packets of its family", () => {
  const groups = [
    {
      id: 6,
      services: [
        service({ port: "443" }),
        service({ protocol: "any", port: "80", sourcePort: "9", target: "fd00::/8" }),
        service({ protocol: "udp" }),
      ],
    },
  ];
  expect(appMatches(groups, 6, "original")).toEqual([
    { family: null, text: "meta l4proto . th dport @s_app_6" },
    { family: 6, text: "meta l4proto { tcp, udp } th dport 80 th sport 9 ip6 daddr fd00::/8" },
    { family: null, text: "meta l4proto udp" },
  ]);
  expect(appMatches(groups, 6, "reply").map(({ text }) => text)).toEqual([
    "meta l4proto . th sport @s_app_6",
    "meta l4proto { tcp, udp } th sport 80 th dport 9 ip6 saddr fd00::/8",
    "meta l4proto udp",
  ]);
  // Where addresses may have been changed since.
  for (const [way, end] of [
    ["sent", "dport"],
    ["answered", "sport"],
  ] as const)
    expect(appMatches(groups, 6, way)[1]?.text).toMatch(
      new RegExp(`th ${end} 80 .* ct original ip6 daddr fd00::/8$`),
    );
  expect(appMatches(groups, null, "reply")).toEqual([{ family: null, text: "" }]);
});
