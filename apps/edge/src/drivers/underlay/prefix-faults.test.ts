/**
 * What goes wrong with IPv6 of providers: two lines with a prefix each, of which one dies, servers that fall silent, that give
 * what is not theirs, and routers that are none. By packets of hosts, with a server of DHCPv6 and a router on each line.
 */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterEach, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { succeeds } from "#drivers/exec.ts";
import type { Dhcp6Settings } from "../../../test/netns/dhcp6-server.ts";
import { cable, type NetnsEdge, type NetnsMachine } from "../../../test/netns/host.ts";
import {
  checksSources,
  Dhcp6Server,
  type Ipv6Provider,
  serveBothCables,
} from "../../../test/netns/ipv6-provider.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";
import { lanSection } from "../../../test/states.ts";

const { site, state: plain } = twoCableSite;
const far = "2001:db8:ffff::1";
const secondLan = "10.77.1.1/24";

/** Each line gets a prefix, and each of two LANs has a network of one: lan0 of the second line's, lan1 of the first one's. */
const state: DesiredState = {
  ...plain,
  underlay: {
    ...plain.underlay,
    lines: plain.underlay.lines.map((line) => ({
      ...line,
      ipv6: { mode: "delegated" as const, length: null },
    })),
    lans: [
      ...plain.underlay.lans.map((lan) => ({ ...lan, ipv6: { slot: 2, subnet: 1 } })),
      lanSection("lan1", [secondLan], {
        networks: ["10.77.1.0/24"],
        ipv6: { slot: 1, subnet: 1 },
      }),
    ],
  },
  dns: { answers: [], servers: [], denied: [], ranges: [] },
};

/** Prefixes of the providers of the lines, as the networks that they forward. */
const own = ["2001:db8:e000::/36", "2001:db8:f000::/36"] as const;
type Prefix = NonNullable<Dhcp6Settings["prefix"]>;
const given = (prefix: string, more: Partial<Prefix> = {}): Dhcp6Settings => ({
  renew: 3,
  address: null,
  prefix: { prefix, length: 56, preferred: 1_000, valid: 2_000, ...more },
});

let world: World;
let cpe: NetnsMachine;
/** Hosts of lan0 and of lan1. */
let hosts: readonly [NetnsMachine, NetnsMachine];
let edge: NetnsEdge;
let providers: readonly [Ipv6Provider, Ipv6Provider];
let servers: readonly [Dhcp6Server, Dhcp6Server];

const answers = (holds: () => Promise<boolean>, what: string): Promise<void> =>
  waitUntil(what, holds, 60_000, 100);

interface HostAddress {
  readonly local: string;
  readonly deprecated?: boolean;
  readonly tentative?: boolean;
}
const addressesOf = async (host: NetnsMachine): Promise<HostAddress[]> => {
  const links = JSON.parse(await host.run(["ip", "-j", "-6", "addr"])) as {
    addr_info: HostAddress[];
  }[];
  return links
    .flatMap(({ addr_info }) => addr_info)
    .filter(({ local }) => local?.startsWith("2001:"));
};
const addressIn = async (host: NetnsMachine, prefix: string): Promise<string> => {
  let found: string | undefined;
  await answers(async () => {
    found = (await addressesOf(host)).find(
      (one) => one.local.startsWith(prefix) && one.deprecated !== true && one.tentative !== true,
    )?.local;
    return found !== undefined;
  }, `a host's address of ${prefix}`);
  return found ?? "";
};
/** Whether the internet answers to this address of the host. */
const pingsFrom = (host: NetnsMachine, source: string): Promise<boolean> =>
  host.run(["ping", "-n", "-c", "2", "-i", "0.2", "-W", "1", "-I", source, far]).then(
    () => true,
    () => false,
  );
/** It answers for so long that whatever the device does about a line that fell has been done. */
const keepsAnswering = async (host: NetnsMachine, source: string): Promise<boolean> => {
  for (let round = 0; round < 10; round += 1) if (!(await pingsFrom(host, source))) return false;
  return true;
};
/** A flow of a host that goes on, whatever becomes of it; gives what ends it. */
const flowFrom = async (host: NetnsMachine, source: string): Promise<() => Promise<string>> => {
  const start = `ping -n -i 0.1 -W 1 -I ${source} ${far} >/run/flow 2>&1 & echo $!`;
  const pid = (await host.run(["sh", "-c", start])).trim();
  const isAnswered = async () => (await host.run(["cat", "/run/flow"])).includes("time=");
  await answers(isAnswered, "a flow that is answered");
  return () => host.run(["kill", pid]);
};

