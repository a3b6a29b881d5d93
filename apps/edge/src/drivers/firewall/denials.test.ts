import type { PolicyRoute } from "@weft/contract/device/v1/policy.ts";
import { expect, test } from "vitest";
import { denialParts } from "./denials.ts";
import { renderMain } from "./render.ts";

const route = (given: Partial<PolicyRoute>): PolicyRoute => ({
  id: 3,
  sources: 8,
  targets: 9,
  app: 6,
  time: null,
  slots: [],
  nat: false,
  deny: true,
  ...given,
});
const context = { lans: ["lan0"], wan: ["wan1"] };
const service = { protocol: "tcp", port: "22", sourcePort: null, target: null } as const;
const partsOf = (...routes: PolicyRoute[]) =>
  denialParts({ routes, applications: [{ id: 6, services: [service] }] }, context);
const chainOf = ({ chains }: ReturnType<typeof partsOf>, name: string): string[] =>
  chains
    .filter((text) => text.startsWith(`  chain ${name} {`))
    .flatMap((text) => text.split("\n").slice(1, -1))
    .map((line) => line.trim());

test("what is denied is denied as well where the first packet that was seen is an answer", () => {
  const parts = partsOf(route({}));
  expect(parts.evaluate).toContain("ct mark & 0x10000000 != 0x0 jump c_deny_underway");
  expect(chainOf(parts, "c_deny_underway")).toEqual([
    // What a port mapping leads in was opened by the other end.
    "ct status dnat return",
    'ct direction reply iifname { "lan0" } jump c_deny_reversed',
    'ct direction original oifname { "lan0" } jump c_deny_back_reversed',
  ]);
  for (const [name, port] of [
    ["c_deny_reversed", "dport"],
    ["c_deny_back_reversed", "sport"],
  ] as const)
    expect(chainOf(parts, name)).toEqual(
      (["ip", "ip6"] as const).map((ip) => {
        const family = ip === "ip" ? 4 : 6;
        return `meta nfproto ipv${family} ct reply ${ip} saddr @s_ip${family}_8 ct original ${ip} saddr @s_ip${family}_9 meta l4proto . th ${port} @s_app_6 counter name "h_routerPolicyroute_3" goto c_denied`;
      }),
    );
});

test("an answer of a host that a port is mapped to is denied without a reset", () => {
  const mappedAnswers = ['iifname { "lan0" } oifname { "wan1" } ip saddr 10.0.0.2 tcp sport 443'];
  const parts = denialParts({ routes: [route({ app: null })] }, { ...context, mappedAnswers });
  expect(chainOf(parts, "c_denied")).toEqual([
    `ct state new ct mark & 0x10000000 != 0x0 ${mappedAnswers[0]} drop`,
    "meta l4proto tcp reject with tcp reset",
    "reject with icmpx type admin-prohibited",
  ]);
});

test("a route before a denial decides also about such a flow", () => {
  const first = route({ id: 2, slots: [1], nat: true, deny: undefined, sources: null, app: null });
  const parts = partsOf(first, route({}));
  expect(chainOf(parts, "c_deny_reversed")[0]).toBe(
    'meta nfproto ipv4 ct original ip saddr @s_ip4_9 oifname { "wan1" } return',
  );
});

test("a route before a denial decides also about a flow that leaves at an exit of acceleration", () => {
  const first = route({ id: 2, slots: [1], nat: true, deny: undefined, sources: null, app: null });
  const exits = [0x500000, 0x540000];
  const { chains } = denialParts({ routes: [first, route({ app: null })] }, { ...context, exits });
  const lines = chains.join("\n").split("\n");
  for (const ip of ["ip", "ip6"]) {
    const family = ip === "ip" ? 4 : 6;
    expect(lines).toContain(
      `    meta nfproto ipv${family} ct original ${ip} daddr @s_ip${family}_9 ct mark & 0x7c0000 == { 0x500000, 0x540000 } return`,
    );
  }
});

test("flows that are under way are remembered before anything is evaluated, on devices with hosts", () => {
  const lan = [{ interfaceName: "lan0", direct: true, forward: true }];
  const rules = {
    wan: ["wan1"],
    tunnelPorts: [],
    links: [],
    peers: [],
    sources: [],
    transit: false,
    closed: { networks: [], behindLines: [] },
    policy: { sets: [], limits: [], routes: [route({ sources: null, targets: null, app: null })] },
  };
  const lines = renderMain({ ...rules, lan }).split("\n");
  const at = lines.findIndex((line) =>
    line.endsWith("(fin | syn | rst | ack) != syn ct mark set ct mark | 0x10000000"),
  );
  expect(at).toBeGreaterThan(0);
  expect(lines.findIndex((line) => line.endsWith("  jump c_evaluate"))).toBeGreaterThan(at);
  expect(renderMain({ ...rules, lan: [] })).not.toContain("0x10000000");
});
