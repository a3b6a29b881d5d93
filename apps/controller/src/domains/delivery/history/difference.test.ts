import { inChunks } from "@weft/contract/device/v1/buckets.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { describe, expect, test } from "vitest";
import { differences } from "./difference.ts";

const node = { nodeId: 3, kind: "cpe", hostname: "site", routerId: "100.96.0.3" };
const lan = (interfaceName: string, ...addresses: string[]) => ({
  interfaceName,
  vlan: 0,
  network: networkOf(addresses[0] ?? ""),
  addresses,
});
const link = (id: number, more = {}) => ({ id, listenPort: 51_820 + id, mtu: 1_420, ...more });
const state = (sections: Record<string, unknown>) => new Map(Object.entries(sections));

describe("the difference of two states", () => {
  test("of equal states is empty, regardless of the order of their parts", () => {
    const [first, second] = [lan("lan1", "10.1.1.1/24"), lan("lan2", "10.2.1.1/24")];
    const one = state({ node, underlay: { lines: [], lans: [first, second] } });
    const other = state({ underlay: { lans: [second, first], lines: [] }, node });
    expect(differences(one, other)).toEqual([]);
  });

  test("names what was added, removed and changed, field by field", () => {
    const from = state({
      node,
      underlay: { lines: [], lans: [lan("lan1", "10.1.1.1/24"), lan("lan2", "10.2.1.1/24")] },
    });
    const to = state({
      node: { ...node, hostname: "renamed" },
      underlay: { lines: [], lans: [lan("lan1", "10.1.1.9/24"), lan("lan3", "10.3.1.1/24")] },
    });
    expect(differences(from, to)).toEqual([
      expect.objectContaining({
        section: "node",
        kind: "settings",
        change: "changed",
        fields: [{ field: "hostname", old: "site", new: "renamed" }],
      }),
      expect.objectContaining({
        kind: "lan",
        key: "lan1 0 10.1.1.0/24",
        change: "changed",
        fields: [{ field: "addresses", old: ["10.1.1.1/24"], new: ["10.1.1.9/24"] }],
      }),
      expect.objectContaining({
        kind: "lan",
        key: "lan2 0 10.2.1.0/24",
        change: "removed",
        fields: [{ field: "addresses", old: ["10.2.1.1/24"], new: null }],
      }),
      expect.objectContaining({
        kind: "lan",
        key: "lan3 0 10.3.1.0/24",
        change: "added",
        fields: [{ field: "addresses", old: null, new: ["10.3.1.1/24"] }],
      }),
    ]);
  });

  test("is empty where only the form is another, as after an upgrade of the edge", () => {
    const access = { networks: ["10.1.1.0/24"], direct: true, forward: true };
    const wan = { wan: ["wan1"], tunnelPorts: [] };
    const { network, ...addresses } = lan("lan1", "10.1.1.1/24");
    const earlier = state({
      underlay: { lines: [], lans: [addresses] },
      firewall: { ...wan, lan: [{ interfaceName: "lan1", ...access }] },
    });
    const present = state({
      underlay: { lines: [], lans: [{ ...addresses, network, ...access }] },
      firewall: wan,
    });
    expect(differences(earlier, present)).toEqual([]);
    expect(differences(present, earlier)).toEqual([]);
  });

  test("is the same whether the ACL is one section or in chunks, and whichever of both states has them", () => {
    const rule = (at: number) => ({
      action: "drop",
      protocol: "any",
      source: `10.${at >> 8}.${at & 255}.0/24`,
      sourcePort: null,
      target: null,
      targetPort: null,
      mac: null,
    });
    const firewall = { wan: ["wan1"], tunnelPorts: [] };
    const inOne = (acl: readonly object[]) => state({ firewall: { ...firewall, acl } });
    const divided = (acl: readonly object[]) =>
      state({
        firewall,
        ...Object.fromEntries(inChunks(acl).map((part, at) => [`firewall.${at}`, { acl: part }])),
      });
    const before = [...Array(2_000).keys()].map(rule);
    // More than ten chunks: their numbers count, not the order of their names.
    expect(divided(before).size).toBeGreaterThan(11);
    const [first, second, ...rest] = before as [object, object, ...object[]];
    const after = [second, first, ...rest.slice(0, 1_500), ...rest.slice(1_501)];
    const wanted = differences(inOne(before), inOne(after));
    expect(wanted).toHaveLength(3);
    expect(differences(divided(before), divided(after))).toEqual(wanted);
    expect(differences(inOne(before), divided(after))).toEqual(wanted);
    expect(differences(divided(before), inOne(after))).toEqual(wanted);
    expect(differences(inOne(before), divided(before))).toEqual([]);
  });

  test("names each ACL rule, and rules whose position changed", () => {
    const rule = (source: string, more = {}) => ({
      action: "drop",
      protocol: "any",
      source,
      target: null,
      sourcePort: null,
      targetPort: null,
      mac: null,
      ...more,
    });
    const [a, b, c] = ["10.1.0.0/16", "10.2.0.0/16", "10.3.0.0/16"].map((one) => rule(one));
    const web = rule("10.1.0.0/16", { action: "accept", protocol: "tcp", targetPort: "443" });
    const between = (from: unknown[], to: unknown[]) =>
      differences(state({ firewall: { acl: from } }), state({ firewall: { acl: to } })).map(
        ({ kind, key, change, fields }) => [kind, key, change, fields],
      );
    expect(between([a, b], [a, b])).toEqual([]);
    // Which object counts what a rule fits changes nothing of what the rule does.
    const counted = rule("10.1.0.0/16", { object: { family: "xaclrules", id: 4 } });
    expect(between([a, b], [counted, b])).toEqual([]);
    // Adding or removing a rule does not move the others.
    expect(between([a, b, c], [web, a, c])).toEqual([
      ["acl", "accept tcp 10.1.0.0/16 * * 443 *", "added", []],
      ["acl", "drop any 10.2.0.0/16 * * * *", "removed", []],
    ]);
    expect(between([a, b, c], [b, a, c])).toEqual([
      ["acl", "drop any 10.1.0.0/16 * * * *", "changed", [{ field: "position", old: 1, new: 2 }]],
      ["acl", "drop any 10.2.0.0/16 * * * *", "changed", [{ field: "position", old: 2, new: 1 }]],
    ]);
  });

  test("lists every section: settings of the device before its lines", () => {
    const from = state({ underlay: { lines: [], lans: [lan("lan1", "10.1.1.1/24")] } });
    const to = state({
      underlay: { lines: [], lans: [] },
      system: { restartAt: { hour: 3, minute: 0 } },
      "client.4": { spaceId: 4, peers: [] },
    });
    expect(differences(from, to).map(({ section }) => section)).toEqual([
      "system",
      "underlay",
      "client",
    ]);
  });

  test("lists a space's links together, in the order of their numbers", () => {
    const from = state({ "tunnel.4.1": { spaceId: 4, netns: null, links: [link(1), link(65)] } });
    const to = state({
      "tunnel.4.1": { spaceId: 4, netns: null, links: [link(65, { mtu: 1_300 })] },
      "tunnel.4.2": { spaceId: 4, netns: null, links: [link(2)] },
      "tunnel.4.10": { spaceId: 4, netns: null, links: [link(10)] },
    });
    const found = differences(from, to);
    expect(found.map(({ spaceId, kind, key, change }) => [spaceId, kind, key, change])).toEqual([
      [4, "link", "1", "removed"],
      [4, "link", "2", "added"],
      [4, "link", "10", "added"],
      [4, "link", "65", "changed"],
    ]);
    expect(found.at(-1)?.fields).toEqual([{ field: "mtu", old: 1_420, new: 1_300 }]);
  });

  test("from nothing adds everything, and the reverse difference mirrors it", () => {
    const to = state({ node, static: { routes: [{ destination: "d", nextHop: "n", metric: 1 }] } });
    const added = differences(new Map(), to);
    expect(added.every(({ change }) => change === "added")).toBe(true);
    const removed = differences(to, new Map());
    const reversed = removed.map(({ fields, ...one }) => ({
      ...one,
      change: "added",
      fields: fields.map(({ field, old, new: now }) => ({ field, old: now, new: old })),
    }));
    expect(reversed).toEqual(added);
  });
});
