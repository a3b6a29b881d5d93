import { rankedSitesCapability } from "@weft/contract/device/v1/additions.ts";
import { type DesiredState, toSections } from "@weft/contract/device/v1/state.ts";
import { networkOf, overlaps, parsePrefix } from "@weft/contract/rules/address.ts";
import { describe, expect, test } from "vitest";
import { computeAdjacencies } from "#domains/delivery/links/adjacencies.ts";
import { innerAddresses, linksPerSpace, routerIdOf } from "#domains/overlay/link/public.ts";
import { type Chance, chanceOf, randomMembers } from "../../../../test/random-space.ts";
import { compile, type NodeView, peerPart, type ViewLink, type ViewNode } from "./compile.ts";

const key = (text: string): string => Buffer.from(text.padEnd(32, ".")).toString("base64");

const line = (slot: number, more = {}) => ({
  slot,
  interfaceName: `wan${slot}`,
  addressing: "static" as const,
  ip: `198.51.100.${slot}/24`,
  gateway: "198.51.100.254",
  mtu: 1_420,
  address: `198.51.100.${slot}`,
  ...more,
});
const section = (network: string, more = {}) => ({
  interfaceName: "lan1",
  network,
  network6: null,
  vlan: null,
  enableForward: true,
  enableDirect: true,
  ...more,
});
const node = (id: number, kind: "cpe" | "pop", more: Partial<ViewNode> = {}): ViewNode => ({
  id,
  kind,
  name: `n${id}`,
  lines: [line(1)],
  sections: [],
  routes: [],
  ...more,
});
const link = (id: number, a: number, b: number, more: Partial<ViewLink> = {}): ViewLink => ({
  id,
  spaceId: 3,
  index: id,
  preference: null,
  a: { node: a, slot: 1, port: 51_000 + id, key: key(`a${id}`) },
  b: { node: b, slot: 1, port: 52_000 + id, key: key(`b${id}`) },
  ...more,
});
const viewOf = (
  own: ViewNode,
  links: readonly ViewLink[],
  peers: readonly ViewNode[],
): NodeView => ({
  node: own,
  links,
  peers: new Map(peers.map((peer) => [peer.id, peer])),
});

describe("inner addresses", () => {
  test("are those of ADR 0007", () => {
    expect(innerAddresses(3, 0)).toEqual({
      a4: "169.254.1.1",
      b4: "169.254.1.0",
      a6: "fd57:6566:0:3::1",
      b6: "fd57:6566:0:3::",
    });
    expect(innerAddresses(0x1_0002, linksPerSpace - 1)).toEqual({
      a4: "169.254.255.255",
      b4: "169.254.255.254",
      a6: "fd57:6566:1:2::feff",
      b6: "fd57:6566:1:2::fefe",
    });
    expect(() => innerAddresses(3, linksPerSpace)).toThrow("no index");
  });

  test("router ids differ, also past every round number", () => {
    const ids = [1, 255, 256, 65_535, 65_536, 2 ** 21, 2 ** 24, 2 ** 31];
    expect(new Set(ids.map(routerIdOf)).size).toBe(ids.length);
    expect(routerIdOf(42)).toBe("100.96.0.42");
  });
});

