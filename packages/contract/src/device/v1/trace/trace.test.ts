import { describe, expect, test } from "vitest";
import type { DesiredState } from "#contract/device/v1/state.ts";
import { packetTrace } from "#domains/delivery/trace.ts";
import type { TracedPacket } from "./packet.ts";
import { tracePacket } from "./trace.ts";

const rule = {
  action: "drop" as const,
  protocol: "tcp" as const,
  source: "10.1.0.0/16",
  target: null,
  sourcePort: null,
  targetPort: "20-25",
  mac: null,
  object: { family: "xaclrules" as const, id: 4 },
};
const state: DesiredState = {
  node: { nodeId: 7, kind: "cpe", hostname: "cpe7", routerId: "10.255.0.7" },
  underlay: {
    lines: [
      { slot: 1, interfaceName: "wan1", addressing: "dhcp", ip: null, gateway: null },
      { slot: 2, interfaceName: "wan2", addressing: "dhcp", ip: null, gateway: null },
    ],
    lans: [
      {
        interfaceName: "lan0",
        vlan: 0,
        network: "10.1.1.0/24",
        addresses: ["10.1.1.1/24"],
        networks: ["10.1.1.0/24"],
        direct: true,
        forward: true,
      },
    ],
  },
  static: {
    routes: [
      { destination: "172.16.0.0/12", nextHop: "10.1.1.254", metric: 1 },
      { destination: "172.20.0.0/16", nextHop: "10.1.1.253", metric: 255 },
    ],
  },
  firewall: {
    wan: ["wan1", "wan2"],
    tunnelPorts: [51_001],
    acl: [rule, { ...rule, action: "accept", target: "192.0.2.0/24", targetPort: null }],
  },
  tunnels: [],
  routings: [],
  spaces: [{ spaceId: 3, netns: null, networks: ["10.1.1.0/24", "10.2.0.0/16"] }],
  policy: {
    sets: [],
    limits: [{ id: 6, set: null, connections: 200, perSecond: null }],
    portMaps: [
      {
        id: 8,
        protocol: "tcp",
        outside: "8000-8010",
        host: "10.1.1.9",
        inside: "9000-9010",
        slot: 2,
      },
    ],
  },
};
const packet = (given: Partial<TracedPacket>): TracedPacket => ({
  from: "lan",
  interfaceName: "lan0",
  source: "10.1.1.5",
  destination: "192.0.2.1",
  protocol: "tcp",
  sourcePort: null,
  targetPort: 443,
  mac: null,
  ...given,
});
const reported = new Map([[2, "203.0.113.7"]]);
const traced = (given: Partial<TracedPacket>, on = state) => {
  const { outcome, steps } = tracePacket(on, packet(given), { reported });
  return [
    outcome,
    ...steps.map(({ reason, object }) => (object ? `${reason} ${object.id}` : reason)),
  ];
};

