/** A machine with a default route of its own, which every combination of WAN links comes upon. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { leavesBy, serveSources } from "../../../test/netns/seen-source.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";
import { lanSection } from "../../../test/states.ts";

type Line = DesiredState["underlay"]["lines"][number];

const {
  site,
  addresses: [first, second],
  state: plain,
} = twoCableSite;
const internet = "192.0.2.1";
const factoryDefault = "default via 198.51.100.1 dev wan1";

const dhcp = (slot: number, interfaceName: string): Line => ({
  slot,
  interfaceName,
  addressing: "dhcp",
  ip: null,
  gateway: null,
});
const fixed1 = (slot: number): Line => ({
  slot,
  interfaceName: "wan1",
  addressing: "static",
  ip: `${first}/24`,
  gateway: "198.51.100.1",
});
const fixed2 = (slot: number): Line => ({
  slot,
  interfaceName: "wan2",
  addressing: "static",
  ip: `${second}/24`,
  gateway: "203.0.113.1",
});

/** Of the second provider's range. */
const leased = /^203\.0\.113\.1[0-5]\d$/;

/** WAN links, and where hosts leave then. The first provider serves no addresses: who waits for one has none. */
const combinations = {
  "the first": [[fixed1(1)], first],
  "the first, and the second by DHCP": [[fixed1(1), dhcp(2, "wan2")], first],
  "the second by DHCP": [[dhcp(2, "wan2")], leased],
  "the second by DHCP in the first slot": [[dhcp(1, "wan2")], leased],
  "the second": [[fixed2(1)], second],
  "both, the second in front": [[fixed2(1), fixed1(2)], second],
  "the first without a lease, and the second": [[dhcp(1, "wan1"), fixed2(2)], second],
  "the first in the third slot": [[fixed1(3)], first],
} as const satisfies Record<string, readonly [readonly Line[], string | RegExp]>;
type Name = keyof typeof combinations;

const withLines = (lines: readonly Line[]): DesiredState => ({
  ...plain,
  underlay: { ...plain.underlay, lines: [...lines] },
  firewall: { ...plain.firewall, wan: lines.map(({ interfaceName }) => interfaceName) },
});

/** Each is added to, removed from, swapped and moved. */
const walk: readonly Name[] = [
  "the first",
  "the second by DHCP",
  "the first",
  "the first, and the second by DHCP",
  "the second by DHCP",
  "the second by DHCP in the first slot",
  "the first in the third slot",
  "the second",
  "the first without a lease, and the second",
  "the second by DHCP",
  "both, the second in front",
  "the second",
  "the first, and the second by DHCP",
  "the first without a lease, and the second",
  "the first",
  "the second",
];

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;
let host: NetnsMachine;

const flow = { from: "10.0.0.100", to: internet };

const defaults = async (): Promise<string> =>
  (await cpe.run(["ip", "route", "show", "default"])).trim();

setUpTwoCableSite(async (machines) => {
  ({ world, cpe, host } = machines);
  await cpe.run(["ip", "addr", "add", `${first}/24`, "dev", "wan1"]);
  await cpe.run(["ip", "route", "add", "default", "via", "198.51.100.1"]);
  edge = await cpe.edge(site.key);
  await serveSources(world.inet, internet);
});

describe("a default route of the factory", { timeout: 600_000 }, () => {
  it("never wins over a configured WAN link, and comes back with the last of them", async () => {
    expect(await defaults()).toBe(factoryDefault);
    for (const name of walk) {
      const [lines, expected] = combinations[name];
      const state = withLines(lines);
      await edge.apply(state);
      await leavesBy(host, expected, flow);
      await edge.settled(state);
    }
    await edge.apply(null);
    await edge.settled(null);
    expect(await defaults()).toBe(factoryDefault);
  });

  it("is the way out while no WAN link leads anywhere, and no longer than that", async () => {
    const unserved = withLines([dhcp(1, "wan2")]);
    await edge.apply(withLines([fixed1(1)]));
    await world.inet.run(["ip", "link", "set", "isp2", "down"]);
    await edge.apply(unserved);
    await edge.settled(unserved);
    expect(await defaults()).toBe(factoryDefault);
    await world.inet.run(["ip", "link", "set", "isp2", "up"]);
    await leavesBy(host, leased, flow);
    await edge.settled(unserved);
    expect(await defaults()).not.toContain("wan1");
    await edge.apply(null);
    await edge.settled(null);
    expect(await defaults()).toBe(factoryDefault);
  });

  it("leads no host to an interface that is a LAN now", async () => {
    const lan = lanSection("wan1", ["10.44.0.1/24"]);
    const state = withLines([fixed2(1)]);
    const both = { ...state, underlay: { ...state.underlay, lans: [...state.underlay.lans, lan] } };
    await edge.apply(both);
    await leavesBy(host, second, flow);
    await edge.settled(both);
    await edge.apply(null);
    await edge.settled(null);
    expect(await defaults()).toBe(factoryDefault);
  });
});