describe("a CPE", () => {
  const pop = node(9, "pop", { lines: [line(1, { mtu: 1_400, address: "2001:db8::9" })] });
  const cpe = node(5, "cpe", {
    name: "上海,1",
    lines: [line(2, { addressing: "dhcp", ip: "192.0.2.9/24" }), line(1)],
    sections: [
      section("10.1.5.1/24", { network6: "fd00:1:5::1/64" }),
      section("10.9.5.1/24", { interfaceName: "lan2", enableForward: false }),
    ],
    routes: [
      {
        destination: "10.8.0.1/16",
        nextHop: "10.1.5.254",
        metric: 1,
        enabled: true,
        announce: true,
      },
      {
        destination: "10.7.0.0/16",
        nextHop: "10.1.5.254",
        metric: 2,
        enabled: true,
        announce: false,
      },
      {
        destination: "10.6.0.0/16",
        nextHop: "10.1.5.254",
        metric: 1,
        enabled: false,
        announce: true,
      },
    ],
  });
  const state = compile(viewOf(cpe, [link(11, 5, 9)], [pop]));

  test("has its lines, networks, routes and firewall", () => {
    expect(state.node).toEqual({
      nodeId: 5,
      kind: "cpe",
      hostname: "上海-1",
      routerId: "100.96.0.5",
    });
    expect(state.underlay.lines.map(({ slot, ip, gateway }) => [slot, ip, gateway])).toEqual([
      [1, "198.51.100.1/24", "198.51.100.254"],
      [2, null, null],
    ]);
    expect(state.underlay.lans).toEqual([
      {
        interfaceName: "lan1",
        vlan: 0,
        network: "10.1.5.0/24",
        addresses: ["10.1.5.1/24", "fd00:1:5::1/64"],
        // With what static routes place behind it: hosts there send by this interface too.
        networks: ["10.1.5.0/24", "10.7.0.0/16", "10.8.0.0/16", "fd00:1:5::/64"],
        direct: true,
        forward: true,
      },
      {
        interfaceName: "lan2",
        vlan: 0,
        network: "10.9.5.0/24",
        addresses: ["10.9.5.1/24"],
        networks: ["10.9.5.0/24"],
        direct: true,
        forward: false,
      },
    ]);
    expect(state.static.routes.map(({ destination }) => destination)).toEqual([
      "10.7.0.0/16",
      "10.8.0.0/16",
    ]);
    expect(state.firewall).toEqual({ wan: ["wan1", "wan2"], tunnelPorts: [51_011] });
  });

  test("keeps every network of its space inside, with or without a link", () => {
    const spaces = new Map([[3, ["10.1.5.0/24", "10.1.6.0/24", "fd00:1:6::/64", "10.1.6.0/24"]]]);
    const closed = { spaceId: 3, networks: ["10.1.5.0/24", "10.1.6.0/24", "fd00:1:6::/64"] };
    expect(compile({ ...viewOf(cpe, [], []), spaces }).spaces).toEqual([
      { ...closed, netns: null },
    ]);
    expect(compile({ ...viewOf(pop, [link(11, 5, 9)], [cpe]), spaces }).spaces).toEqual([
      { ...closed, netns: "weft-s3" },
    ]);
    // Nothing of the space ends here: there is no namespace of it.
    expect(compile({ ...viewOf(pop, [], []), spaces }).spaces).toBeUndefined();
  });

  test("calls a port of the NAT in front of the POP's WAN link that leads to the tunnel's", () => {
    const [line] = pop.lines;
    if (!line) throw new Error("the POP has a line");
    const hidden = { ...pop, lines: [{ ...line, address: "198.51.100.10", publicPort: 40_000 }] };
    const wanted = link(11, 5, 9);
    const placed = { ...wanted, b: { ...wanted.b, port: 51_823, slot: line.slot } };
    const [tunnel] = compile(viewOf(cpe, [placed], [hidden])).tunnels;
    expect(tunnel?.links[0]?.endpoint).toBe("198.51.100.10:40003");
    const [own] = compile(viewOf(hidden, [placed], [cpe])).tunnels;
    expect(own?.links[0]?.listenPort).toBe(51_823);
  });

  test("announces networks of route notices as well, and the POP takes them from it", () => {
    const noticed = { ...cpe, notices: ["10.99.0.0/16"] };
    const [own] = compile(viewOf(noticed, [link(11, 5, 9)], [pop])).routings;
    expect(own?.announce).toEqual(["10.1.5.0/24", "10.8.0.0/16", "10.99.0.0/16", "fd00:1:5::/64"]);
    const [far] = compile(viewOf(pop, [link(11, 5, 9)], [noticed])).routings;
    expect(far?.neighbors[0]?.accept).toContain("10.99.0.0/16");
  });

  test("announces a network of several sites with the place of this one, to devices that read it", () => {
    const shared = {
      ...cpe,
      notices: ["10.99.0.0/16", "10.98.0.0/16"],
      places: [{ network: "10.99.0.0/16", preference: 2 }],
    };
    const view = viewOf(shared, [link(11, 5, 9)], [pop]);
    const able = [{ name: rankedSitesCapability, can: true }];
    const [own] = compile({ ...view, capabilities: able }).routings;
    expect(own?.ranks).toEqual([{ prefix: "10.99.0.0/16", preference: 2 }]);
    const [old] = compile({ ...view, capabilities: [{ name: "nftables", can: true }] }).routings;
    expect(old?.ranks).toBeUndefined();
    expect(old?.announce).toContain("10.99.0.0/16");
  });

  test("excludes inner link networks from a space, also with older rows", () => {
    const noticed = { ...cpe, notices: ["169.254.1.22/32", "fd57:6566:0:3::/64"] };
    const state = compile({
      ...viewOf(noticed, [link(11, 5, 9)], [pop]),
      spaces: new Map([[3, ["169.254.1.22/32", "10.1.5.0/24"]]]),
    });
    expect(state.routings[0]?.announce).toEqual(["10.1.5.0/24", "10.8.0.0/16", "fd00:1:5::/64"]);
    expect(state.spaces?.[0]?.networks).toEqual(["10.1.5.0/24"]);
    const [far] = compile(viewOf(pop, [link(11, 5, 9)], [noticed])).routings;
    expect(far?.neighbors[0]?.accept).not.toContain("169.254.1.22/32");
  });

  test("calls the POP, trusts it, and announces what it carries", () => {
    expect(state.tunnels).toEqual([
      {
        spaceId: 3,
        netns: null,
        links: [
          {
            id: 11,
            interfaceName: "wl11",
            listenPort: 51_011,
            slot: 1,
            mtu: 1_400,
            address4: "169.254.1.23/31",
            peerAddress4: "169.254.1.22",
            address6: "fd57:6566:0:3::17/127",
            peerAddress6: "fd57:6566:0:3::16",
            peerKey: key("b11"),
            endpoint: "[2001:db8::9]:52011",
            probe: true,
          },
        ],
      },
    ]);
    expect(state.routings[0]).toMatchObject({
      spaceId: 3,
      netns: null,
      asn: 4_200_000_003,
      reflector: false,
      announce: ["10.1.5.0/24", "10.8.0.0/16", "fd00:1:5::/64"],
      neighbors: [{ linkId: 11, preference: 240, client: false, accept: null }],
    });
  });

  test("detects a failed line so soon that packets take another one within a second", () => {
    const { intervalMs = 0, multiplier = 0 } = state.routings[0]?.bfd ?? {};
    // A quarter of a second is for the routes of both ends to change.
    expect(intervalMs * multiplier).toBeLessThanOrEqual(750);
    // One packet that is lost on the way is no dead line.
    expect(multiplier).toBeGreaterThanOrEqual(3);
  });

  test("without links has no overlay, and its lines stay", () => {
    const alone = compile(viewOf(cpe, [], []));
    expect([...toSections(alone).keys()]).toEqual(["node", "underlay", "static", "firewall"]);
    expect(alone.underlay).toEqual(state.underlay);
  });

  test("prefers the direct way, then its first line", () => {
    const far = node(6, "cpe", { sections: [section("10.1.6.1/24")] });
    const second = link(12, 5, 9, { a: { ...link(12, 5, 9).a, slot: 2 } });
    const { routings } = compile(viewOf(cpe, [link(11, 5, 9), second, link(13, 5, 6)], [pop, far]));
    expect(routings[0]?.neighbors).toMatchObject([
      { linkId: 11, preference: 240, accept: null },
      { linkId: 12, preference: 230, accept: null },
      { linkId: 13, preference: 300, accept: ["10.1.6.0/24"], client: false },
    ]);
  });
});