describe("a packet of a LAN", () => {
  test("leaves by the first WAN link that has an address, under the rule that allows it", () => {
    expect(traced({})).toEqual([
      "forwarded",
      "ownSource",
      "byLine",
      "limited 6",
      "aclAccept 4",
      "direct",
      "lineAddress",
    ]);
  });

  test("takes the WAN link of the first policy route that fits, in its time", () => {
    const routes = [
      { id: 1, sources: 9, targets: null, time: null, slots: [2], nat: true },
      { id: 2, sources: null, targets: null, time: 5, slots: [1], nat: true },
      { id: 3, sources: null, targets: null, time: null, slots: [2], nat: false },
    ];
    const lines = state.underlay.lines.map((line) => ({ ...line, gateway: null }));
    const times = [{ id: 5, weekdays: [], start: "08:00", end: "09:00" }];
    const sets = [{ id: 9, members: ["10.1.1.77"] }];
    const routed: DesiredState = {
      ...state,
      underlay: { ...state.underlay, lines },
      policy: { sets, limits: [], routes, times, timeZone: "UTC" },
    };
    const steps = (now: string, source = "10.1.1.5") =>
      tracePacket(routed, packet({ source }), { reported, now: Date.parse(now) }).steps.map(
        ({ reason, object }) => (object ? `${reason} ${object.id}` : reason),
      );
    expect(steps("2026-01-01T08:30Z")).toContain("routeDown 2");
    expect(steps("2026-01-01T08:30Z").at(-1)).toBe("lineAddress");
    expect(steps("2026-01-01T10:00Z")).toContain("routed 3");
    expect(steps("2026-01-01T10:00Z").at(-1)).toBe("direct");
    expect(steps("2026-01-01T08:30Z", "10.1.1.77")).toContain("routed 1");
  });

  test("is refused by a policy route that denies, unless an earlier one sends it somewhere", () => {
    const deny = {
      id: 4,
      sources: null,
      targets: 9,
      time: null,
      slots: [],
      nat: false,
      deny: true as const,
    };
    const out = { id: 3, sources: null, targets: 9, time: null, slots: [2], nat: true };
    const sets = [{ id: 9, members: ["192.0.2.0/24", "172.16.0.0/12"] }];
    const on = (
      ...routes: NonNullable<DesiredState["policy"]>["routes"] & object
    ): DesiredState => ({
      ...state,
      policy: { sets, limits: [], routes },
    });
    expect(traced({}, on(deny))).toEqual(["dropped", "ownSource", "byLine", "refused 4"]);
    expect(traced({}, on(out, deny))[0]).toBe("forwarded");
    expect(traced({}, on(deny, out)).at(-1)).toBe("refused 4");
    expect(traced({ destination: "198.18.0.1" }, on(deny))[0]).toBe("forwarded");
    // A route that is about WAN links says nothing about what goes to a router of the site.
    const toLan = { destination: "172.16.3.4" };
    expect(traced(toLan, on({ ...out, targets: null }, deny)).at(-1)).toBe("refused 4");
    // One with another destination or a next hop decides about what it sends there, and nothing else.
    const near = { id: 5, slots: [], destination: "10.1.1.9", nat: true };
    const hop = {
      id: 5,
      slots: [],
      hop: { address: "10.1.1.9", interfaceName: "lan0" },
      nat: true,
    };
    for (const first of [near, hop]) {
      const routes = on({ ...out, targets: null, ...first }, deny);
      expect(traced({}, routes)[0]).toBe("forwarded");
      expect(traced(toLan, routes).at(-1)).toBe("refused 4");
    }
    // What others open is not about it.
    const space = { from: "space" as const, interfaceName: null, destination: "10.1.1.5" };
    expect(traced({ ...space, source: "172.16.3.4" }, on(deny))).not.toContain("refused 4");
  });

  test("is denied by the first rule that fits", () => {
    expect(traced({ targetPort: 22 }).at(-1)).toBe("aclDrop 4");
  });

  test("to a network of the space is dropped without a tunnel", () => {
    expect(traced({ destination: "10.2.3.4" })).toEqual(["dropped", "ownSource", "noTunnel"]);
  });

  test("follows static routes, but for those that are never used", () => {
    expect(traced({ destination: "172.16.3.4" }).slice(1, 3)).toEqual(["ownSource", "toLan"]);
    const steps = tracePacket(state, packet({ destination: "172.20.3.4" }), { reported }).steps;
    expect(steps[1]?.params).toMatchObject({ network: "172.16.0.0/12" });
  });

  test("with a source of elsewhere is dropped first of all", () => {
    expect(traced({ source: "10.1.2.5" })).toEqual(["dropped", "foreignSource"]);
    expect(traced({ interfaceName: "lan9" })).toEqual(["dropped", "noSuchLan"]);
  });
});

describe("a packet of the internet", () => {
  const outside = { from: "line", interfaceName: "wan2", source: "192.0.2.9" } as const;
  test("reaches the host of a mapping by its line alone, at the port in the same place", () => {
    const given = { ...outside, destination: "203.0.113.7", targetPort: 8_003 };
    expect(traced(given)).toEqual([
      "forwarded",
      "unchecked",
      "mapped 8",
      "toLan",
      "aclNone",
      "mappedHost",
    ]);
    const [, mapped] = tracePacket(state, packet(given), { reported }).steps;
    expect(mapped?.params).toEqual({ host: "10.1.1.9", port: 9_003 });
    expect(traced({ ...given, targetPort: 8_011 }).at(-1)).toBe("deviceClosed");
  });

  test("ends at the device where no mapping is, but for tunnels and ICMP", () => {
    const toDevice = { ...outside, destination: "203.0.113.7" };
    expect(traced({ ...toDevice, protocol: "udp", targetPort: 51_001 })[0]).toBe("delivered");
    expect(traced({ ...toDevice, protocol: "icmp", targetPort: null })[0]).toBe("delivered");
    expect(traced({ ...toDevice, targetPort: 22 })[0]).toBe("dropped");
  });
});

test("a packet of the space gets the device's address where it is beside the gateway with NAT", () => {
  const lans = state.underlay.lans.map((lan) => ({ ...lan, direct: false, translated: true }));
  const neighbor = {
    linkId: 11,
    interfaceName: "wl11",
    address4: "10.255.0.0",
    address6: "fd00::",
    preference: 100,
    client: false,
    accept: null,
  };
  const routing = {
    spaceId: 3,
    netns: null,
    asn: 65_000,
    reflector: false,
    announce: [],
    bfd: { intervalMs: 250, multiplier: 3 },
    neighbors: [neighbor],
  };
  const inSpace: DesiredState = { ...state, routings: [routing] };
  const bypass: DesiredState = { ...inSpace, underlay: { ...state.underlay, lans } };
  const space = { from: "space" as const, interfaceName: null, source: "10.2.0.9" };
  const given = { ...space, destination: "10.1.1.5" };
  expect(traced(given, bypass).slice(-2)).toEqual(["fromSpace", "lanAddress"]);
  expect(traced(given, inSpace).at(-1)).toBe("fromSpace");
  expect(traced({}, bypass).at(-1)).toBe("notDirect");
});

