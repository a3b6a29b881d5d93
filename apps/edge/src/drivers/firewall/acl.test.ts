import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import { expect, test } from "vitest";
import { evaluation, generationAfter } from "./acl.ts";
import { readListing } from "./observe.ts";
import { renderMain } from "./render.ts";

const base = {
  wan: ["wan1"],
  lan: [],
  tunnelPorts: [],
  links: [],
  peers: [],
  sources: [],
  transit: false,
  closed: { networks: [], behindLines: [] },
};
const rule = (given: Partial<AclRuleState>): AclRuleState => ({
  action: "drop",
  protocol: "any",
  source: null,
  target: null,
  sourcePort: null,
  targetPort: null,
  mac: null,
  ...given,
});

test("rules of the site keep their order, before anything is let through", () => {
  const acl = [
    rule({ source: "10.1.9.0/24", protocol: "tcp", targetPort: "1-1024" }),
    rule({ source: "fd00::/64", action: "accept" }),
    rule({ mac: "aa:bb:cc:00:11:22" }),
  ];
  const text = renderMain({ ...base, acl });
  const lines = text.split("\n").map((line) => line.trim());
  const at = (line: string): number => lines.indexOf(line);
  expect(at("ip saddr 10.1.9.0/24 tcp dport 1-1024 drop")).toBeGreaterThan(0);
  expect(at("ip6 saddr fd00::/64 return")).toBe(
    at("ip saddr 10.1.9.0/24 tcp dport 1-1024 drop") + 1,
  );
  expect(at("ether saddr aa:bb:cc:00:11:22 drop")).toBe(at("ip6 saddr fd00::/64 return") + 1);
  const forward = lines.slice(lines.findIndex((line) => line.startsWith("chain c_forward")));
  expect(forward[2]).toBe('ip daddr 169.254.0.0/16 counter name "h_link_local" drop');
  expect(forward[3]).toBe("jump c_evaluate");
  expect(renderMain(base)).not.toContain("c_evaluate");
});

test("answers are evaluated by the ends of their flow, and allowed where these do not show", () => {
  const text = renderMain({
    ...base,
    acl: [
      rule({ source: "10.1.9.0/24", target: "10.2.0.0/16", protocol: "udp", targetPort: "53" }),
      rule({ mac: "aa:bb:cc:00:11:22", target: "10.3.0.0/16", action: "accept" }),
      rule({ mac: "aa:bb:cc:00:11:23" }),
    ],
  });
  const back = text.slice(text.indexOf("chain c_acl_back"));
  expect(back.slice(0, back.indexOf("}")).split("\n").slice(1, -1)).toEqual([
    "    ip daddr 10.1.9.0/24 ip saddr 10.2.0.0/16 udp sport 53 drop",
    "    ip saddr 10.3.0.0/16 return",
  ]);
});

test("blocked hardware addresses come before the mark, each once, unless something was allowed before", () => {
  const block = (mac: string, id?: number) =>
    rule({ mac, ...(id !== undefined && { object: { family: "blacklist", id } as const }) });
  const [one, two, late] = ["aa:bb:cc:00:11:01", "aa:bb:cc:00:11:02", "aa:bb:cc:00:11:03"];
  const text = renderMain({
    ...base,
    acl: [block(one, 1), block(one, 2), block(two), rule({ action: "accept" }), block(late)],
  });
  const chain = text.slice(text.indexOf("chain c_evaluate {"));
  expect(chain.split("\n").slice(1, 4)).toEqual([
    `    counter name ether saddr map { ${one} : "h_blacklist_1" } drop`,
    `    ether saddr { ${two} } drop`,
    "    ct mark & 0xe0800000 == $evaluated return",
  ]);
  expect(text).toContain(`    ether saddr ${late} drop`);
  expect(text.match(/c_acl_back \{/g)).toHaveLength(1);
  const blockedOnly = renderMain({ ...base, acl: [block(two)] });
  expect(blockedOnly).toContain(`ether saddr { ${two} } drop`);
  expect(blockedOnly).not.toMatch(/c_acl|ct mark set/);
});

test("rules that decide differently are another generation, and so are those that others have changed", () => {
  const text = renderMain({ ...base, acl: [rule({ source: "10.1.9.0/24" })] });
  const loaded = { text, active: [1], generation: 3 };
  const after = (change: Partial<typeof loaded>, isDamaged = false) =>
    generationAfter(loaded, { text, active: [1], ...change }, isDamaged);
  expect(after({})).toBe(3);
  expect(after({ text: text.replace("h_link_in", "h_other") })).toBe(3);
  expect(after({ text: renderMain({ ...base, acl: [rule({ mac: null })] }) })).toBe(4);
  expect(after({ active: [] })).toBe(4);
  expect(after({}, true)).toBe(4);
  expect(generationAfter({ ...loaded, generation: 7 }, loaded, true)).toBe(1);
  expect(generationAfter(null, loaded, false)).toBe(1);
});

test("thousands of rules of prefixes in each other are written about twice, not as often as chains need them", () => {
  const count = 10_000;
  const acl = Array.from({ length: count }, (_, at) =>
    rule({
      target: `10.${(at * 7) % 256}.${(at * 31) % 256}.${(at * 101) % 256}/${12 + (at % 21)}`,
      protocol: "tcp",
      targetPort: `${at + 1}`,
    }),
  );
  const written =
    evaluation(acl, [])
      .chains.join("\n")
      .match(/ drop$/gm) ?? [];
  // Once for each way of packets at least.
  expect(written.length).toBeGreaterThan(2 * count);
  expect(written.length).toBeLessThanOrEqual(2 * 2 * count);
});

test("the rules of the kernel are listed in the time that it takes to load as many", async () => {
  const waits: (number | undefined)[] = [];
  const listing = await readListing(async (_, { timeoutMs } = {}) => {
    waits.push(timeoutMs);
    return JSON.stringify({ nftables: [] });
  }, null);
  expect([listing, waits]).toEqual(["[]", [60_000]]);
});