describe("a POP", () => {
  const cpe = node(5, "cpe", { sections: [section("10.1.5.1/24")] });

  test("reflects in a namespace per space and takes from each site what is its own", () => {
    const other = link(12, 6, 9, { spaceId: 4 });
    const far = node(6, "cpe", { sections: [section("10.1.5.1/24")] });
    const pop = compile(viewOf(node(9, "pop"), [link(11, 5, 9), other], [cpe, far]));
    expect(
      pop.tunnels.map(({ netns, links }) => [netns, links[0]?.endpoint, links[0]?.probe]),
    ).toEqual([
      ["weft-s3", null, false],
      ["weft-s4", null, false],
    ]);
    expect(pop.routings).toMatchObject([
      {
        spaceId: 3,
        netns: "weft-s3",
        reflector: true,
        announce: [],
        neighbors: [{ client: true, accept: ["10.1.5.0/24"], preference: 240 }],
      },
      { spaceId: 4, netns: "weft-s4", neighbors: [{ linkId: 12 }] },
    ]);
  });
});

describe("a view that is not whole", () => {
  test("gives no state when a peer is missing", () => {
    expect(() => compile(viewOf(node(5, "cpe"), [link(11, 5, 9)], []))).toThrow("node 9");
  });

  test("leaves a link out whose line was removed: the same change removes the link", () => {
    const bare = node(9, "pop", { lines: [] });
    expect(compile(viewOf(node(5, "cpe"), [link(11, 5, 9)], [bare])).tunnels).toEqual([]);
    const dark = node(9, "pop", { lines: [line(1, { address: null })] });
    expect(compile(viewOf(node(5, "cpe"), [link(11, 5, 9)], [dark])).tunnels).toEqual([]);
  });

  test("gives no state that breaks the protocol", () => {
    const broken = node(5, "cpe", { lines: [line(1, { gateway: "none" })] });
    expect(() => compile(viewOf(broken, [], []))).toThrow();
  });
});