/** The provider of a line leads a prefix to the device. */
const leads = async (slot: 1 | 2, prefix: string): Promise<void> => {
  const shown = await cpe.run(["ip", "-6", "addr", "show", `wan${slot}`]);
  const via = /inet6 (fe80::[0-9a-f:]+)/.exec(shown)?.[1] ?? "";
  await world.inet.run(["ip", "-6", "route", "replace", prefix, "via", via, "dev", `isp${slot}`]);
};

const plugIn = async (): Promise<void> => {
  await world.inet.run(["ip", "link", "set", "isp2", "up"]);
  await world.inet.run(["ip", "addr", "replace", "2001:db8:2::1/64", "dev", "isp2", "nodad"]);
};
const noCut = (): Promise<boolean> =>
  succeeds(world.inet.run, ["nft", "delete", "table", "netdev", "cut"]);

/** Counts what comes by each line with a source of the other one's prefixes, and of any prefix. */
const watchSources = (): Promise<string> => {
  const rules = own.flatMap((network, at) => [
    `iifname "isp${2 - at}" ip6 saddr ${network} counter name foreign${2 - at}`,
    `iifname "isp${at + 1}" ip6 saddr ${network} counter name own${at + 1}`,
  ]);
  const counters = [1, 2].flatMap((slot) => [
    `counter foreign${slot} { }`,
    `counter own${slot} { }`,
  ]);
  return world.inet.run(["nft", "-f", "-"], {
    input: `table ip6 seen\ndelete table ip6 seen\ntable ip6 seen {\n${counters.join("\n")}\nchain c {\ntype filter hook prerouting priority -10;\n${rules.join("\n")}\n}\n}\n`,
  });
};
const seen = async (name: string): Promise<number> => {
  const text = await world.inet.run(["nft", "list", "counter", "ip6", "seen", name]);
  return Number(/packets (\d+)/.exec(text)?.[1] ?? Number.NaN);
};

const findings = async (wanted: DesiredState): Promise<string[]> =>
  (await edge.findings(wanted)).map(({ kind, object, reason }) => `${kind} ${object} ${reason}`);
const isFound = (wanted: DesiredState, finding: string): Promise<void> =>
  answers(async () => (await findings(wanted)).includes(finding), finding);
const networksOf = (name: string): Promise<string> =>
  cpe.run(["ip", "-6", "-o", "addr", "show", "dev", name, "scope", "global"]);

setUpTwoCableSite(async (machines) => {
  ({ world, cpe } = machines);
  hosts = [world.hosts[1], world.hosts[0]];
  const { inet } = world;
  await cable([cpe, "lan1"], [hosts[1], "eth9"]);
  for (const host of hosts) await host.run(["ip", "-6", "route", "del", "default"]);
  await hosts[1].run(["ip", "link", "set", "eth0", "down"]);
  providers = await serveBothCables(inet, far);
  await checksSources(inet, {
    isp1: ["2001:db8:1::/64", own[0]],
    isp2: ["2001:db8:2::/64", own[1]],
  });
  servers = [new Dhcp6Server(inet, "isp1"), new Dhcp6Server(inet, "isp2")];
  await servers[0].start(given("2001:db8:e000::"));
  await servers[1].start(given("2001:db8:f000::"));
  edge = await cpe.edge(site.key);
  await edge.boot(plain);
  await edge.deliver(state);
  await addressIn(hosts[0], "2001:db8:f000:1:");
  await addressIn(hosts[1], "2001:db8:e000:1:");
  await leads(1, "2001:db8:e000::/56");
  await leads(2, "2001:db8:f000::/56");
  await watchSources();
});

/** What a test that failed left, or each one after it would fail of it. */
afterEach(async () => {
  await noCut();
  await plugIn();
});

