/** Delegated prefixes: networks of them in LANs, with a server of DHCPv6 and hosts in namespaces. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { Dhcp6Settings } from "../../../test/netns/dhcp6-server.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import { checksSources, Dhcp6Server, serveBothCables } from "../../../test/netns/ipv6-provider.ts";
import { cutPower } from "../../../test/netns/power.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";

const { site, state: plain } = twoCableSite;
const far = "2001:db8:ffff::1";

/** The first line is static, the second one gets a prefix; the LAN has a network of it. */
const withPrefix = (subnet: number | null, length: number | null = 60): DesiredState => ({
  ...plain,
  underlay: {
    ...plain.underlay,
    lines: plain.underlay.lines.map((line) => ({
      ...line,
      ipv6:
        line.slot === 1
          ? { mode: "static" as const, ip: "2001:db8:1::20/64", gateway: "2001:db8:1::1" }
          : { mode: "delegated" as const, length },
    })),
    lans: plain.underlay.lans.map((lan) => ({ ...lan, ipv6: { slot: 2, subnet } })),
  },
  dns: { answers: [], servers: [], denied: [], ranges: [] },
});
const state = withPrefix(1);
const given = (prefix: string, length = 56, more: Partial<Dhcp6Settings> = {}): Dhcp6Settings => ({
  renew: 4,
  address: null,
  prefix: { prefix, length, preferred: 1_000, valid: 2_000 },
  ...more,
});

let world: World;
let cpe: NetnsMachine;
let host: NetnsMachine;
let edge: NetnsEdge;
let server: Dhcp6Server;

const answers = (holds: () => Promise<boolean>, what: string): Promise<void> =>
  waitUntil(what, holds, 60_000, 100);

interface HostAddress {
  readonly local: string;
  readonly preferred_life_time: number;
  readonly valid_life_time: number;
  readonly deprecated?: boolean;
  readonly tentative?: boolean;
}
const hostAddresses = async (): Promise<HostAddress[]> => {
  const [link] = JSON.parse(await host.run(["ip", "-j", "-6", "addr", "show", "dev", "eth0"])) as {
    addr_info: HostAddress[];
  }[];
  return (link?.addr_info ?? []).filter(({ local }) => local?.startsWith("2001:"));
};
const hostHas = async (prefix: string): Promise<HostAddress> => {
  let found: HostAddress | undefined;
  await answers(async () => {
    found = (await hostAddresses()).find(
      (hostAddress) =>
        hostAddress.local.startsWith(prefix) &&
        hostAddress.deprecated !== true &&
        hostAddress.tentative !== true,
    );
    return found !== undefined;
  }, `a host's address of ${prefix}`);
  return found as HostAddress;
};

/** Whether the internet answers to this address of the host. */
const pingsFrom = (source: string): Promise<boolean> =>
  host.run(["ping", "-n", "-c", "2", "-i", "0.2", "-W", "1", "-I", source, far]).then(
    () => true,
    () => false,
  );

/** The provider of the second line leads a prefix to the device. */
const leads = async (prefix: string): Promise<void> => {
  const link = /inet6 (fe80::[0-9a-f:]+)/.exec(await cpe.run(["ip", "-6", "addr", "show", "wan2"]));
  const via = link?.[1] ?? "";
  await world.inet.run(["ip", "-6", "route", "replace", prefix, "via", via, "dev", "isp2"]);
};

/** Packets of a source that the internet saw by a port. */
const seen = async (port: string, source: string): Promise<number> => {
  const listing = await world.inet.run(["nft", "list", "table", "ip6", "seen"]);
  const found = new RegExp(`"${port}" ip6 saddr ${source} counter packets (\\d+)`).exec(listing);
  return Number(found?.[1] ?? "0");
};
const counts = (rules: readonly string[]): Promise<string> =>
  world.inet.run(["nft", "-f", "-"], {
    input: `table ip6 seen\ndelete table ip6 seen\ntable ip6 seen {\nchain c {\ntype filter hook prerouting priority -10;\n${rules.join("\n")}\n}\n}\n`,
  });