/** Two random spaces that share their POPs, with every site's own networks. */
function randomWorld(chance: Chance) {
  const views = new Map<number, ViewNode>();
  const links: ViewLink[] = [];
  for (const spaceId of [3, 4]) {
    const members = randomMembers(chance, spaceId * 100).filter(({ lines }) => lines.length > 0);
    for (const member of members) {
      const lines = member.lines.map(({ slot }) => line(slot, { mtu: 1_300 + chance.below(150) }));
      const lan = `10.${member.id % 250}.${chance.below(4)}.1/24`;
      const sections = member.kind === "cpe" ? [section(lan)] : [];
      views.set(member.id, node(member.id, member.kind, { lines, sections }));
    }
    const keyed = members.map((member) => ({
      ...member,
      tunnelKey: member.tunnelKey && key(member.tunnelKey),
    }));
    const { add } = computeAdjacencies({
      topology: 1,
      members: keyed,
      links: [],
      settings: [],
      otherPorts: new Map(),
    });
    for (const { a, b, aPort, bPort, index } of add) {
      const id = links.length + 1;
      links.push({
        id,
        spaceId,
        index,
        preference: null,
        a: { ...a, port: aPort },
        b: { ...b, port: bPort },
      });
    }
  }
  return { views, links };
}

const statesOf = (
  { views, links }: ReturnType<typeof randomWorld>,
  shuffle = <T>(items: readonly T[]) => [...items],
) =>
  new Map(
    [...views.values()].map((own) => {
      const mine = links.filter(({ a, b }) => a.node === own.id || b.node === own.id);
      const peers = mine.map(
        ({ a, b }) => views.get(a.node === own.id ? b.node : a.node) as ViewNode,
      );
      const reordered = { ...own, lines: shuffle(own.lines), sections: shuffle(own.sections) };
      return [own.id, compile(viewOf(reordered, shuffle(mine), shuffle(peers)))] as const;
    }),
  );

