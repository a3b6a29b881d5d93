/** Lines and LANs on a real kernel: taking over, changing, giving back. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge } from "../../../test/netns/host.ts";
import { cable, NetnsMachine } from "../../../test/netns/host.ts";
import { newKey } from "../../../test/netns/world.ts";
import { lanSection } from "../../../test/states.ts";

const state = (underlay: UnderlaySection): DesiredState => ({
  node: { nodeId: 1, kind: "cpe", hostname: "device", routerId: "10.254.0.1" },
  underlay,
  static: { routes: [] },
  firewall: { wan: [], tunnelPorts: [] },
  tunnels: [],
  routings: [],
});

const line = (ip: string, gateway: string, slot = 1) => ({
  slot,
  interfaceName: `wan${slot}`,
  addressing: "static" as const,
  ip,
  gateway,
});
const lan = (vlan: number) => lanSection("lan0", ["10.5.0.1/24"], { vlan });

let device: NetnsMachine;
let peer: NetnsMachine;
let edge: NetnsEdge;

beforeAll(async () => {
  [device, peer] = [await NetnsMachine.create(), await NetnsMachine.create()];
  await cable([device, "wan1"], [peer, "a"]);
  await cable([device, "lan0"], [peer, "b"]);
  // Its gateways answer, or the line would be one that leads nowhere.
  for (const gateway of ["198.51.100.1/24", "198.51.100.126/25"])
    await peer.run(["ip", "addr", "add", gateway, "dev", "a"]);
  await device.run(["ip", "addr", "add", "192.0.2.9/24", "dev", "wan1"]);
  await device.run(["ip", "route", "add", "default", "via", "192.0.2.1"]);
  await device.run(["ip", "link", "add", "other", "type", "veth", "peer", "name", "other2"]);
  await device.run(["ip", "addr", "add", "172.31.9.1/24", "dev", "other"]);
  await device.run(["ip", "link", "set", "other", "up"]);
  // The kernel first checks addresses for doubles, and shows when it is done.
  const isChecked = async () => !(await device.run(["ip", "-j", "addr"])).includes("tentative");
  await waitUntil("addresses without a double", isChecked, 10_000, 50);
  edge = await device.edge(newKey(), [
    "203.0.113.99:443",
    "100.64.0.99:443",
    "10.5.0.77:443",
    "172.31.9.9:443",
  ]);
}, 30_000);

afterAll(async () => {
  await device?.remove();
  await peer?.remove();
});

const ip = (...args: string[]) => device.run(["ip", ...args]);
const settle = async (wanted: DesiredState | null) => {
  await edge.apply(wanted);
  expect(await edge.plan(wanted)).toEqual([]);
};

describe("underlay", { timeout: 120_000 }, () => {
  it("leaves out what the machine cannot do, and refuses when no line is left", async () => {
    const before = await ip("-j", "addr");
    const gone = { ...line("198.51.100.2/24", "198.51.100.1"), interfaceName: "wan9" };
    await expect(edge.findings(state({ lines: [gone], lans: [] }))).rejects.toThrow(
      "no line can act: line wan9: noInterface",
    );
    const found = await edge.findings(state({ lines: [], lans: [lan(12)] }));
    expect(found).toMatchObject([{ kind: "lan", object: "lan0", reason: "noVlan" }]);
    expect(await ip("-j", "addr")).toBe(before);
  });

  it("makes a LAN when its interface comes, by itself, and the rest before", async () => {
    const wanted = state({
      lines: [line("198.51.100.2/24", "198.51.100.1")],
      lans: [lan(0), lanSection("lan5", ["10.6.0.1/24"])],
    });
    expect(await edge.findings(wanted)).toMatchObject([
      { section: "underlay", kind: "lan", object: "lan5", reason: "noInterface" },
    ]);
    await settle(wanted);
    expect(await ip("addr", "show", "dev", "lan0")).toContain("10.5.0.1/24");
    await edge.ask("watch", wanted);
    await ip("link", "add", "lan5", "type", "veth", "peer", "name", "lan5b");
    await waitUntil("the LAN", async () => (await ip("addr")).includes("10.6.0.1/24"), 25_000, 50);
    // It goes again, as a USB adapter does, and nothing is wrong with the rest.
    await ip("link", "del", "lan5");
    await waitUntil("no drift", async () => (await edge.plan(wanted)).length === 0, 25_000, 50);
    expect(await edge.findings(wanted)).toMatchObject([{ object: "lan5" }]);
    await edge.ask("watch", null);
    await settle(state({ lines: [], lans: [] }));
  });

  it("takes over what the factory set up on a line, and nothing else", async () => {
    await settle(state({ lines: [line("198.51.100.2/24", "198.51.100.1")], lans: [lan(0)] }));
    expect(await ip("addr", "show", "dev", "wan1")).not.toContain("192.0.2.9");
    expect(await ip("route", "show", "default")).toBe(
      "default via 198.51.100.1 dev wan1 proto openr metric 101 onlink \n",
    );
    expect(await ip("addr", "show", "dev", "other")).toContain("172.31.9.1/24");
    // The controller behind the line has a way that no learned route can bend; those that are
    // attached otherwise are left to the main table.
    expect(await ip("route", "get", "203.0.113.99")).toContain(
      "via 198.51.100.1 dev wan1 table 101",
    );
    expect(await ip("rule")).not.toMatch(/to (10\.5\.0\.77|172\.31\.9\.9)/);
  });

  it("lets single hosts behind a LAN leave by the space, in both families", async () => {
    const lines = [line("198.51.100.2/24", "198.51.100.1")];
    const wanted = state({ lines, lans: [lan(0)] });
    const networks = ["10.5.0.0/24", "10.77.0.7/32", "fd77::7/128", "fd77:1::/64"];
    const central = { ...lan(0), networks, direct: false, forward: true, central: true };
    await settle({
      ...state({ lines, lans: [central] }),
      firewall: { wan: ["wan1"], tunnelPorts: [] },
    });
    expect(await ip("rule")).toContain("from 10.77.0.7 iif lan0 unreachable");
    await settle(wanted);
    expect(await ip("rule")).not.toContain("10.77.0.7");
  });

  it("pins marked packets to their line, or to nothing", async () => {
    const marked = () => ip("route", "get", "203.0.113.5", "mark", "0x1000000");
    await expect(marked()).resolves.toContain("dev wan1 table 101");
    await ip("route", "flush", "table", "101");
    await expect(marked()).rejects.toThrow(/unreachable/i);
    await settle(state({ lines: [line("198.51.100.2/24", "198.51.100.1")], lans: [lan(0)] }));
  });

  it("leaves by the next line while a cable is out", async () => {
    await ip("link", "add", "wan2", "type", "veth", "peer", "name", "wan2b");
    await ip("link", "set", "wan2b", "up");
    const first = line("198.51.100.2/24", "198.51.100.1");
    const lines = [first, line("100.64.9.2/24", "100.64.9.1", 2)];
    await settle(state({ lines, lans: [lan(0)] }));
    const way = (...to: string[]) => ip("route", "get", ...to);
    const controller = "100.64.0.99";
    for (const to of ["192.0.2.200", controller]) expect(await way(to)).toContain("dev wan1");
    await peer.run(["ip", "link", "set", "dev", "a", "down"]);
    const isOut = async () => (await ip("link", "show", "wan1")).includes("NO-CARRIER");
    await waitUntil("no carrier", isOut, 20_000, 20);
    for (const to of ["192.0.2.200", controller]) expect(await way(to)).toContain("dev wan2");
    // A tunnel's packets leave by their own line or not at all.
    await expect(way("192.0.2.200", "mark", "0x1000000")).rejects.toThrow(/unreachable/i);
    await peer.run(["ip", "link", "set", "dev", "a", "up"]);
    await waitUntil("a carrier", async () => !(await isOut()), 20_000, 20);
    expect(await way(controller)).toContain("dev wan1");
    await settle(state({ lines: [first], lans: [lan(0)] }));
    await ip("link", "del", "wan2");
  });

  it("sets an interface down again that was down before", async () => {
    const first = line("198.51.100.2/24", "198.51.100.1");
    await ip("link", "add", "spare", "type", "veth", "peer", "name", "spare2");
    const spare = lanSection("spare", ["10.7.0.1/24"]);
    const isUp = async () => (await ip("link", "show", "spare")).includes(",UP");
    await settle(state({ lines: [first], lans: [lan(0), spare] }));
    expect(await isUp()).toBe(true);
    await settle(state({ lines: [first], lans: [lan(0)] }));
    expect(await isUp()).toBe(false);
    await ip("link", "del", "spare");
  });

  it("leaves no rule or route behind when a line's address changes", async () => {
    await settle(state({ lines: [line("198.51.100.77/25", "198.51.100.126")], lans: [lan(0)] }));
    const left = `${await ip("rule")}${await ip("route", "show", "table", "all")}`;
    expect(left).toContain("198.51.100.77");
    expect(left).not.toMatch(/198\.51\.100\.(2|1)\b/);
  });

  it("gives an interface back as it was when it leaves the document", async () => {
    await settle(state({ lines: [], lans: [lan(0)] }));
    expect(await ip("addr", "show", "dev", "wan1")).toContain("192.0.2.9/24");
    expect(await ip("addr", "show", "dev", "wan1")).not.toContain("198.51.100");
    expect(await ip("route", "show", "default")).toBe("default via 192.0.2.1 dev wan1 \n");
    expect(await ip("rule")).not.toContain("fwmark");
  });

  it("finds out what the machine can do", async () => {
    const fresh = await device.edge(newKey());
    const found = (await fresh.ask("capabilities")) as {
      name: string;
      can: boolean;
      reason: string;
    }[];
    const can = (name: string) => found.find((one) => one.name === name);
    expect(can("wireguard.user")).toEqual({ name: "wireguard.user", can: true, reason: null });
    expect(can("frr")?.can).toBe(true);
    expect(can("dhcp")?.can).toBe(true);
    expect(can("nftset")?.can).toBe(true);
    for (const { can: able, reason } of found) expect(able).toBe(reason === null);
  });
});
