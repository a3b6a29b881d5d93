/** IPv6 of WAN links: static, by router advertisements and by DHCPv6, with packets between namespaces. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import {
  checksSources,
  type Ipv6Provider,
  serveBothCables,
} from "../../../test/netns/ipv6-provider.ts";
import { cutPower } from "../../../test/netns/power.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";

const { site, state: plain } = twoCableSite;
type Ipv6 = NonNullable<DesiredState["underlay"]["lines"][number]["ipv6"]>;
const withIpv6 = (first: Ipv6 | null, second: Ipv6 | null): DesiredState => ({
  ...plain,
  underlay: {
    ...plain.underlay,
    lines: plain.underlay.lines.map((line, at) => {
      const ipv6 = [first, second][at] ?? null;
      return ipv6 === null ? line : { ...line, ipv6 };
    }),
  },
});
const first: Ipv6 = { mode: "static", ip: "2001:db8:1::20/64", gateway: "2001:db8:1::1" };
const second: Ipv6 = { mode: "auto" };
const both = withIpv6(first, second);
/** A host of the internet. */
const far = "2001:db8:ffff::1";

let world: World;
let cpe: NetnsMachine;
let host: NetnsMachine;
let edge: NetnsEdge;
let providers: readonly [Ipv6Provider, Ipv6Provider];

const addressesOf = async (name: string): Promise<string[]> =>
  [
    ...(await cpe.run(["ip", "-6", "-o", "addr", "show", "dev", name, "scope", "global"])).matchAll(
      /inet6 (\S+)/g,
    ),
  ].map(([, address = ""]) => address);

const hasAddress = async (prefix: string): Promise<string> => {
  let found = "";
  await waitUntil(
    `an address of ${prefix}`,
    async () => {
      found = (await addressesOf("wan2")).find((address) => address.startsWith(prefix)) ?? "";
      return found !== "";
    },
    60_000,
    100,
  );
  return found.split("/")[0] ?? "";
};

const defaults = async (): Promise<string[]> =>
  (await cpe.run(["ip", "-N", "-6", "route", "show", "default"]))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) =>
      line
        .replace(/via fe80::\S+/, "via router")
        .replace(/ (proto|pref) \S+/g, "")
        .trim(),
    );

/** Whether an answer comes to packets with this source: each provider drops those of others. */
const reaches = (source: string): Promise<boolean> =>
  cpe.run(["ping", "-n", "-c", "2", "-i", "0.2", "-W", "1", "-I", source, far]).then(
    () => true,
    () => false,
  );

const answers = (holds: () => Promise<boolean>, what: string): Promise<void> =>
  waitUntil(what, holds, 60_000, 100);

const boot = async (): Promise<void> => {
  edge = await cpe.edge(site.key);
  await edge.boot(plain);
};

/** What a state leaves of IPv6. */
const traces = async (): Promise<string> =>
  (
    await Promise.all([
      cpe.run(["ip", "-6", "rule"]),
      cpe.run(["ip", "-6", "route", "show", "table", "all", "proto", "99"]),
      cpe.run(["ip", "-6", "-o", "addr", "show", "scope", "global"]),
      cpe.run(["sh", "-c", "pgrep -f '^dhcpcd: wan' || true"]),
      cpe.run(["sh", "-c", "ls /run/weft/dhcp6 2>/dev/null || true"]),
    ])
  ).join("\n");

setUpTwoCableSite(async (machines) => {
  ({ world, cpe, host } = machines);
  const { inet } = world;
  providers = await serveBothCables(inet, far);
  await checksSources(inet, { isp1: ["2001:db8:1::/64"], isp2: ["2001:db8:2::/64"] });
  await boot();
});

