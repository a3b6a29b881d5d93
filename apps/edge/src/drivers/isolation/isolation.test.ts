/** Nothing of a space in clear on a line: namespaces, WireGuard, FRR and nftables of this machine. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { succeeds } from "#drivers/exec.ts";
import { type NetnsEdge, pings } from "../../../test/netns/host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../../test/netns/world.ts";

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();
const networks = [one, two].flatMap(({ lan, lan6 }) => [lan, lan6].map(networkOf)).sort();
const inSpace = (state: DesiredState): DesiredState => ({
  ...state,
  spaces: state.routings.map(({ spaceId, netns }) => ({ spaceId, netns, networks })),
});
const first = inSpace(cpeState(one, popKey, [1]));
const second = inSpace(cpeState(two, popKey, [1]));
const hub = inSpace(
  popState(
    [
      { site: one, slots: [1] },
      { site: two, slots: [1] },
    ],
    popKey,
  ),
);

let world: World;
let pop: NetnsEdge;
let edges: NetnsEdge[];

const far = ["10.0.0.100", "fd57:1:2::100"] as const;
const reaches = (address: string) => () => pings(world.hosts[0], address, 1);

/** Drops what tunnels are made of, on the internet, silently. */
const dropTunnels = (yes: boolean) =>
  world.inet.run(["nft", "-f", "-"], {
    input: yes
      ? `table inet cut { chain f { type filter hook forward priority 0; meta l4proto udp drop; }; }\n`
      : "delete table inet cut\n",
  });

/** Sends what hosts send, and gives the packets in clear that the line carried meanwhile. */
const plainOnLine = async (send: () => Promise<unknown>): Promise<string[]> => {
  const file = `/run/line-${Date.now()}.pcap`;
  const filter = "net 10.0.0.0/8 or net fd57::/16";
  const started = world.inet
    .run(
      ["timeout", "-s", "INT", "4", "tcpdump", "-n", "-U", "--immediate-mode", "-Z", "root"].concat(
        ["-i", "c1", "-w", file, filter],
      ) as [string, ...string[]],
      { timeoutMs: 20_000 },
    )
    .catch(() => "");
  const hasStarted = () => succeeds(world.inet.run, ["test", "-s", file]);
  await waitUntil("the capture", hasStarted, 25_000, 20);
  await send();
  await started;
  const text = await world.inet.run(["tcpdump", "-n", "-r", file]);
  return text.split("\n").filter((line) => line !== "");
};

const frr = ["vtysh", "--vty_socket", "/run/weft-frr"] as const;

const sendAll = async () => {
  const [host] = world.hosts;
  await Promise.all([
    ...far.map((address) => pings(host, address, 5)),
    host
      .run(["timeout", "2", "bash", "-c", `exec 3<>/dev/tcp/${far[0]}/80`])
      .catch(() => undefined),
  ]);
};

const own6 = ["2001:db8:1::2/64", "dev", "wan1"] as const;
const default6 = ["default", "via", "2001:db8:1::1", "dev", "wan1"] as const;
/** A line that takes IPv6 too, as where the router of a provider advertises itself. */
const advertise6 = async () => {
  const [cpe] = world.cpes;
  await cpe.run(["ip", "-6", "addr", "add", ...own6, "nodad"]);
  await cpe.run(["ip", "-6", "route", "add", ...default6]);
};

const sendBoth = async () => {
  const [cpe] = world.cpes;
  await advertise6();
  await sendAll();
  await cpe.run(["ip", "-6", "route", "del", ...default6]);
  await cpe.run(["ip", "-6", "addr", "del", ...own6]);
};

/** Packets of a flow that have no answer, one after the other, from a moment on (s since 1970). */
const lostAfter = (from: number, output: string): number => {
  const shown = [...output.matchAll(/^\[(\d+\.\d+)\] (no answer yet|From|64 bytes)/gm)];
  const later = shown.filter(([, at]) => Number(at) >= from).map(([, , what]) => what);
  const first = later.indexOf("64 bytes");
  return first === -1 ? Number.POSITIVE_INFINITY : first;
};

const lanOf = (site: (typeof sites)[number]) =>
  [networkOf(site.lan), networkOf(site.lan6)] as const;
/** Where routes of a flow come and go: at both its ends, and between them at the POP. */
const hops = () => [
  { machine: world.cpes[0], ip: "ip", destinations: [lanOf(two)] },
  { machine: world.cpes[1], ip: "ip", destinations: [lanOf(one)] },
  {
    machine: world.pop,
    ip: `ip -n ${hub.routings[0]?.netns}`,
    destinations: [lanOf(one), lanOf(two)],
  },
];

/** Notes down changes of routes at each hop until it is ended; gives what `ip monitor` printed there. */
const monitorRoutes = () => {
  const texts = Promise.all(
    hops().map(({ machine, ip }) =>
      machine.run(["sh", "-c", `TZ=UTC timeout 50 ${ip} -ts monitor route || true`], {
        timeoutMs: 60_000,
      }),
    ),
  );
  return async (): Promise<string[]> => {
    for (const { machine } of hops()) {
      await machine.run(["sh", "-c", "kill -INT $(pgrep -x ip)"]);
    }
    return texts;
  };
};

/** When a hop had a route again, s since 1970; 0: it has had it all along. A later replacement loses nothing. */
const backAt = (text: string, destination: string): number => {
  const events = text.split("\n").filter((line) => line.includes(` ${destination} `));
  const isGone = (line: string | undefined) => line?.includes("] Deleted ") ?? true;
  const at = events.findLastIndex((line, place) => !isGone(line) && isGone(events[place - 1]));
  return at === -1 ? 0 : Date.parse(`${/^\[(\S+)\]/.exec(events[at] ?? "")?.[1]}Z`) / 1_000;
};

