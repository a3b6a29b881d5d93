/** BGP with a router in a LAN, with real daemons on both sides and real packets. */
import { sealedSample } from "@weft/contract/device/v1/sealed-sample.ts";
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
  routes,
  type SiteWorld,
  undeclared,
} from "../../../test/netns/site-world.ts";

const router = "10.1.1.100";
const withNeighbor: DesiredState = {
  ...plain,
  site: {
    interfaces: [],
    sent: [],
    neighbors: [
      {
        id: 7,
        interfaceName: "lan0",
        address: router,
        asn: 64_900,
        neighborAsn: 64_901,
        holdTime: 9,
        networks: ["0.0.0.0/0", "198.51.100.0/24"],
      },
    ],
  },
};
let site: SiteWorld;
const sessionOf = async (): Promise<string> => {
  const shown = await onRouter(site.lan, "show bgp neighbors 10.1.1.1 json");
  return JSON.parse(shown)["10.1.1.1"]?.bgpState ?? "none";
};
const isReported = async (state: DesiredState): Promise<boolean> =>
  (await site.cpe.findings(state)).some(
    ({ reason, object }) => reason === "noSession" && object === router,
  );
const talkingRouter = [
  "configure terminal",
  "router bgp 64901",
  "no bgp ebgp-requires-policy",
  "no bgp network import-check",
  "neighbor 10.1.1.1 remote-as 64900",
  "neighbor 10.1.1.1 timers connect 1",
  "address-family ipv4 unicast",
  `network ${declared}`,
  `network ${undeclared}`,
  // A part of another site's, its own device's LAN, and a default: none of them is the site's to bring.
  "network 10.0.0.128/25",
  "network 10.1.1.0/24",
  "neighbor 10.1.1.1 default-originate",
];

beforeAll(async () => {
  site = await createSiteWorld(["bgpd"]);
  await onRouter(site.lan, ...talkingRouter);
}, 90_000);

afterAll(async () => {
  await site?.world.remove();
}, 30_000);

