/** Edits of the line beneath a link that carries traffic: kernel, WireGuard, DHCP and FRR of this machine. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type NetnsEdge, pings } from "../../test/netns/host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../test/netns/world.ts";
import { waitUntil } from "./daemon.ts";

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();

type Line = DesiredState["underlay"]["lines"][number];

/** Site two's state with its only line changed; firewall and link follow it, as the controller has them. */
const withLine = (change: Partial<Line>): DesiredState => {
  const state = cpeState(two, popKey, [1]);
  const lines = state.underlay.lines.map((line) => ({ ...line, ...change }));
  return {
    ...state,
    underlay: { ...state.underlay, lines },
    firewall: { ...state.firewall, wan: lines.map(({ interfaceName }) => interfaceName) },
    tunnels: state.tunnels.map((tunnel) => ({
      ...tunnel,
      links: tunnel.links.map((link) => ({ ...link, slot: change.slot ?? link.slot })),
    })),
  };
};
const original = withLine({});

let world: World;
let cpe: NetnsEdge;

const across = async () => {
  for (const address of ["10.0.0.100", "fd57:1:2::100"])
    await waitUntil(`${address} across`, () => pings(world.hosts[0], address, 1), 25_000, 50);
};

/** Addresses, rules and routes of the device, without those that neighbours announce. */
const shape = async (): Promise<string> => {
  const { run } = world.cpes[1];
  const texts = await Promise.all([
    run(["ip", "-o", "addr", "show", "scope", "global"]),
    ...["-4", "-6"].flatMap((family) => [
      run(["ip", family, "rule"]),
      run(["ip", family, "route", "show", "table", "all"]),
    ]),
  ]);
  return texts
    .join("\n")
    .split("\n")
    .map((line) => line.replace(/ (valid_lft|expires) .*$| nhid \d+/g, "").trim())
    .filter((line) => line !== "" && !/ proto bgp|fe80::|multicast/.test(line))
    .sort()
    .join("\n");
};

/** What the link's tunnel goes by, and that both families have their session again. */
const endpointOf = async (): Promise<string> => world.pop.run(["wg", "show", "wl21", "endpoints"]);

beforeAll(async () => {
  world = await createWorld(sites);
  const pop = await world.pop.edge(popKey);
  const near = await world.cpes[0].edge(one.key);
  cpe = await world.cpes[1].edge(two.key);
  await pop.apply(
    popState(
      [
        { site: one, slots: [1] },
        { site: two, slots: [1] },
      ],
      popKey,
    ),
  );
  await near.apply(cpeState(one, popKey, [1]));
  await cpe.apply(original);
  // A second gateway of the first provider.
  await world.inet.run(["ip", "addr", "add", "198.51.100.2/24", "dev", "isp1"]);
  await across();
  await cpe.settled(original);
}, 60_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

const isp2 = { ip: "203.0.113.20/24", gateway: "203.0.113.1" };

interface Edit {
  readonly change: Partial<Line>;
  /** Where the POP gets the tunnel's packets from then. */
  readonly from: string;
  /** What the device has after it, and had not before. */
  readonly has: string;
}

const edits: Readonly<Record<string, Edit>> = {
  "its address": {
    change: { ip: "198.51.100.25/24" },
    from: "198.51.100.25:",
    has: "from 198.51.100.25 lookup 101",
  },
  "its gateway": {
    change: { gateway: "198.51.100.2" },
    from: "198.51.100.20:",
    has: "default via 198.51.100.2 dev wan1",
  },
  "its interface": {
    change: { interfaceName: "wan2", ...isp2 },
    from: "203.0.113.20:",
    has: "default via 203.0.113.1 dev wan2",
  },
  "its interface, to one with DHCP": {
    change: { interfaceName: "wan2", addressing: "dhcp", ip: null, gateway: null },
    from: "203.0.113.1",
    has: "default via 203.0.113.1 dev wan2",
  },
  "its slot": {
    change: { slot: 3 },
    from: "198.51.100.20:",
    has: "fwmark 0x3000000/0x7000000 lookup 103",
  },
};

describe("a line's edit", { timeout: 90_000 }, () => {
  it.each(Object.entries(edits))(
    "of %s brings both families up, and so does its reversal, and nothing is left",
    async (_what, { change, from, has }) => {
      const before = await shape();
      expect(before).not.toContain(has);
      const wanted = withLine(change);
      await cpe.apply(wanted);
      await across();
      await cpe.settled(wanted);
      expect(await shape()).toContain(has);
      expect(await endpointOf()).toContain(`\t${from}`);
      await cpe.apply(original);
      await across();
      await cpe.settled(original);
      expect(await shape()).toBe(before);
      expect(await endpointOf()).toContain("\t198.51.100.20:");
    },
  );

  it("of its addressing brings both families back: DHCP to static, and static to DHCP", async () => {
    const before = await shape();
    const leased = withLine({ interfaceName: "wan2", addressing: "dhcp", ip: null, gateway: null });
    const fixed = withLine({ interfaceName: "wan2", ...isp2 });
    const clients = async () =>
      world.cpes[1].run(["pgrep", "-fc", "dhcpcd.*wan2"]).catch(() => "0");
    await cpe.apply(leased);
    await across();
    await cpe.apply(fixed);
    await across();
    await cpe.settled(fixed);
    expect(await shape()).not.toMatch(/203\.0\.113\.1\d\d/);
    expect(Number(await clients())).toBe(0);
    await cpe.apply(leased);
    await across();
    await cpe.settled(leased);
    expect(await shape()).not.toContain("203.0.113.20");
    expect(Number(await clients())).toBeGreaterThan(0);
    await cpe.apply(original);
    await across();
    await cpe.settled(original);
    expect(await shape()).toBe(before);
  });
});
