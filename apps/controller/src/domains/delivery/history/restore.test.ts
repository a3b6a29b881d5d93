import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { LinkState } from "@weft/contract/device/v1/tunnel.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { describe, expect, test } from "vitest";
import { announcedIn, restored } from "./restore.ts";
import { unfitLines } from "./restored-lines.ts";

const line = (slot: number, ip = `198.51.100.${slot}/24`) => ({
  slot,
  interfaceName: `wan${slot}`,
  addressing: "static" as const,
  ip,
  gateway: "198.51.100.254",
});
const lan = (interfaceName: string, address: string) => ({
  interfaceName,
  vlan: 0,
  network: networkOf(address),
  addresses: [address],
  direct: true,
  forward: true,
});
const stateOf = (given: Partial<DesiredState>): DesiredState => ({
  node: { nodeId: 3, kind: "cpe", hostname: "site", routerId: "100.96.0.3" },
  underlay: { lines: [line(1)], lans: [] },
  static: { routes: [] },
  firewall: { wan: ["wan1"], tunnelPorts: [] },
  tunnels: [],
  routings: [],
  ...given,
});
const withLink = (given: Partial<LinkState>): Partial<DesiredState> => ({
  tunnels: [
    {
      spaceId: 4,
      netns: null,
      links: [
        {
          id: 9,
          interfaceName: "wl9",
          listenPort: 51_820,
          slot: 1,
          mtu: 1_400,
          address4: "169.254.1.1/31",
          address6: "fd57::1/127",
          probe: true,
          peerAddress4: "169.254.1.0",
          peerAddress6: "fd57::",
          peerKey: "k".repeat(43),
          endpoint: "203.0.113.1:51820",
          ...given,
        },
      ],
    },
  ],
});

describe("a past state among the links of today", () => {
  const past = stateOf({
    underlay: { lines: [line(1)], lans: [lan("lan1", "10.1.1.1/24")] },
    firewall: {
      wan: ["wan1"],
      tunnelPorts: [51_999],
    },
    static: { routes: [{ destination: "10.9.0.0/16", nextHop: "10.1.1.9", metric: 1 }] },
  });
  const present = stateOf({
    ...withLink({}),
    firewall: { wan: ["wan1"], tunnelPorts: [51_820] },
  });

  test("has its own LANs and routes, and today's links and ports", () => {
    const state = restored(past, present);
    expect(state.underlay.lans).toEqual(past.underlay.lans);
    expect(state.static).toEqual(past.static);
    expect(state.firewall).toEqual({ ...past.firewall, tunnelPorts: [51_820] });
    expect(state.tunnels).toEqual(present.tunnels);
    expect(restored(present, present)).toEqual(present);
  });

  test("keeps the ACL and the blacklist of today, and the system settings", () => {
    const acl = (source: string) => ({
      action: "drop" as const,
      protocol: "any" as const,
      source,
      target: null,
      sourcePort: null,
      targetPort: null,
      mac: null,
    });
    const today = {
      ...present,
      firewall: { ...present.firewall, acl: [acl("192.0.2.7/32")] },
      system: { restartAt: { hour: 3, minute: 0 } },
    };
    const then = { ...past, firewall: { ...past.firewall, acl: [acl("203.0.113.9/32")] } };
    expect(restored(then, today).firewall.acl).toEqual([acl("192.0.2.7/32")]);
    expect(restored(past, today).firewall.acl).toEqual([acl("192.0.2.7/32")]);
    expect(restored(then, today).system).toEqual(today.system);
    expect(restored(today, today)).toEqual(today);
    // What was allowed again since then stays allowed: the rule is today's, not the stricter one.
    expect(restored(then, present).firewall).not.toHaveProperty("acl");
    expect(restored({ ...then, system: { restartAt: null } }, present)).not.toHaveProperty(
      "system",
    );
  });

  test("does not fit when it lacks a line that links use, or had it where it cannot be called", () => {
    expect(unfitLines(past, present)).toEqual([]);
    expect(unfitLines(past, stateOf(withLink({ slot: 2 })))).toEqual([{ slot: 2, why: "missing" }]);
    const called = stateOf({
      ...withLink({ endpoint: null }),
      underlay: { lines: [line(1, "203.0.113.7/24")], lans: [] },
    });
    expect(unfitLines(past, called)).toEqual([{ slot: 1, why: "moved" }]);
    // Who calls out itself may do so from any address.
    const caller = stateOf({ ...withLink({}), underlay: called.underlay });
    expect(unfitLines(past, caller)).toEqual([]);
  });

  test("keeps a line that links came to need later", () => {
    const later = stateOf({
      ...withLink({ slot: 2 }),
      underlay: { lines: [line(1, "192.0.2.1/24"), line(2)], lans: [] },
    });
    const state = restored(past, later);
    expect(state.underlay.lines).toEqual([line(1), line(2)]);
    expect(state.firewall.wan).toEqual(["wan1", "wan2"]);
  });

  test("brings along the networks that it announced, or carried before it was in a space", () => {
    expect(announcedIn(past)).toEqual(["10.1.1.0/24"]);
    const routing = {
      spaceId: 4,
      netns: null,
      asn: 1,
      reflector: false,
      neighbors: [],
      bfd: { intervalMs: 300, multiplier: 3 },
      announce: ["10.7.0.0/16"],
    };
    expect(announcedIn({ ...past, routings: [routing] })).toEqual(["10.7.0.0/16"]);
  });
});
