import { describe, expect, it } from "vitest";
import { phases } from "#drivers/driver.ts";
import { planUnderlay, type UnderlayFound, type UnderlayPart } from "./plan.ts";
import {
  farControllers,
  hostOf,
  routesOf,
  routeText,
  rulesOf,
  ruleText,
  sysctlsOf,
} from "./render.ts";

const part: UnderlayPart = {
  lines: [
    {
      slot: 1,
      interfaceName: "wan1",
      addressing: "static",
      ip: "198.51.100.2/24",
      gateway: "198.51.100.1",
    },
    { slot: 2, interfaceName: "wan2", addressing: "dhcp", ip: null, gateway: null },
  ],
  lans: [{ interfaceName: "lan0", vlan: 0, addresses: ["10.1.1.1/24", "FD57:1:0::1/64"] }],
  closed: [],
  checked: [],
  followers: [],
};
const lease = { address: "203.0.113.7/24", gateway: "203.0.113.1" };
const line1 = { slot: 1, interfaceName: "wan1", ip: "198.51.100.2/24", gateway: "198.51.100.1" };
const line2 = { slot: 2, interfaceName: "wan2", ip: lease.address, gateway: lease.gateway };

const none = { addresses: [], routes: [] };
const whole = (change: Partial<UnderlayFound> = {}): UnderlayFound => ({
  interfaces: {
    wan1: { up: true, mtu: 1_500, addresses: ["198.51.100.2/24"] },
    wan2: { up: true, mtu: 1_500, addresses: ["203.0.113.7/24"] },
    lan0: { up: true, mtu: 1_500, addresses: ["10.1.1.1/24", "fd57:1::1/64"] },
    other: { up: true, mtu: 1_500, addresses: ["172.31.0.1/24"] },
  },
  routes: [line1, line2].flatMap((line) => routesOf(line)),
  rules: [line1, line2].flatMap((line) => rulesOf(line, ["192.0.2.50"])),
  foreign: [],
  taken: { wan1: none, wan2: none, lan0: none },
  mtus: {},
  leases: { wan2: lease },
  clients: ["wan2"],
  sysctls: sysctlsOf(["wan1", "wan2"], ["lan0"], part),
  controllers: ["192.0.2.50", "10.1.1.9", "172.31.0.9"],
  ...change,
});

const steps = (change: Partial<UnderlayFound>, wanted = part) =>
  planUnderlay(wanted, whole(change)).map(({ summary }) => summary);

describe("two WAN links that get one address from two routers", () => {
  const lease = { address: "192.168.1.100/24", gateway: "192.168.1.1" };
  const twins: UnderlayPart = {
    ...part,
    lines: [1, 2].map((slot) => ({
      slot,
      interfaceName: `wan${slot}`,
      addressing: "dhcp",
      ip: null,
      gateway: null,
    })),
  };
  const fresh = (silent: NonNullable<UnderlayFound["silent"]>) =>
    steps({ routes: [], rules: [], leases: { wan1: lease, wan2: lease }, silent }, twins);

  it("both have it, with a default route each", () => {
    expect(fresh([])).toEqual(
      expect.arrayContaining([
        "add address 192.168.1.100/24 to wan1",
        "add address 192.168.1.100/32 to wan2",
        "add route IPv4 default via 192.168.1.1 dev wan1 table main metric 101",
        "add route IPv4 default via 192.168.1.1 dev wan2 table main metric 102",
        "add route IPv4 default via 192.168.1.1 dev wan2 table 102 metric 102",
        "add rule IPv4 1401 from 192.168.1.100 lookup 101",
        "add rule IPv4 1402 from 192.168.1.100 lookup 102",
      ]),
    );
  });

  it("what is bound to the address goes by the other one while one leads nowhere", () => {
    expect(fresh([{ interfaceName: "wan1", reason: "lineSilent" }])).toEqual(
      expect.arrayContaining([
        "add route IPv4 default via 192.168.1.1 dev wan1 table main metric 1101",
        "add rule IPv4 1102 from 192.168.1.100 to 192.168.1.1 lookup 102",
        "add rule IPv4 1151 from 192.168.1.100 to 192.168.1.1 lookup 101",
        "add rule IPv4 1402 from 192.168.1.100 lookup 102",
        "add rule IPv4 1451 from 192.168.1.100 lookup 101",
      ]),
    );
  });
});

