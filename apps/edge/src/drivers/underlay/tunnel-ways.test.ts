/**
 * What a tenant announces or routes may contain the addresses by which tunnels travel: the POP is behind a
 * router of the internet, in networks that the space, a LAN or a static route has too.
 */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { succeeds } from "#drivers/exec.ts";
import { cable, type NetnsEdge, pings } from "../../../test/netns/host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../../test/netns/world.ts";

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();
const lans = [one, two].flatMap(({ lan, lan6 }) => [lan, lan6].map(networkOf));
const pop6 = "2001:db8:2::10";
/** The second line of the first site, of IPv6 alone, and its gateway. */
const line6 = { address: "2001:db8:1::2/64", gateway: "2001:db8:1::1" };

/** Its networks beside those of all members' LANs. */
const inSpace = (state: DesiredState, more: readonly string[]): DesiredState => ({
  ...state,
  spaces: state.routings.map(({ spaceId, netns }) => ({
    spaceId,
    netns,
    networks: [...lans, ...more].sort(),
  })),
});

const hub = inSpace(
  popState(
    [
      { site: one, slots: [1, 2] },
      { site: two, slots: [1, 2] },
    ],
    popKey,
  ),
  [],
);

/** The first site with its second line, and the link over it, of IPv6. */
const both = (() => {
  const state = cpeState(one, popKey, [1, 2]);
  return {
    ...state,
    underlay: {
      ...state.underlay,
      lines: state.underlay.lines.map((line) =>
        line.slot === 1
          ? line
          : {
              slot: 2,
              interfaceName: "wan2",
              addressing: "static" as const,
              ip: line6.address,
              gateway: line6.gateway,
            },
      ),
    },
    tunnels: state.tunnels.map((tunnel) => ({
      ...tunnel,
      links: tunnel.links.map((link) =>
        link.slot === 1
          ? link
          : { ...link, endpoint: link.endpoint?.replace("192.0.2.10", `[${pop6}]`) ?? null },
      ),
    })),
  };
})();

let world: World;
let edge: NetnsEdge;

/** As after a power failure: nothing of the state is in the kernel. */
const reboot = async (): Promise<void> => {
  await edge.apply(null);
  expect(await edge.plan(null)).toEqual([]);
  await world.inet.run(["ip", "neigh", "flush", "all"]);
};

/** Links of the first site by which its POP answers. */
const answering = async (): Promise<number[]> =>
  (await edge.measures()).filter(({ up }) => up).map(({ id }) => id);

const isUp = (ids: readonly number[]) => async () => {
  const there = await answering();
  return ids.every((id) => there.includes(id));
};

const wayUp = async (state: DesiredState, links: readonly number[]): Promise<void> => {
  await reboot();
  await edge.apply(state);
  await waitUntil("links that answer", isUp(links), 60_000, 100);
  await waitUntil("the other site", () => pings(world.hosts[0], "10.0.0.100", 1), 60_000, 100);
  expect(await edge.plan(state)).toEqual([]);
};

beforeAll(async () => {
  world = await createWorld(sites);
  const { inet, pop, cpes } = world;
  await inet.run(["sysctl", "-q", "-w", "net.ipv6.conf.all.forwarding=1"]);
  await inet.run(["ip", "-6", "addr", "add", "2001:db8:2::1/64", "dev", "p1", "nodad"]);
  // A second cable of the first site, to a network of its own.
  await cable([inet, "c16"], [cpes[0], "wan2"]);
  await inet.run(["ip", "-6", "addr", "add", `${line6.gateway}/64`, "dev", "c16", "nodad"]);
  const hubEdge = await pop.edge(popKey);
  await hubEdge.apply(hub);
  // The document knows lines of one family: the other one's address is the machine's own.
  await pop.run(["ip", "-6", "addr", "replace", `${pop6}/64`, "dev", "wan1", "nodad"]);
  await pop.run([
    "ip",
    "-6",
    "route",
    "replace",
    "default",
    "via",
    "2001:db8:2::1",
    "table",
    "101",
  ]);
  const other = await cpes[1].edge(two.key);
  await other.apply(inSpace(cpeState(two, popKey, [1]), []));
  edge = await cpes[0].edge(one.key);
}, 120_000);

afterAll(async () => {
  await world?.remove();
}, 60_000);

describe("a tunnel finds its POP at a start", { timeout: 240_000 }, () => {
  const single = cpeState(one, popKey, [1]);
  it.each([
    ["a network around the POP", ["192.0.2.0/24"]],
    ["the POP's own address", ["192.0.2.10/32"]],
    ["the line's gateway, and its neighbour for ARP", ["198.51.100.1/32", "198.51.100.0/25"]],
    ["half of all addresses of its kind", ["192.0.0.0/8", "192.0.2.8/29"]],
  ])("although the space has %s", async (_what, networks) => {
    await wayUp(inSpace(single, networks), [11]);
  });

  it("although a LAN of the site has the network around the POP", async () => {
    const state = inSpace(single, []);
    const lans = state.underlay.lans.map((lan) => ({
      ...lan,
      addresses: [...lan.addresses, "192.0.2.1/24"],
    }));
    await wayUp({ ...state, underlay: { ...state.underlay, lans } }, [11]);
  });

  it("although a static route of the site leads to the POP's network by a LAN", async () => {
    const state = inSpace(single, ["192.0.2.0/24"]);
    const route = { destination: "192.0.2.0/24", nextHop: "10.1.1.254", metric: 1 };
    await wayUp({ ...state, static: { routes: [route] } }, [11]);
  });

  it("by two lines, in both families", async () => {
    const networks = ["192.0.2.0/24", `${pop6}/128`, "2001:db8:2::/48", "2001:db8:1::1/128"];
    await wayUp(inSpace(both, networks), [11, 12]);
  });
});

describe("a tunnel that is up", { timeout: 240_000 }, () => {
  it("survives that the space gets the POP's network, and a loss of the neighbours", async () => {
    const [cpe] = world.cpes;
    await wayUp(inSpace(both, []), [11, 12]);
    const networks = ["192.0.2.0/24", "198.51.100.1/32", `${pop6}/128`, "2001:db8:1::/64"];
    const state = inSpace(both, networks);
    await edge.apply(state);
    await world.inet.run(["ip", "neigh", "flush", "all"]);
    await cpe.run(["ip", "neigh", "flush", "all"]);
    // New sessions: a handshake has to find its way, not only what follows it.
    for (const name of ["wl11", "wl12"])
      await cpe.run([
        "wg",
        "set",
        name,
        "peer",
        both.tunnels[0]?.links[0]?.peerKey ?? "",
        "remove",
      ]);
    await edge.apply(state);
    await waitUntil("links that answer", isUp([11, 12]), 60_000, 100);
  });

  it("lets nothing of the space in by a line, whoever claims to send it", async () => {
    const [cpe] = world.cpes;
    const { inet } = world;
    const isSent = await succeeds(inet.run, [
      "ip",
      "route",
      "replace",
      "10.1.1.0/24",
      "via",
      "198.51.100.10",
    ]);
    expect(isSent).toBe(true);
    await inet.run(["ip", "addr", "add", "10.0.0.77/32", "dev", "lo"]);
    const counter = async () => {
      const text = await cpe.run(["nft", "list", "counter", "inet", "weft", "h_line_space"]);
      return Number(/packets (\d+)/.exec(text)?.[1] ?? Number.NaN);
    };
    const before = await counter();
    await inet
      .run(["ping", "-n", "-c", "2", "-W", "1", "-I", "10.0.0.77", "10.1.1.100"])
      .catch(() => "");
    expect(await counter()).toBe(before + 2);
  });
});
