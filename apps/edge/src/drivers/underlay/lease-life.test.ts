/** DHCP clients that die, come from an edge before, or have hostile servers: real DHCP between namespaces. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import { describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { endOwnServer, Provider } from "../../../test/netns/provider.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";

const { site, state: base } = twoCableSite;
const lines = [1, 2].map((slot) => ({
  slot,
  interfaceName: `wan${slot}`,
  addressing: "dhcp" as const,
  ip: null,
  gateway: null,
}));
const state = { ...base, underlay: { ...base.underlay, lines } };
const names = ["wan1", "wan2"] as const;

let world: World;
let cpe: NetnsMachine;
let edge: NetnsEdge;
let providers: Record<(typeof names)[number], Provider>;

const addressOf = async (name: string): Promise<string> =>
  /inet ([\d.]+\/\d+)/.exec(await cpe.run(["ip", "-4", "-o", "addr", "show", "dev", name]))?.[1] ??
  "";

const hasAddress = (name: string, prefix: string): Promise<void> =>
  waitUntil(
    `an address of ${prefix} on ${name}`,
    async () => (await addressOf(name)).startsWith(prefix),
    60_000,
    100,
  );

/** Clients of a line; each has helpers, which are named after it. */
const clientsOf = async (name: string): Promise<string[]> =>
  (await cpe.run(["pgrep", "-f", `^dhcpcd: ${name}`]).catch(() => "")).split("\n").filter(Boolean);

const pidOf = async (name: string): Promise<string> =>
  (await cpe.run(["cat", `/run/dhcpcd/${name}-4.pid`])).trim();

/** Kinds of messages since then in the order in which they came first, once one of them confirms a lease. */
const answered = async (name: (typeof names)[number], length: number): Promise<string[]> => {
  const since = async () => [...new Set((await providers[name].messages()).slice(length))];
  await waitUntil("an answer", async () => (await since()).includes("ACK"), 60_000, 100);
  return since();
};

/** Runs it, and gives what the kernel reported about addresses of IPv4 meanwhile. */
const watched = async (action: () => Promise<void>): Promise<string> => {
  const file = "/run/addresses";
  const start = `ip -4 -o monitor address > ${file} 2>&1 & echo $!`;
  const pid = (await cpe.run(["sh", "-c", start])).trim();
  await waitUntil(
    "a watch",
    async () => (await cpe.run(["cat", `/proc/${pid}/comm`])).trim() === "ip",
    60_000,
    20,
  );
  await action();
  await cpe.run(["kill", pid]);
  return cpe.run(["cat", file]);
};

/** All that a line has at the machine, in the order of its text. */
const layout = async (): Promise<string> =>
  (
    await Promise.all(
      [
        ["ip", "route", "show", "default"],
        ["ip", "route", "show", "table", "101"],
        ["ip", "route", "show", "table", "102"],
        ["ip", "rule"],
        ["ip", "-4", "-o", "addr"],
      ].map((argv) => cpe.run(argv as [string, ...string[]])),
    )
  ).join("\n");

const startEdge = async (): Promise<void> => {
  edge = await cpe.edge(site.key);
  await edge.apply(state);
};

setUpTwoCableSite(async (machines) => {
  ({ world, cpe } = machines);
  await endOwnServer(world.inet);
  providers = { wan1: new Provider(world.inet, "isp1"), wan2: new Provider(world.inet, "isp2") };
  await providers.wan1.serve({ prefix: "198.51.100" });
  await providers.wan2.serve({ prefix: "203.0.113" });
  await startEdge();
  await hasAddress("wan1", "198.51.100.1");
  await hasAddress("wan2", "203.0.113.1");
  await edge.untilNothingToDo(state);
});

