/** URL rules and the blacklist's URLs as a device gets them, and what becomes of those that it cannot carry out. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { policySection } from "@weft/contract/device/v1/policy.ts";
import { expect, test } from "vitest";
import { policyFindings } from "#domains/policies/policy-finding/public.ts";
import { dnsSectionOf } from "./dns-section.ts";
import { mergedPolicyOf } from "./node-policy.ts";
import { type PolicyView, policyContextOf, policySectionOf } from "./policy-section.ts";

const families = [
  "routerUrlgroup",
  "routerUrl",
  "routerUrlrule",
  "routerIpgroup",
  "routerIpgroupdefine",
  "routerTimenode",
];
const can = families.map((family) => `policy.${family}`);
const [deny, allow, redirect] = [0, 1, 2];
const rule = (id: number, given: object = {}) => ({
  id,
  name: `rule-${id}`,
  enable: true,
  sort: id,
  urlgroupId: 8,
  ipgroupId: null,
  timeId: null,
  action: deny,
  redirectUrl: null,
  ...given,
});
const groups = {
  routerTimenode: [{ id: 3, name: "lunch", weekdays: [1], startTime: "12:00", endTime: "13:00" }],
  routerIpgroup: [
    { id: 4, name: "guests" },
    { id: 5, name: "dual" },
  ],
  routerIpgroupdefine: [
    { id: 41, ipgroupId: 4, ip: "10.1.1.0/25" },
    { id: 51, ipgroupId: 5, ip: "10.1.1.9" },
    { id: 52, ipgroupId: 5, ip: "fd57:1:1::9" },
  ],
  routerUrlgroup: [
    { id: 8, name: "games" },
    { id: 9, name: "paths" },
    { id: 10, name: "empty" },
  ],
  routerUrl: [
    { id: 81, name: "a", urlgroupId: 8, url: "Games.example", allowOnlyHost: true },
    { id: 82, name: "b", urlgroupId: 8, url: "*.games.example", allowOnlyHost: false },
    { id: 83, name: "c", urlgroupId: 8, url: "https://video.example/", allowOnlyHost: false },
    { id: 84, name: "d", urlgroupId: 8, url: "https://video.example/live", allowOnlyHost: false },
    { id: 85, name: "e", urlgroupId: 8, url: "live.example/a?b", allowOnlyHost: true },
    { id: 86, name: "f", urlgroupId: 8, url: "192.0.2.7", allowOnlyHost: true },
    { id: 91, name: "g", urlgroupId: 9, url: "video.example/live", allowOnlyHost: false },
  ],
};
const view = (rules: readonly object[], given: object = {}) =>
  ({
    node: {
      id: 1,
      lines: [{ slot: 1 }],
      sections: [{ interfaceName: "lan1", network: "10.1.1.1/24", network6: null, vlan: null }],
      ...given,
    },
    links: [],
    timeZone: "Asia/Shanghai",
    policy: { ...groups, routerUrlrule: rules },
    capabilities: can.map((name) => ({ name, can: true })),
  }) as unknown as PolicyView;
const found = (given: PolicyView, family = "routerUrlrule") =>
  policyFindings(mergedPolicyOf(given), policyContextOf(given))
    .filter((finding) => finding.family === family)
    .map(({ objectId, effect, reason, denies }) => [objectId, effect, reason, denies].join(" "));
const whole = ["*.games.example", "games.example", "live.example", "video.example"];

test("a rule has the hosts of its group that are meant as a whole, its source and its time", () => {
  const rules = [rule(1, { action: allow, ipgroupId: 5 }), rule(2, { ipgroupId: 4, timeId: 3 })];
  const section = policySectionOf(view(rules));
  expect(policySection.safeParse(section).success).toBe(true);
  expect(section).toEqual({
    sets: [
      { id: 4, members: ["10.1.1.0/25"] },
      { id: 5, members: ["10.1.1.9", "fd57:1:1::9"] },
    ],
    limits: [],
    nameRules: [
      { id: 1, names: whole, sources: 5, time: null, denies: false },
      { id: 2, names: whole, sources: 4, time: 3, denies: true },
    ],
    times: [{ id: 3, weekdays: [1], start: "12:00", end: "13:00" }],
    timeZone: "Asia/Shanghai",
  });
});

test("each rule reports what a resolver cannot hold, and a redirection that it denies", () => {
  const rules = [rule(1), rule(2, { action: allow }), rule(3, { action: redirect })];
  expect(found(view(rules))).toEqual([
    "1 fallback hostsByName true",
    "2 fallback hostsByName false",
    "3 fallback redirectDenied true",
  ]);
  expect(policySectionOf(view(rules))?.nameRules?.map(({ denies }) => denies)).toEqual([
    true,
    false,
    true,
  ]);
});

test("an entry that is a part of a host, or an address, does not act and has a finding", () => {
  expect(found(view([rule(1)]), "routerUrl")).toEqual([
    "83 fallback anyScheme false",
    "84 cannot partOfHost false",
    "86 cannot hostByAddress false",
    "91 cannot partOfHost false",
  ]);
});

test("a rule without a host that it could deny is left out", () => {
  const rules = [rule(1, { urlgroupId: 9 }), rule(2, { urlgroupId: 10 })];
  expect(found(view(rules))).toEqual(["1 cannot noWholeHost true", "2 cannot emptyGroup true"]);
  expect(policySectionOf(view(rules))).toBeNull();
});

test("without a LAN, or beside the gateway, no rule acts", () => {
  expect(found(view([rule(1), rule(2, { ipgroupId: 4 })], { sections: [] }))).toEqual([
    "1 cannot noLan true",
    "2 cannot noLan true",
  ]);
  expect(found(view([rule(1)], { xMode: 1 }))).toEqual(["1 cannot bypass true"]);
});

test("a rule about one family of a site with both reports the other", () => {
  const dual = { interfaceName: "lan1", network: "10.1.1.1/24", network6: "fd57:1:1::1/64" };
  const rules = [rule(1, { ipgroupId: 4 }), rule(2, { ipgroupId: 5 })];
  expect(found(view(rules, { sections: [{ ...dual, vlan: null }] }))).toEqual([
    "1 fallback oneFamily true",
    "2 fallback hostsByName true",
  ]);
});

test("from the first rule on that would make more classes of hosts than a device has, none acts", () => {
  const count = 18;
  const sources = Array.from({ length: count }, (_, at) => at + 100);
  const policy = {
    ...groups,
    routerIpgroup: sources.map((id) => ({ id, name: `g${id}` })),
    routerIpgroupdefine: sources.map((id) => ({ id, ipgroupId: id, ip: `10.1.1.${id}` })),
    routerUrlrule: [...sources.map((id) => rule(id, { ipgroupId: id })), rule(999)],
  };
  const given = { ...view([]), policy } as unknown as PolicyView;
  expect(found(given).filter((text) => text.includes("cannot"))).toEqual([
    "116 cannot tooManyFilters true",
    "117 cannot tooManyFilters true",
    "999 cannot tooManyFilters true",
  ]);
  const section = policySectionOf(given);
  expect(section?.nameRules).toHaveLength(16);
  expect(policySection.safeParse(section).success).toBe(true);
});

test("from the first rule on that would make more names than a device takes, none acts", () => {
  const most = stateLimits.dnsNames;
  const entries = (urlgroupId: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: urlgroupId * most + at,
      name: `n${at}`,
      urlgroupId,
      url: `n${at}.example`,
      allowOnlyHost: true,
    }));
  const policy = {
    routerUrlgroup: [
      { id: 1, name: "some" },
      { id: 2, name: "many" },
    ],
    routerUrl: [...entries(1, 2), ...entries(2, most - 1)],
    routerUrlrule: [
      rule(1, { urlgroupId: 1 }),
      rule(2, { urlgroupId: 2, action: allow }),
      rule(3, { urlgroupId: 1 }),
    ],
  };
  const given = { ...view([]), policy } as unknown as PolicyView;
  expect(found(given)).toEqual([
    "1 fallback hostsByName true",
    "2 cannot tooMany false",
    "3 cannot tooMany true",
  ]);
  expect(policySectionOf(given)?.nameRules?.map(({ id }) => id)).toEqual([1]);
});

test("a device of an earlier version gets nothing of it", () => {
  const older = { ...view([rule(1)]), capabilities: [{ name: "policy.routerIpgroup", can: true }] };
  expect(found(older)).toEqual(["1 cannot notCarriedOut true"]);
  expect(policySectionOf(older)).toBeNull();
});

test("whole hosts of the blacklist's URLs are denied by themselves, where the device can", () => {
  const deniedUrls = [
    "https://Ads.example/",
    "http://ads.example",
    "https://video.example/live",
    "https://192.0.2.7/",
    "https://a.example:8443/",
  ];
  const of = (...names: string[]) =>
    dnsSectionOf({
      ...view([]),
      site: { deniedUrls },
      capabilities: names.map((name) => ({ name, can: true })),
    } as unknown as Parameters<typeof dnsSectionOf>[0]);
  expect(of("filter.names")).toEqual({
    answers: [],
    servers: [],
    denied: [],
    deniedHosts: ["ads.example"],
    ranges: [],
  });
  expect(of("dns.entries")).toBeNull();
});
