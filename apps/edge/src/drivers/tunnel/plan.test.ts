import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Daemons } from "#drivers/daemon.ts";
import type { Device } from "#drivers/device.ts";
import { inNetns, type Run } from "#drivers/exec.ts";
import { Repairs } from "#drivers/repairs.ts";
import { createTunnels } from "./apply.ts";
import { parseDump, publicKeyOf } from "./observe.ts";
import { type FoundLink, planTunnels, type TunnelFound, type TunnelPart } from "./plan.ts";
import { type PlacedLink, renderTunnel } from "./render.ts";

const key = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=";
const peerKey = "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=";
const publicKey = publicKeyOf(key);

const link = (change: Partial<PlacedLink> = {}): PlacedLink => ({
  id: 7,
  interfaceName: "wl7",
  netns: null,
  listenPort: 51_820,
  slot: 2,
  mtu: 1_380,
  address4: "10.255.0.1/31",
  address6: "fd57:ff::1/127",
  peerAddress4: "10.255.0.0",
  peerAddress6: "fd57:ff::",
  peerKey,
  endpoint: "192.0.2.10:51821",
  probe: true,
  ...change,
});

const foundLink = (change: Partial<FoundLink> = {}): FoundLink => ({
  interfaceName: "wl7",
  netns: null,
  up: true,
  mtu: 1_380,
  addresses: ["10.255.0.1/31", "fd57:ff::1/127"],
  wireguard: {
    publicKey,
    listenPort: 51_820,
    fwmark: 0x82000000,
    peers: [{ key: peerKey, allowedIps: ["0.0.0.0/0", "::/0"], keepalive: 10 }],
  },
  endpoint: "192.0.2.10:51821",
  ...change,
});

const plan = (part: Partial<TunnelPart>, found: Partial<TunnelFound>) =>
  planTunnels({ netns: [], links: [], ...part }, { netns: [], links: [], publicKey, ...found });

const wireguard = (change: object) => {
  const there = foundLink().wireguard;
  return there === null ? {} : { wireguard: { ...there, ...change } };
};

describe("renderTunnel", () => {
  it("marks packets with the line, and calls only a peer that has an address", () => {
    const text = renderTunnel(link(), key);
    expect(text).toContain("FwMark = 0x82000000");
    expect(text).toContain("Endpoint = 192.0.2.10:51821\nPersistentKeepalive = 10");
    expect(text).toContain("AllowedIPs = 0.0.0.0/0, ::/0");
    expect(renderTunnel(link({ endpoint: null }), key)).not.toMatch(/Endpoint|Keepalive/);
  });
});

describe("publicKeyOf", () => {
  it("is what wg pubkey makes of a private key", () => {
    expect(publicKey).toBe("HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8ykw=");
  });
});

describe("parseDump", () => {
  it("reads interfaces with their peers", () => {
    const text = [
      `wl7\t${key}\t${publicKey}\t51820\t0x82000000`,
      `wl7\t${peerKey}\t(none)\t192.0.2.1:5\t0.0.0.0/0,::/0\t1700000000\t5\t6\t10`,
      `wl8\t${key}\t${publicKey}\t51821\toff`,
    ].join("\n");
    const dump = parseDump(text);
    expect(dump.get("wl7")?.wireguard).toEqual(foundLink().wireguard);
    expect(dump.get("wl7")?.metrics).toEqual({
      handshakeAt: 1_700_000_000,
      endpoint: "192.0.2.1:5",
    });
    expect(dump.get("wl8")?.wireguard).toMatchObject({ fwmark: 0, peers: [] });
  });
});

describe("planTunnels", () => {
  it.each<[string, Partial<FoundLink>, string | null]>([
    ["as wanted", {}, null],
    ["down", { up: false }, "set link wl7: down"],
    ["another mtu", { mtu: 1_420 }, "set link wl7: mtu"],
    [
      "an address too many",
      { addresses: ["10.255.0.1/31", "fd57:ff::1/127", "10.9.9.9/32"] },
      "set link wl7: addresses",
    ],
    ["another endpoint configured", { endpoint: "192.0.2.11:1" }, "set link wl7: endpoint"],
    ["another mark", wireguard({ fwmark: 0 }), "set link wl7: mark"],
    ["another port", wireguard({ listenPort: 1 }), "set link wl7: port"],
    ["another own key", wireguard({ publicKey: peerKey }), "set link wl7: own key"],
    ["no peer", wireguard({ peers: [] }), "set link wl7: peer"],
    ["in a space", { netns: "weft-s1" }, "make link wl7 in its space"],
  ])("%s", (_name, change, summary) => {
    const steps = plan({ links: [link()] }, { links: [foundLink(change)] });
    expect(steps.map((step) => step.summary)).toEqual(summary === null ? [] : [summary]);
  });
  it("recreates an interface only when its process does not answer or its place is wrong", () => {
    const rebuilds = (change: Partial<FoundLink>) =>
      plan({ links: [link()] }, { links: [foundLink(change)] }).map((step) =>
        step.kind === "ensure" ? step.rebuild : null,
      );
    expect(rebuilds({ mtu: 1_420 })).toEqual([false]);
    expect(rebuilds({ wireguard: null })).toEqual([true]);
    expect(rebuilds({ netns: "weft-s1" })).toEqual([true]);
  });
  it("adds namespaces before links, and takes links away before namespaces", () => {
    const steps = plan(
      { netns: ["weft-s1"], links: [link({ netns: "weft-s1" })] },
      { netns: ["weft-s2"], links: [foundLink({ interfaceName: "wl9", netns: "weft-s2" })] },
    );
    expect(steps.map(({ kind, phase }) => [kind, phase])).toEqual([
      ["add-netns", 30],
      ["ensure", 30],
      ["drop", 90],
      ["drop-netns", 90],
    ]);
  });
});

describe("with the kernel's WireGuard", () => {
  it("creates the interface by ip, moves it, and configures it in its namespace", async () => {
    const dir = mkdtempSync(join(tmpdir(), "weft-tunnel-"));
    const asked: string[] = [];
    const run: Run = async (argv, options) => {
      const command = inNetns(options?.netns, argv).join(" ");
      asked.push(command.replaceAll(dir, "DIR"));
      if (command.includes("link show")) throw new Error("does not exist");
      return command.includes("-j") ? "[]" : "";
    };
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const own = { tunnelPrivateKey: key, siteTz: null, now: Date.now };
    const rest = { controllers: [], manageFrom: [], ...own };
    const device: Device = {
      run,
      log,
      daemons: new Daemons(dir),
      repairs: new Repairs(),
      dataDir: dir,
      runDir: dir,
      ...rest,
    };
    const driver = createTunnels(device, async () => "kernel");
    const part = { netns: ["weft-s1"], links: [link({ netns: "weft-s1" })] };
    for (const step of driver.plan(part, { netns: ["weft-s1"], links: [], publicKey }))
      await driver.run(step, part);
    rmSync(dir, { recursive: true });
    const wanted = [
      "ip link add wl7 type wireguard",
      "ip link set wl7 netns weft-s1",
      "ip netns exec weft-s1 wg syncconf wl7 DIR/wl7.conf",
    ];
    expect(asked.filter((one) => wanted.includes(one))).toEqual(wanted);
    // The size, the addresses and the settings of a new interface are one program's work.
    expect(asked.at(-1)).toMatch(
      /^ip netns exec weft-s1 sh -c put.*wl7\/rp_filter 0.*wl7\/disable_ipv6 0.*ip -batch -$/s,
    );
    expect(asked.join(" ")).not.toContain(key);
    expect(asked.join(" ")).not.toContain("wireguard-go");
  });
});