describe("two lines by DHCP", { timeout: 180_000 }, () => {
  it("have a client each, and addresses, routes and names of the machine are the edge's alone", async () => {
    for (const name of names) expect(await clientsOf(name)).toHaveLength(1);
    const routes = (await cpe.run(["ip", "-N", "route", "show", "default"])).trim().split("\n");
    expect(routes.map((route) => route.replace(/ proto 99/, "").trim())).toEqual([
      "default via 198.51.100.1 dev wan1 metric 101 onlink",
      "default via 203.0.113.1 dev wan2 metric 102 onlink",
    ]);
    expect(routes.every((route) => route.includes("proto 99"))).toBe(true);
    expect(await cpe.run(["cat", "/etc/resolv.conf"])).toBe(
      readFileSync("/etc/resolv.conf", "utf8"),
    );
    expect(await cpe.run(["cat", "/proc/sys/net/ipv6/conf/wan2/accept_ra"])).toBe("0\n");
  });

  it("keep addresses and routes while a client is killed, whose successor verifies the lease", async () => {
    const before = await layout();
    const { length } = await providers.wan2.messages();
    const other = await pidOf("wan1");
    const killed = await pidOf("wan2");
    const news = await watched(async () => {
      await cpe.run(["kill", "-9", killed]);
      expect(await answered("wan2", length)).toEqual(["REQUEST", "ACK"]);
      await edge.untilNothingToDo(state);
    });
    expect(news).not.toContain("Deleted");
    expect(await layout()).toBe(before);
    const [now, ...more] = await clientsOf("wan2");
    expect([now, more]).toEqual([await pidOf("wan2"), []]);
    expect(now).not.toBe(killed);
    expect(await pidOf("wan1")).toBe(other);
    // What the killed client had started is gone with it.
    const processes = await cpe.run(["ps", "-eo", "sid=,stat=,args="]);
    // Nobody collects the status of what has ended: the machine's first process is a sleep.
    const living = [...processes.matchAll(/^ *(\d+) +[^Z\s]\S* +dhcpcd/gm)];
    expect([...new Set(living.map(([, session]) => session))].sort()).toEqual([other, now].sort());
    expect(await edge.ask("repairs")).toEqual([{ part: "dhcp", object: "wan2" }]);
  });

  it("are taken over by the edge that follows a killed one, without a message or a change", async () => {
    const before = [await layout(), await pidOf("wan1"), await pidOf("wan2")];
    const { length } = await providers.wan2.messages();
    const news = await watched(startEdge);
    expect(news).toBe("");
    expect([await layout(), await pidOf("wan1"), await pidOf("wan2")]).toEqual(before);
    expect((await providers.wan2.messages()).slice(length)).toEqual([]);
  });

  it("request the addresses from before a reboot first", async () => {
    const before = await layout();
    const { length } = await providers.wan2.messages();
    await cpe.run(["sh", "-c", "kill -9 $(cat /run/dhcpcd/*.pid)"]);
    await waitUntil("no client", async () => (await clientsOf("wan")).length === 0, 60_000, 100);
    await cpe.run(["sh", "-c", "rm -rf /run/weft /run/dhcpcd"]);
    for (const name of names) {
      await cpe.run(["ip", "addr", "flush", "dev", name]);
      await cpe.run(["ip", "link", "set", name, "down"]);
    }
    await startEdge();
    expect(await answered("wan2", length)).toEqual(["REQUEST", "ACK"]);
    await waitUntil("all as it was", async () => (await layout()) === before, 60_000, 200);
  });

  it("give the lease back when one leaves the state", async () => {
    const { length } = await providers.wan2.messages();
    await edge.apply({ ...state, underlay: { ...state.underlay, lines: lines.slice(0, 1) } });
    const isReleased = async () =>
      (await providers.wan2.messages()).slice(length).includes("RELEASE");
    await waitUntil("a release", isReleased, 60_000, 100);
    expect(await clientsOf("wan2")).toEqual([]);
    expect(await addressOf("wan2")).toBe("");
    await edge.apply(state);
    await hasAddress("wan2", "203.0.113.1");
    await edge.untilNothingToDo(state);
  });
});

/** What the edge reports about a line's lease, once it does. */
const reported = async (reason: string): Promise<Finding> => {
  const all = () => edge.findings(state);
  await waitUntil(
    reason,
    async () => (await all()).some((one) => one.reason === reason),
    60_000,
    200,
  );
  await edge.untilNothingToDo(state);
  const [found, ...more] = await all();
  expect(more).toEqual([]);
  if (found === undefined) throw new Error("no finding");
  return found;
};

const offered = async (prefix: string, more: readonly string[]): Promise<void> => {
  await providers.wan2.cable("down", cpe, "wan2");
  await providers.wan2.serve({ prefix, more });
  await providers.wan2.cable("up", cpe, "wan2");
};

