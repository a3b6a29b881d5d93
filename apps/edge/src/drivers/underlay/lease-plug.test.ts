/** A cable that was out, and what its provider did meanwhile: real DHCP between namespaces. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsMachine } from "../../../test/netns/host.ts";
import { createWorld, makeSites, staticState, type World } from "../../../test/netns/world.ts";

const sites = makeSites();
const [, site] = sites;
const base = staticState(site);
const state = {
  ...base,
  underlay: {
    ...base.underlay,
    lines: [
      {
        slot: 1,
        interfaceName: "wan2",
        addressing: "dhcp" as const,
        ip: null,
        gateway: null,
      },
    ],
  },
  firewall: { ...base.firewall, wan: ["wan2"] },
};

let world: World;
let cpe: NetnsMachine;

const addressOf = async (): Promise<string> =>
  /inet ([\d.]+)/.exec(await cpe.run(["ip", "-4", "-o", "addr", "show", "dev", "wan2"]))?.[1] ?? "";

const hasAddress = (prefix: string): Promise<void> =>
  waitUntil(
    `an address of ${prefix}`,
    async () => (await addressOf()).startsWith(prefix),
    60_000,
    100,
  );

/** A provider whose leases last an hour. */
const serve = async (prefix: string): Promise<void> => {
  const { inet } = world;
  await inet.run(["sh", "-c", "kill $(cat /run/dnsmasq.pid)"]);
  await inet.run(["ip", "addr", "flush", "dev", "isp2"]);
  await inet.run(["ip", "addr", "add", `${prefix}.1/24`, "dev", "isp2"]);
  await inet.run([
    "dnsmasq",
    "--port=0",
    "--no-ping",
    "--interface=isp2",
    "--bind-dynamic",
    "--user=root",
    "--conf-file=/dev/null",
    "--dhcp-authoritative",
    "--log-dhcp",
    "--log-facility=/run/dhcp",
    `--dhcp-range=${prefix}.100,${prefix}.150,255.255.255.0,1h`,
    `--dhcp-leasefile=/run/leases-${prefix}`,
    "--pid-file=/run/dnsmasq.pid",
  ]);
};

/** Messages that the server got and sent so far. */
const messages = async (): Promise<string[]> =>
  [...(await world.inet.run(["cat", "/run/dhcp"])).matchAll(/DHCP(DISCOVER|REQUEST|ACK|NAK)/g)].map(
    ([, name = ""]) => name,
  );

const cable = async (way: "up" | "down"): Promise<void> => {
  await world.inet.run(["ip", "link", "set", "isp2", way]);
  const isOut = async () =>
    (await cpe.run(["ip", "link", "show", "dev", "wan2"])).includes("NO-CARRIER");
  await waitUntil(`a cable ${way}`, async () => (await isOut()) === (way === "down"), 60_000, 20);
};

beforeAll(async () => {
  world = await createWorld(sites);
  cpe = world.cpes[1];
  await serve("203.0.113");
  const edge = await cpe.edge(site.key);
  await edge.apply(state);
  await edge.ask("watch", state);
  await hasAddress("203.0.113.");
}, 120_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("a cable that is back", { timeout: 180_000 }, () => {
  it("in the same network has its lease verified at once, without a discovery", async () => {
    const before = await addressOf();
    const { length } = await messages();
    await cable("down");
    await cable("up");
    await waitUntil(
      "a confirmation",
      async () => (await messages()).slice(length).includes("ACK"),
      60_000,
      100,
    );
    expect((await messages()).slice(length)).toEqual(["REQUEST", "ACK"]);
    expect(await addressOf()).toBe(before);
  });

  it("in a renumbered network gets an address of that", async () => {
    await cable("down");
    await serve("203.0.114");
    await cable("up");
    await hasAddress("203.0.114.");
    const isLed = async () =>
      (await cpe.run(["ip", "route", "show", "default"])).includes("via 203.0.114.1 dev wan2");
    await waitUntil("a default route", isLed, 60_000, 100);
  });
});