describe("a rule that is refused", () => {
  it("is of the WAN link, or the next hop, whose table it leads to or whose mark it fits", () => {
    const route = { table: "121", destination: "default", dev: "lan0", metric: 100 } as const;
    const hops = {
      routes: [{ ...route, family: 4 as const, gateway: "10.1.1.254" }],
      rules: [{ family: 4 as const, priority: 1_701, text: "fwmark 0x1/0x7f lookup 121" }],
    };
    const rules = planUnderlay({ ...part, hops }, whole({ rules: [] })).filter(
      ({ kind }) => kind === "add-rule",
    );
    const objects = rules.map(({ about }) => `${about?.kind} ${about?.object}`);
    expect(new Set(objects)).toEqual(new Set(["line wan1", "line wan2", "nextHop 10.1.1.254"]));
    // By its mark a tunnel leaves by its line or not at all.
    expect(rules.filter(({ summary }) => summary.includes("unreachable"))).not.toEqual([]);
  });
});

describe("render", () => {
  it("gives a line its table, and a default in main behind the lines before it", () => {
    expect(routesOf(line2).map(routeText)).toEqual([
      "IPv4 203.0.113.0/24 dev wan2 table 102 metric 102",
      "IPv4 default via 203.0.113.1 dev wan2 table 102 metric 102",
      "IPv4 default via 203.0.113.1 dev wan2 table main metric 102",
    ]);
  });
  it("orders rules: mark, management path, address", () => {
    expect(
      rulesOf(line1, ["192.0.2.50"])
        .filter(({ family }) => family === 4)
        .map(ruleText),
    ).toEqual([
      "IPv4 1001 fwmark 0x1000000/0x7000000 lookup 101",
      "IPv4 1011 fwmark 0x1000000/0x7000000 unreachable",
      "IPv4 1101 from 198.51.100.2 to 198.51.100.1 lookup 101",
      "IPv4 1101 from 198.51.100.2 to 192.0.2.50 lookup 101",
      "IPv4 1201 to 192.0.2.50 lookup 101",
      "IPv4 1301 from 198.51.100.2 lookup main suppress_prefixlength 0",
      "IPv4 1401 from 198.51.100.2 lookup 101",
    ]);
  });
  it("leaves controllers alone that the device is attached to", () => {
    expect(farControllers(["192.0.2.1", "10.1.1.9", "192.0.2.1"], ["10.1.1.1/24"])).toEqual([
      "192.0.2.1",
    ]);
  });
  it.each([
    ["192.0.2.1:443", "192.0.2.1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["controller.example:8080", "controller.example"],
  ])("host of %s", (text, host) => expect(hostOf(text)).toBe(host));
});

describe("planUnderlay", () => {
  it("follows tunnels that come later, though no address or route of a line is another then", () => {
    const tunnels = { links: [{ id: 7, slot: 1 }], far: ["192.0.2.10"] };
    expect(steps({})).toEqual([]);
    expect(steps({ followed: part })).toEqual([]);
    const wanted = { ...part, tunnels };
    const rules = [line1, line2].flatMap((line) =>
      rulesOf(line, ["192.0.2.50"], false, tunnels.far),
    );
    const follow = "follow 2 WAN links with 1 tunnels";
    expect(steps({ followed: part, rules }, wanted)).toEqual([follow]);
    expect(steps({ followed: wanted, rules }, wanted)).toEqual([]);
    // What is asked by the lines, beside the routes that the space has to it.
    expect(steps({ followed: part }, wanted)).toEqual([
      "add rule IPv4 1101 from 198.51.100.2 to 192.0.2.10 lookup 101",
      "add rule IPv4 1102 from 203.0.113.7 to 192.0.2.10 lookup 102",
      follow,
    ]);
  });
  const bare = { wan2: { up: true, mtu: 1_500, addresses: [] } };
  const leased = (address: string, closed: readonly string[] = []) =>
    steps(
      {
        routes: routesOf(line1),
        rules: rulesOf(line1, ["192.0.2.50"]),
        interfaces: { ...whole().interfaces, ...bare },
        leases: { wan2: { address, gateway: "10.1.2.1" } },
      },
      { ...part, closed },
    );

  it("takes of a lease in a network of the space the address alone", () => {
    const all = leased("10.1.2.5/25", ["10.1.2.0/24"]);
    expect(all).toContain("add address 10.1.2.5/32 to wan2");
    expect(all).toContain("add route IPv4 default via 10.1.2.1 dev wan2 table main metric 102");
    expect(all.join()).not.toContain("10.1.2.0/25");
    expect(leased("10.1.2.5/25").join()).toContain("10.1.2.0/25");
  });
  it("takes nothing of a lease in a LAN of its own", () => {
    expect(leased("10.1.1.9/30").join()).not.toMatch(/address|route/);
  });
  it("takes as little of a lease whose router is none", () => {
    const gateway = "192.0.2.77";
    const fault = { reason: "leaseGateway" as const, params: { gateway } };
    const faulty = (address: string, closed: readonly string[] = []) =>
      steps(
        {
          routes: routesOf(line1),
          rules: rulesOf(line1, ["192.0.2.50"]),
          interfaces: { ...whole().interfaces, ...bare },
          leases: { wan2: { address, gateway: null, fault } },
        },
        { ...part, closed },
      );
    expect(faulty("10.1.2.5/25")).toContain("add address 10.1.2.5/25 to wan2");
    expect(faulty("10.1.2.5/25", ["10.1.2.0/24"])).toContain("add address 10.1.2.5/32 to wan2");
    expect(faulty("10.1.1.9/30").join()).not.toMatch(/address|route/);
  });
  it("takes no address of IPv6 that a tunnel is called at", () => {
    const held = { value: "2001:db8:9::10/64", preferredUntil: null, validUntil: null };
    const ipv6Leases = { wan2: { address: held, gateway: "fe80::1", prefix: null } };
    const found = (far: readonly string[]) =>
      steps(
        { ipv6Leases, ipv6Clients: {} },
        {
          ...part,
          lines: part.lines.map((line) => ({ ...line, ipv6: { mode: "auto" as const } })),
          tunnels: { links: [], far },
        },
      ).join();
    expect(found(["2001:db8:9::1"])).toContain("add address 2001:db8:9::10/64 to wan2");
    expect(found(["2001:db8:9::10"])).not.toContain("2001:db8:9::10/64");
  });
  it("names IPv6 apart from what else a line or LAN has, and asks for no setting that the machine lacks", () => {
    const ipv6 = { mode: "static" as const, ip: "2001:db8::2/64", gateway: "2001:db8::1" };
    const wanted: UnderlayPart = {
      ...part,
      lines: part.lines.map((line) => (line.slot === 1 ? { ...line, ipv6 } : line)),
    };
    const settings = sysctlsOf(["wan1", "wan2"], ["lan0"], wanted);
    const lacking = new Map(
      [...settings].map(([key, value]) => [key, key.startsWith("ipv6/") ? null : value]),
    );
    const missing = planUnderlay(wanted, whole({ sysctls: lacking }));
    expect(missing.map(({ summary, about }) => [summary, about?.kind])).toEqual([
      ["add address 2001:db8::2/64 to wan1", "lineIpv6"],
      ["add route IPv6 2001:db8::/64 dev wan1 table 101 metric 101", "lineIpv6"],
      ["add route IPv6 default via 2001:db8::1 dev wan1 table 101 metric 101", "lineIpv6"],
      ["add route IPv6 default via 2001:db8::1 dev wan1 table main metric 101", "lineIpv6"],
      ["add rule IPv6 1101 from 2001:db8::2 to 2001:db8::1 lookup 101", "lineIpv6"],
      ["add rule IPv6 1301 from 2001:db8::2 lookup main suppress_prefixlength 0", "lineIpv6"],
      ["add rule IPv6 1401 from 2001:db8::2 lookup 101", "lineIpv6"],
    ]);
  });

  it.each<[string, Partial<UnderlayFound>, string[]]>([
    ["as wanted", {}, []],
    [
      "down",
      {
        interfaces: {
          ...whole().interfaces,
          wan1: { up: false, mtu: 1_500, addresses: ["198.51.100.2/24"] },
        },
      },
      ["bring wan1 up"],
    ],
    ["a client died", { clients: [] }, ["start DHCP on wan2"]],
    [
      "a rule gone",
      { rules: whole().rules.slice(1) },
      ["add rule IPv4 1001 fwmark 0x1000000/0x7000000 lookup 101"],
    ],
    [
      "a setting changed",
      { sysctls: new Map([...whole().sysctls, ["ipv4/ip_forward", "0"]]) },
      ["set ipv4/ip_forward to 1"],
    ],
    [
      "a foreign default route on a line",
      {
        foreign: [
          {
            family: 4,
            table: "main",
            destination: "default",
            gateway: "198.51.100.9",
            dev: "wan1",
            metric: 0,
          },
        ],
      },
      ["delete route IPv4 default via 198.51.100.9 dev wan1 table main metric 0"],
    ],
    [
      "a foreign default route elsewhere",
      {
        foreign: [
          {
            family: 4,
            table: "main",
            destination: "default",
            gateway: "172.31.0.9",
            dev: "other",
            metric: 0,
          },
        ],
      },
      [],
    ],
  ])("%s", (_name, change, wanted) => expect(steps(change)).toEqual(wanted));

  it("adds before it removes when a line's address changes, and replaces its default", () => {
    const [one, two] = part.lines;
    const moved =
      one && two ? [{ ...one, ip: "198.51.100.3/24", gateway: "198.51.100.254" }, two] : [];
    const planned = planUnderlay({ ...part, lines: moved }, whole());
    const removed = planned.filter(({ phase }) => phase !== phases.addUnderlay);
    expect(removed.map(({ summary }) => summary)).toEqual([
      "take address 198.51.100.2/24 from wan1",
      "delete rule IPv4 1101 from 198.51.100.2 to 198.51.100.1 lookup 101",
      "delete rule IPv4 1101 from 198.51.100.2 to 192.0.2.50 lookup 101",
      "delete rule IPv4 1301 from 198.51.100.2 lookup main suppress_prefixlength 0",
      "delete rule IPv4 1401 from 198.51.100.2 lookup 101",
    ]);
    expect(planned.map(({ summary }) => summary)).toContain(
      "add route IPv4 default via 198.51.100.254 dev wan1 table main metric 101",
    );
  });

  it("keeps the factory's way out until there is a lease", () => {
    const factory = {
      family: 4,
      table: "main",
      destination: "default",
      gateway: "203.0.113.254",
      dev: "wan2",
      metric: 0,
    } as const;
    const before = {
      interfaces: {
        ...whole().interfaces,
        wan2: { up: true, mtu: 1_500, addresses: ["203.0.113.9/24"] },
      },
      taken: { wan1: none, lan0: none },
      foreign: [factory],
      leases: {},
      clients: [],
      routes: routesOf(line1),
      rules: [line1, { ...line2, ip: null }].flatMap((line) => rulesOf(line, ["192.0.2.50"])),
    };
    const alone = planUnderlay({ ...part, lines: part.lines.slice(1) }, whole(before));
    expect(alone.filter(({ summary }) => summary.includes("203.0.113.254"))).toEqual([]);
    // It would win over the line that leads to the internet.
    expect(steps(before)).toEqual([
      "take over wan2",
      "start DHCP on wan2",
      "delete route IPv4 default via 203.0.113.254 dev wan2 table main metric 0",
    ]);
    const taken = { ...whole().taken, wan2: { addresses: ["203.0.113.9/24"], routes: [factory] } };
    expect(steps({ ...before, taken, leases: { wan2: lease }, clients: ["wan2"] })).toEqual(
      expect.arrayContaining([
        "take address 203.0.113.9/24 from wan2",
        "delete route IPv4 default via 203.0.113.254 dev wan2 table main metric 0",
      ]),
    );
  });

  it("gives the factory's way out back before it takes ours, also on the way to nothing", () => {
    const factory = {
      family: 4,
      table: "main",
      destination: "default",
      gateway: "192.0.2.1",
      dev: "wan1",
      metric: 0,
    } as const;
    const planned = planUnderlay(
      { lines: [], lans: [], closed: [], checked: [], followers: [] },
      whole({ taken: { wan1: { addresses: ["192.0.2.9/24"], routes: [factory] } } }),
    );
    const early = planned.filter(({ phase }) => phase !== phases.removeUnderlay);
    expect(early.map(({ summary }) => summary)).toEqual([
      "add address 192.0.2.9/24 to wan1",
      ...whole().rules.map((rule) => `delete rule ${ruleText(rule)}`),
      "give back route IPv4 default via 192.0.2.1 dev wan1 table main metric 0",
    ]);
  });
});
