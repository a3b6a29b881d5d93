/** What sites and POPs are sent of acceleration, and which hosts may leave. */
import { accelerationSection } from "@weft/contract/device/v1/acceleration.ts";
import { dnsCapabilities, dnsRouteCapability } from "@weft/contract/device/v1/dns.ts";
import { expect, test } from "vitest";
import {
  accelerationFindings,
  type StoredAcceleration,
} from "#domains/policies/acceleration/public.ts";
import {
  type AcceleratedView,
  acceleratedSiteOf,
  accelerationSections,
  leavingOf,
} from "./acceleration-section.ts";

type Node = AcceleratedView["node"];
const section = {
  network: "10.1.1.1/24",
  network6: "fd57:1::1/64",
  vlan: null,
  enableForward: true,
  enableDirect: true,
};
const line = { addressing: "static", ip: "192.0.2.2/24", gateway: "192.0.2.1" } as const;
const cpe = (id: number, change: Partial<Node> = {}): Node => ({
  id,
  kind: "cpe",
  lines: [line],
  sections: [section],
  routes: [],
  ...change,
});
const pop = (id: number, change: Partial<Node> = {}): Node => ({
  id,
  kind: "pop",
  lines: [line],
  sections: [],
  routes: [],
  ...change,
});
const group = (change: Partial<StoredAcceleration> = {}): StoredAcceleration => ({
  object: "saasGroup",
  id: 7,
  kind: "ip",
  name: "cloud",
  popId: 100,
  members: ["203.0.113.0/24"],
  cpeIds: [1],
  ...change,
});
const capabilities = [{ name: "acceleration", can: true }];

const compiled = (
  node: Node,
  peers: readonly Node[],
  groups: readonly StoredAcceleration[],
  able: AcceleratedView["capabilities"] = capabilities,
  spaceId = 5,
) =>
  accelerationSections([
    {
      view: { node, accelerations: new Map([[spaceId, groups]]), capabilities: able },
      spaceId,
      peers,
    },
  ]);
const [site, hub] = [cpe(1), pop(100)];
/** With a resolver that leads connections to what it answers. */
const learning = [
  ...capabilities,
  ...[dnsCapabilities.names, dnsRouteCapability].map((name) => ({ name, can: true })),
];

test("a site and its POP agree on the mark, and the POP lets out what the site has", () => {
  const [ofSite] = compiled(site, [hub], [group()]);
  const [ofPop] = compiled(hub, [site, cpe(2)], [group()]);
  expect(ofSite?.sources).toEqual(["10.1.1.0/24", "fd57:1::/64"]);
  expect(ofPop?.sources).toEqual(ofSite?.sources);
  expect(ofSite?.groups).toMatchObject([
    { object: "saasGroup", id: 7, members: ["203.0.113.0/24"] },
  ]);
  const { mark4 = "" } = ofSite?.groups[0]?.exit ?? {};
  expect(ofPop?.exit?.marks).toContain(mark4);
  // The POP has no line of IPv6, so it shows no way out there.
  expect(ofPop?.exit?.marks.every((mark) => !mark.includes(":"))).toBe(true);
});

test("a group without a POP has a mark that all POPs have, and one with a POP another one", () => {
  const markOf = (popId: number | null, pops = [hub, pop(101)]) =>
    compiled(site, pops, [group({ popId })])[0]?.groups[0]?.exit.mark4 ?? "";
  expect(new Set([markOf(null), markOf(100), markOf(101)]).size).toBe(3);
  for (const one of [hub, pop(101)])
    expect(compiled(one, [site], [group({ popId: null })])[0]?.exit?.marks).toContain(markOf(null));
});

test.each([
  ["another POP is meant", hub, [site], group({ popId: 101 })],
  ["the site is of another enterprise", hub, [site], group({ cpeIds: [2] })],
  ["the kind is one that nothing leads", hub, [site], group({ kind: "dpi" })],
  ["the site has no link to the POP", site, [pop(101)], group()],
  ["the site has no link to any POP", site, [cpe(2)], group({ popId: null })],
  ["the group is of another enterprise", site, [hub], group({ cpeIds: [2] })],
] as const)("nothing is sent where %s", (_, node, peers, one) => {
  expect(compiled(node, peers, [one])).toEqual([]);
});

test("nothing is sent to a device that cannot, or has not reported", () => {
  expect(compiled(site, [hub], [group()], [])).toEqual([]);
  expect(compiled(site, [hub], [group()], null)).toEqual([]);
  expect(compiled(hub, [site], [group()], [{ name: "acceleration", can: false }])).toEqual([]);
});

test.each([
  ["that may not leave by its own lines", { enableDirect: false }],
  ["that may not enter the space", { enableForward: false }],
  ["that leave by the space", { enableCentral: true }],
  ["with a VLAN tag", { vlan: 7 }],
])("hosts of LANs %s are not let out", (_, change) => {
  const closed = { ...section, ...change, network: "10.1.2.1/24", network6: null };
  expect(leavingOf(cpe(1, { sections: [section, closed] }))).toEqual([
    "10.1.1.0/24",
    "fd57:1::/64",
  ]);
});

