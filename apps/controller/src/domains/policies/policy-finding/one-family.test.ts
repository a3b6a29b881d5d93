import { expect, test } from "vitest";
import { oneFamilyFindings, type SiteDenials } from "./one-family.ts";

const dual = { network: "10.1.1.1/24", network6: "fd57:1:1::1/64" };
const only4 = { network: "10.1.2.1/24", network6: null };

type Rule = SiteDenials["rules"][number];
type Entry = SiteDenials["blocked"][number];
const rule = (id: number, given: Partial<Rule>): Rule => ({
  id,
  name: `rule ${id}`,
  allow: false,
  protocol: "any",
  source: null,
  target: null,
  sourcePort: null,
  targetPort: null,
  ...given,
});
const entry = (id: number, value: string, type: Entry["type"] = "ip"): Entry => ({
  id,
  type,
  value,
});
const found = (site: Partial<SiteDenials>, lans = [only4, dual], capabilities: [] | null = []) =>
  oneFamilyFindings({ rules: [], blocked: [], ...site }, { capabilities, lans }).map(
    ({ objectId, params: { only } }) => [objectId, only],
  );

test("a rule that denies addresses of one family reports that the other family is open", () => {
  const rules = [
    rule(1, { source: "10.1.1.0/24", protocol: "icmp" }),
    rule(2, { target: "10.2.0.0/16", protocol: "tcp", targetPort: "22" }),
    rule(3, { source: "fd57:1:1::/64", protocol: "udp" }),
  ];
  expect(found({ rules })).toEqual([
    [1, "IPv4"],
    [2, "IPv4"],
    [3, "IPv6"],
  ]);
  const [first] = oneFamilyFindings({ rules, blocked: [] }, { capabilities: [], lans: [dual] });
  expect(first).toEqual({
    family: "xaclrules",
    level: "node",
    objectId: 1,
    name: "rule 1",
    effect: "fallback",
    reason: "oneFamily",
    params: { only: "IPv4", other: "IPv6" },
    denies: true,
  });
});

test("a rule that allows, names no address, or is about hosts of one family only has no finding", () => {
  const denied = rule(1, { source: "10.1.1.0/24" });
  expect(found({ rules: [{ ...denied, allow: true }] })).toEqual([]);
  for (const given of [{ protocol: "icmp" }, { protocol: "tcp", targetPort: "22" }, {}])
    expect(found({ rules: [rule(1, given)] })).toEqual([]);
  expect(found({ rules: [denied] }, [only4])).toEqual([]);
  expect(found({ rules: [denied] }, [])).toEqual([]);
  expect(found({ rules: [denied] }, [dual], null)).toEqual([]);
});

test("a rule of the other family that fits the same is its second half, one for one", () => {
  const port = { protocol: "tcp", targetPort: "22" };
  const first = rule(1, { source: "10.1.1.5/32", ...port });
  const second = rule(2, { source: "10.1.1.6/32", ...port });
  const half = rule(3, { source: "fd57:1:1::5/128", ...port });
  expect(found({ rules: [first, half] })).toEqual([]);
  expect(found({ rules: [first, second, half] })).toEqual([[2, "IPv4"]]);
  for (const other of [
    { ...half, targetPort: "23" },
    { ...half, source: null, target: "fd57:1:1::5/128" },
    { ...half, target: "fd57:2::/64" },
  ])
    expect(found({ rules: [first, other] })).toEqual([
      [1, "IPv4"],
      [3, "IPv6"],
    ]);
  expect(found({ rules: [first, { ...half, allow: true }] })).toEqual([[1, "IPv4"]]);
});

test("a blacklist entry reports it for hosts of the site's own LANs with both families", () => {
  const blocked = [
    entry(1, "10.1.1.5"),
    entry(2, "10.1.0.0/16"),
    entry(3, "10.1.2.5"),
    entry(4, "203.0.113.7"),
    entry(5, "aa:bb:cc:00:11:22", "mac"),
  ];
  expect(found({ blocked })).toEqual([
    [1, "IPv4"],
    [2, "IPv4"],
  ]);
  expect(found({ blocked: [...blocked, entry(6, "fd57:1:1::5")] })).toEqual([[2, "IPv4"]]);
  expect(found({ blocked: [entry(6, "fd57:1:1::/64"), entry(7, "2001:db8::7")] })).toEqual([
    [6, "IPv6"],
  ]);
});