test("a packet without a port, of two families or from no interface is refused with its field", () => {
  const wire = { ...packet({}), id: 7 };
  const paths = (given: object) => {
    const read = packetTrace.input.safeParse({ ...wire, ...given });
    return read.success ? [] : read.error.issues.map(({ path }) => path.join("."));
  };
  expect(paths({})).toEqual([]);
  expect(paths({ targetPort: null })).toEqual(["targetPort"]);
  expect(paths({ destination: "fd00::1" })).toEqual(["destination"]);
  expect(paths({ interfaceName: null })).toEqual(["interfaceName"]);
  expect(paths({ mac: "zz" })).toEqual(["mac"]);
});

test("a policy route with targets overrides a static route, and leaves LANs and space alone", () => {
  const via = (targets: number | null): DesiredState => ({
    ...state,
    policy: {
      sets: [{ id: 1, members: ["172.16.0.0/12", "10.0.0.0/8"] }],
      limits: [],
      routes: [{ id: 5, sources: null, targets, time: null, slots: [2], nat: true }],
    },
  });
  const toRouter = { destination: "172.16.0.9" };
  expect(traced(toRouter, via(1)).slice(0, 4)).toEqual([
    "forwarded",
    "ownSource",
    "toLan",
    "routed 5",
  ]);
  expect(traced(toRouter, via(null))).not.toContain("routed 5");
  for (const destination of ["10.1.1.9", "10.2.0.9"])
    expect(traced({ destination }, via(1))).not.toContain("routed 5");
  // What the space has is not known.
  const { spaces: _, ...before } = via(1);
  expect(traced(toRouter, before)).not.toContain("routed 5");
});

test("full cone is about UDP, and symmetric NAT about everything", () => {
  const by = (translation: "cone" | "symmetric"): DesiredState => ({
    ...state,
    policy: {
      sets: [],
      limits: [],
      routes: [
        { id: 5, sources: null, targets: null, time: null, slots: [2], nat: true, translation },
      ],
    },
  });
  expect(traced({ protocol: "udp" }, by("cone")).at(-1)).toBe("coneAddress");
  expect(traced({}, by("cone")).at(-1)).toBe("lineAddress");
  expect(traced({}, by("symmetric")).at(-1)).toBe("symmetricAddress");
});

test("a next hop takes flows of its family, in a LAN or behind a WAN link", () => {
  const to = (address: string, interfaceName: string): DesiredState => ({
    ...state,
    policy: {
      sets: [],
      limits: [],
      routes: [
        {
          id: 5,
          sources: null,
          targets: null,
          time: null,
          slots: [],
          nat: true,
          hop: { address, interfaceName },
        },
      ],
    },
  });
  expect(traced({}, to("10.1.1.254", "lan0")).slice(-3)).toEqual([
    "aclAccept 4",
    "direct",
    "hopAddress",
  ]);
  expect(traced({}, to("203.0.113.1", "wan2"))).toContain("routedToHop 5");
  expect(traced({}, to("203.0.113.1", "wan2")).at(-1)).toBe("lineAddress");
  expect(traced({}, to("fd00::1", "lan0"))).not.toContain("routedToHop 5");
});

test("what the site announces behind a WAN link keeps its way from policy routes", () => {
  const [first, ...others] = state.underlay.lines;
  const line = { ...first, addressing: "static", ip: "198.51.100.2/24" } as NonNullable<
    typeof first
  >;
  const own = { spaceId: 3, netns: null, announce: ["172.30.0.0/16"], neighbors: [] };
  const routed: DesiredState = {
    ...state,
    underlay: { ...state.underlay, lines: [line, ...others] },
    static: { routes: [{ destination: "172.30.0.0/16", nextHop: "198.51.100.9", metric: 1 }] },
    routings: [own as unknown as DesiredState["routings"][number]],
    policy: {
      sets: [],
      limits: [],
      routes: [{ id: 5, sources: null, targets: null, time: null, slots: [2], nat: true }],
    },
  };
  expect(traced({}, routed)).toContain("routed 5");
  expect(traced({ destination: "172.30.0.9" }, routed)).toContain("byLine");
  expect(traced({ destination: "172.30.0.9" }, routed)).not.toContain("routed 5");
});

