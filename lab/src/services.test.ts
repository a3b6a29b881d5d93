/** Real daemons in the machines, with their default folders: what the edge will rely on. */
import { readFileSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exec, ipBatch, mustExec } from "./enter.ts";
import { type Forward, forward } from "./forward.ts";
import { diskOf, type Lab } from "./lab.ts";
import { ping } from "./ping.ts";
import { logged, spawn } from "./spawn.ts";
import { defaultLab } from "./spec.ts";
import { down, up } from "./up.ts";

let lab: Lab;

beforeAll(async () => {
  lab = await up(defaultLab());
});

afterAll(() => down(lab));

it("ISP B gives a lease with a known address, its router and a name server", async () => {
  const leases = join(diskOf(lab, "cpe1"), "wan2.leases");
  const resolvers = readFileSync("/etc/resolv.conf", "utf8");
  await mustExec(lab, "cpe1", ["ip", "link", "set", "wan2", "up"]);
  // With Debian's own script, which writes addresses, routes and /etc/resolv.conf.
  await mustExec(lab, "cpe1", ["dhclient", "-1", "-lf", leases, "wan2"]);
  const lease = readFileSync(leases, "utf8");
  expect(lease).toContain("fixed-address 203.0.113.11;");
  expect(lease).toContain("option routers 203.0.113.1;");
  expect(lease).toContain("option dhcp-lease-time 3600;");
  const there = await ping(lab, "cpe1", "203.0.113.1", { count: 2, source: "wan2" });
  expect(there.received).toBe(2);
  expect(await mustExec(lab, "cpe1", ["cat", "/etc/resolv.conf"])).toContain("100.64.9.10");
  expect(readFileSync("/etc/resolv.conf", "utf8")).toBe(resolvers);
});

describe("an overlay by hand", () => {
  const devices = [
    { node: "cpe1", place: 11, inner: "169.254.1.0", lan: "10.1.1.0/24", gateway: "10.1.1.1/24" },
    { node: "cpe2", place: 12, inner: "169.254.1.1", lan: "10.1.2.0/24", gateway: "10.1.2.1/24" },
  ];
  const other = (node: string) =>
    devices.find((device) => device.node !== node) ?? raise("no other device");
  const keys = new Map<string, { secret: string; open: string }>();
  const keyOf = (node: string) => keys.get(node) ?? raise(`no key of ${node}`);

  it("user-space WireGuard comes up in two machines with one interface name", async () => {
    for (const { node } of devices) {
      const secret = (await mustExec(lab, node, ["wg", "genkey"])).trim();
      const open = (await mustExec(lab, node, ["wg", "pubkey"], { input: secret })).trim();
      keys.set(node, { secret, open });
    }
    await Promise.all(devices.map(({ node }) => tunnel(node)));
    const { received } = await ping(lab, "cpe1", "169.254.1.1", { count: 5, intervalMs: 50 });
    expect(received).toBeGreaterThan(0);
  });

  async function tunnel(node: string): Promise<void> {
    const peer = other(node);
    const file = join(diskOf(lab, node), "wg0.conf");
    const lines = [
      "[Interface]",
      `PrivateKey = ${keyOf(node).secret}`,
      "ListenPort = 51820",
      "[Peer]",
      `PublicKey = ${keyOf(peer.node).open}`,
      `Endpoint = 198.51.100.${peer.place}:51820`,
      "AllowedIPs = 0.0.0.0/0",
    ];
    writeFileSync(file, `${lines.join("\n")}\n`);
    await spawn(lab, node, ["wireguard-go", "-f", "wg0"]);
    await becomes(async () => (await exec(lab, node, ["wg", "show", "wg0"])).code === 0);
    await mustExec(lab, node, ["wg", "syncconf", "wg0", file]);
    const { inner, gateway } = devices.find((device) => device.node === node) ?? raise("no device");
    await ipBatch(lab, node, [
      `addr add ${inner}/31 dev wg0`,
      "link set wg0 mtu 1420 up",
      `addr add ${gateway} dev lan1`,
      "link set lan1 up",
    ]);
    await mustExec(lab, node, ["sysctl", "-q", "-w", "net.ipv4.ip_forward=1"]);
  }

  it("FRR in two machines, each in its own /run/frr, agrees on routes", async () => {
    await Promise.all(devices.map(({ node }) => routing(node)));
    const learned = async (node: string) =>
      (await mustExec(lab, node, ["ip", "route", "show", "proto", "bgp"])).includes(
        `${other(node).lan} `,
      );
    await becomes(async () => (await learned("cpe1")) && (await learned("cpe2")));
    const { received } = await ping(lab, "hosta", "10.1.2.100", { count: 3, intervalMs: 20 });
    expect(received).toBe(3);
  });

  async function routing(node: string): Promise<void> {
    const own = devices.find((device) => device.node === node) ?? raise("no device");
    const config = join(diskOf(lab, node), "frr.conf");
    const peer = other(node).inner;
    const lines = [
      `hostname ${node}`,
      "router bgp 65000",
      ` bgp router-id 10.255.255.${own.place}`,
      " no bgp network import-check",
      ` neighbor ${peer} remote-as 65000`,
      ` neighbor ${peer} timers connect 1`,
      " address-family ipv4 unicast",
      `  network ${own.lan}`,
      " exit-address-family",
      "exit",
    ];
    writeFileSync(config, `${lines.join("\n")}\n`);
    for (const daemon of ["zebra", "bgpd"]) {
      const empty = join("/run/frr", `${daemon}.conf`);
      await mustExec(lab, node, ["install", "-o", "frr", "-m", "600", "/dev/null", empty]);
      await mustExec(lab, node, [`/usr/lib/frr/${daemon}`, "-d", "-f", empty, "-P", "0"]);
    }
    await mustExec(lab, node, ["vtysh", "-f", config]);
  }
});

