/** A device that is placed beside the gateway of its LAN, on real packets of both families (X-mode). */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { LanSection } from "@weft/contract/device/v1/underlay.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { cable, type NetnsEdge, NetnsMachine, pings } from "../../../test/netns/host.ts";
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
const inMode = (mode: Partial<LanSection>): DesiredState => {
  const state = cpeState(one, popKey, [1]);
  const lans = state.underlay.lans.map((section) => ({ ...section, ...mode }));
  return { ...state, underlay: { ...state.underlay, lans } };
};
const gateway = inMode({});
const bypassRoute = inMode({ direct: false });
const bypassNat = inMode({ direct: false, translated: true });

const own = { v4: "10.1.1.100", v6: "fd57:1:1::100" };
const device = { v4: "10.1.1.1", v6: "fd57:1:1::1" };
const router = { v4: "10.1.1.254", v6: "fd57:1:1::254" };
const far = { v4: "10.0.0.100", v6: "fd57:1:2::100" };
const spaceOf = { v4: "10.0.0.0/24", v6: "fd57:1:2::/64" };
const outside = "192.0.2.1";
const families = ["v4", "v6"] as const;

let world: World;
let edge: NetnsEdge;
let host: NetnsMachine;
let beyond: NetnsMachine;
let gate: NetnsMachine;

const ip = (family: "v4" | "v6"): string => (family === "v4" ? "-4" : "-6");
const both = (from: NetnsMachine, to: Readonly<Record<"v4" | "v6", string>>): Promise<boolean[]> =>
  Promise.all(families.map((family) => pings(from, to[family], 1)));
/** Source addresses of pings that the host gets while something is done. */
const sourcesAtHost = async (work: () => Promise<unknown>): Promise<string> => {
  await host.run(["nft", "-f", "-"], {
    input: `add table inet seen
delete table inet seen
table inet seen {
  set a { type ipv4_addr; flags dynamic; }
  set b { type ipv6_addr; flags dynamic; }
  chain c { type filter hook input priority 0;
    icmp type echo-request add @a { ip saddr }
    icmpv6 type echo-request add @b { ip6 saddr }
  }
}
`,
  });
  await work();
  return host.run(["nft", "list", "table", "inet", "seen"]);
};
const all = [true, true];
const none = [false, false];

/** The LAN gets a gateway of its own: a switch with its ports to the host and the device, and an address. */
const placeGateway = async (): Promise<void> => {
  const [cpe] = world.cpes;
  await host.run(["ip", "link", "del", "eth0"]);
  await gate.run(["ip", "link", "add", "lan", "type", "bridge"]);
  await cable([gate, "p1"], [host, "eth0"]);
  await cable([gate, "p2"], [cpe, "lan0"]);
  for (const port of ["p1", "p2"]) await gate.run(["ip", "link", "set", port, "master", "lan"]);
  await gate.run(["ip", "link", "set", "lan", "up"]);
  for (const family of families) {
    const length = family === "v4" ? 24 : 64;
    const nodad = family === "v4" ? [] : ["nodad"];
    await gate.run(["ip", "addr", "add", `${router[family]}/${length}`, "dev", "lan", ...nodad]);
    await host.run(["ip", "addr", "add", `${own[family]}/${length}`, "dev", "eth0", ...nodad]);
    await host.run(["ip", ip(family), "route", "add", "default", "via", router[family]]);
  }
  // Else the host remembers the way that the gateway once showed it.
  for (const version of ["ipv4", "ipv6"])
    for (const where of ["all", "eth0"])
      await host.run(["sysctl", "-qw", `net.${version}.conf.${where}.accept_redirects=0`]);
  for (const name of ["net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1"])
    await gate.run(["sysctl", "-qw", name]);
};
/** Whether the gateway knows the way into the space. */
const routeAtGateway = async (verb: "add" | "del"): Promise<void> => {
  for (const family of families)
    await gate.run(["ip", ip(family), "route", verb, spaceOf[family], "via", device[family]]);
};

beforeAll(async () => {
  world = await createWorld(sites);
  [host, beyond] = world.hosts;
  gate = await NetnsMachine.create();
  await placeGateway();
  const [pop, near, other] = [
    await world.pop.edge(popKey),
    await world.cpes[0].edge(one.key),
    await world.cpes[1].edge(two.key),
  ];
  edge = near;
  const ends = [one, two].map((site) => ({ site, slots: [1] }));
  await pop.apply(popState(ends, popKey));
  await other.apply(cpeState(two, popKey, [1]));
  await edge.apply(gateway);
  for (const family of families)
    await waitUntil("the space", () => pings(beyond, device[family], 1), 20_000, 100);
}, 90_000);

afterAll(async () => {
  await gate?.remove();
  await world?.remove();
}, 30_000);

describe("a device beside the gateway", { timeout: 60_000 }, () => {
  it("as the gateway itself answers no host that knows another one, and lets hosts out by its line", async () => {
    expect(await both(beyond, own)).toEqual(none);
    await host.run(["ip", "route", "add", outside, "via", device.v4]);
    expect(await pings(host, outside)).toBe(true);
  });

  it("by the gateway's route carries the space both ways, untranslated", async () => {
    await edge.apply(bypassRoute);
    expect(await edge.plan(bypassRoute)).toEqual([]);
    expect(await both(beyond, own)).toEqual(none);
    await routeAtGateway("add");
    const seen = await sourcesAtHost(async () => expect(await both(beyond, own)).toEqual(all));
    for (const family of families) {
      expect(seen).toContain(far[family]);
      expect(seen).not.toContain(`${device[family]} `);
    }
    expect(await both(host, far)).toEqual(all);
  });

  it("lets nothing of the hosts out by its own line, also where they send it to the device", async () => {
    expect(await pings(host, outside)).toBe(false);
    const nat = await world.cpes[0].run(["nft", "list", "chain", "inet", "weft", "c_nat"]);
    expect(nat).not.toContain("masquerade");
  });

  it("with NAT is answered by hosts whose gateway knows no way into the space", async () => {
    await routeAtGateway("del");
    expect(await both(beyond, own)).toEqual(none);
    await edge.apply(bypassNat);
    expect(await edge.plan(bypassNat)).toEqual([]);
    const seen = await sourcesAtHost(async () => expect(await both(beyond, own)).toEqual(all));
    for (const family of families) {
      expect(seen).toContain(device[family]);
      expect(seen).not.toContain(far[family]);
    }
    expect(await pings(host, outside)).toBe(false);
  });

  it("with NAT leaves what hosts begin untranslated", async () => {
    await routeAtGateway("add");
    expect(await both(host, far)).toEqual(all);
    const seen = await beyond.run(["nft", "-f", "-"], {
      input: `table inet seen {
  counter n { }
  chain c { type filter hook input priority 0; ip saddr ${own.v4} icmp type echo-request counter name "n"; }
}
`,
    });
    expect(seen).toBe("");
    expect(await pings(host, far.v4, 3)).toBe(true);
    const text = await beyond.run(["nft", "list", "counter", "inet", "seen", "n"]);
    expect(Number(/packets (\d+)/.exec(text)?.[1])).toBeGreaterThan(0);
    await routeAtGateway("del");
  });

  it("is the gateway again afterwards, and nothing is translated any more", async () => {
    await edge.apply(gateway);
    expect(await edge.plan(gateway)).toEqual([]);
    expect(await both(beyond, own)).toEqual(none);
    expect(await pings(host, outside)).toBe(true);
  });
});