const boot = async (): Promise<void> => {
  edge = await cpe.edge(site.key);
  await edge.boot(plain);
};
const findings = async (wanted: DesiredState) =>
  (await edge.findings(wanted)).map(({ kind, object, reason }) => [kind, object, reason]);
const traces = async (): Promise<string> =>
  (
    await Promise.all([
      cpe.run(["ip", "-6", "rule"]),
      cpe.run(["ip", "-6", "-o", "addr", "show", "scope", "global"]),
      cpe.run(["ip", "-6", "route", "show", "table", "all", "proto", "99"]),
      cpe.run(["sh", "-c", "pgrep -f '^dhcpcd: wan' || true"]),
      cpe.run(["sh", "-c", "cat /run/weft/dns/dnsmasq.conf 2>/dev/null || true"]),
      cpe.run(["sh", "-c", "nft list ruleset | grep -c 2000::/3 || true"]),
    ])
  )
    .join("\n")
    .replaceAll(/(valid_lft|preferred_lft) \S+/g, "$1");

setUpTwoCableSite(async (machines) => {
  ({ world, cpe, host } = machines);
  const { inet } = world;
  await host.run(["ip", "-6", "route", "del", "default"]);
  await serveBothCables(inet, far);
  await checksSources(inet, {
    isp1: ["2001:db8:1::/64"],
    isp2: ["2001:db8:2::/64", "2001:db8:f000::/36"],
  });
  server = new Dhcp6Server(inet, "isp2");
  await server.start(given("2001:db8:f000::"));
  await boot();
});