describe("IPv6 of WAN links", { timeout: 180_000 }, () => {
  it("is off without a word in the state: advertised addresses and routers are not used", async () => {
    // As a distribution might leave it.
    await cpe.run(["sysctl", "-q", "-w", "net.ipv6.conf.wan2.accept_ra=2"]);
    await edge.deliver(plain);
    expect(await cpe.run(["cat", "/proc/sys/net/ipv6/conf/wan2/accept_ra"])).toBe("0\n");
    await providers[1].serve({ prefix: "2001:db8:2::" });
    expect([await addressesOf("wan1"), await addressesOf("wan2"), await defaults()]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it("has each line's address and router, and packets leave by the line whose address they have", async () => {
    await edge.deliver(both);
    const own = await hasAddress("2001:db8:2:");
    await edge.untilNothingToDo(both);
    expect(await addressesOf("wan1")).toEqual(["2001:db8:1::20/64"]);
    expect(await defaults()).toEqual([
      "default via 2001:db8:1::1 dev wan1 metric 101 onlink",
      "default via router dev wan2 metric 102 onlink",
    ]);
    await answers(() => reaches("2001:db8:1::20"), "an answer by the first line");
    await answers(() => reaches(own), "an answer by the second line");
  });

  it("translates hosts to the line's address and blocks connections from outside", async () => {
    await answers(() => pings(host, far), "an answer to a host");
    // The way to the host is known outside, and a connection from there is none that it asked for.
    await world.inet.run(["ip", "route", "add", "fd57:1:2::/64", "via", "2001:db8:1::20"]);
    await host.run([
      "sh",
      "-c",
      "nft -f - <<'E'\ntable ip6 seen {\nchain c {\ntype filter hook input priority 0;\nip6 saddr 2001:db8::/32 icmpv6 type echo-request counter\n}\n}\nE",
    ]);
    expect(await pings(world.inet, "fd57:1:2::100")).toBe(false);
    expect(await host.run(["nft", "list", "table", "ip6", "seen"])).toContain("packets 0");
    // It does count what comes.
    await host.run(["nft", "add rule ip6 seen c ip6 saddr fd57:1:2::1 counter"]);
    expect(await pings(cpe, "fd57:1:2::100")).toBe(true);
    expect(await host.run(["nft", "list", "table", "ip6", "seen"])).not.toMatch(
      /saddr fd57:1:2::1 counter packets 0/,
    );
    await world.inet.run(["ip", "route", "del", "fd57:1:2::/64"]);
  });

  it("follows another network of the provider, and uses the former no longer", async () => {
    await checksSources(world.inet, { isp1: ["2001:db8:1::/64"], isp2: ["2001:db8:3::/64"] });
    await providers[1].serve({ prefix: "2001:db8:3::" });
    const own = await hasAddress("2001:db8:3:");
    await edge.untilNothingToDo(both);
    expect(await addressesOf("wan2")).toHaveLength(1);
    await answers(() => reaches(own), "an answer by the second line");
  });

  it("uses DHCPv6 where router advertisements set the managed flag", async () => {
    await providers[1].serve({ prefix: "2001:db8:3::", by: "addresses" });
    const own = await hasAddress("2001:db8:3::1");
    await edge.untilNothingToDo(both);
    expect(await addressesOf("wan2")).toEqual([`${own}/128`]);
    await answers(() => reaches(own), "an answer by the second line");
  });

  it("goes on while its client is killed and while the edge is another", async () => {
    const before = await addressesOf("wan2");
    await cpe.run(["sh", "-c", "kill -9 $(cat /run/dhcpcd/wan2-6.pid)"]);
    const isBack = async () =>
      (await cpe.run(["sh", "-c", "pgrep -f '^dhcpcd: wan2' || true"])).trim() !== "";
    await answers(isBack, "a client that is started again");
    await boot();
    await edge.untilNothingToDo(both);
    expect(await addressesOf("wan2")).toEqual(before);
    await answers(() => reaches(before[0]?.split("/")[0] ?? ""), "an answer");
  });

  it("acts after a power cut, before any contact", async () => {
    await cutPower(cpe);
    expect(await addressesOf("wan1")).toEqual([]);
    await boot();
    const own = await hasAddress("2001:db8:3:");
    await edge.untilNothingToDo(both);
    await answers(() => reaches("2001:db8:1::20"), "an answer by the first line");
    await answers(() => reaches(own), "an answer by the second line");
    await answers(() => pings(host, far), "an answer to a host");
  });

  it("is removed without a trace", async () => {
    await edge.deliver(plain);
    const before = await traces();
    expect(before).not.toContain("2001:db8");
    await edge.deliver(both);
    await hasAddress("2001:db8:3:");
    expect(await traces()).not.toBe(before);
    await edge.deliver(plain);
    expect(await traces()).toBe(before);
    expect(await reaches("2001:db8:1::20")).toBe(false);
  });

  it("is rolled back when nothing confirms its state", async () => {
    await edge.deliver(plain);
    const before = await traces();
    await edge.ask("deliver", both);
    await hasAddress("2001:db8:3:");
    await edge.ask("miss");
    expect(await traces()).toBe(before);
  });

  it("refuses and reports an address in a network of the site", async () => {
    await providers[1].serve({ prefix: "fd57:1:2::" });
    await edge.deliver(both);
    const found = () => edge.findings(both);
    await answers(async () => (await found()).length > 0, "a finding");
    expect(await found()).toMatchObject([
      { kind: "line", object: "wan2", reason: "ipv6Overlap", params: { network: "fd57:1:2::/64" } },
    ]);
    await edge.untilNothingToDo(both);
    expect(await addressesOf("wan2")).toEqual([]);
    expect(await cpe.run(["ip", "-6", "route", "show", "fd57:1:2::/64"])).toContain("dev lan0");
  });
});