describe("a server's", { timeout: 180_000 }, () => {
  it("texts of a server are never executed", async () => {
    const hostile = ["$(touch /run/a)", "`touch /run/b`", "; touch /run/c ;", "x' | touch '/run/d"];
    await offered(
      "203.0.118",
      [15, 12, 66, 67, 119, 252].map(
        (option, at) => `--dhcp-option-force=${option},${hostile[at % hostile.length]}`,
      ),
    );
    await hasAddress("wan2", "203.0.118.");
    expect((await cpe.run(["ls", "/run"])).split("\n").filter((one) => one.length === 1)).toEqual(
      [],
    );
  });

  it("router outside of its network is reported and used for nothing", async () => {
    await offered("203.0.119", ["--dhcp-option=option:router,198.51.100.1"]);
    await hasAddress("wan2", "203.0.119.");
    expect(await reported("leaseGateway")).toMatchObject({
      object: "wan2",
      params: { gateway: "198.51.100.1" },
    });
    expect(await cpe.run(["ip", "route", "show", "table", "all", "dev", "wan2"])).not.toContain(
      "default",
    );
  });

  it("classless routes have the way out, before its router", async () => {
    await offered("203.0.120", [
      "--dhcp-option=option:router,203.0.120.1",
      "--dhcp-option=121,10.0.0.0/8,203.0.120.3,0.0.0.0/0,203.0.120.2",
    ]);
    await hasAddress("wan2", "203.0.120.");
    const isLed = async () =>
      (await cpe.run(["ip", "route", "show", "default"])).includes("via 203.0.120.2 dev wan2");
    await waitUntil("the way of the classless routes", isLed, 60_000, 100);
    expect(await cpe.run(["ip", "route", "show", "table", "all"])).not.toContain("10.0.0.0/8");
  });

  it("address in the network of another line brings no route to that", async () => {
    await providers.wan2.cable("down", cpe, "wan2");
    await providers.wan2.serve({ prefix: "198.51.100", from: 200 });
    await providers.wan2.cable("up", cpe, "wan2");
    await hasAddress("wan2", "198.51.100.");
    const finding = await reported("leaseInLine");
    expect(finding).toMatchObject({ object: "wan2", params: { network: "198.51.100.0/24" } });
    expect(await addressOf("wan2")).toMatch(/\/32$/);
    const ways = await cpe.run(["ip", "route", "show", "table", "all", "198.51.100.0/24"]);
    expect(ways).toContain("dev wan1");
    expect(ways).not.toContain("dev wan2");
    await offered("203.0.113", []);
    await hasAddress("wan2", "203.0.113.1");
    await edge.untilNothingToDo(state);
  });
});

/** As an edge with dhclient left the machine: its files, its process and the record of that. */
const startEarlier = async (): Promise<string> => {
  const dir = join(cpe.dataDir, "dhcp");
  mkdirSync(dir, { recursive: true });
  const program = `#!${process.execPath}
const { writeFileSync } = require("node:fs");
const { reason, interface: name, new_ip_address, new_routers } = process.env;
if (reason === "BOUND")
  writeFileSync(__dirname + "/" + name + ".json", JSON.stringify({ address: new_ip_address + "/24", gateway: new_routers }));
`;
  writeFileSync(join(dir, "event.cjs"), program, { mode: 0o755 });
  writeFileSync(join(dir, "dhclient.conf"), "request subnet-mask, routers;\n");
  const argv = ["dhclient", "-4", "-d", "-sf", join(dir, "event.cjs")];
  argv.push("-cf", join(dir, "dhclient.conf"), "-lf", join(dir, "wan2.leases"));
  argv.push("-pf", join(dir, "wan2.pid"), "wan2");
  const started = `setsid ${argv.join(" ")} >/run/dhclient.log 2>&1 & echo $!`;
  const pid = (await cpe.run(["sh", "-c", started])).trim();
  const lease = () => cpe.run(["cat", join(dir, "wan2.json")]).catch(() => "");
  await waitUntil("a lease", async () => (await lease()) !== "", 60_000, 100);
  const stat = await cpe.run(["cat", `/proc/${pid}/stat`]);
  const startTime = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  await cpe.run(
    ["sh", "-c", "mkdir -p /run/weft/daemons; cat > /run/weft/daemons/dhcp-wan2.json"],
    {
      input: JSON.stringify({ pid: Number(pid), startTime, argv, want: "wan2" }),
    },
  );
  return (JSON.parse(await lease()) as { address: string }).address;
};

it("takes the lease of an edge with dhclient over, and its address never goes", async () => {
  await edge.apply(null);
  await edge.ask("stop");
  await cpe.run(["ip", "link", "set", "wan2", "up"]);
  const address = await startEarlier();
  await cpe.run(["ip", "addr", "add", address, "dev", "wan2"]);
  const { length } = await providers.wan2.messages();
  const news = await watched(async () => {
    await startEdge();
    const kinds = await answered("wan2", length);
    expect(kinds).not.toContain("RELEASE");
    await edge.untilNothingToDo(state);
  });
  expect(news).not.toMatch(/Deleted.*wan2/);
  expect(await addressOf("wan2")).toBe(address);
  const living = ["pgrep", "--runstates", "S,R,D", "-x", "dhclient"] as const;
  expect(await cpe.run(living).catch(() => "")).toBe("");
  expect(await clientsOf("wan2")).toHaveLength(1);
  expect((await cpe.run(["ls", join(cpe.dataDir, "dhcp")])).trim().split("\n").sort()).toEqual([
    "dhcpcd-event.cjs",
    "dhcpcd.conf",
  ]);
}, 180_000);