describe("a delegated prefix", { timeout: 180_000 }, () => {
  it("is requested with the configured length, and its network is advertised in the LAN that requests one", async () => {
    await edge.deliver(state);
    const { local, preferred_life_time, valid_life_time } = await hostHas("2001:db8:f000:1:");
    expect(await server.log()).toContain("SOLICIT hint 60");
    await edge.untilNothingToDo(state);
    expect(await cpe.run(["ip", "-6", "-o", "addr", "show", "dev", "lan0"])).toContain(
      "2001:db8:f000:1::1/64",
    );
    // No longer than the server says.
    expect([preferred_life_time <= 1_000, valid_life_time <= 2_000]).toEqual([true, true]);
    await leads("2001:db8:f000::/56");
    await counts([`iifname "isp2" ip6 saddr ${local} counter`]);
    await answers(() => pingsFrom(local), "an answer to the host");
    expect(await seen("isp2", local)).toBeGreaterThan(0);
    expect(await findings(state)).toEqual([]);
    expect(await edge.ask("ipv6Lines")).toMatchObject([
      { interfaceName: "wan1", address: "2001:db8:1::20/64", prefix: null },
      { interfaceName: "wan2", prefix: "2001:db8:f000::/56" },
    ]);
  });

  it("lets in what answers a host, and no new connection", async () => {
    const { local } = await hostHas("2001:db8:f000:1:");
    await host.run(["nft", "-f", "-"], {
      input:
        "table ip6 seen {\nchain c {\ntype filter hook input priority 0;\nicmpv6 type echo-request counter\nicmpv6 type echo-reply counter\n}\n}\n",
    });
    expect(await pings(world.inet, local)).toBe(false);
    expect(await pings(host, far)).toBe(true);
    const listing = await host.run(["nft", "list", "table", "ip6", "seen"]);
    expect(listing).toContain("echo-request counter packets 0");
    expect(listing).not.toContain("echo-reply counter packets 0");
  });

  it("is of its LAN alone: a host with another source of the internet is not let out", async () => {
    await host.run(["ip", "addr", "add", "2001:db8:f000:2::9/128", "dev", "eth0", "nodad"]);
    await counts([`iifname "isp2" ip6 saddr 2001:db8:f000:2::9 counter`]);
    expect(await pingsFrom("2001:db8:f000:2::9")).toBe(false);
    expect(await seen("isp2", "2001:db8:f000:2::9")).toBe(0);
    await host.run(["ip", "addr", "del", "2001:db8:f000:2::9/128", "dev", "eth0"]);
  });

  it("leaves by the other line with the address of that one while its own line is out", async () => {
    await world.inet.run(["ip", "link", "set", "isp2", "down"]);
    await counts([`iifname "isp1" ip6 saddr 2001:db8:1::20 counter`]);
    const [{ local: own = "" } = {}] = await hostAddresses();
    await answers(() => pingsFrom(own), "an answer by the first line");
    expect(await seen("isp1", "2001:db8:1::20")).toBeGreaterThan(0);
    await world.inet.run(["ip", "link", "set", "isp2", "up"]);
    await world.inet.run(["ip", "addr", "replace", "2001:db8:2::1/64", "dev", "isp2", "nodad"]);
    await leads("2001:db8:f000::/56");
    const { local } = await hostHas("2001:db8:f000:1:");
    await counts([`iifname "isp2" ip6 saddr ${local} counter`]);
    await answers(
      async () => (await pings(host, far)) && (await seen("isp2", local)) > 0,
      "an answer by the second line",
    );
  });

  it("that is replaced is withdrawn in the LAN, where the new one is advertised", async () => {
    await server.give(
      given("2001:db8:f100::", 56, { withdrawn: [{ prefix: "2001:db8:f000::", length: 56 }] }),
    );
    await hostHas("2001:db8:f100:1:");
    await answers(
      async () =>
        (await hostAddresses())
          .filter(({ local }) => local.startsWith("2001:db8:f000:1:"))
          .every(({ deprecated }) => deprecated === true),
      "an old address that is used no longer",
    );
    await edge.untilNothingToDo(state);
    // The prefix may be another customer's by now, who is not behind this LAN.
    expect(await cpe.run(["ip", "-6", "route", "show", "dev", "lan0"])).not.toContain("f000:1:");
    await leads("2001:db8:f100::/56");
    await answers(() => pings(host, far), "an answer to the host");
  });

  it("acts after a power cut, before any contact", async () => {
    await cutPower(cpe);
    await boot();
    await hostHas("2001:db8:f100:1:");
    await edge.untilNothingToDo(state);
    await leads("2001:db8:f100::/56");
    await answers(() => pings(host, far), "an answer to the host");
  });

  it("is removed without a trace, and nothing is advertised any more", async () => {
    await edge.deliver(plain);
    const before = await traces();
    expect(before).not.toContain("2001:db8:f");
    await edge.deliver(state);
    await hostHas("2001:db8:f100:1:");
    expect(await traces()).not.toBe(before);
    await edge.deliver(plain);
    expect(await traces()).toBe(before);
  });

  it("is rolled back when nothing confirms its state", async () => {
    const before = await traces();
    await edge.ask("deliver", state);
    await edge.ask("miss");
    expect(await traces()).toBe(before);
  });

  it("without such a network, and one that no site can have, are findings and nothing is set", async () => {
    const beyond = withPrefix(300);
    await edge.deliver(beyond);
    await answers(
      async () => JSON.stringify(await findings(beyond)).includes("prefixTooSmall"),
      "a finding",
    );
    expect(await findings(beyond)).toEqual([["lan", "lan0", "prefixTooSmall"]]);
    await server.give(given("ff02::", 56));
    const asked = withPrefix(1, 48);
    await edge.deliver(asked);
    await answers(
      async () => JSON.stringify(await findings(asked)).includes("ipv6Invalid"),
      "a finding",
    );
    expect(await findings(asked)).toEqual([
      ["lan", "lan0", "noPrefix"],
      ["line", "wan2", "ipv6Invalid"],
    ]);
    expect(await cpe.run(["ip", "-6", "-o", "addr", "show", "dev", "lan0"])).not.toContain("ff02");
    await edge.untilNothingToDo(asked);
  });
});
