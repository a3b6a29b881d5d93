/** A POP whose rate is used up by one tenant's packets, large or small, keeps the sessions of its tunnels: that tenant's and others'. */
import type { ShapingSection } from "@weft/contract/device/v1/shaping.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { node } from "../../../test/netns/load.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../../test/netns/world.ts";

const sites = makeSites();
const popKey = newKey();
/** kbit/s of the POP and of its WAN link; the load is several times as much. */
const rate = 3_000;
const target = "10.0.0.100";

const plain = popState(
  sites.map((site) => ({ site, slots: [1] })),
  popKey,
);
const lines = [{ slot: 1, up: rate }];
/** Of the POP as a whole, and of one of its WAN links alone. */
const shapings: readonly ShapingSection[] = [
  { up: rate, down: null, lines },
  { up: null, down: null, lines },
];

let world: World;
let pop: NetnsEdge;
beforeAll(async () => {
  world = await createWorld(sites);
  pop = await world.pop.edge(popKey);
  await pop.apply(plain);
  for (const [at, site] of sites.entries()) {
    const edge = await (world.cpes[at] as NetnsMachine).edge(site.key);
    await edge.apply(cpeState(site, popKey, [1]));
  }
  await waitUntil(
    "the other site",
    async () =>
      (await world.hosts[0].run(["ping", "-c1", "-W1", target]).catch(() => "")).includes(" 0% "),
    120_000,
    200,
  );
}, 240_000);
afterAll(async () => {
  await world?.remove();
}, 30_000);

/** Times that a session of BFD ended, of each site. */
const ended = () =>
  Promise.all(
    world.cpes.map(async (cpe) => {
      const text = await cpe.run([
        "vtysh",
        "--vty_socket",
        "/run/weft-frr",
        "-c",
        "show bfd peers counters json",
      ]);
      return (JSON.parse(text) as { "session-down": number }[]).map((peer) => peer["session-down"]);
    }),
  );

/** Packets that one host sends to another site in 8 s, by default some times what the POP may send. @param perMs of them */
const flood = (
  bytes: number,
  perMs = Math.round((4 * rate) / 8 / (bytes + 100)),
): Promise<string> =>
  node(
    world.hosts[0],
    `const socket = require("dgram").createSocket("udp4").on("error", () => {});
    const data = Buffer.alloc(${bytes});
    const start = Date.now();
    let sent = 0;
    setInterval(() => {
      const ms = Date.now() - start;
      if (ms > 8000) process.exit(0);
      for (; sent < ms * ${perMs}; sent += 1)
        socket.send(data, 7000 + (sent % 50), "${target}", () => {});
    }, 5);`,
  );

/** The same host asks the POP itself for answers for 8 s, which are small packets as well. */
const pingFlood = async (): Promise<void> => {
  const ping = ["ping", "-q", "-f", "-l", "1000", "-s", "18", "-w", "8", "10.255.11.0"] as const;
  // It fails where not all are answered.
  const flood = () => world.hosts[0].run(ping, { timeoutMs: 60_000 }).catch(() => "");
  await Promise.all([flood(), flood(), flood()]);
};

/** Packets that the bound of small packets dropped so far. */
const overBound = async (): Promise<number> => {
  const counter = await world.pop.run(["nft", "list", "counter", "inet", "weft", "h_small"], {
    netns: "weft-s1",
  });
  return Number(/packets (\d+) /.exec(counter)?.[1]);
};

/** Packets that queues of the POP, and its bound of small packets, dropped so far. */
const dropped = async (): Promise<number> => {
  const found = JSON.parse(await world.pop.run(["tc", "-s", "-j", "qdisc", "show"])) as {
    readonly drops?: number;
  }[];
  return found.reduce((sum, { drops = 0 }) => sum + drops, await overBound());
};

describe.each(shapings)("%j", { timeout: 120_000 }, (shaping) => {
  it.each([18, 100, 1_000])("with packets of %i bytes", async (bytes) => {
    await pop.apply({ ...plain, shaping });
    const [before, drops] = [await ended(), await dropped()];
    expect(before.map((some) => some.length > 0)).toEqual([true, true, true]);
    await flood(bytes);
    expect(await dropped()).toBeGreaterThan(drops + 100);
    expect(await ended()).toEqual(before);
    const up = (await pop.measures()).filter((link) => link.up).map(({ id }) => id);
    expect(up.toSorted()).toEqual([11, 21, 31]);
  });

  it("with pings to itself, which are bounded, of others", async () => {
    await pop.apply({ ...plain, shaping });
    const [[, ...before], drops] = [await ended(), await overBound()];
    await pingFlood();
    expect(await overBound()).toBeGreaterThan(drops + 100);
    // That many packets may keep the tunnel of their own site busy.
    const [, ...after] = await ended();
    expect(after).toEqual(before);
  });

  it("is a finding that names the link of the small packets", async () => {
    const state = { ...plain, shaping };
    await pop.apply(state);
    await flood(18);
    expect(await pop.plan(state)).toEqual([]);
    expect(await pop.findings(state)).toContainEqual(
      expect.objectContaining({ kind: "link", object: "wl11", reason: "smallPackets" }),
    );
  });
});

describe("packets that the POP divides for the link of another site", { timeout: 120_000 }, () => {
  const slow: ShapingSection = { up: 800, down: null, lines: [{ slot: 1, up: 800 }] };
  const narrow = {
    ...plain,
    shaping: slow,
    tunnels: plain.tunnels.map((tunnel) => ({
      ...tunnel,
      links: tunnel.links.map((link) => (link.id === 21 ? { ...link, mtu: 1_300 } : link)),
    })),
  };
  /** Data of packets that the link carries undivided, and of those that leave a small rest. */
  const [whole, divided] = [1_200, 1_300];

  it("are bounded as the small packets that are left of them, and no session ends", async () => {
    // By default a host sends what may not be divided.
    await world.hosts[0].run(["sysctl", "-qw", "net.ipv4.ip_no_pmtu_disc=1"]);
    await pop.apply(narrow);
    const [before, none] = [await ended(), await overBound()];
    await flood(whole, 1);
    expect(await overBound()).toBe(none);
    await flood(divided, 2);
    expect(await overBound()).toBeGreaterThan(none + 20);
    expect(await ended()).toEqual(before);
    await world.hosts[0].run(["sysctl", "-qw", "net.ipv4.ip_no_pmtu_disc=0"]);
  });
});
