import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { describe, expect, test } from "vitest";
import { type PolicyView, policySectionOf } from "./policy-section.ts";

const can = ["routerIpgroup", "routerIpgroupdefine", "routerConnlimit"].map((family) => ({
  ...{ name: `policy.${family}`, can: true },
}));
const limit = (id: number, fields: object = {}) => ({
  ...{ id, name: `limit-${id}`, enable: true, ipgroupId: null },
  ...{ maxConnections: 100, maxNewPerSecond: null, ...fields },
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
  ...{ policy, capabilities },
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

  test("has port mappings with the slot of their line, and none of those that cannot act", () => {
    const map = (id: number, fields: object) => ({
      ...{ id, enable: true, protocol: "tcp", externalPort: `${8_000 + id}`, lineId: null },
      ...{ internalIp: "10.1.1.9", internalPort: "443", ...fields },
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
      ...{ sets: [], limits: [] },
      portMaps: [
        { id: 1, protocol: "tcp", outside: "8001", host: "10.1.1.9", inside: "443", slot: 1 },
        {
          ...{ id: 4, protocol: "both", outside: "9000-9009", host: "10.1.1.9" },
          ...{ inside: "9000-9009", slot: null },
        },
      ],
    });
    expect(policySectionOf(view({ ...policy, routerConnlimit: [limit(1)] }))).toEqual({
      sets: [],
      limits: [{ id: 1, set: null, connections: 100, perSecond: null }],
    });
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
