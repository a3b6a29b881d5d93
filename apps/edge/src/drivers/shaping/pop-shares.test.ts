/** Small packets of several spaces of a POP, and those without a tunnel around them, keep the sessions of its other tunnels. */
import type { AccelerationSection } from "@weft/contract/device/v1/acceleration.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import { node } from "../../../test/netns/load.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type Site,
  type World,
} from "../../../test/netns/world.ts";

const [one, other, quiet] = makeSites();
/** Each is a space of its own. */
const sites: readonly [Site, Site, Site] = [one, { ...other, spaceId: 3 }, quiet];
const popKey = newKey();
/** kbit/s of the WAN link of the POP: little, so that loads which are more are no work for the machine. */
const rate = 1_000;
const service = "9.9.9.9";
const marks = { mark4: "198.18.0.14", mark6: "fd57:ee::14" } as const;
const lansOf = ({ lan, lan6 }: Site): string[] => [networkOf(lan), networkOf(lan6)];

const withSpaces = (state: DesiredState): DesiredState => ({
  ...state,
  spaces: state.routings.map(({ spaceId, netns }) => ({
    spaceId,
    netns,
    networks: sites.filter((site) => site.spaceId === spaceId).flatMap(lansOf),
  })),
});
const accelerated: AccelerationSection = {
  spaceId: one.spaceId,
  netns: null,
  sources: lansOf(one),
  groups: [{ object: "saasGroup", id: 7, exit: marks, members: [service], names: [] }],
  exit: null,
};
const exit: AccelerationSection = {
  spaceId: one.spaceId,
  netns: `weft-s${one.spaceId}`,
  sources: lansOf(one),
  groups: [],
  exit: {
    marks: Object.values(marks),
    outer4: "198.18.1.12/31",
    inner4: "198.18.1.13/31",
    outer6: "fd57:ee:1::c/127",
    inner6: "fd57:ee:1::d/127",
  },
};
const plain = withSpaces(
  popState(
    sites.map((site) => ({ site, slots: [1] })),
    popKey,
  ),
);
const lines = [{ slot: 1, up: rate }];
const shaped: DesiredState = {
  ...plain,
  accelerations: [exit],
  shaping: { up: null, down: null, lines },
};

let world: World;
let pop: NetnsEdge;

beforeAll(async () => {
  world = await createWorld(sites);
  await world.inet.run(["ip", "addr", "add", `${service}/32`, "dev", "lo"]);
  pop = await world.pop.edge(popKey);
  await pop.apply(shaped);
  for (const [at, site] of sites.entries()) {
    const edge = await (world.cpes[at] as NetnsMachine).edge(site.key);
    const state = withSpaces(cpeState(site, popKey, [1]));
    await edge.apply(at === 0 ? { ...state, accelerations: [accelerated] } : state);
  }
  for (const [at, { number }] of sites.entries())
    await waitUntil(
      `the tunnel of site ${number}`,
      () => pings(world.hosts[at] as NetnsMachine, `10.255.${number}1.0`, 1),
      120_000,
      200,
    );
}, 300_000);
afterAll(async () => {
  await world?.remove();
}, 30_000);

/** Times that sessions of BFD of a site ended. */
const ended = async (at: 0 | 1 | 2): Promise<number> => {
  const show = ["vtysh", "--vty_socket", "/run/weft-frr", "-c", "show bfd peers counters json"];
  const text = await world.cpes[at].run(show as [string, ...string[]]);
  const peers = JSON.parse(text) as { "session-down": number }[];
  expect(peers.length).toBeGreaterThan(0);
  return peers.reduce((sum, peer) => sum + peer["session-down"], 0);
};

/** Packets that the queue of small packets of the POP's WAN link dropped so far. */
const lostSmall = async (): Promise<number> => {
  const text = await world.pop.run(["tc", "-s", "-j", "qdisc", "show", "dev", "wan1"]);
  const found = JSON.parse(text) as { handle: string; drops: number }[];
  const queue = found.find(({ handle }) => handle === "5:");
  if (queue === undefined) throw new Error("the WAN link has no queue of small packets");
  return queue.drops;
};

const counted = async (name: string, netns: string | null): Promise<number> => {
  const text = await world.pop.run(["nft", "list", "counter", "inet", "weft", name], { netns });
  return Number(/packets (\d+) /.exec(text)?.[1]);
};

/**
 * A host asks the POP itself for answers of 112 bytes for some seconds, of which the tunnel makes the largest that are small: more
 * than a space that is alone may have.
 */
const pingFlood = async (at: 0 | 1): Promise<void> => {
  const to = `10.255.${sites[at].number}1.0`;
  const flood = () =>
    world.hosts[at]
      .run(["ping", "-q", "-i", "0.001", "-s", "84", "-w", "12", to], { timeoutMs: 60_000 })
      // It fails where not all are answered.
      .catch(() => "");
  await Promise.all([flood(), flood(), flood()]);
};

describe("small packets of two spaces at once", { timeout: 120_000 }, () => {
  it("are no more than the POP sends before others, and those of a third space are sent", async () => {
    const [sessions, lost] = [await ended(2), await lostSmall()];
    const bounded = () => Promise.all([1, 3].map((space) => counted("h_small", `weft-s${space}`)));
    const before = await bounded();
    await Promise.all([pingFlood(0), pingFlood(1)]);
    for (const [at, count] of (await bounded()).entries())
      expect(count).toBeGreaterThan(before[at] ?? 0);
    expect(await lostSmall()).toBe(lost);
    expect(await ended(2)).toBe(sessions);
  });
});

describe("packets towards the internet", { timeout: 120_000 }, () => {
  /** UDP of this many bytes of IP, several times what the POP may send, for 8 s. */
  const flood = (bytes: number): Promise<string> =>
    node(
      world.hosts[0],
      `const socket = require("dgram").createSocket("udp4").on("error", () => {});
      const data = Buffer.alloc(${bytes - 28});
      const start = Date.now();
      let sent = 0;
      setInterval(() => {
        const ms = Date.now() - start;
        if (ms > 8000) process.exit(0);
        for (; sent < ms; sent += 1) socket.send(data, 7000 + (sent % 50), "${service}", () => {});
      }, 5);`,
    );
  /** Packets that left the POP by the way out of the space. */
  const sentOut = async (): Promise<number> => {
    const text = await world.pop.run(["ip", "-s", "-j", "link", "show", "dev", "wx1"]);
    const [link] = JSON.parse(text) as { stats64: { rx: { packets: number } } }[];
    return link?.stats64.rx.packets ?? 0;
  };

  // Those up to 186 bytes are small with the header of Ethernet, those up to 200 bytes without it.
  it.each([141, 160, 186, 200])(
    "of %i bytes are bounded with the small ones of their space",
    async (bytes) => {
      await waitUntil(
        "the way out",
        async () => {
          const before = await sentOut();
          return (await pings(world.hosts[0], service, 1)) && (await sentOut()) > before;
        },
        60_000,
        200,
      );
      const sessions = [await ended(1), await ended(2)];
      const [out, lost] = [await sentOut(), await lostSmall()];
      const bounded = await counted("h_small", "weft-s1");
      await flood(bytes);
      expect(await sentOut()).toBeGreaterThan(out + 100);
      expect(await counted("h_small", "weft-s1")).toBeGreaterThan(bounded + 100);
      expect(await lostSmall()).toBe(lost);
      // That many packets may keep the tunnel of their own site busy.
      expect([await ended(1), await ended(2)]).toEqual(sessions);
    },
  );
});