describe("a server in the controller's place", () => {
  const ctlPort = 8443;
  let way: Forward;

  beforeAll(async () => {
    const program = join(import.meta.dirname, "..", "test", "ctl-server.ts");
    const argv = [process.execPath, program, String(ctlPort)];
    await logged(await spawn(lab, "ctl", argv, { reach: "network" }), /listening/);
    way = await forward(lab, { rootPort: 0, ctlPort });
  });

  it("answers the browser on loopback, and devices at its own address", async () => {
    expect(await (await fetch(way.url)).text()).toBe("hello from 127.0.0.1");
    const script = `fetch("http://100.64.0.2:${ctlPort}").then((r) => r.text()).then(console.log)`;
    const answer = await mustExec(lab, "cpe1", [process.execPath, "-e", script]);
    expect(answer).toBe("hello from 100.64.0.2\n");
  });

  it("sends large answers whole, to slow readers too", async () => {
    const response = await open("/big");
    await sleep(100);
    let size = 0;
    for await (const chunk of response) size += (chunk as Buffer).length;
    expect(size).toBe(16 * 1024 * 1024);
  });

  it("serves hundreds of open streams at once", async () => {
    const streams = await Promise.all(Array.from({ length: 300 }, () => open("/events")));
    const ticks = await Promise.all(
      streams.map(
        (stream) => new Promise((resolve) => stream.once("data", (text) => resolve(String(text)))),
      ),
    );
    expect(ticks).toEqual(Array.from({ length: 300 }, () => "data: tick\n\n"));
    for (const stream of streams) stream.destroy();
  });

  it("carries upgraded connections, half-closed ones as well", async () => {
    const socket = connect({ host: "127.0.0.1", port: way.port, allowHalfOpen: true });
    socket.write("GET /echo HTTP/1.1\r\nHost: x\r\nUpgrade: mirror\r\nConnection: Upgrade\r\n\r\n");
    let bytes = "";
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk;
    });
    await becomes(async () => bytes.endsWith("\r\n\r\n"));
    socket.write("ping");
    await becomes(async () => bytes.endsWith("ping"));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.end();
    await closed;
    expect(bytes.endsWith("pinggoodbye")).toBe(true);
  });

  it("is not reached when its port is taken, or after its end", async () => {
    await expect(forward(lab, { rootPort: way.port, ctlPort })).rejects.toThrow(
      /^ctl: .*has no port: .*EADDRINUSE/,
    );
    await way.stop();
    await expect(fetch(way.url)).rejects.toThrow("fetch failed");
  });

  const open = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(way.url + path, { agent: false }, resolve).once("error", reject);
    });
});

function raise(message: string): never {
  throw new Error(message);
}

async function becomes(holds: () => Promise<boolean>, timeout = 15_000): Promise<void> {
  const end = performance.now() + timeout;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("it never came true");
    await sleep(20);
  }
}