test("a policy route with another destination is traced to that", () => {
  const to = (destination: string, slots: number[], nat = true): DesiredState => ({
    ...state,
    policy: {
      sets: [],
      limits: [],
      routes: [{ id: 5, sources: null, targets: null, time: null, slots, nat, destination }],
    },
  });
  expect(traced({}, to("10.1.1.9", [])).slice(-3)).toEqual(["aclNone", "mappedHost", "hairpin"]);
  expect(traced({}, to("203.0.113.9", [2]))).toEqual([
    "forwarded",
    "ownSource",
    "byLine",
    "routed 5",
    "aclNone",
    "direct",
    "lineAddress",
  ]);
  expect(traced({}, to("10.2.0.9", [2])).at(-1)).toBe("spaceByLine");
  expect(traced({}, to("10.1.1.1", []))).toEqual([
    "delivered",
    "ownSource",
    "byLine",
    "redirected 5",
    "deviceServes",
  ]);
});

test("plain DNS is traced to the device while it has DNS controls, and has the WAN links that they may lead to", () => {
  const control = {
    names: ["crm.example"],
    servers: ["192.0.2.53"],
    slot: 2,
    weekdays: [],
    routes: true,
  };
  const controlled: DesiredState = {
    ...state,
    dns: {
      answers: [],
      servers: [],
      denied: [],
      ranges: [],
      timeZone: "UTC",
      controls: [
        { ...control, id: 11 },
        { ...control, id: 12, routes: false },
        // The moment of the trace is a Thursday.
        { ...control, id: 13, weekdays: [5] },
      ],
    },
  };
  for (const protocol of ["tcp", "udp"] as const)
    expect(traced({ protocol, targetPort: 53 }, controlled)).toEqual([
      "delivered",
      "ownSource",
      "ownResolver",
      "toDevice",
      "limited 6",
      "aclNone",
      "deviceServes",
    ]);
  expect(traced({ targetPort: 53 })).not.toContain("ownResolver");
  const refusing = {
    ...({ action: "drop", protocol: "tcp", source: null, target: null } as const),
    sourcePort: null,
    targetPort: "53",
    mac: null,
  };
  const refused = { ...controlled, firewall: { ...controlled.firewall, acl: [refusing] } };
  expect(traced({ targetPort: 53 }, refused)).toEqual([
    "dropped",
    "ownSource",
    "ownResolver",
    "toDevice",
    "limited 6",
    "aclDrop",
  ]);
  expect(traced({ destination: "10.2.3.4", targetPort: 53 }, controlled).at(-1)).toBe("noTunnel");
  expect(traced({}, controlled).slice(2, 4)).toEqual(["byLine", "byAnswers 11"]);
  expect(traced({}, controlled).join()).not.toMatch(/1[23]/);
});

test("plain DNS of a host that is denied names is traced to the device with its rules, and encrypted DNS is refused", () => {
  const nameRule = (id: number, given: object) => ({
    id,
    names: ["games.example"],
    sources: null,
    time: null,
    denies: true,
    ...given,
  });
  const filtered: DesiredState = {
    ...state,
    dns: { answers: [], servers: [], denied: [], ranges: [] },
    policy: {
      ...(state.policy ?? { limits: [] }),
      sets: [...(state.policy?.sets ?? []), { id: 77, members: ["10.1.1.100", "fd57:1:1::/64"] }],
      nameRules: [nameRule(21, { sources: 77, denies: false }), nameRule(22, { sources: 77 })],
    },
  };
  const own = "10.1.1.1";
  const source = "10.1.1.100";
  for (const protocol of ["tcp", "udp"] as const) {
    const asked = traced({ source, protocol, targetPort: 53 }, filtered);
    expect(asked.slice(0, 5)).toEqual([
      "delivered",
      "ownSource",
      "ownResolver",
      "namesFiltered 21",
      "namesFiltered 22",
    ]);
    expect(asked.at(-1)).toBe("deviceServes");
    expect(traced({ source, protocol, targetPort: 53, destination: own }, filtered)).toEqual([
      "delivered",
      "ownSource",
      "namesFiltered 21",
      "namesFiltered 22",
      "toDevice",
      "deviceServes",
    ]);
    expect(traced({ source, protocol, targetPort: 853 }, filtered).at(-1)).toBe(
      "encryptedNames 22",
    );
  }
  // Another host.
  const other = "10.1.1.101";
  expect(traced({ source: other, targetPort: 53 }, filtered).join()).not.toMatch(
    /Resolver|Filtered/,
  );
  expect(traced({ source: other, targetPort: 853 }, filtered)[0]).toBe("forwarded");
  expect(traced({ source, targetPort: 5301, destination: own }, filtered).at(-1)).toBe(
    "deviceClosed",
  );
});