describe("two lines with a prefix each", { timeout: 240_000 }, () => {
  const mine = () => addressIn(hosts[0], "2001:db8:f000:1:");
  const other = () => addressIn(hosts[1], "2001:db8:e000:1:");

  it("carry the hosts of their LANs, each with its own addresses", async () => {
    for (const [host, source] of [
      [hosts[0], await mine()],
      [hosts[1], await other()],
    ] as const)
      await answers(() => pingsFrom(host, source), "an answer");
    expect(await seen("own1")).toBeGreaterThan(0);
    expect(await seen("own2")).toBeGreaterThan(0);
    expect([await seen("foreign1"), await seen("foreign2")]).toEqual([0, 0]);
    expect(await findings(state)).toEqual([]);
  });

  it("never carry a flow with an address of the other one, whose cable is out", async () => {
    const source = await mine();
    const end = await flowFrom(hosts[0], source);
    await world.inet.run(["ip", "link", "set", "isp2", "down"]);
    await answers(() => keepsAnswering(hosts[0], source), "answers by the first line");
    expect(await networksOf("lan0")).toContain("2001:db8:f000:1::1/64");
    // What went on meanwhile has left by no line with its own address, and is carried with that of the first line.
    expect(await seen("foreign1")).toBe(0);
    await end();
    await plugIn();
    await leads(2, "2001:db8:f000::/56");
    await watchSources();
    await answers(
      async () => (await pingsFrom(hosts[0], await mine())) && (await seen("own2")) > 0,
      "an answer by the second line",
    );
    expect(await seen("foreign1")).toBe(0);
  });

  it("never carry a flow with an address of the other one, which answers nothing any more", async () => {
    const source = await mine();
    const end = await flowFrom(hosts[0], source);
    await world.inet.run(["nft", "-f", "-"], {
      input:
        'table netdev cut { chain i { type filter hook ingress device "isp2" priority 0; drop; }; chain e { type filter hook egress device "isp2" priority 0; drop; }; }\n',
    });
    await answers(() => pingsFrom(hosts[0], source), "an answer by the first line");
    expect(await seen("foreign1")).toBe(0);
    await end();
    await noCut();
    await watchSources();
    await answers(
      async () => (await pingsFrom(hosts[0], await mine())) && (await seen("own2")) > 0,
      "an answer by the second line",
    );
    expect(await seen("foreign1")).toBe(0);
  });

  it("leave a line whose router says that it is none, and use it again when it is one", async () => {
    await providers[1].serve({ prefix: "2001:db8:2::", more: ["--ra-param=isp2,4,0"] });
    const hasDefault = async () =>
      (await cpe.run(["ip", "-6", "route", "show", "default"])).includes("dev wan2");
    await answers(async () => !(await hasDefault()), "no default route by the second line");
    await watchSources();
    await answers(async () => pingsFrom(hosts[0], await mine()), "an answer by the first line");
    expect(await seen("foreign1")).toBe(0);
    await edge.untilNothingToDo(state);
    await providers[1].serve({ prefix: "2001:db8:2::" });
    await answers(hasDefault, "a default route by the second line");
    await edge.untilNothingToDo(state);
    await watchSources();
    await answers(
      async () => (await pingsFrom(hosts[0], await mine())) && (await seen("own2")) > 0,
      "an answer by the second line",
    );
    expect(await seen("foreign1")).toBe(0);
  });
});

describe("a server of prefixes", { timeout: 240_000 }, () => {
  it("that falls silent has given nothing that outlasts its time", async () => {
    await servers[1].give(given("2001:db8:f200::", { preferred: 8, valid: 12 }));
    const source = await addressIn(hosts[0], "2001:db8:f200:1:");
    await leads(2, "2001:db8:f200::/56");
    await answers(() => pingsFrom(hosts[0], source), "an answer");
    await servers[1].give({ ...given("2001:db8:f200::"), silent: true });
    await isFound(state, "lan lan0 noPrefix");
    // It is reported within the last second of its time, in which it still leads.
    await answers(
      async () => !(await networksOf("lan0")).includes("2001:db8:f200"),
      "the end of its time",
    );
    await edge.untilNothingToDo(state);
    // A host that keeps its address all the same is let out by no line with it.
    await watchSources();
    const kept = ["valid_lft", "forever", "preferred_lft", "forever"];
    await hosts[0].run(["ip", "addr", "replace", `${source}/128`, "dev", "eth0", ...kept, "nodad"]);
    await pingsFrom(hosts[0], source);
    expect([await seen("foreign1"), await seen("own2")]).toEqual([0, 0]);
    // The kernel may still have it with the length that it was advertised with.
    await hosts[0].run(["ip", "-6", "addr", "flush", "dev", "eth0", "to", `${source}/128`]);
    await servers[1].give(given("2001:db8:f300::"));
    await addressIn(hosts[0], "2001:db8:f300:1:");
    await edge.untilNothingToDo(state);
    expect(await findings(state)).toEqual([]);
  });
});
