/** Packets with foreign sources become findings that name their interface: real packets, real counters. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
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
const first = cpeState(one, popKey, [1]);
const hub = popState(
  [
    { site: one, slots: [1] },
    { site: two, slots: [1] },
  ],
  popKey,
);

const foreign = { v4: "10.66.0.5", v6: "fd66::5" };

let world: World;
let edge: NetnsEdge;
let pop: NetnsEdge;

/** Sends as many packets from a source that the machine was given, to an address of the space. */
const send = async (from: NetnsMachine, source: string, count: number) => {
  const target = source.includes(":") ? "fd57:1:2::100" : "10.0.0.100";
  await from
    .run(["ping", "-n", "-c", `${count}`, "-i", "0.01", "-W", "1", "-I", source, target])
    .catch(() => "");
};

/** What is found at a heartbeat: the machine is looked at, and what was seen is reported. */
const found = async (at: NetnsEdge, state: DesiredState) => {
  expect(await at.plan(state)).toEqual([]);
  return at.ask("validate", state);
};

beforeAll(async () => {
  world = await createWorld(sites);
  [pop, edge] = [await world.pop.edge(popKey), await world.cpes[0].edge(one.key)];
  await pop.apply(hub);
  await edge.apply(first);
  const [host] = world.hosts;
  // The way out is known before: to look for it from a foreign address would be foreign as well.
  for (const way of ["10.1.1.1", "fd57:1:1::1"])
    await waitUntil(way, () => pings(host, way, 1), 10_000);
  await host.run(["ip", "addr", "add", `${foreign.v4}/32`, "dev", "eth0"]);
  await host.run(["ip", "addr", "add", `${foreign.v6}/128`, "dev", "eth0", "nodad"]);
}, 60_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("foreign sources", { timeout: 60_000 }, () => {
  it("of a leftover address are no finding: a few packets", async () => {
    await send(world.hosts[0], foreign.v4, 3);
    expect(await found(edge, first)).toEqual([]);
  });

  it("of a LAN are a finding that names it and how many, in both families", async () => {
    await send(world.hosts[0], foreign.v4, 60);
    await send(world.hosts[0], foreign.v6, 60);
    const lan = { section: "firewall", kind: "lan", object: "lan0", reason: "foreignSource" };
    expect(await found(edge, first)).toEqual([{ ...lan, params: { count: "100" } }]);
  });

  it("are still known after a load of rules, and what is right passes", async () => {
    const opened = {
      ...first,
      firewall: { ...first.firewall, tunnelPorts: [...first.firewall.tunnelPorts, 51_999] },
    };
    await edge.apply(opened);
    expect(await found(edge, opened)).toMatchObject([{ object: "lan0", params: { count: "100" } }]);
    expect(await pings(world.hosts[0], "10.1.1.1")).toBe(true);
    await edge.apply(first);
  });

  it("of a site are a finding at the POP that names the link", async () => {
    const [cpe] = world.cpes;
    // A device in foreign hands: its own rules are gone.
    await cpe.run(["nft", "delete", "table", "inet", "weft"]);
    await cpe.run(["ip", "addr", "add", `${foreign.v4}/32`, "dev", "lo"]);
    await cpe.run(["ip", "route", "replace", "10.0.0.0/24", "via", "10.255.11.0", "dev", "wl11"]);
    await waitUntil("the link", () => pings(cpe, "10.255.11.0", 1), 10_000);
    await send(cpe, foreign.v4, 20);
    const link = { section: "tunnel.1.11", kind: "link", object: "wl11", reason: "foreignSource" };
    expect(await found(pop, hub)).toEqual([{ ...link, params: { count: "10" } }]);
  });
});
