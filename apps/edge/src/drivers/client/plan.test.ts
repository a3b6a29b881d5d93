import type { ClientSection } from "@weft/contract/device/v1/client.ts";
import { describe, expect, it } from "vitest";
import { renderSpace } from "#drivers/firewall/render.ts";
import { atTime, type FoundClients, planClients } from "./plan.ts";

const key = (letter: string): string => `${letter.repeat(42)}A=`;
const publicKey = key("p");
const now = Date.UTC(2030, 0, 1);

const peer = (id: number, more: object = {}) => ({
  id,
  publicKey: key(String(id)),
  address: `10.250.0.${id}`,
  down: null,
  up: null,
  until: null,
  ...more,
});
const section = (more: Partial<ClientSection> = {}): ClientSection => ({
  spaceId: 3,
  netns: "weft-s3",
  interfaceName: "wm3",
  listenPort: 50_000,
  slot: 1,
  mtu: 1_420,
  address: "10.250.0.1/24",
  peers: [peer(2), peer(3)],
  ...more,
});
const own = { publicKey, listenPort: 50_000, fwmark: 0x81000000 };
const there = (more: Partial<FoundClients> = {}): FoundClients => ({
  interfaceName: "wm3",
  netns: "weft-s3",
  up: true,
  mtu: 1_420,
  addresses: ["10.250.0.1/24"],
  wireguard: {
    ...own,
    peers: [
      { key: key("3"), allowedIps: ["10.250.0.3/32"] },
      { key: key("2"), allowedIps: ["10.250.0.2/32"] },
    ],
  },
  ...more,
});
const plan = (wanted: readonly ClientSection[], found: readonly FoundClients[], at = now) =>
  planClients(wanted, { interfaces: found, publicKey, now: at });
const summaries = (...given: Parameters<typeof plan>) =>
  plan(...given).map(({ summary }) => summary);

describe("planClients", () => {
  it("finds nothing to do when all is as wanted, in whatever order", () => {
    expect(plan([section()], [there()])).toEqual([]);
  });

  it.each<[string, Partial<FoundClients>, string]>([
    ["is down", { up: false }, "set wm3: down"],
    ["has another address", { addresses: ["10.9.0.1/24"] }, "set wm3: address"],
    ["has no accounts", { wireguard: { ...own, peers: [] } }, "set wm3: accounts"],
    ["does not answer", { wireguard: null }, "set wm3: no answer, own key, port, mark, accounts"],
    ["is elsewhere", { netns: null }, "make wm3 in its space"],
  ])("sets right what %s", (_, change, summary) => {
    expect(summaries([section()], [there(change)])).toEqual([summary]);
  });

  it("takes an account away at its end, without anybody saying so", () => {
    const wanted = section({ peers: [peer(2), peer(3, { until: now + 1 })] });
    expect(plan([wanted], [there()])).toEqual([]);
    expect(plan([wanted], [there()], now + 1)).toEqual([
      expect.objectContaining({
        summary: "set wm3: accounts",
        section: expect.objectContaining({ peers: [peer(2)] }),
      }),
    ]);
    expect(atTime(wanted, now + 1).peers.map(({ id }) => id)).toEqual([2]);
  });

  it("drops the interface of a service that is no more", () => {
    expect(plan([], [there()])).toEqual([
      expect.objectContaining({ kind: "drop", interfaceName: "wm3", netns: "weft-s3", phase: 90 }),
    ]);
  });
});

describe("rules of a space with clients", () => {
  it("limit by address what has a limit, in bytes, and leave the rest alone", () => {
    const peers = [peer(2, { down: 8_000_000, up: 1_000_000 }), peer(3)];
    const text = renderSpace(section({ peers }));
    expect(text).toContain("limit rate over 1000000 bytes/second burst 250000 bytes drop");
    expect(text).toContain("limit rate over 125000 bytes/second burst 31250 bytes drop");
    expect(text).toContain('oifname "wm3" ip daddr vmap { 10.250.0.2 : jump c_down_2 }');
    expect(text).toContain('iifname "wm3" ip saddr vmap { 10.250.0.2 : jump c_up_2 }');
    expect(text).not.toContain("10.250.0.3");
  });

  it("let clients into the space, and to nothing of the POP but its ICMP replies", () => {
    const text = renderSpace(section());
    expect(text).toContain('iifname "wm3" oifname "wl*" accept');
    expect(text).toContain('iifname "wm3" icmp type echo-request accept');
    expect(text).not.toContain('oifname "wm3" accept\n    iifname "wm3" oifname "wm3"');
    expect(renderSpace()).not.toContain("wm");
  });
});
