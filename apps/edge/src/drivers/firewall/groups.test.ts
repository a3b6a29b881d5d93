/** Closed user groups on real packets: who reaches whom, by a POP and directly, and how much. */
import type { GroupsSection } from "@weft/contract/device/v1/groups.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { LinkState } from "@weft/contract/device/v1/tunnel.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { publicKeyOf } from "#drivers/tunnel/observe.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import { arriving } from "../../../test/netns/load.ts";
import { cutPower } from "../../../test/netns/power.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type Site,
  type World,
} from "../../../test/netns/world.ts";

const [one, two] = makeSites();
/** In the space of the others, and in no group. */
const three: Site = {
  number: 3,
  spaceId: 1,
  lan: "10.3.3.1/24",
  lan6: "fd57:1:3::1/64",
  key: newKey(),
};
const sites = [one, two, three] as const;
const popKey = newKey();

const networksOf = ({ lan, lan6 }: Site): string[] => [lan, lan6].map(networkOf);
const hostsOf = ({ lan, lan6 }: Site): readonly [string, string] => [
  lan.replace("1/24", "100"),
  lan6.replace("1/64", "100"),
];
const spaces = [{ spaceId: 1, netns: null, networks: sites.flatMap(networksOf) }];
const plainOf = (site: Site): DesiredState => ({ ...cpeState(site, popKey, [1]), spaces });
const plain = plainOf(one);
/** 100 Mbit/s are more than is sent. */
const group = (networks: string[], rate = 100_000_000) => ({ id: 7, rate, networks });
const inGroups = (groups: GroupsSection["groups"], rate: number | null = null): DesiredState => ({
  ...plain,
  groups: { rate, groups },
});
const withTwo = inGroups([group(networksOf(two))]);

/** A link between the first and the third site without a POP, which both prefer. */
const direct = (state: DesiredState, isCaller: boolean): DesiredState => {
  const peer = isCaller ? three : one;
  const [own, other] = isCaller ? [0, 1] : [1, 0];
  const link: LinkState = {
    id: 99,
    interfaceName: "wl99",
    listenPort: 51_099,
    slot: 1,
    mtu: 1_380,
    probe: isCaller,
    address4: `10.255.99.${own}/31`,
    address6: `fd57:ff:99::${own}/127`,
    peerAddress4: `10.255.99.${other}`,
    peerAddress6: `fd57:ff:99::${other}`,
    peerKey: publicKeyOf(peer.key),
    endpoint: isCaller ? "198.51.100.30:51099" : null,
  };
  const neighbor = {
    linkId: 99,
    interfaceName: "wl99",
    preference: 400,
    client: false,
    address4: link.peerAddress4,
    address6: link.peerAddress6,
    accept: networksOf(peer),
  };
  return {
    ...state,
    firewall: { ...state.firewall, tunnelPorts: [...state.firewall.tunnelPorts, 51_099] },
    tunnels: state.tunnels.map((tunnel) => ({ ...tunnel, links: [...tunnel.links, link] })),
    routings: state.routings.map((routing) => ({
      ...routing,
      neighbors: [...routing.neighbors, neighbor],
    })),
  };
};

let world: World;
let edge: NetnsEdge;
let third: NetnsEdge;

const hostAt = (site: Site): NetnsMachine => world.hosts[site.number - 1] as NetnsMachine;
/** Whether hosts of two sites reach each other, by IPv4 and by IPv6, there and back. */
const reach = (from: Site, to: Site): Promise<boolean[]> =>
  Promise.all(
    [
      [from, to],
      [to, from],
    ].flatMap(([by, at]) =>
      hostsOf(at as Site).map((address) => pings(hostAt(by as Site), address, 3)),
    ),
  );
const always = [true, true, true, true];
const never = [false, false, false, false];
const whole = (from: Site, to: Site): Promise<void> =>
  waitUntil(
    `sites ${from.number} and ${to.number}`,
    async () => (await reach(from, to)).every((one) => one),
    60_000,
    200,
  );
const rulesOf = ({ run }: NetnsMachine): Promise<string> =>
  run(["nft", "-s", "list", "table", "inet", "weft"]);
const dropped = async (): Promise<number> => {
  const text = await world.cpes[0].run(["nft", "list", "counter", "inet", "weft", "h_group"]);
  return Number(/packets (\d+)/.exec(text)?.[1]);
};

