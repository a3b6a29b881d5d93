/**
 * Lines that are wrong in ways that a provider or a cable is: hosts keep the internet while one carries, and tunnels travel
 * by their lines.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { succeeds } from "#drivers/exec.ts";
import { cable, type NetnsEdge, NetnsMachine, pings } from "../../../test/netns/host.ts";
import { cutPower } from "../../../test/netns/power.ts";
import { Provider } from "../../../test/netns/provider.ts";
import { leavesBy, serveSources } from "../../../test/netns/seen-source.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  staticLines,
  staticState,
  type World,
} from "../../../test/netns/world.ts";

const sites = makeSites();
const [, site] = sites;
const popKey = newKey();
const [first, second] = staticLines(site);
const internet = "192.0.2.1";
/** A link over each of two static lines; routing of the space is another matter. */
const linked: DesiredState = {
  ...cpeState(site, popKey, [1, 2]),
  underlay: staticState(site).underlay,
  routings: [],
};
const hub: DesiredState = { ...popState([{ site, slots: [1, 2] }], popKey), routings: [] };

let world: World;
let cpe: NetnsMachine;
let host: NetnsMachine;
let edge: NetnsEdge;

const flow = { from: "10.0.0.100", to: internet };
const findings = async (state: DesiredState): Promise<string[]> =>
  (await edge.findings(state)).map(({ object, reason }) => `${object} ${reason}`);
const linksUp = (...ids: number[]): Promise<void> =>
  waitUntil(
    `links ${ids.join(" and ")}`,
    async () => {
      const up = (await edge.measures()).filter((link) => link.up).map(({ id }) => id);
      return up.sort().join() === ids.join();
    },
    120_000,
    200,
  );
const nothingReported = (state: DesiredState): Promise<void> =>
  waitUntil("no finding", async () => (await findings(state)).length === 0, 120_000, 200);

/** What the device remembers of where its lines lead. */
const memory = (): string => join(cpe.dataDir, "led-lines.json");
const isRemembered = (): Promise<void> =>
  waitUntil(
    "the memory of where the line leads",
    async () => existsSync(memory()) && readFileSync(memory(), "utf8").includes("wan1 "),
    120_000,
    50,
  );
const isReported = (pattern: RegExp): Promise<void> =>
  waitUntil(
    "the reason",
    async () => (await findings(linked)).some((finding) => pattern.test(finding)),
    120_000,
    200,
  );

/** A rule that denies a port: that it acts shows that its state does. */
const denied = (port: number) => ({
  action: "drop" as const,
  protocol: "tcp" as const,
  source: null,
  target: null,
  sourcePort: null,
  targetPort: `${port}`,
  mac: null,
});

/** Drops what the first line's gateway gets from the device. @param match which packets (nft(8)) */
const dropAtGateway = (match: string): Promise<string> =>
  world.inet.run(["nft", "-f", "-"], {
    input: `table netdev fault {
      chain c { type filter hook ingress device "c2" priority 0; ${match} drop; }
    }\n`,
  });
/** The first line's gateway answers, and passes nothing on. */
const cutBehindGateway = (): Promise<string> => dropAtGateway("ip daddr != 198.51.100.1");
/** The first line's gateway answers address resolution alone, as a router does that hangs. */
const cutBehindArp = (): Promise<string> => dropAtGateway("meta protocol ip");
const noFault = () => succeeds(world.inet.run, ["nft", "delete", "table", "netdev", "fault"]);

/** The first line is left with this finding, and used again once its fault is over. */
const isLeftUntilMended = async (finding: RegExp): Promise<void> => {
  await leavesBy(host, second, flow);
  await linksUp(22);
  await isReported(finding);
  await noFault();
  await leavesBy(host, first, flow);
  await linksUp(21, 22);
  await nothingReported(linked);
};

const start = async (state: DesiredState): Promise<void> => {
  edge = await cpe.edge(site.key);
  await edge.boot(state);
};

beforeAll(async () => {
  world = await createWorld(sites);
  cpe = world.cpes[1];
  host = world.hosts[1];
  await serveSources(world.inet, internet);
  const pop = await world.pop.edge(popKey);
  await pop.apply(hub);
  await start(linked);
  await edge.deliver(linked);
  await linksUp(21, 22);
  await leavesBy(host, first, flow);
}, 300_000);

afterEach(noFault);