/** When the last of the hops had its routes again; s since 1970. */
const routedAt = (texts: readonly string[], family: 0 | 1): number =>
  Math.max(
    ...hops().flatMap(({ destinations }, hop) =>
      destinations.map((destination) => backAt(texts[hop] ?? "", destination[family])),
    ),
  );

beforeAll(async () => {
  world = await createWorld(sites);
  pop = await world.pop.edge(popKey);
  await world.inet.run(["ip", "-6", "addr", "add", "2001:db8:1::1/64", "dev", "isp1", "nodad"]);
  edges = await Promise.all(world.cpes.slice(0, 2).map((cpe, i) => cpe.edge(sites[i]?.key ?? "")));
  await world.inet.run(["sysctl", "-q", "-w", "net.ipv6.conf.all.forwarding=1"]);
}, 60_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("a space without its tunnels", { timeout: 60_000 }, () => {
  it("is closed at the start of a site, before its first tunnel", async () => {
    const seen = await plainOnLine(async () => {
      await advertise6();
      await Promise.all([edges[0]?.apply(first), sendAll()]);
      expect(await edges[0]?.plan(first)).toEqual([]);
      await sendBoth();
    });
    expect(seen).toEqual([]);
  });

  it("carries once there are tunnels, in both families", async () => {
    await pop.apply(hub);
    await edges[1]?.apply(second);
    for (const address of far) await waitUntil(address, reaches(address), 15_000, 100);
    expect(await pop.plan(hub)).toEqual([]);
  });

  it("shows nothing on the line while all tunnels are down, and goes on with the same flows", async () => {
    const [host] = world.hosts;
    const [cpe] = world.cpes;
    // A path that is cut before BFD watches it is noticed by BGP's hold time only.
    const isWatched = async () =>
      /"status":\s*"up"/.test(await cpe.run([...frr, "-c", "show bfd peers json"]).catch(() => ""));
    await waitUntil("BFD watches the link", isWatched, 15_000, 100);
    // Its flow was there before, goes on during the outage, and must be carried again after it.
    await dropTunnels(true);
    const carried = async () => (await cpe.run(["ip", "route"])).match(/^10\.0\.0\.0\/24 .*wl11/m);
    const gone = async () => !(await carried());
    await waitUntil("no route to the other site", gone, 10_000, 50);
    const running = far.map((address) =>
      host.run(["ping", "-n", "-D", "-O", "-i", "0.1", "-c", "450", address], {
        timeoutMs: 60_000,
      }),
    );
    const routes = monitorRoutes();
    expect(await plainOnLine(sendBoth)).toEqual([]);
    await dropTunnels(false);
    const back = async () => (await carried()) !== null;
    await waitUntil("the route again", back, 20_000, 20);
    for (const address of far) await waitUntil(address, reaches(address), 15_000, 100);
    // Longer than the pause between two packets of the flows.
    for (const address of far) expect(await pings(host, address, 3)).toBe(true);
    await host.run(["sh", "-c", "kill -INT $(pgrep -x ping)"]);
    const texts = await routes();
    // Ten a second: once all hops have their routes, a flow is carried again within a second.
    for (const family of [0, 1] as const) {
      const output = (await running[family]) ?? "";
      expect(lostAfter(routedAt(texts, family), output)).toBeLessThan(10);
    }
  });

  it("ends flows that left by the line before the network was the space's", async () => {
    const [host] = world.hosts;
    const [cpe] = world.cpes;
    const [edge] = edges;
    await edge?.apply({ ...first, spaces: [], routings: [], tunnels: [] });
    const running = host.run(["ping", "-n", "-i", "0.1", "-c", "60", far[0]], {
      timeoutMs: 40_000,
    });
    const nated = async () => (await cpe.run(["conntrack", "-L", "-n"])).includes("dst=10.0.0.100");
    await waitUntil("a flow with the line's address", nated, 25_000, 50);
    await edge?.apply(first);
    expect(await running.catch((error: Error) => error.message)).toMatch(
      /64 bytes from 10\.0\.0\.100/,
    );
  });

  it("stays closed when FRR is killed, and when the POP is gone", async () => {
    const [cpe] = world.cpes;
    const pids = (await cpe.run(["pgrep", "-x", "zebra|bgpd"])).trim().split("\n");
    const seen = await plainOnLine(async () => {
      await cpe.run(["kill", "-9", ...pids]);
      await sendBoth();
    });
    expect(seen).toEqual([]);
    const without = await plainOnLine(async () => {
      await pop.apply(null);
      await sendBoth();
    });
    expect(without).toEqual([]);
  });

  it("gives the networks free when the site leaves the space", async () => {
    const [edge] = edges;
    const [cpe] = world.cpes;
    const left = { ...first, spaces: [], tunnels: [], routings: [] };
    await edge?.apply(left);
    expect(await edge?.plan(left)).toEqual([]);
    expect(await cpe.run(["ip", "route"])).not.toContain("unreachable");
    expect(await cpe.run(["ip", "-6", "route"])).not.toContain("unreachable");
    // Now they do leave by the line, in both families: the captures above would have seen it.
    const seen = await plainOnLine(sendBoth);
    for (const address of far) expect(seen.filter((one) => one.includes(address))).not.toEqual([]);
  });
});