beforeAll(async () => {
  world = await createWorld([one, two, three]);
  const all = sites.map((site) => ({ site, slots: [1] }));
  await (await world.pop.edge(popKey)).apply(popState(all, popKey));
  await (await world.cpes[1].edge(two.key)).apply(plainOf(two));
  third = await world.cpes[2].edge(three.key);
  await third.apply(plainOf(three));
  edge = await world.cpes[0].edge(one.key);
  await edge.apply(plain);
  await whole(one, two);
  await whole(one, three);
}, 120_000);
afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("closed user groups", { timeout: 240_000 }, () => {
  it("join their members, and keep the others out in both families, by a POP", async () => {
    await edge.apply(withTwo);
    expect(await reach(one, two)).toEqual(always);
    expect(await reach(one, three)).toEqual(never);
    expect(await dropped()).toBeGreaterThan(0);
    // Whom no group concerns.
    expect(await reach(two, three)).toEqual(always);
    // What the device itself offers, and the internet.
    expect(await pings(hostAt(one), "10.1.1.1")).toBe(true);
    expect(await pings(hostAt(three), "10.1.1.1")).toBe(true);
    expect(await pings(hostAt(one), "192.0.2.1")).toBe(true);
    expect(await edge.plan(withTwo)).toEqual([]);
  });

  it("end a flow that runs", async () => {
    await edge.apply(plain);
    const [target] = hostsOf(one);
    const [source] = hostsOf(three);
    const to = { from: source, to: target, port: 7_001 };
    const [before = 0] = await arriving(hostAt(one), hostAt(three), [to]);
    expect(before).toBeGreaterThan(0);
    const running = arriving(hostAt(one), hostAt(three), [to]);
    await edge.apply(withTwo);
    await running;
    const [after = 0] = await arriving(hostAt(one), hostAt(three), [to]);
    expect(after).toBe(0);
  });

  it("without other members reach no site, and what is of two sites belongs to the longest network", async () => {
    await edge.apply(inGroups([group([])]));
    expect(await reach(one, two)).toEqual(never);
    // A member announces all of it, and the other site a part.
    await edge.apply(inGroups([group(["10.0.0.0/8", "fd57::/16"])]));
    expect(await reach(one, two)).toEqual(never);
    await edge.apply(inGroups([group(["10.0.0.0/8", "fd57::/16", ...networksOf(two)])]));
    expect(await reach(one, two)).toEqual(always);
    expect(await reach(one, three)).toEqual(never);
  });

  it("keep the others out of a direct link as well", async () => {
    await edge.apply(direct(plain, true));
    await third.apply(direct(plainOf(three), false));
    const isDirect = async () =>
      (await world.cpes[0].run(["ip", "route", "get", hostsOf(three)[0]])).includes("wl99");
    await waitUntil("a way without a POP", isDirect, 60_000, 200);
    await whole(one, three);
    await edge.apply(direct(withTwo, true));
    expect(await isDirect()).toBe(true);
    expect(await reach(one, three)).toEqual(never);
    expect(await reach(one, two)).toEqual(always);
    await third.apply(plainOf(three));
    await edge.apply(plain);
    await whole(one, three);
  });

  it("have a rate of their own, and the device one for all of them, by both families together", async () => {
    const [two4, two6] = hostsOf(two);
    const [one4, one6] = hostsOf(one);
    const loads = [
      { from: one4, to: two4, port: 7_001 },
      { from: one6, to: two6, port: 7_002 },
    ] as const;
    const sum = async () =>
      (await arriving(hostAt(two), hostAt(one), [...loads])).reduce((all, rate) => all + rate, 0);
    await edge.apply(inGroups([group(networksOf(two), 4_000_000)]));
    const ofGroup = await sum();
    expect(ofGroup).toBeGreaterThan(3.8);
    // A sender that was held up finds a quarter of a second of the rate saved.
    expect(ofGroup).toBeLessThan(4.6);
    await edge.apply(inGroups([group(networksOf(two), 4_000_000)], 2_000_000));
    const ofDevice = await sum();
    expect(ofDevice).toBeGreaterThan(1.9);
    expect(ofDevice).toBeLessThan(2.3);
    // No other site is held.
    await edge.apply(
      inGroups([group(networksOf(two), 64_000), group(networksOf(three))].map(withId)),
    );
    const free = { from: one4, to: hostsOf(three)[0], port: 7_003 };
    const [rate = 0] = await arriving(hostAt(three), hostAt(one), [free]);
    expect(rate).toBeGreaterThan(0.2);
  });

  it("leave no trace", async () => {
    await edge.apply(plain);
    const before = await rulesOf(world.cpes[0]);
    await edge.apply(withTwo);
    expect(await rulesOf(world.cpes[0])).not.toBe(before);
    await edge.apply(plain);
    expect(await rulesOf(world.cpes[0])).toBe(before);
    expect(await reach(one, three)).toEqual(always);
  });

  it("act after a power cut, before any contact, and are rolled back when nothing confirms them", async () => {
    edge = await world.cpes[0].edge(one.key);
    await edge.ask("boot", plain);
    await deliver(withTwo);
    await cutPower(world.cpes[0]);
    edge = await world.cpes[0].edge(one.key);
    await edge.ask("boot", plain);
    await whole(one, two);
    expect(await reach(one, three)).toEqual(never);
    await deliver(plain);
    await whole(one, three);
    const before = await rulesOf(world.cpes[0]);
    await edge.ask("deliver", withTwo);
    expect(await reach(one, three)).toEqual(never);
    await edge.ask("miss");
    expect(await rulesOf(world.cpes[0])).toBe(before);
    await whole(one, three);
  });
});

const withId = <Group extends object>(one: Group, at: number) => ({ ...one, id: at + 1 });

const deliver = async (state: DesiredState): Promise<void> => {
  await edge.ask("deliver", state);
  await edge.ask("confirm");
};
