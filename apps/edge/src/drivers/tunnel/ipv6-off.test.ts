/** Machines on which IPv6 is off for interfaces to come, as hardened images have it: links are the device's own interfaces. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { cable, type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
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
const hub = popState(
  [one, two].map((site) => ({ site, slots: [1] })),
  popKey,
);
const [state, other] = [one, two].map((site) => cpeState(site, popKey, [1])) as [
  ReturnType<typeof cpeState>,
  ReturnType<typeof cpeState>,
];

let world: World;
let cpe: NetnsMachine;
let edge: NetnsEdge;

const turnOff = (machine: NetnsMachine, places: readonly string[], netns: string | null = null) =>
  machine.run(
    ["sysctl", "-q", "-w", ...places.map((place) => `net.ipv6.conf.${place}.disable_ipv6=1`)],
    { netns },
  );
const isOff = async (machine: NetnsMachine, place: string, netns: string | null = null) =>
  (await machine.run(["sysctl", "-n", `net.ipv6.conf.${place}.disable_ipv6`], { netns })).trim() ===
  "1";
const findings = () => edge.findings(state);
const reaches = (target: string): Promise<void> =>
  waitUntil(`${target} answers`, () => pings(world.hosts[0], target, 1), 60_000, 200);

beforeAll(async () => {
  world = await createWorld(sites);
  const { inet, pop, cpes } = world;
  [cpe] = cpes;
  // An interface that is nobody's of ours.
  await cable([cpe, "mgmt0"], [inet, "m1"]);
  await turnOff(cpe, ["all", "default"]);
  await turnOff(pop, ["default"]);
  await pop.run(["ip", "netns", "add", "weft-s1"]);
  await turnOff(pop, ["default"], "weft-s1");
  const hubEdge = await pop.edge(popKey);
  await hubEdge.apply(hub);
  const otherEdge = await cpes[1].edge(two.key);
  await otherEdge.apply(other);
  edge = await cpe.edge(one.key);
  await edge.boot(state);
}, 120_000);

afterAll(async () => {
  await world?.remove();
}, 60_000);

describe("where IPv6 is off for interfaces to come", { timeout: 240_000 }, () => {
  it("links have it all the same, and nothing that is not the device's own", async () => {
    await edge.deliver(state);
    expect(await findings()).toEqual([]);
    await reaches("fd57:1:2::100");
    await reaches("10.0.0.100");
    for (const place of ["all", "default", "mgmt0"]) expect(await isOff(cpe, place)).toBe(true);
    expect(await isOff(world.pop, "default")).toBe(true);
    expect(await isOff(world.pop, "default", "weft-s1")).toBe(true);
  });

  it("links are of IPv4 alone and report why where IPv6 cannot be enabled, and the rest of the state acts", async () => {
    await cpe.run(["sysctl", "-q", "-w", "net.ipv4.conf.default.rp_filter=0"]);
    await cpe.run(["mount", "--bind", "/proc/sys", "/proc/sys"]);
    await cpe.run(["mount", "-o", "remount,ro,bind", "/proc/sys"]);
    await cpe.run(["ip", "link", "del", "wl11"]);
    await edge.deliver(state);
    expect(await findings()).toMatchObject([
      {
        section: "tunnel.1.11",
        kind: "link",
        object: "wl11",
        reason: "refusedIpv6",
        params: { why: expect.stringContaining("Read-only file system") },
      },
    ]);
    await reaches("10.0.0.100");
    expect(await edge.plan(state)).toEqual([]);
    await cpe.run(["umount", "/proc/sys"]);
    await edge.deliver(state);
    expect(await findings()).toEqual([]);
    await reaches("fd57:1:2::100");
  });
});
