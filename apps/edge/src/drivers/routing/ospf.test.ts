/** OSPF with a router in a LAN, with real daemons on both sides and real packets. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { pings } from "../../../test/netns/host.ts";
import { onRouter } from "../../../test/netns/lan-router.ts";
import {
  createSiteWorld,
  declared,
  far,
  hasRoute,
  plain,
  type SiteWorld,
} from "../../../test/netns/site-world.ts";

const withOspf: DesiredState = {
  ...plain,
  site: {
    neighbors: [],
    interfaces: [
      {
        id: 7,
        interfaceName: "lan0",
        area: "0.0.0.9",
        cost: 15,
        hello: 1,
        dead: 4,
      },
    ],
    sent: ["connected", "static", "bgp", "default"],
  },
};

let site: SiteWorld;
const talkingRouter = [
  "configure terminal",
  "interface eth0",
  "ip ospf hello-interval 1",
  "ip ospf dead-interval 4",
  "ip ospf area 9",
  "exit",
  "router ospf",
  "ospf router-id 10.9.0.1",
  // What another site has, in part, and a default: the router brings them, and the device does not take them.
  "redistribute connected",
  "redistribute static",
  "default-information originate always",
  "exit",
  "ip route 10.0.0.128/25 blackhole",
];
const isAdjacent = async (): Promise<boolean> =>
  (await onRouter(site.lan, "show ip ospf neighbor")).includes("Full/");
const brought = async (): Promise<string> =>
  site.device.run(["vtysh", "--vty_socket", "/run/weft-frr", "-c", "show ip ospf route"]);
const learned = (): Promise<string> =>
  site.device.run(["ip", "-N", "route", "show", "proto", "188"]);

const isReported = async (): Promise<boolean> =>
  (await site.cpe.findings(withOspf)).some(
    ({ reason, object }) => reason === "noSession" && object === "lan0",
  );
/** False also while no daemon answers. */
const knowsTheRouter = (): Promise<boolean> =>
  brought().then(
    (known) => known.includes("10.8.0.0/24"),
    () => false,
  );
const pidOfOspf = (): Promise<string> => site.device.run(["cat", "/run/weft-frr/ospfd.pid"]);

beforeAll(async () => {
  site = await createSiteWorld(["staticd", "ospfd"]);
  await onRouter(site.lan, ...talkingRouter);
}, 90_000);

afterAll(async () => {
  await site?.world.remove();
}, 30_000);

describe("OSPF with a router in a LAN", { timeout: 120_000 }, () => {
  it("has no adjacency where nothing names the LAN, and runs no daemon for it", async () => {
    expect(await isAdjacent()).toBe(false);
    expect(await site.traces()).not.toContain("ospfd");
    expect(await pings(site.farHost, "10.9.0.1")).toBe(false);
  });

  it("brings what the site declares to the other site, and the space to the router", async () => {
    await site.cpe.apply(withOspf);
    await waitUntil("the device has it", () => hasRoute(site.device, declared, "ospf"), 30_000);
    await waitUntil("the router has the far site", () => hasRoute(site.lan, far, "ospf"), 20_000);
    await waitUntil("a default", () => hasRoute(site.lan, "0.0.0.0/0", "ospf"), 20_000);
    expect(await pings(site.farHost, "10.9.0.1")).toBe(true);
    expect(await site.cpe.plan(withOspf)).toEqual([]);
  });

  it("takes nothing else from the router, and sends none of the device's own links", async () => {
    await waitUntil(
      "all that the router offers is known",
      async () => {
        const known = await brought();
        return known.includes("10.8.0.0/24") && known.includes("10.0.0.128/25");
      },
      10_000,
    );
    expect(
      (await learned())
        .trim()
        .split("\n")
        .map((line) => line.split(" ")[0]),
    ).toEqual([declared]);
    expect(await pings(site.farHost, "10.8.0.1")).toBe(false);
    expect(await pings(site.lan, "10.0.0.100")).toBe(true);
    expect(await hasRoute(site.lan, "198.51.100.0/24", "ospf")).toBe(false);
  });

  it("loses what the router withdraws", async () => {
    await onRouter(site.lan, "configure terminal", "router ospf", "no redistribute connected");
    await waitUntil(
      "it is gone",
      async () => !(await hasRoute(site.device, declared, "ospf")),
      20_000,
    );
    await onRouter(site.lan, "configure terminal", "router ospf", "redistribute connected");
    await waitUntil("it is back", () => hasRoute(site.device, declared, "ospf"), 20_000);
  });

  it("is reported while the intervals of both differ, and not after that", async () => {
    const answer = (seconds: number) =>
      onRouter(
        site.lan,
        "configure terminal",
        "interface eth0",
        `ip ospf dead-interval ${seconds}`,
      );
    await answer(9);
    await waitUntil("it is reported", isReported, 40_000, 1_000);
    await answer(4);
    await waitUntil("it is back", isAdjacent, 30_000);
    await waitUntil("it is not reported", async () => !(await isReported()), 20_000, 1_000);
    await waitUntil("the device has it", () => hasRoute(site.device, declared, "ospf"), 30_000);
  });

  it("comes back after its daemons were killed, and with nothing more", async () => {
    const before = await pidOfOspf();
    await site.device.run([
      "sh",
      "-c",
      "kill -9 $(cat /run/weft-frr/zebra.pid /run/weft-frr/ospfd.pid)",
    ]);
    // A quick restart is over before the router misses a greeting: what the new daemon knows shows it.
    await waitUntil("another daemon runs", async () => (await pidOfOspf()) !== before, 30_000);
    await waitUntil("it knows the router", knowsTheRouter, 30_000);
    expect(await isAdjacent()).toBe(true);
    await waitUntil("the device has it", () => hasRoute(site.device, declared, "ospf"), 30_000);
    // The session of the space began again as well.
    await waitUntil("the far host reaches it", () => pings(site.farHost, "10.9.0.1"), 30_000);
    expect((await learned()).trim().split("\n")).toHaveLength(1);
    await site.cpe.apply(withOspf);
    expect(await site.cpe.plan(withOspf)).toEqual([]);
  });

  it("is removed without a trace", async () => {
    await site.cpe.apply(plain);
    expect(await site.traces()).not.toMatch(
      /ip ospf|router ospf|site-|lan0" meta l4proto ospf accept|ospfd/,
    );
    await waitUntil(
      "it is gone",
      async () => !(await hasRoute(site.device, declared, "ospf")),
      10_000,
    );
    expect(await pings(site.farHost, "10.9.0.1")).toBe(false);
    expect(await site.cpe.plan(plain)).toEqual([]);
  });
});
