import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import { cpeState, lanSection } from "../../test/states.ts";
import type { MachineFacts } from "./machine-facts.ts";
import { isObserved, selectSupported } from "./supported-state.ts";
import { pickUnderlay } from "./underlay/plan.ts";

const typical = cpeState();
const complete: MachineFacts = {
  capabilities: [],
  interfaces: null,
  leases: {},
  pathMtus: new Map(),
  foreignSources: [],
  smallDrops: [],
  silentRouters: new Set(),
  exhaustedRanges: [],
  resolverFailure: null,
  filterFailure: null,
  standbyFailure: null,
  flowTable: null,
  cutSegments: new Map(),
  cutExits: new Set(),
  silentLines: [],
  deadIpv6: new Set(),
  controllers: [],
  refused: [],
};
const lacks = (name: string): MachineFacts => ({
  ...complete,
  capabilities: [{ name, can: false, reason: "not on this machine" }],
});
const only = (...names: string[]): MachineFacts => ({
  ...complete,
  interfaces: new Map(names.map((name) => [name, []])),
});
const withUnderlay = (part: Partial<DesiredState["underlay"]>): DesiredState => ({
  ...typical,
  underlay: { ...typical.underlay, ...part },
});
const withRoute = (destination: string, nextHop: string, metric = 1): DesiredState => ({
  ...typical,
  static: { routes: [{ destination, nextHop, metric }] },
});
const second = {
  slot: 2,
  interfaceName: "wan2",
  addressing: "dhcp" as const,
  ip: null,
  gateway: null,
};
const twoLines = withUnderlay({ lines: [...typical.underlay.lines, second] });
const reasons = (state: DesiredState, facts: MachineFacts) =>
  selectSupported(state, facts).findings.map(
    ({ kind, object, reason }) => `${kind} ${object}: ${reason}`,
  );