describe("BGP with a router in a LAN", { timeout: 120_000 }, () => {
  it("has no session with a router that nothing names", async () => {
    await expect(
      waitUntil("a session", async () => (await sessionOf()) === "Established", 4_000),
    ).rejects.toThrow();
    expect(await pings(site.farHost, "10.9.0.1")).toBe(false);
  });

  it("brings what the site declares to the other site, and the space to the router", async () => {
    const before = await site.traces();
    await site.cpe.apply(withNeighbor);
    expect(await site.traces()).not.toBe(before);
    await waitUntil("the device has it", () => hasRoute(site.device, declared), 20_000);
    await waitUntil("the router has the far site", () => hasRoute(site.lan, far), 20_000);
    await waitUntil("the router has a default", () => hasRoute(site.lan, "0.0.0.0/0"), 20_000);
    expect(await pings(site.farHost, "10.9.0.1")).toBe(true);
    expect(await site.cpe.plan(withNeighbor)).toEqual([]);
  });

  it("goes on with the router, and with all that is new, beside a neighbour that is the device itself", async () => {
    const [neighbor] = withNeighbor.site?.neighbors ?? [];
    if (!neighbor || !withNeighbor.site) throw new Error("the state has no neighbour");
    const route = { destination: "10.66.0.0/16", nextHop: router, metric: 1 };
    const state: DesiredState = {
      ...withNeighbor,
      static: { routes: [route] },
      site: {
        ...withNeighbor.site,
        neighbors: [{ ...neighbor, id: 8, address: "10.1.1.1" }, neighbor],
      },
    };
    await site.cpe.apply(state);
    expect(await site.cpe.plan(state)).toEqual([]);
    const shown = async () => site.device.run(["ip", "route", "show", route.destination]);
    await waitUntil("the new route", async () => (await shown()).includes(router), 60_000, 200);
    expect(await hasRoute(site.device, declared)).toBe(true);
    expect(await site.cpe.findings(state)).toContainEqual({
      section: "site",
      kind: "router",
      object: "10.1.1.1",
      reason: "ownAddress",
      params: { address: "10.1.1.1" },
    });
    await site.cpe.apply(withNeighbor);
  });

  it("goes on with the router, and with all that is new, beside a neighbour that FRR refuses", async () => {
    const [neighbor] = withNeighbor.site?.neighbors ?? [];
    if (!neighbor || !withNeighbor.site) throw new Error("the state has no neighbour");
    // An address of the device that no state names: only the daemon knows that it is no neighbour.
    const unnamed = "192.0.2.77";
    await site.device.run(["ip", "addr", "add", `${unnamed}/32`, "dev", "lo"]);
    const route = { destination: "10.67.0.0/16", nextHop: router, metric: 1 };
    const rule = {
      action: "drop" as const,
      protocol: "tcp" as const,
      source: null,
      target: null,
      sourcePort: null,
      targetPort: "4467",
      mac: null,
    };
    const state: DesiredState = {
      ...withNeighbor,
      static: { routes: [route] },
      firewall: { ...withNeighbor.firewall, acl: [rule] },
      site: {
        ...withNeighbor.site,
        neighbors: [{ ...neighbor, id: 8, address: unnamed }, neighbor],
      },
    };
    await site.cpe.boot(state);
    await site.cpe.deliver(state);
    expect(await site.cpe.plan(state)).toEqual([]);
    const shown = async () => site.device.run(["ip", "route", "show", route.destination]);
    await waitUntil("the new route", async () => (await shown()).includes(router), 60_000, 200);
    await waitUntil("the router's network", () => hasRoute(site.device, declared), 60_000, 200);
    await waitUntil("packets", () => pings(site.farHost, "10.9.0.1"), 60_000, 200);
    expect(await site.traces()).toMatch(/tcp dport 4467/);
    expect(await site.cpe.findings(state)).toContainEqual({
      section: "site",
      kind: "router",
      object: unnamed,
      reason: "refused",
      params: { why: "Can not configure the local system as neighbor" },
    });
    // It acts once the daemon takes it.
    await site.device.run(["ip", "addr", "del", `${unnamed}/32`, "dev", "lo"]);
    await site.cpe.deliver({ ...state, static: { routes: [] } });
    expect(await site.traces()).toContain(`neighbor ${unnamed} remote-as`);
    await site.cpe.deliver(withNeighbor);
    expect(await site.traces()).not.toContain(unnamed);
  });

  it("takes nothing else from the router", async () => {
    const learned = (await routes(site.device)).filter((line) => line.includes(router));
    expect(learned.map((line) => line.split(" ")[0])).toEqual([declared]);
    const offered = await site.device.run([
      "vtysh",
      "--vty_socket",
      "/run/weft-frr",
      "-c",
      "show bgp ipv4 unicast neighbors 10.1.1.100 prefix-counts json",
    ] as [string, ...string[]]);
    expect(offered).toContain('"pfxCounter":1');
    // A busy machine may lose a session of the overlay for a moment, and its routes.
    const ofFar = async () =>
      (await routes(site.farDevice)).map((line) => line.split(" ")[0] ?? "").sort();
    await waitUntil("the far site's routes", async () => (await ofFar()).length > 1, 60_000, 200);
    expect(await ofFar()).toEqual(["10.1.1.0/24", declared]);
    expect(await pings(site.farHost, "10.8.0.1")).toBe(false);
    // The very network of another site.
    await onRouter(
      site.lan,
      ...talkingRouter.slice(0, 2),
      "address-family ipv4 unicast",
      `network ${far}`,
    );
    await expect(
      waitUntil(
        "it is attracted",
        async () => !(await site.device.run(["ip", "route", "show", far])).includes("wl11"),
        3_000,
      ),
    ).rejects.toThrow();
    await site.lan.run(["ping", "-n", "-c", "2", "-W", "1", "-I", "10.9.0.1", "10.0.0.100"]);
  });

  it("comes back after its daemons were killed", async () => {
    const pidOfBgp = (): Promise<string> => site.device.run(["cat", "/run/weft-frr/bgpd.pid"]);
    const before = await pidOfBgp();
    await site.device.run(["kill", "-9", before.trim()]);
    await waitUntil("another daemon runs", async () => (await pidOfBgp()) !== before, 15_000);
    await waitUntil("it is back", async () => (await sessionOf()) === "Established", 30_000);
    await waitUntil("the device has it", () => hasRoute(site.device, declared), 20_000);
    await site.cpe.apply(withNeighbor);
    expect(await site.cpe.plan(withNeighbor)).toEqual([]);
  });

  it("has a session with a password only if both have the same one", async () => {
    const [neighbor] = withNeighbor.site?.neighbors ?? [];
    if (!neighbor) throw new Error("there is no neighbour");
    const signed: DesiredState = {
      ...withNeighbor,
      site: {
        interfaces: [],
        sent: [],
        neighbors: [{ ...neighbor, password: sealedSample.sealed }],
      },
    };
    const answer = (password: string) =>
      onRouter(
        site.lan,
        "configure terminal",
        "router bgp 64901",
        password === ""
          ? "no neighbor 10.1.1.1 password"
          : `neighbor 10.1.1.1 password ${password}`,
      );
    const isUp = async () => (await sessionOf()) === "Established";
    const staysDown = () =>
      expect(waitUntil("a session", isUp, 4_000)).rejects.toThrow("not within");
    await site.cpe.apply(signed);
    await waitUntil("it is gone", async () => !(await isUp()), 20_000);
    await staysDown();
    await answer("another");
    await staysDown();
    await waitUntil("it is reported", () => isReported(signed), 40_000, 1_000);
    await answer(sealedSample.secret);
    await waitUntil("it is back", isUp, 30_000);
    await waitUntil("it is not reported", async () => !(await isReported(signed)), 20_000, 1_000);
    expect(await site.cpe.plan(signed)).toEqual([]);
    // Sealed to another device.
    const strange = { ...neighbor, password: `A${sealedSample.sealed.slice(1)}` };
    await site.cpe.apply({
      ...signed,
      site: { interfaces: [], sent: [], neighbors: [strange] },
    });
    await waitUntil("it is gone", async () => !(await isUp()), 20_000);
    await answer("");
    await staysDown();
    await site.cpe.apply(withNeighbor);
    await waitUntil("it is back", isUp, 30_000);
  });

  it("is removed without a trace", async () => {
    await site.cpe.apply(plain);
    const after = await site.traces();
    expect(after).not.toMatch(/10\.1\.1\.100|site-in|site-out|64900/);
    await waitUntil("it is gone", async () => !(await hasRoute(site.device, declared)), 10_000);
    expect(await pings(site.farHost, "10.9.0.1")).toBe(false);
    expect(await site.cpe.plan(plain)).toEqual([]);
  });
});