afterAll(async () => {
  await world?.remove();
}, 60_000);

describe("a gateway that answers and passes nothing on", { timeout: 400_000 }, () => {
  it("is left after a reboot in the outage, too, while another line carries", async () => {
    // Its device knows of a line that never led further only that it may be private.
    await isRemembered();
    await cutBehindGateway();
    await cutPower(cpe);
    await start(linked);
    await isLeftUntilMended(/^wan1 lineCut$/);
  });
});

describe("a gateway that answers address resolution alone", { timeout: 400_000 }, () => {
  it("is left while another line carries, and used again when it passes packets on", async () => {
    await isRemembered();
    await cutBehindArp();
    await isLeftUntilMended(/^wan1 lineCut$/);
  });

  it("is left by a device that has never seen it lead anywhere, too", async () => {
    await cutBehindArp();
    await cutPower(cpe);
    rmSync(memory(), { force: true });
    await start(linked);
    await isLeftUntilMended(/^wan1 line(Cut|Lossy)$/);
  });
});

describe("a cable that comes and goes while states are applied", { timeout: 400_000 }, () => {
  const end = "/run/flaps.end";
  const flaps = `while [ ! -e ${end} ]; do
    ip link set c2 down; sleep 0.3; ip link set c2 up; sleep 0.3
  done; ip link set c2 up; rm -f ${end}`;

  it("fails none of them, and hosts go on by another line", async () => {
    const flapping = world.inet.run(["sh", "-c", flaps], { timeoutMs: 380_000 });
    const [lan] = linked.underlay.lans;
    if (!lan) throw new Error("there is no LAN");
    for (const number of [1, 2, 3]) {
      const state: DesiredState = {
        ...linked,
        underlay: {
          ...linked.underlay,
          lans: [{ ...lan, addresses: [...lan.addresses, `10.77.${number}.1/24`] }],
        },
        firewall: { ...linked.firewall, acl: [denied(4_480 + number)] },
      };
      await edge.deliver(state);
      expect(await cpe.run(["nft", "list", "table", "inet", "weft"])).toContain(
        `tcp dport ${4_480 + number}`,
      );
      expect(await cpe.run(["ip", "-o", "addr", "show", "dev", "lan0"])).toContain(
        `10.77.${number}.1/24`,
      );
      await leavesBy(host, new RegExp(`^(${first}|${second})$`), flow);
    }
    await world.inet.run(["touch", end]);
    await flapping;
    await edge.deliver(linked);
    await leavesBy(host, first, flow);
    await linksUp(21, 22);
    await nothingReported(linked);
    expect(await edge.plan(linked)).toEqual([]);
  });
});

/** What two routers of one make lead to: a network, or the very same address, by DHCP or entered by hand. */
const twinKinds = [
  { kind: "get one network", addressing: "dhcp", hosts: [101, 102], finding: "wan4 leaseInLine" },
  { kind: "get one address", addressing: "dhcp", hosts: [101, 101], finding: "wan4 leaseOfLine" },
  { kind: "have one network", addressing: "static", hosts: [111, 112], finding: null },
  { kind: "have one address", addressing: "static", hosts: [111, 111], finding: null },
] as const;

