/** A cable that was out, and what its provider did meanwhile: real DHCP between namespaces. */
import { describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsMachine } from "../../../test/netns/host.ts";
import { endOwnServer, Provider } from "../../../test/netns/provider.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";

const { site, state: base } = twoCableSite;
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
let provider: Provider;

const addressOf = async (): Promise<string> =>
  /inet ([\d.]+)/.exec(await cpe.run(["ip", "-4", "-o", "addr", "show", "dev", "wan2"]))?.[1] ?? "";

const hasAddress = (prefix: string): Promise<void> =>
  waitUntil(
    `an address of ${prefix}`,
    async () => (await addressOf()).startsWith(prefix),
    60_000,
    100,
  );

const isLedBy = (gateway: string): Promise<void> =>
  waitUntil(
    `a default route by ${gateway}`,
    async () =>
      (await cpe.run(["ip", "route", "show", "default"])).includes(`via ${gateway} dev wan2`),
    60_000,
    100,
  );

/** Kinds of messages since then in the order in which they came first: each may be sent again. */
const kindsSince = async (length: number): Promise<string[]> => [
  ...new Set((await provider.messages()).slice(length)),
];

/** The same, once there is one of this kind. */
const kindsUntil = async (kind: string, length: number): Promise<string[]> => {
  const isThere = async () => (await kindsSince(length)).includes(kind);
  await waitUntil(`a ${kind}`, isThere, 60_000, 100);
  return kindsSince(length);
};

const cable = (way: "up" | "down"): Promise<void> => provider.cable(way, cpe, "wan2");

setUpTwoCableSite(async (machines) => {
  ({ world, cpe } = machines);
  provider = new Provider(world.inet, "isp2");
  await endOwnServer(world.inet);
  await provider.serve({ prefix: "203.0.113" });
  const edge = await cpe.edge(site.key);
  await edge.apply(state);
  await edge.ask("watch", state);
  await hasAddress("203.0.113.");
});

describe("a cable that is back", { timeout: 180_000 }, () => {
  it("in the same network has its lease verified at once, without a discovery", async () => {
    const before = await addressOf();
    const { length } = await provider.messages();
    await cable("down");
    expect(await addressOf()).toBe(before);
    await cable("up");
    expect(await kindsUntil("ACK", length)).toEqual(["REQUEST", "ACK"]);
    expect(await addressOf()).toBe(before);
  });

  it("after flapping has the address that it had, and was discovered never", async () => {
    const before = await addressOf();
    const { length } = await provider.messages();
    for (let times = 0; times < 6; times += 1) {
      await cable("down");
      await cable("up");
    }
    expect(await kindsUntil("ACK", length)).toEqual(["REQUEST", "ACK"]);
    expect(await addressOf()).toBe(before);
    await isLedBy("203.0.113.1");
  });

  it("in a renumbered network gets an address of that after a refusal", async () => {
    await cable("down");
    const { length } = await provider.messages();
    await provider.serve({ prefix: "203.0.114" });
    await cable("up");
    await hasAddress("203.0.114.");
    await isLedBy("203.0.114.1");
    expect(await kindsSince(length)).toEqual(["REQUEST", "NAK", "DISCOVER", "OFFER", "ACK"]);
  });
});

describe("a provider that renumbers behind a plugged cable", { timeout: 180_000 }, () => {
  it("refuses the renewal, and the line has the new address and way", async () => {
    // T1 in seconds; T2, when the client itself asks every server, is most of an hour away.
    await cable("down");
    await provider.serve({ prefix: "203.0.115", more: ["--dhcp-option=58,5"] });
    await cable("up");
    await hasAddress("203.0.115.");
    await isLedBy("203.0.115.1");
    const { length } = await provider.messages();
    // A renewal goes from the address itself to the server alone.
    expect(await kindsUntil("ACK", length)).toEqual(["REQUEST", "ACK"]);
    const renewed = await provider.messages();
    // A refusal is broadcast (RFC 2131, 4.1), and the client that renews hears only what is sent to its address.
    await provider.serve({ prefix: "203.0.116" });
    await hasAddress("203.0.116.");
    await isLedBy("203.0.116.1");
    expect((await provider.messages()).slice(renewed.length)).toContain("NAK");
  });

  it("and is away for a while finds a line that asks", async () => {
    await cable("down");
    await provider.end();
    await cable("up");
    await provider.serve({ prefix: "203.0.117" });
    await hasAddress("203.0.117.");
    await isLedBy("203.0.117.1");
  });
});