test("a network that the site does not announce, and a site beside its gateway, are not let out", () => {
  const behind = { destination: "10.9.0.0/16", nextHop: "10.1.1.9", enabled: true };
  expect(leavingOf(cpe(1, { routes: [{ ...behind, announce: true }] }))).toContain("10.9.0.0/16");
  expect(leavingOf(cpe(1, { routes: [{ ...behind, announce: false }] }))).not.toContain(
    "10.9.0.0/16",
  );
  expect(leavingOf(cpe(1, { xMode: 1 }))).toEqual([]);
});

test("a group of a POP that has another one's mark is not led to either of them, and any POP will do for others", () => {
  const twin = pop(100 + 8_192);
  const exits = (popId: number | null, peers: readonly Node[]) =>
    compiled(site, peers, [group({ popId })]).length;
  expect(exits(100, [hub, pop(101)])).toBe(1);
  expect([exits(100, [hub, twin]), exits(twin.id, [hub, twin])]).toEqual([0, 0]);
  expect(exits(null, [hub, twin])).toBe(1);
  const of = { view: { node: site, accelerations: new Map([[5, [group()]]]), capabilities } };
  const placed = acceleratedSiteOf({ ...of, spaceId: 5, peers: [hub, twin] });
  expect(accelerationFindings(placed, { capabilities })).toMatchObject([
    { objectId: 7, reason: "exitTwin" },
  ]);
});

test("of two spaces whose ways out would have the same addresses the first one has it", () => {
  const place = (spaceId: number) => ({
    view: {
      node: hub,
      accelerations: new Map([[spaceId, [group()]]]),
      capabilities,
    },
    spaceId,
    peers: [site],
  });
  const spaces = (...ids: number[]) =>
    accelerationSections(ids.map(place)).map(({ spaceId }) => spaceId);
  expect(spaces(5, 6)).toEqual([5, 6]);
  expect(spaces(5, 5 + 8_192, 6)).toEqual([5, 6]);
});

test("names are sent to a device that supports them, with those of applications from the catalogue", () => {
  const named = [
    group({ kind: "domain", members: ["*.Office.com", "zoom.us"] }),
    group({ id: 8, kind: "app", members: ["1001"] }),
  ];
  expect(compiled(site, [hub], named)).toEqual([]);
  const [section] = compiled(site, [hub], named, learning);
  expect(section?.groups.map(({ id, members }) => [id, members])).toEqual([
    [7, []],
    [8, []],
  ]);
  expect(section?.groups[0]?.names).toEqual(["*.office.com", "zoom.us"]);
  expect(section?.groups[1]?.names).toContain("microsoft.com");
  // The POP needs no names.
  expect(compiled(hub, [site], named)[0]?.sources).toEqual(section?.sources);
});

test("definitions of a profile are one group, whatever their kinds", () => {
  const profile = { object: "xwanSpeed", id: 3, popId: null } as const;
  const rows = [
    group({ ...profile, kind: "dpi", members: ["102"] }),
    group({ ...profile, kind: "domain", members: ["zoom.us"] }),
    group({ ...profile, kind: "ip" }),
  ];
  expect(compiled(site, [hub], rows, learning)[0]?.groups).toMatchObject([
    { object: "xwanSpeed", id: 3, members: ["203.0.113.0/24"], names: ["zoom.us"] },
  ]);
  expect(compiled(site, [hub], rows)[0]?.groups).toMatchObject([
    { members: ["203.0.113.0/24"], names: [] },
  ]);
});

test("what has no room in a state is left out, and the rest is sent", () => {
  const many = (count: number, of: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => of(at));
  const address = (at: number) => `203.${at >> 16}.${(at >> 8) % 256}.${at % 256}`;
  const profile = { object: "xwanSpeed", popId: null } as const;
  const sent = (...rows: StoredAcceleration[]) =>
    compiled(site, [hub], rows, learning)[0]?.groups.map(({ id }) => id);
  const large = group({ ...profile, id: 2, members: many(20_001, address) });
  expect(sent(group(), large)).toEqual([7]);
  const named = (id: number) =>
    group({ ...profile, id, kind: "domain", members: many(15_000, (at) => `n${at}.g${id}.test`) });
  expect(sent(named(1), named(2), group())).toEqual([1, 7]);
  const full = (id: number) => group({ ...profile, id, members: many(20_000, address) });
  expect(
    sent(
      full(1),
      full(2),
      full(3),
      full(4),
      full(5),
      group({ kind: "domain", members: ["a.test"] }),
    ),
  ).toEqual([1, 2, 3, 4, 7]);
  const crowd = Array.from({ length: 300 }, (_, at) =>
    group({ id: at + 1, members: ["203.0.113.1"] }),
  );
  expect(sent(...crowd)).toHaveLength(256);
  // As many exits as the mark of a flow has values for.
  const pops = Array.from({ length: 12 }, (_, at) => pop(200 + at));
  const spread = pops.map(({ id }) => group({ id, popId: id }));
  expect(compiled(site, pops, spread)[0]?.groups).toHaveLength(11);
});

test("a stored name that devices refuse keeps nothing else from them", () => {
  const stored = group({ kind: "domain", members: ["foo.com-", "zoom.us"] });
  const [section] = compiled(site, [hub], [stored], learning);
  expect(section?.groups[0]?.names).toEqual(["zoom.us"]);
  expect(accelerationSection.safeParse(section).success).toBe(true);
});