describe("two lines from two routers", { timeout: 400_000 }, () => {
  const names = ["wan3", "wan4"] as const;
  const routers: NetnsMachine[] = [];
  /** What the internet sees of each. */
  const outside = ["100.70.1.2", "100.70.2.2"] as const;
  const addressOf = (host: number): string => `192.168.1.${host}`;
  const twinsOf = ({ addressing, hosts }: (typeof twinKinds)[number]): DesiredState => ({
    ...linked,
    underlay: {
      ...linked.underlay,
      lines: names.map((interfaceName, at) => ({
        slot: at + 1,
        interfaceName,
        addressing,
        ip: addressing === "dhcp" ? null : `${addressOf(hosts[at] ?? 0)}/24`,
        gateway: addressing === "dhcp" ? null : addressOf(1),
      })),
    },
    firewall: { ...linked.firewall, wan: [...names] },
  });
  const serve = async (router: NetnsMachine, address: string): Promise<void> => {
    const [name = ""] = names.slice(routers.indexOf(router));
    const [link] = JSON.parse(await cpe.run(["ip", "-j", "link", "show", "dev", name])) as {
      address: string;
    }[];
    await new Provider(router, "in").serve({
      prefix: "192.168.1",
      more: [`--dhcp-host=${link?.address},${address}`],
    });
  };
  const endpointOf = async (id: number): Promise<string> =>
    (await world.pop.run(["wg", "show", `wl${id}`, "endpoints"], { netns: "weft-s1" })).split(
      /[\t:]/,
    )[1] ?? "";
  const silenceOf = (router: NetnsMachine) =>
    router.run(["nft", "-f", "-"], {
      input:
        'table netdev silent { chain c { type filter hook ingress device "in" priority 0; drop; }; }\n',
    });
  const addressesOf = async (): Promise<string> =>
    (
      await Promise.all(
        names.map((name) => cpe.run(["ip", "-4", "-o", "addr", "show", "dev", name])),
      )
    ).join("");

  beforeAll(async () => {
    for (const [at, name] of names.entries()) {
      const router = await NetnsMachine.create();
      routers.push(router);
      await cable([world.inet, `u${at}`], [router, "up"]);
      await cable([router, "in"], [cpe, name]);
      await world.inet.run(["ip", "addr", "add", `100.70.${at + 1}.1/24`, "dev", `u${at}`]);
      await router.run(["ip", "addr", "add", `${outside[at]}/24`, "dev", "up"]);
      await router.run(["ip", "route", "add", "default", "via", `100.70.${at + 1}.1`]);
      await router.run(["sysctl", "-q", "-w", "net.ipv4.ip_forward=1"]);
      await router.run(["nft", "-f", "-"], {
        input:
          'table ip nat { chain p { type nat hook postrouting priority 100; oifname "up" masquerade; }; }\n',
      });
    }
  }, 120_000);

  afterAll(async () => {
    await Promise.all(routers.map((router) => router.remove()));
  }, 60_000);

  describe.each(twinKinds)("that $kind ($addressing)", (twin) => {
    const twins = twinsOf(twin);
    /** A socket of the device that is bound to the first one's address, as those to its controller are. */
    const bound = (): Promise<void> =>
      waitUntil(
        "an answer to the address itself",
        () =>
          succeeds(cpe.run, [
            "ping",
            "-n",
            "-c",
            "1",
            "-W",
            "1",
            "-I",
            addressOf(twin.hosts[0]),
            internet,
          ]),
        120_000,
        200,
      );

    beforeAll(async () => {
      await edge.deliver(linked);
      for (const [at, router] of routers.entries())
        await serve(router, addressOf(twin.hosts[at] ?? 0));
    }, 120_000);

    it("carry their tunnels each by its own router, and hosts leave by the first", async () => {
      await edge.deliver(twins);
      await linksUp(21, 22);
      await leavesBy(host, outside[0], flow);
      // The links of the static lines before may be up still.
      await waitUntil(
        "tunnels by both routers",
        async () => (await Promise.all([21, 22].map(endpointOf))).join() === outside.join(),
        120_000,
        200,
      );
      expect(await findings(twins)).toEqual(twin.finding === null ? [] : [twin.finding]);
      expect(await edge.plan(twins)).toEqual([]);
    });

    it("stand for each other while one answers nothing", async () => {
      const [router] = routers;
      if (!router) throw new Error("there is no router");
      await silenceOf(router);
      await leavesBy(host, outside[1], flow);
      await linksUp(22);
      expect(await findings(twins)).toContain("wan3 lineSilent");
      if (twin.hosts[0] === twin.hosts[1]) await bound();
      await router.run(["nft", "delete", "table", "netdev", "silent"]);
      await leavesBy(host, outside[0], flow);
      await linksUp(21, 22);
    });

    it("stand for each other while a cable is out", async () => {
      const [router] = routers;
      if (!router) throw new Error("there is no router");
      await router.run(["ip", "link", "set", "in", "down"]);
      await leavesBy(host, outside[1], flow);
      await linksUp(22);
      if (twin.hosts[0] === twin.hosts[1]) await bound();
      await router.run(["ip", "link", "set", "in", "up"]);
      await leavesBy(host, outside[0], flow);
      await linksUp(21, 22);
      const addresses = await addressesOf();
      expect(addresses).toContain(`${addressOf(twin.hosts[0])}/24`);
      const length = twin.addressing === "dhcp" ? 32 : 24;
      expect(addresses).toContain(`${addressOf(twin.hosts[1])}/${length}`);
    });
  });
});