describe("for any world", () => {
  const runs = Array.from({ length: 150 }, (_, seed) => seed + 1);

  test("the order of rows does not matter", () => {
    for (const seed of runs) {
      const chance = chanceOf(seed);
      const world = randomWorld(chance);
      expect(
        statesOf(world, (items) => chance.shuffled(items)),
        `seed ${seed}`,
      ).toEqual(statesOf(world));
    }
  });

  test("others take nothing of a node but its peer part", () => {
    for (const seed of runs) {
      const world = randomWorld(chanceOf(seed));
      const stranger = (one: ViewNode): ViewNode => ({
        ...one,
        name: `x${one.id}`,
        sections: [],
        routes: [],
        announced: peerPart(one).prefixes,
        lines: one.lines.map((each) => ({
          ...each,
          interfaceName: "x1",
          addressing: "dhcp",
          ip: null,
          gateway: null,
        })),
      });
      for (const [id, view] of world.views) {
        const links = world.links.filter(({ a, b }) => a.node === id || b.node === id);
        const ends = links.flatMap(({ a, b }) => [a.node, b.node]).filter((end) => end !== id);
        const peers = [...new Set(ends)].map((end) => world.views.get(end) as ViewNode);
        expect(compile(viewOf(view, links, peers.map(stranger))), `seed ${seed}`).toEqual(
          compile(viewOf(view, links, peers)),
        );
      }
    }
  });

  test("every link is in the states of both ends, mirrored, and in no other state", () => {
    for (const seed of runs) {
      const world = randomWorld(chanceOf(seed));
      const states = statesOf(world);
      const sides = [...states].flatMap(([id, { tunnels }]) =>
        tunnels.flatMap(({ spaceId, links }) =>
          links.map((one) => ({ node: id, spaceId, ...one })),
        ),
      );
      expect(sides.length, `seed ${seed}`).toBe(2 * world.links.length);
      for (const one of world.links) {
        const [a, b] = [one.a, one.b].map((end) =>
          sides.find((side) => side.id === one.id && side.node === end.node),
        );
        if (!a || !b) throw new Error(`seed ${seed}: link ${one.id} has one end`);
        expect([a.spaceId, b.spaceId]).toEqual([one.spaceId, one.spaceId]);
        expect([`${b.peerAddress4}/31`, `${b.peerAddress6}/127`]).toEqual([a.address4, a.address6]);
        expect([`${a.peerAddress4}/31`, `${a.peerAddress6}/127`]).toEqual([b.address4, b.address6]);
        expect(networkOf(a.address4)).toBe(networkOf(b.address4));
        expect([a.peerKey, b.peerKey]).toEqual([one.b.key, one.a.key]);
        expect([a.endpoint?.endsWith(`:${b.listenPort}`), b.endpoint]).toEqual([true, null]);
        expect([a.mtu, a.probe, b.probe]).toEqual([b.mtu, true, false]);
      }
    }
  });

  test("no node accepts another site's network, or links with another space", () => {
    for (const seed of runs) {
      const world = randomWorld(chanceOf(seed));
      for (const [id, state] of statesOf(world)) {
        for (const { spaceId, neighbors } of (state as DesiredState).routings) {
          for (const { linkId, accept } of neighbors) {
            const found = world.links.find((one) => one.id === linkId);
            expect(found?.spaceId, `seed ${seed}`).toBe(spaceId);
            const peer = world.views.get(
              found?.a.node === id ? found.b.node : (found?.a.node ?? 0),
            );
            expect(accept === null, `seed ${seed}`).toBe(peer?.kind === "pop");
            const own = (peer?.sections ?? []).map(({ network }) => parsePrefix(network));
            for (const text of accept ?? []) {
              const prefix = parsePrefix(text);
              expect(
                own.some((one) => one && prefix && overlaps(one, prefix)),
                `seed ${seed}`,
              ).toBe(true);
            }
          }
        }
      }
    }
  });
});
