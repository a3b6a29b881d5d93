/** A line that drops large packets silently: namespaces, WireGuard, FRR and nftables of this machine. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type NetnsEdge, pings } from "../../test/netns/host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../test/netns/world.ts";
import { waitUntil } from "./daemon.ts";

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();
const ends = [
  { site: one, slots: [1] },
  { site: two, slots: [1] },
];
const popWants = popState(ends, popKey);
const cpeWants = cpeState(one, popKey, [1]);

let world: World;
let pop: NetnsEdge;
let cpe: NetnsEdge;

/** The internet drops what is longer, and its routers send no error (RFC 2923 section 2.1). */
const dropAbove = (bytes: number | null) =>
  world.inet.run(["nft", "-f", "-"], {
    input:
      bytes === null
        ? "delete table inet hole\n"
        : `table inet hole { chain f { type filter hook forward priority 0; ip length > ${bytes} drop; }; }\n`,
  });

/** A datagram of this many bytes, not fragmented: hosts do not cut it, and routers may not. */
const passes = (bytes: number) => () =>
  world.hosts[0]
    .run(["ping", "-n", "-M", "do", "-c", "1", "-W", "1", "-s", `${bytes - 28}`, "10.0.0.100"])
    .then(
      () => true,
      () => false,
    );

const sizeOf = async (machine: "cpe" | "pop"): Promise<number> => {
  const at = machine === "cpe" ? world.cpes[0] : world.pop;
  const netns = machine === "cpe" ? null : "weft-s1";
  const text = await at.run(["ip", "-j", "link", "show", "dev", "wl11"], { netns });
  const [link] = JSON.parse(text) as { mtu: number }[];
  return link?.mtu ?? 0;
};

const server = `
  require("node:net").createServer((s) => { let n = 0; s.on("data", (d) => { n += d.length; });
  s.on("end", () => s.end(String(n))); s.on("error", () => {}); }).listen({ port: 7000, host: "::", allowHalfOpen: true });`;
const client = `
  const s = require("node:net").connect(7000, "10.0.0.100"); s.setTimeout(4000, () => process.exit(1));
  s.on("error", () => process.exit(1)); s.on("data", (d) => process.stdout.write(d));
  s.end(Buffer.alloc(300_000));`;

const transfers = async (): Promise<number> => {
  const argv = [process.execPath, "-e", client] as const;
  return Number(await world.hosts[0].run(argv, { timeoutMs: 8_000 }).catch(() => "0"));
};

beforeAll(async () => {
  world = await createWorld(sites);
  pop = await world.pop.edge(popKey);
  cpe = await world.cpes[0].edge(one.key);
  const other = await world.cpes[1].edge(two.key);
  await pop.apply(popWants);
  await cpe.apply(cpeWants);
  await other.apply(cpeState(two, popKey, [1]));
  await waitUntil("IPv4 across", () => pings(world.hosts[0], "10.0.0.100", 1), 20_000, 50);
  const start = `nohup '${process.execPath}' -e '${server}' > /dev/null 2>&1 &`;
  await world.hosts[1].run(["sh", "-c", start]);
  await waitUntil("a transfer", async () => (await transfers()) === 300_000, 20_000, 50);
  await cpe.ask("watch", cpeWants);
  await pop.ask("watch", popWants);
}, 60_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("a black hole for large packets", { timeout: 60_000 }, () => {
  it("is found by both ends, and TCP goes on", async () => {
    expect(await passes(1_380)()).toBe(true);
    await dropAbove(1_400);
    expect(await passes(1_380)()).toBe(false);
    // 1,400 less IPv4 (20), UDP (8) and WireGuard (32) leave 1,340, padded to 16 bytes: 1,328.
    const follow = async () => (await sizeOf("cpe")) < 1_380 && (await sizeOf("pop")) < 1_380;
    await waitUntil("both tunnels", follow, 30_000, 100);
    expect(await sizeOf("cpe")).toBe(1_320);
    expect(await sizeOf("pop")).toBe(1_320);
    await waitUntil("a transfer", async () => (await transfers()) === 300_000, 10_000, 50);
    expect(await passes(1_320)()).toBe(true);
    await cpe.settled(cpeWants);
    const [finding, ...more] = await cpe.findings(cpeWants);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      section: "tunnel.1.11",
      kind: "link",
      object: "wl11",
      reason: "pathMtu",
      params: { mtu: "1320", wanted: "1380", phase: "complete" },
    });
  });

  it("that was mended is left behind once a line changes", async () => {
    await dropAbove(null);
    await world.cpes[0].run(["ip", "addr", "add", "198.51.100.77/24", "dev", "wan1"]);
    await world.cpes[0].run(["ip", "addr", "del", "198.51.100.77/24", "dev", "wan1"]);
    await waitUntil("the full size", async () => (await sizeOf("cpe")) === 1_380, 45_000, 200);
    const findings = () => cpe.findings(cpeWants);
    await waitUntil("the end of the try", async () => (await findings()).length === 0, 25_000, 100);
  });
});
