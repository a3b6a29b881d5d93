import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { expect, test } from "vitest";
import { sentNames, siteNameFindings } from "./site-names.ts";
import { siteFindings } from "./site-objects.ts";

const entry = (type: string) => ({ family: "blacklist" as const, id: 7, name: "ads.test", type });
const found = (type: string, ...names: string[]) =>
  siteFindings([entry(type)], { capabilities: names.map((name) => ({ name, can: true })) });

test("a blocked name acts by the device's resolver, and its finding names the hosts that it does not reach", () => {
  const about = { family: "blacklist", objectId: 7, level: "enterprise", denies: true };
  expect(found("domain", "dns.entries")).toMatchObject([
    { ...about, effect: "fallback", reason: "dnsOnly" },
  ]);
  expect(found("domain")).toMatchObject([{ ...about, effect: "cannot", reason: "notCarriedOut" }]);
  expect(found("url", "dns.entries")).toMatchObject([{ ...about, effect: "cannot" }]);
});

test("a blocked URL acts where it is a whole host with a name", () => {
  const reasons = (...urls: string[]) =>
    siteFindings(
      urls.map((name, at) => ({ family: "blacklist", id: at, name, type: "url" })),
      { capabilities: [{ name: "filter.names", can: true }] },
    ).map(({ effect, reason, denies }) => [effect, reason, denies]);
  expect(reasons("https://Ads.test/", "http://ads.test/banner", "https://192.0.2.7/")).toEqual([
    ["fallback", "hostsByName", true],
    ["cannot", "partOfHost", true],
    ["cannot", "hostByAddress", true],
  ]);
});

test("a device that has not reported yet has no findings", () => {
  expect(siteFindings([entry("domain")], { capabilities: null })).toEqual([]);
});

const able = { capabilities: [{ name: "dns.entries", can: true }] };
const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    family: "blacklist" as const,
    id: at + 1,
    type: "domain",
    name: `n${String(at).padStart(6, "0")}.test`,
  }));

test("a blocked name beyond the device's limit is denied nowhere, and reports it", () => {
  const max = stateLimits.dnsNames;
  const all = numbered(max + 1);
  const found = siteFindings(all, able);
  expect(found.filter(({ effect }) => effect === "cannot")).toEqual([
    {
      family: "blacklist",
      level: "enterprise",
      objectId: max + 1,
      denies: true,
      name: all.at(-1)?.name,
      effect: "cannot",
      reason: "tooMany",
      params: { most: `${max}` },
    },
  ]);
  expect(sentNames(all.map(({ name }) => name))).not.toContain(all.at(-1)?.name);
  // The same name in another case is no further one.
  const again = { ...all[0], id: max + 9, name: "N000000.TEST" } as (typeof all)[number];
  const once = siteFindings([...numbered(max), again], able);
  expect(once.filter(({ effect }) => effect === "cannot")).toEqual([]);
});

test("entries beyond those that a resolver takes are one finding of the node", () => {
  const max = stateLimits.dnsNames;
  const node = { id: 7, name: "site" };
  const entries = (count: number, type: number) => Array.from({ length: count }, () => ({ type }));
  expect(siteNameFindings(node, [...entries(max, 0), ...entries(max, 1)], able)).toEqual([]);
  const over = entries(max + 1, 1);
  expect(siteNameFindings(node, over, able)).toMatchObject([
    { family: "dnsmasq", level: "node", objectId: 7, effect: "cannot", reason: "tooMany" },
  ]);
  expect(siteNameFindings(node, over, { capabilities: null })).toEqual([]);
});
