import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { describe, expect, test } from "vitest";
import { type PolicyView, policySectionOf } from "./policy-section.ts";

const can = ["routerIpgroup", "routerIpgroupdefine", "routerConnlimit"].map((family) => ({
  name: `policy.${family}`,
  can: true,
}));
const limit = (id: number, fields: object = {}) => ({
  id,
  name: `limit-${id}`,
  enable: true,
  ipgroupId: null,
  maxConnections: 100,
  maxNewPerSecond: null,
  ...fields,
});
const group = (id: number, ...members: string[]) => ({
  routerIpgroup: [{ id, name: `group-${id}`, members: members.length }],
  routerIpgroupdefine: members.map((ip, at) => ({
    id: id * 100 + at,
    ipgroupId: id,
    ip,
    name: ip,
  })),
});
const lan = { network: "10.1.1.1/24", network6: null };
const view = (
  policy: NonNullable<PolicyView["policy"]>,
  capabilities: readonly { name: string; can: boolean }[] | null = can,
) => ({
  node: { id: 1, lines: [{ slot: 1 }], sections: [{ ...lan, vlan: null }] },
  links: [{ a: { node: 1, port: 51_820 }, b: { node: 2, port: 52_000 } }],
  policy,
  capabilities,
});

describe("the policy section", () => {
  test("has each limit with its set, and each set once", () => {
    const limits = [
      limit(1, { ipgroupId: 5 }),
      limit(2, { ipgroupId: 5, maxNewPerSecond: 7 }),
      limit(3),
    ];
    const policy = {
      ...group(5, "10.0.0.9-10.0.0.20", "10.0.0.1", "10.0.0.1"),
      routerConnlimit: limits,
    };
    expect(policySectionOf(view(policy))).toEqual({
      sets: [{ id: 5, members: ["10.0.0.1", "10.0.0.9-10.0.0.20"] }],
      limits: [
        { id: 1, set: 5, connections: 100, perSecond: null },
        { id: 2, set: 5, connections: 100, perSecond: 7 },
        { id: 3, set: null, connections: 100, perSecond: null },
      ],
    });
  });

  test("leaves out what cannot act: without its group a limit would be about everyone", () => {
    const limits = [limit(1, { ipgroupId: 5 }), limit(2, { enable: false })];
    expect(policySectionOf(view({ ...group(5), routerConnlimit: limits }))).toBeNull();
    const some = { ...group(5), routerConnlimit: [...limits, limit(3)] };
    expect(policySectionOf(view(some))).toMatchObject({ sets: [], limits: [{ id: 3 }] });
  });

  test("has no limit of hosts where there are none", () => {
    const policy = {
      ...group(5, "10.0.0.1"),
      routerConnlimit: [limit(1), limit(2, { ipgroupId: 5 })],
    };
    const node = { id: 1, lines: [], sections: [{ ...lan, vlan: 7 }] };
    expect(policySectionOf({ ...view(policy), node })?.limits.map(({ id }) => id)).toEqual([2]);
  });

  test("has bandwidth policies with the tunnels that they name, and no others", () => {
    const tunnel = (id: number, direction: number) => ({
      id,
      name: `tunnel-${id}`,
      gbw: 64,
      maxbw: 512,
      direction,
      lineId: 5,
    });
    const rule = (id: number, pipeId: number, fields: object = {}) => ({
      id,
      name: `rule-${id}`,
      enable: true,
      sort: id,
      pipeId,
      appgroupId: null,
      ipgroupId: null,
      timeId: null,
      ...fields,
    });
    const policy = {
      ...group(8, "10.1.1.9"),
      routerInterfaceline: [{ id: 5, kind: "wan", accessposition: 1, name: "first" }],
      routerBandwidthpipe: [tunnel(3, 1), tunnel(4, 2), tunnel(6, 0)],
      routerBwpolicy: [rule(1, 4, { ipgroupId: 8 }), rule(2, 3), rule(7, 6, { enable: false })],
    };
    const families = ["routerBandwidthpipe", "routerBwpolicy", "routerIpgroup"];
    const capabilities = [...families, "routerIpgroupdefine"].map((family) => ({
      name: `policy.${family}`,
      can: true,
    }));
    const rates = { guaranteed: 64, most: 512, slot: 1 };
    expect(policySectionOf(view(policy, capabilities))).toEqual({
      sets: [{ id: 8, members: ["10.1.1.9"] }],
      limits: [],
      tunnels: [
        { id: 3, ...rates, up: true, down: false },
        { id: 4, ...rates, up: false, down: true },
      ],
      bandwidths: [
        { id: 1, tunnel: 4, hosts: 8, app: null, time: null },
        { id: 2, tunnel: 3, hosts: null, app: null, time: null },
      ],
    });
  });

  test("has port mappings with the slot of their line, and none of those that cannot act", () => {
    const map = (id: number, fields: object) => ({
      id,
      enable: true,
      protocol: "tcp",
      externalPort: `${8_000 + id}`,
      lineId: null,
      internalIp: "10.1.1.9",
      internalPort: "443",
      ...fields,
    });
    const policy = {
      routerInterfaceline: [{ id: 5, kind: "wan", accessposition: 1, name: "first" }],
      routerPortmapping: [
        map(1, { lineId: 5 }),
        map(2, { internalIp: "10.1.2.9" }),
        map(3, { enable: false }),
        map(4, { protocol: "both", externalPort: "9000-9009", internalPort: "9000-9009" }),
      ],
    };
    const capabilities = [{ name: "policy.routerPortmapping", can: true }];
    expect(policySectionOf(view(policy, capabilities))).toEqual({
      sets: [],
      limits: [],
      portMaps: [
        { id: 1, protocol: "tcp", outside: "8001", host: "10.1.1.9", inside: "443", slot: 1 },
        {
          id: 4,
          protocol: "both",
          outside: "9000-9009",
          host: "10.1.1.9",
          inside: "9000-9009",
          slot: null,
        },
      ],
    });
    expect(policySectionOf(view({ ...policy, routerConnlimit: [limit(1)] }))).toEqual({
      sets: [],
      limits: [{ id: 1, set: null, connections: 100, perSecond: null }],
    });
  });

  test("has policy routes in their order, with the groups that they name", () => {
    const route = (id: number, fields: object) => ({
      id,
      name: `route-${id}`,
      enable: true,
      sort: id,
      lineGroup: 1,
      natType: 1,
      srcIpgroupId: null,
      dstIpgroupId: null,
      appgroupId: null,
      timeId: null,
      ttlIncrement: 0,
      natLbextra: 0,
      nextHop: null,
      ...fields,
    });
    const night = { id: 7, name: "night", weekdays: [], startTime: "22:00", endTime: "06:00" };
    const policy = {
      ...group(5, "10.0.0.1"),
      routerTimenode: [night],
      routerPolicyroute: [
        route(2, { sort: 1, srcIpgroupId: 5, timeId: 7, natType: 0 }),
        route(1, { sort: 2, lineGroup: 1 + 2 }),
        route(3, { natType: 8 }),
      ],
    };
    const families = ["routerPolicyroute", "routerTimenode", "routerIpgroup"];
    const capabilities = [...families, "routerIpgroupdefine"].map((family) => ({
      name: `policy.${family}`,
      can: true,
    }));
    expect(policySectionOf({ ...view(policy, capabilities), timeZone: "Asia/Tokyo" })).toEqual({
      sets: [{ id: 5, members: ["10.0.0.1"] }],
      limits: [],
      routes: [
        { id: 2, sources: 5, targets: null, time: 7, slots: [1], nat: false },
        { id: 1, sources: null, targets: null, time: null, slots: [1, 2], nat: true },
      ],
      times: [{ id: 7, weekdays: [], start: "22:00", end: "06:00" }],
      timeZone: "Asia/Tokyo",
    });
  });

  test("has a policy route that denies without a way out, for devices that can", () => {
    const denial = {
      id: 1,
      name: "lunch",
      enable: true,
      sort: 1,
      deny: true,
      lineGroup: 1,
      natType: 9,
      srcIpgroupId: null,
      dstIpgroupId: 5,
      appgroupId: null,
      timeId: null,
      ttlIncrement: 0,
      natLbextra: 0,
      nextHop: "10.1.1.9",
    };
    const policy = { ...group(5, "10.0.0.1"), routerPolicyroute: [denial] };
    const families = ["routerPolicyroute", "routerIpgroup", "routerIpgroupdefine"];
    const capabilities = families.map((family) => ({ name: `policy.${family}`, can: true }));
    expect(policySectionOf(view(policy, capabilities))).toBeNull();
    const able = [...capabilities, { name: "policy.routerPolicyroute.deny", can: true }];
    const sent = { id: 1, sources: null, targets: 5, time: null, slots: [], nat: false };
    expect(policySectionOf(view(policy, able))?.routes).toEqual([{ ...sent, deny: true }]);
  });

  test("has a TTL increment of a policy route by WAN links, for devices that can", () => {
    const route = (id: number, lineGroup: number, fields: object = {}) => ({
      id,
      name: `route-${id}`,
      enable: true,
      sort: id,
      lineGroup,
      natType: 1,
      srcIpgroupId: null,
      dstIpgroupId: null,
      appgroupId: null,
      timeId: null,
      ttlIncrement: 2,
      natLbextra: 0,
      nextHop: null,
      ...fields,
    });
    const moved = { natType: 1 + 2, nextHop: "203.0.113.9" };
    const policy = { routerPolicyroute: [route(1, 1), route(2, 0, moved), route(3, 1, moved)] };
    const capabilities = (...names: string[]) =>
      ["", ".destination", ...names].map((name) => ({
        name: `policy.routerPolicyroute${name}`,
        can: true,
      }));
    const sent = (...names: string[]) =>
      policySectionOf(view(policy, capabilities(...names)))?.routes?.map(
        ({ destination, ttlIncrement }) => [destination, ttlIncrement],
      );
    const to = "203.0.113.9";
    expect(sent()).toEqual([
      [undefined, undefined],
      [to, undefined],
      [to, undefined],
    ]);
    expect(sent(".ttl")).toEqual([
      [undefined, 2],
      [to, undefined],
      [to, 2],
    ]);
  });

  test("has the next hop of a policy route with the interface that reaches it", () => {
    const route = (id: number, nextHop: string) => ({
      id,
      name: `route-${id}`,
      enable: true,
      sort: id,
      lineGroup: 0,
      natType: 0,
      srcIpgroupId: null,
      dstIpgroupId: null,
      appgroupId: null,
      timeId: null,
      ttlIncrement: 0,
      natLbextra: 0,
      nextHop,
    });
    const policy = { routerPolicyroute: [route(1, "10.1.1.254"), route(2, "198.51.100.1")] };
    const names = ["policy.routerPolicyroute", "policy.routerPolicyroute.hop"];
    const node = {
      id: 1,
      lines: [{ slot: 1, interfaceName: "wan1", ip: "198.51.100.10/24" }],
      sections: [{ ...lan, interfaceName: "lan0", vlan: null }],
    };
    const sent = policySectionOf({
      ...view(
        policy,
        names.map((name) => ({ name, can: true })),
      ),
      node,
    });
    expect(sent?.routes).toEqual([
      {
        id: 1,
        sources: null,
        targets: null,
        time: null,
        slots: [],
        nat: false,
        hop: { address: "10.1.1.254", interfaceName: "lan0" },
      },
      {
        id: 2,
        sources: null,
        targets: null,
        time: null,
        slots: [],
        nat: false,
        hop: { address: "198.51.100.1", interfaceName: "wan1" },
      },
    ]);
  });

  test("is sent to devices alone that reported that they can", () => {
    const policy = { routerConnlimit: [limit(1)] };
    expect(policySectionOf(view(policy, null))).toBeNull();
    expect(policySectionOf(view(policy, []))).toBeNull();
    expect(
      policySectionOf(view(policy, [{ name: "policy.routerConnlimit", can: false }])),
    ).toBeNull();
    expect(policySectionOf(view(policy))).not.toBeNull();
  });

  test("holds as many limits as a device takes", () => {
    const max = stateLimits.connectionLimits;
    const limits = Array.from({ length: max + 5 }, (_, at) => limit(at + 1));
    expect(policySectionOf(view({ routerConnlimit: limits }))?.limits).toHaveLength(max);
  });
});