describe("the part of a state that a machine supports", () => {
  it("leaves a state alone that can act", () => {
    expect(selectSupported(typical, complete)).toEqual({ state: typical, findings: [] });
  });

  it("leaves out routers of the site that are the device itself, or its standby group", () => {
    const [lan] = typical.underlay.lans;
    const [own = ""] = (lan?.addresses ?? []).map((text) => text.split("/")[0]);
    const neighbor = (id: number, address: string) => ({
      id,
      interfaceName: lan?.interfaceName ?? "",
      address,
      asn: 64_900,
      neighborAsn: 64_901,
      holdTime: null,
      networks: [],
    });
    const site = { interfaces: [], sent: [] };
    const [other, gateway] = [own.replace(/\d+$/, "77"), own.replace(/\d+$/, "78")] as const;
    const standby = {
      group: 7,
      role: "active" as const,
      priority: 100,
      lans: [
        { interfaceName: lan?.interfaceName ?? "", own: `${own}/24`, gateways: [`${gateway}/24`] },
      ],
    };
    const neighbors = [neighbor(1, own), neighbor(2, other), neighbor(3, gateway)];
    const { state, findings } = selectSupported(
      { ...typical, standby, site: { ...site, neighbors } },
      complete,
    );
    expect(state.site).toEqual({ ...site, neighbors: [neighbor(2, other)] });
    expect(findings).toEqual(
      [own, gateway].map((address) => ({
        section: "site",
        kind: "router",
        object: address,
        reason: "ownAddress",
        params: { address },
      })),
    );
  });

  it("reports a static route to the device itself, which has no effect", () => {
    const [own = ""] = typical.underlay.lans.flatMap(({ addresses }) => addresses);
    const address = own.split("/")[0] ?? "";
    expect(reasons(withRoute("10.99.0.0/16", address), complete)).toEqual([
      "route 10.99.0.0/16: ownAddress",
    ]);
  });

  it("keeps rules of a time zone that it does not know by UTC, and the rest as it is", () => {
    const inZone = (timeZone: string): DesiredState => ({
      ...typical,
      policy: {
        sets: [],
        limits: [],
        timeZone,
        times: [{ id: 5, weekdays: [], start: "22:00", end: "06:00" }],
      },
    });
    expect(selectSupported(inZone("America/Coyhaique2"), complete)).toEqual({
      state: inZone("UTC"),
      findings: [
        {
          section: "policy",
          kind: "timeZone",
          object: "America/Coyhaique2",
          reason: "noTimeZone",
          params: {},
        },
      ],
    });
    expect(selectSupported(inZone("Asia/Shanghai"), complete)).toEqual({
      state: inZone("Asia/Shanghai"),
      findings: [],
    });
  });

  it("reports a lease that claims the site's own LAN, or a network of the space", () => {
    const [lan] = typical.underlay.lans;
    const lanAddress = lan?.addresses[0] ?? "";
    const spaces = [{ spaceId: 1, netns: null, networks: ["10.1.2.0/24"] }];
    const claims = (address: string, netns: string | null = null) =>
      selectSupported(
        { ...twoLines, spaces: spaces.map((space) => ({ ...space, netns })) },
        { ...complete, leases: { wan2: { address, gateway: null } } },
      ).findings;
    const reported = { section: "underlay", kind: "line", object: "wan2" };
    expect(claims("10.1.2.5/25")).toEqual([
      {
        ...reported,
        reason: "leaseInSpace",
        params: { lease: "10.1.2.5/25", network: "10.1.2.0/24" },
      },
    ]);
    expect(claims("10.0.0.5/8")).toMatchObject([{ ...reported, reason: "leaseInLan" }]);
    expect(claims(lanAddress)).toMatchObject([
      { ...reported, reason: "leaseInLan", params: { lease: lanAddress } },
    ]);
    // Another line has the address, or the network.
    const [wan1 = ""] = twoLines.underlay.lines.map(({ ip }) => ip ?? "");
    expect(claims(wan1)).toMatchObject([{ ...reported, reason: "leaseOfLine" }]);
    const beside = `${wan1.split(".").slice(0, 3).join(".")}.201/24`;
    expect(claims(beside)).toMatchObject([
      { ...reported, reason: "leaseInLine", params: { lease: beside } },
    ]);
    // A space of another namespace is not in its way.
    expect(claims("10.1.2.5/25", "weft-s1")).toEqual([]);
    expect(claims("203.0.113.5/24")).toEqual([]);
  });

  it("reports a lease with an address that tunnels are called at, and with a router that the device is", () => {
    const called = ({ underlay, tunnels }: DesiredState, endpoint: string): DesiredState => ({
      ...twoLines,
      underlay,
      tunnels: tunnels.map((tunnel) => ({
        ...tunnel,
        links: tunnel.links.map((link) => ({ ...link, endpoint })),
      })),
    });
    const reasons = (address: string, gateway: string | null, endpoint: string) =>
      selectSupported(called(twoLines, endpoint), {
        ...complete,
        leases: { wan2: { address, gateway } },
      }).findings.map(({ object, reason, params }) => [object, reason, params.address]);
    const found = [["wan2", "endpointAddress", "203.0.113.63"]];
    expect(reasons("203.0.113.63/24", null, "203.0.113.63:51000")).toEqual(found);
    expect(reasons("203.0.113.33/27", null, "203.0.113.63:51000")).toEqual(found);
    expect(reasons("203.0.113.33/24", null, "203.0.113.63:51000")).toEqual([]);
    const [lan = ""] = twoLines.underlay.lans.flatMap(({ addresses }) => addresses);
    const [wan1 = ""] = twoLines.underlay.lines.map(({ ip }) => ip ?? "");
    for (const own of [lan, wan1].map((text) => text.split("/")[0] ?? ""))
      expect(reasons("203.0.113.33/32", own, "192.0.2.10:51000")).toEqual([
        ["wan2", "leaseGateway", undefined],
      ]);
  });

  it("reports a lease that is worth nothing, with what is wrong", () => {
    const fault = { reason: "leaseGateway" as const, params: { gateway: "192.0.2.1" } };
    const lease = { address: "203.0.113.5/24", gateway: null, fault };
    expect(selectSupported(twoLines, { ...complete, leases: { wan2: lease } }).findings).toEqual([
      {
        section: "underlay",
        kind: "line",
        object: "wan2",
        reason: "leaseGateway",
        params: { lease: "203.0.113.5/24", gateway: "192.0.2.1" },
      },
    ]);
  });

  it("leaves out a LAN without its interface, and nothing else", () => {
    const { state, findings } = selectSupported(typical, only("wan1"));
    expect(findings[0]).toEqual({
      section: "underlay",
      kind: "lan",
      object: "lan1",
      reason: "noInterface",
      params: {},
    });
    expect(state).toEqual({ ...typical, underlay: { ...typical.underlay, lans: [] } });
  });

  it("leaves out a tagged LAN, a line by DHCP, routes, where the machine has nothing for them", () => {
    const [lan] = typical.underlay.lans;
    const tagged = lan && withUnderlay({ lans: [lan, { ...lan, vlan: 9 }] });
    expect(tagged && selectSupported(tagged, lacks("vlan"))).toMatchObject({
      state: typical,
      findings: [{ reason: "noVlan", params: { vlan: "9", why: "not on this machine" } }],
    });
    // Its addresses are on no interface without a tag, also where the kernel could make one.
    expect(tagged && selectSupported(tagged, only("wan1", "lan1"))).toMatchObject({
      state: typical,
      findings: [{ reason: "noVlan" }],
    });
    expect(selectSupported(twoLines, lacks("dhcp"))).toMatchObject({
      state: typical,
      findings: [{ kind: "line", object: "wan2", reason: "noDhcp" }],
    });
    // The client of an edge before this one still has its lease.
    const leases = { wan2: { address: "203.0.113.5/24", gateway: "203.0.113.1" } };
    expect(selectSupported(twoLines, { ...lacks("dhcp"), leases })).toEqual({
      state: twoLines,
      findings: [
        {
          section: "underlay",
          kind: "line",
          object: "wan2",
          reason: "noDhcp",
          params: { why: "not on this machine" },
        },
      ],
    });
    const bare = { ...typical, routings: [], tunnels: [] };
    expect(selectSupported(bare, lacks("frr"))).toMatchObject({
      state: { static: { routes: [] } },
      findings: [{ kind: "route", object: "10.9.0.0/16", reason: "noRouting" }],
    });
    // An FRR that takes no static routes still carries the overlay.
    expect(selectSupported(typical, lacks("frr.static"))).toMatchObject({
      state: { static: { routes: [] }, routings: typical.routings, tunnels: typical.tunnels },
      findings: [
        { object: "10.9.0.0/16", reason: "noRouting", params: { why: "not on this machine" } },
      ],
    });
  });

  it("takes the links and neighbours of a line away with it", () => {
    const base = cpeState({ links: 2 });
    const links = base.tunnels[0]?.links.map((link) => ({ ...link, slot: link.id }));
    const state = {
      ...base,
      underlay: twoLines.underlay,
      tunnels: base.tunnels.map((tunnel) => ({ ...tunnel, links: links ?? [] })),
    };
    const left = selectSupported(state, only("wan1", "lan1")).state;
    expect(left.tunnels[0]?.links.map(({ id }) => id)).toEqual([1]);
    expect(left.routings[0]?.neighbors.map(({ linkId }) => linkId)).toEqual([1]);
  });

  it.each([
    ["by a next hop that is nowhere", withRoute("10.9.0.0/16", "10.8.8.8"), "noNextHop"],
    ["with metric 255", withRoute("10.9.0.0/16", "10.1.7.254", 255), "metricUnreachable"],
  ] as const)("reports a route %s, and leaves it with the daemon", (_what, state, reason) => {
    expect(reasons(state, complete)).toEqual([`route 10.9.0.0/16: ${reason}`]);
    expect(selectSupported(state, complete).state).toEqual(state);
  });

  it("reports routes whose next hops lead to each other, each with the other one, and leaves them with the daemon", () => {
    const routes = [
      ["10.9.0.0/16", "10.10.0.1", 10],
      ["10.10.0.0/16", "10.9.0.1", 10],
      // By one that is never chosen, and by one to the device itself.
      ["10.11.0.0/16", "10.12.0.1", 10],
      ["10.12.0.0/16", "10.1.7.254", 255],
      ["10.13.0.0/16", "10.9.7.1", 10],
    ] as const;
    const [base] = typical.static.routes;
    const state = {
      ...typical,
      static: {
        routes: routes.map(([destination, nextHop, metric]) => ({
          ...(base as NonNullable<typeof base>),
          destination,
          nextHop,
          metric,
        })),
      },
    };
    const supported = selectSupported(state, complete);
    expect(supported.state).toEqual(state);
    const told = supported.findings.map(({ object, reason, params }) => [object, reason, params]);
    expect(told).toEqual([
      ["10.9.0.0/16", "unresolvedNextHop", { nextHop: "10.10.0.1", route: "10.10.0.0/16" }],
      ["10.10.0.0/16", "unresolvedNextHop", { nextHop: "10.9.0.1", route: "10.9.0.0/16" }],
      ["10.11.0.0/16", "noNextHop", { nextHop: "10.12.0.1" }],
      ["10.12.0.0/16", "metricUnreachable", { metric: "255" }],
      ["10.13.0.0/16", "unresolvedNextHop", { nextHop: "10.9.7.1", route: "10.9.0.0/16" }],
    ]);
    // What another site of the space brings in resolves one of them, and so all.
    const space = { spaceId: 3, netns: null, networks: ["10.9.0.0/24"] };
    expect(reasons({ ...state, spaces: [space] }, complete)).toEqual([
      "route 10.11.0.0/16: noNextHop",
      "route 10.12.0.0/16: metricUnreachable",
    ]);
  });

  it("omits and reports a route that would lead a network of the space out over a line", () => {
    const [line] = typical.underlay.lines;
    const state = withRoute("10.9.0.0/25", line?.gateway ?? "");
    const network = "10.9.0.0/24";
    const closed = { ...state, spaces: [{ spaceId: 3, netns: null, networks: [network] }] };
    expect(reasons(state, complete)).toEqual([]);
    for (const facts of [complete, lacks("frr.static")]) {
      expect(selectSupported(closed, facts)).toMatchObject({
        state: { static: { routes: [] } },
        findings: [
          {
            section: "static",
            kind: "route",
            object: "10.9.0.0/25",
            reason: "inSpace",
            params: { network, nextHop: line?.gateway },
          },
        ],
      });
    }
  });

  it("leaves out the way to a next hop of a policy route with the interface that it is behind", () => {
    const route = {
      id: 1,
      sources: null,
      targets: null,
      time: null,
      slots: [],
      nat: true,
      hop: { address: "203.0.113.1", interfaceName: "wan2" },
    };
    const state = { ...twoLines, policy: { sets: [], limits: [], routes: [route] } };
    const devices = (facts: MachineFacts) =>
      pickUnderlay(selectSupported(state, facts).state).hops?.routes.map(({ dev }) => dev);
    const [line] = typical.underlay.lines;
    expect(devices(complete)).toEqual(["wan2"]);
    expect(devices(only(line?.interfaceName ?? ""))).toEqual([]);
  });

  it("takes a next hop for there that a lease or a neighbour may bring", () => {
    const state = { ...withRoute("10.9.0.0/16", "10.8.8.8"), underlay: twoLines.underlay };
    expect(reasons(state, complete)).toEqual([]);
    const leased = new Map([
      ["wan1", []],
      ["lan1", []],
      ["wan2", ["10.8.8.1/24"]],
    ]);
    expect(reasons(state, { ...complete, interfaces: leased })).toEqual([]);
    leased.set("wan2", ["10.7.7.1/24"]);
    expect(reasons(state, { ...complete, interfaces: leased })).toEqual([
      "route 10.9.0.0/16: noNextHop",
    ]);
    const space = { spaceId: 3, netns: null, networks: ["10.8.0.0/16"] };
    const reported = { ...withRoute("10.9.0.0/16", "10.8.8.8"), spaces: [space] };
    expect(reasons(reported, complete)).toEqual([]);
  });

  it("reports a link that has lost its IPv6, and leaves it as it is", () => {
    const [tunnel] = typical.tunnels;
    const [link] = tunnel?.links ?? [];
    const { state, findings } = selectSupported(typical, {
      ...complete,
      deadIpv6: new Set([link?.id ?? 0]),
    });
    expect(state).toEqual(typical);
    expect(findings).toEqual([
      {
        section: `tunnel.${tunnel?.spaceId}.${(link?.id ?? 0) % 64}`,
        kind: "link",
        object: link?.interfaceName,
        reason: "noIpv6",
        params: { peer: link?.peerAddress6 },
      },
    ]);
    expect(selectSupported(typical, { ...complete, deadIpv6: new Set([999]) }).findings).toEqual(
      [],
    );
  });

  it("shows WAN links that lead nowhere, and leaves nothing out for it", () => {
    const silentLines = [
      { interfaceName: "wan1", reason: "lineSilent" as const },
      { interfaceName: "gone", reason: "lineCut" as const },
    ];
    const { state, findings } = selectSupported(typical, { ...complete, silentLines });
    expect(state).toEqual(typical);
    expect(findings).toEqual([
      { section: "underlay", kind: "line", object: "wan1", reason: "lineSilent", params: {} },
    ]);
    expect(findings.every(isObserved)).toBe(true);
  });

  it("reports what is announced without a route of the very same prefix", () => {
    const announcing = (prefix: string, state = typical) => ({
      ...state,
      routings: state.routings.map((routing) => ({
        ...routing,
        announce: [...routing.announce, prefix],
      })),
    });
    expect(reasons(announcing("10.9.0.0/16"), complete)).toEqual([]);
    expect(reasons(announcing("0.0.0.0/0"), complete)).toEqual([]);
    expect(reasons(announcing("10.9.1.0/24"), complete)).toEqual(["announce 10.9.1.0/24: noRoute"]);
    const never = withRoute("10.9.0.0/16", "10.1.7.254", 255);
    expect(reasons(announcing("10.9.0.0/16", never), complete)).toEqual([
      "route 10.9.0.0/16: metricUnreachable",
      "announce 10.9.0.0/16: noRoute",
    ]);
  });

  it("omits a LAN on the interface of a WAN link and accepts no traffic from it", () => {
    const [line] = typical.underlay.lines;
    const name = line?.interfaceName ?? "";
    const base = withUnderlay({
      lans: [
        ...typical.underlay.lans,
        lanSection(name, ["10.77.1.1/24"]),
        lanSection(name, ["10.79.1.1/24"]),
        lanSection("wm1", ["10.78.1.1/24"]),
      ],
    });
    const { state, findings } = selectSupported(base, complete);
    expect(findings).toEqual([
      {
        section: "underlay",
        kind: "lan",
        object: name,
        reason: "lineInterface",
        params: { slot: "1" },
      },
      {
        section: "underlay",
        kind: "lan",
        object: "wm1",
        reason: "ownInterface",
        params: {},
      },
    ]);
    expect(state).toEqual(typical);
  });

  it("leaves out addresses of LANs that tunnels, links or the controller have, and reserved ones", () => {
    const [lan] = typical.underlay.lans;
    const wrong = [
      "100.64.0.10/32",
      "100.64.0.9/29",
      "192.0.2.5/32",
      "169.254.1.1/24",
      "127.0.0.1/8",
      "ff05::7/64",
    ];
    const addresses = [...(lan?.addresses ?? []), ...wrong];
    const facts = { ...complete, controllers: ["192.0.2.5"] };
    const inLan = withUnderlay({ lans: lan ? [{ ...lan, addresses }] : [] });
    const { state, findings } = selectSupported(inLan, facts);
    expect(findings.map(({ object, reason }) => [object, reason])).toEqual([
      ["100.64.0.10/32", "endpointAddress"],
      ["192.0.2.5/32", "endpointAddress"],
      ...["169.254.1.1/24", "127.0.0.1/8", "ff05::7/64"].map((one) => [one, "reservedAddress"]),
    ]);
    // Another end of tunnels in the same network is no matter: they go by the marks of their lines.
    expect(state.underlay.lans[0]?.addresses).toEqual([...(lan?.addresses ?? []), "100.64.0.9/29"]);
    const ends = withUnderlay({
      lans: [lanSection("lan1", ["100.64.0.9/31", "100.64.0.13/30"])],
    });
    const near = { ...complete, controllers: ["100.64.0.15"] };
    expect(reasons(ends, near)).toContain("lan 100.64.0.13/30: endpointAddress");
    expect(reasons(withRoute("169.254.7.0/24", "10.1.7.254"), complete)).toEqual([
      "route 169.254.7.0/24: reservedAddress",
    ]);
  });
});