describe("a line that carries small packets only", { timeout: 400_000 }, () => {
  const server = `require("node:net").createServer((s) => { let n = 0; s.on("error", () => {});
    s.on("data", (d) => { n += d.length; if (n === 300000) s.end(Buffer.alloc(300000)); });
  }).listen(7020, "::");`;
  const client = (
    from: string,
    to: string,
  ) => `let n = 0; const s = require("node:net").connect({ host: "${to}", port: 7020, localAddress: "${from}" });
    s.setTimeout(5000, () => process.exit(1)); s.on("error", () => process.exit(1));
    s.on("data", (d) => { n += d.length; }).on("end", () => { process.stdout.write(String(n)); process.exit(0); });
    s.write(Buffer.alloc(300000));`;
  const transfers = (from = "10.0.0.100", to = internet): Promise<void> =>
    waitUntil(
      `a transfer to ${to}`,
      async () =>
        (await host
          .run([process.execPath, "-e", client(from, to)], { timeoutMs: 30_000 })
          .catch(() => "")) === "300000",
      120_000,
      200,
    );
  const serve = async (): Promise<void> => {
    const start = `nohup '${process.execPath}' -e '${server}' > /dev/null 2>&1 &`;
    await world.inet.run(["sh", "-c", start]);
  };
  /** A packet as long as the tunnel takes, whole. */
  const passesWhole = (id: number): Promise<boolean> =>
    succeeds(cpe.run, [
      "sh",
      "-c",
      `ping -n -c 1 -W 2 -M do -s ${1_380 - 28} -I wl${id} 10.255.${id}.0`,
    ]);
  /** As an operator saves it; the contract knows none below 1,000: those the machine's owner has set. */
  const sized = (mtu: number): DesiredState =>
    mtu < 1_000
      ? linked
      : {
          ...linked,
          underlay: { ...linked.underlay, cards: [{ interfaceName: "wan1", off: false, mtu }] },
        };
  const resize = async (mtu: number): Promise<void> => {
    await world.inet.run(["ip", "link", "set", "c2", "mtu", `${mtu}`]);
    if (mtu < 1_000 || mtu === 1_500) await cpe.run(["ip", "link", "set", "wan1", "mtu", `${mtu}`]);
  };

  it.each([1_280, 576])(
    "of %i bytes at most has its tunnel whole, and hosts transfer",
    async (mtu) => {
      await serve();
      await resize(mtu);
      await edge.deliver({ ...sized(mtu), firewall: { ...linked.firewall, acl: [denied(4_490)] } });
      await edge.deliver(sized(mtu));
      await leavesBy(host, first, flow);
      await linksUp(21, 22);
      await transfers();
      await waitUntil("a whole packet", () => passesWhole(21), 120_000, 200);
      expect(await pings(host, internet)).toBe(true);
      await nothingReported(sized(mtu));
      expect(await edge.plan(sized(mtu))).toEqual([]);
      await edge.deliver({ ...linked, firewall: { ...linked.firewall, acl: [denied(4_491)] } });
      await resize(1_500);
      await edge.deliver(linked);
      await linksUp(21, 22);
    },
  );

  it("of 1280 bytes at most lets hosts transfer by IPv6, which has no smaller packets", async () => {
    const { inet } = world;
    const internet6 = "2001:db8:9::1";
    await inet.run(["sysctl", "-q", "-w", "net.ipv6.conf.all.forwarding=1"]);
    await inet.run(["ip", "-6", "addr", "replace", "2001:db8:1::1/64", "dev", "isp1", "nodad"]);
    await inet.run(["ip", "-6", "addr", "replace", `${internet6}/128`, "dev", "lo"]);
    await serve();
    await resize(1_280);
    const small = sized(1_280);
    const [line, ...others] = small.underlay.lines;
    if (!line) throw new Error("there is no line");
    const ipv6 = {
      mode: "static" as const,
      ip: "2001:db8:1::20/64",
      gateway: "2001:db8:1::1",
    };
    const state = {
      ...small,
      underlay: { ...small.underlay, lines: [{ ...line, ipv6 }, ...others] },
    };
    await edge.deliver(state);
    await transfers("fd57:1:2::100", internet6);
    await transfers();
    await linksUp(21, 22);
    await nothingReported(state);
    expect(await edge.plan(state)).toEqual([]);
    await resize(1_500);
    await edge.deliver(linked);
    await linksUp(21, 22);
  });
});
