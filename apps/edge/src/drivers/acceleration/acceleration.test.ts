/** Acceleration with real packets and daemons: what a group names leaves at the POP, and nothing else does. */
import type { AccelerationSection } from "@weft/contract/device/v1/acceleration.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { cable, type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import { cutPower } from "../../../test/netns/power.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type Site,
  type World,
} from "../../../test/netns/world.ts";

const sites = makeSites();
const [one, two, three] = sites;
const popKey = newKey();

/** Of the internet: what a group names, and its neighbours. */
const service = ["9.9.9.9", "2001:db8:9::9"] as const;
const neighbor = ["9.9.9.10", "2001:db8:9::10"] as const;
const all = [...service, ...neighbor];
/** Hosts that the POP's provider has beside it, with an address as other spaces and clouds have. */
const near = "10.77.0.1";
const popAddress = "192.0.2.10";

const marks = { mark4: "198.18.0.14", mark6: "fd57:ee::14" } as const;
const lansOf = ({ lan, lan6 }: Site) => [networkOf(lan), networkOf(lan6)];
const networksIn = (spaceId: number) =>
  sites.filter((site) => site.spaceId === spaceId).flatMap(lansOf);

const inSpace = (state: DesiredState): DesiredState => ({
  ...state,
  spaces: state.routings.map(({ spaceId, netns }) => ({
    spaceId,
    netns,
    networks: networksIn(spaceId),
  })),
});

/** The world's lines are of IPv4: each device gets another one, of IPv6 and without tunnels. */
const twoLines = (state: DesiredState): DesiredState => {
  const network = `2001:db8:${state.node.nodeId}:`;
  const line = {
    slot: 3,
    interfaceName: "wan3",
    addressing: "static" as const,
    ip: `${network}:2/64`,
    gateway: `${network}:1`,
  };
  return {
    ...state,
    underlay: { ...state.underlay, lines: [...state.underlay.lines, line] },
    firewall: { ...state.firewall, wan: [...state.firewall.wan, "wan3"] },
  };
};

const accelerates = (site: Site, members: readonly string[] = service): AccelerationSection => ({
  spaceId: site.spaceId,
  netns: null,
  sources: lansOf(site),
  groups: [{ object: "saasGroup", id: 7, exit: marks, members: [...members], names: [] }],
  exit: null,
});
const letsOut = (spaceId: number, sources: readonly string[]): AccelerationSection => ({
  spaceId,
  netns: `weft-s${spaceId}`,
  sources: [...sources],
  groups: [],
  exit: {
    marks: Object.values(marks),
    outer4: `198.18.${spaceId}.12/31`,
    inner4: `198.18.${spaceId}.13/31`,
    outer6: `fd57:ee:${spaceId}::c/127`,
    inner6: `fd57:ee:${spaceId}::d/127`,
  },
});

const plains = sites.map((site) => twoLines(inSpace(cpeState(site, popKey, [1]))));
const [plain, plainTwo, plainThree] = plains as [DesiredState, DesiredState, DesiredState];
const accelerated: DesiredState = { ...plain, accelerations: [accelerates(one)] };
const hubPlain = twoLines(
  inSpace(
    popState(
      sites.map((site) => ({ site, slots: [1] })),
      popKey,
    ),
  ),
);
/** Both spaces have a way out; of the first one only site one may use it. */
const hub: DesiredState = {
  ...hubPlain,
  accelerations: [letsOut(1, lansOf(one)), letsOut(2, lansOf(three))],
};

let world: World;
let pop: NetnsEdge;
let edges: NetnsEdge[];
const edgeOf = (at: number): NetnsEdge => edges[at] as NetnsEdge;

const lineNames = ["c1", "c2", "c3", "p1", "d1", "d2", "d3", "dp"] as const;
/** Counts, at the provider, what comes by each line for each outside address, from now on. */
const countAtProvider = () =>
  world.inet.run(["nft", "-f", "-"], {
    input: `add table netdev seen
delete table netdev seen
table netdev seen {
${lineNames
  .map(
    (name) => `${[0, 1].map((at) => `counter ${name}_${at} { }`).join("\n")}
counter ${name}_private { }
chain ${name} { type filter hook ingress device "${name}" priority 0;
  ip daddr ${service[0]} counter name ${name}_0; ip6 daddr ${service[1]} icmpv6 type echo-request counter name ${name}_0
  ip daddr ${neighbor[0]} counter name ${name}_1; ip6 daddr ${neighbor[1]} icmpv6 type echo-request counter name ${name}_1
  ip saddr { 10.0.0.0/8, 198.18.0.0/15 } meta l4proto != udp counter name ${name}_private
  ip6 saddr fd00::/8 ip6 daddr 2001:db8:9::/48 counter name ${name}_private
}`,
  )
  .join("\n")}
}
`,
  });
type Counted = `${(typeof lineNames)[number]}_${"0" | "1" | "private"}`;
const counted = async (name: Counted): Promise<number> => {
  const text = await world.inet.run(["nft", "list", "counter", "netdev", "seen", name]);
  return Number(/packets (\d+)/.exec(text)?.[1]);
};
const sums = async (...names: Counted[]): Promise<number> => {
  const values = await Promise.all(names.map(counted));
  return values.reduce((sum, value) => sum + value, 0);
};
const privateSeen = () => sums(...lineNames.map((name): Counted => `${name}_private`));

const refusedAtPop = async (): Promise<number> => {
  const text = await world.pop.run(["nft", "list", "counter", "inet", "weft", "h_exit_closed"]);
  return Number(/packets (\d+)/.exec(text)?.[1]);
};

const exitTable = async (machine: NetnsMachine, family: "-4" | "-6") =>
  machine.run(["ip", family, "route", "show", "table", "1016"]).catch(() => "");
const hasExit = async (): Promise<boolean> => {
  const [four, six] = await Promise.all([
    exitTable(world.cpes[0], "-4"),
    exitTable(world.cpes[0], "-6"),
  ]);
  return four.includes("wl11") && six.includes("wl11");
};
const awaitExit = (is: boolean) =>
  waitUntil(
    is ? "the exit" : "no exit",
    async () =>
      is
        ? hasExit()
        : (await exitTable(world.cpes[0], "-4")) + (await exitTable(world.cpes[0], "-6")) === "",
    60_000,
    100,
  );

/** Drops what tunnels are made of, on the internet, silently. */
const dropTunnels = (yes: boolean) =>
  world.inet.run(["nft", "-f", "-"], {
    input: yes
      ? "table inet cut { chain f { type filter hook forward priority 0; meta l4proto udp drop; }; }\n"
      : "delete table inet cut\n",
  });

/** What this feature alone puts on the POP and on site one. */
const traces = async (): Promise<string> => {
  const { run } = world.pop;
  const netns = "weft-s1";
  const ways = await Promise.all([
    run(["sh", "-c", "ip -o link | grep -c ': wx' || true"]),
    ...(["-4", "-6"] as const).flatMap((family) => [
      run(["ip", family, "rule"], { netns }),
      run(["ip", family, "route", "show", "table", "all", "proto", "99"], { netns }),
      run(["ip", family, "route", "show", "table", "all", "proto", "static"], { netns }),
      world.cpes[0].run(["ip", family, "rule"]),
      world.cpes[0].run(["ip", family, "route", "show", "table", "all", "proto", "static"]),
    ]),
  ]);
  return ways.join("\n");
};

const apply = async (site: DesiredState, atPop: DesiredState) => {
  await pop.apply(atPop);
  await edgeOf(0).apply(site);
};

beforeAll(async () => {
  world = await createWorld(sites);
  const { inet } = world;
  for (const [name, machine, node] of [
    ["d1", world.cpes[0], 1],
    ["d2", world.cpes[1], 2],
    ["d3", world.cpes[2], 3],
    ["dp", world.pop, 100],
  ] as const) {
    await cable([inet, name], [machine, "wan3"]);
    await inet.run(["ip", "addr", "add", `2001:db8:${node}::1/64`, "dev", name, "nodad"]);
  }
  for (const address of [...all, near])
    await inet.run([
      ...(["ip", "addr", "add"] as const),
      `${address}/${address.includes(":") ? 128 : 32}`,
      ...(["dev", "lo"] as const),
      ...(address.includes(":") ? ["nodad"] : []),
    ]);
  await inet.run(["sysctl", "-q", "-w", "net.ipv6.conf.all.forwarding=1"]);
  // As hardened images have it; the ends of a way out are the device's own interfaces.
  await world.pop.run(["sysctl", "-q", "-w", "net.ipv6.conf.default.disable_ipv6=1"]);
  pop = await world.pop.edge(popKey);
  edges = await Promise.all(world.cpes.map((cpe, at) => cpe.edge(sites[at]?.key ?? "")));
  await Promise.all([pop.apply(hubPlain), ...plains.map((state, at) => edgeOf(at).apply(state))]);
  await waitUntil("the space", () => pings(world.hosts[0], "10.0.0.100", 1), 60_000);
}, 240_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("acceleration", { timeout: 240_000 }, () => {
  it("leads what a group names out at the POP, with its address, in both families, and nothing else", async () => {
    await apply(accelerated, hub);
    await awaitExit(true);
    await countAtProvider();
    for (const address of all) expect(await pings(world.hosts[0], address, 3)).toBe(true);
    expect(await sums("p1_0", "dp_0")).toBe(6);
    expect(await sums("c1_0", "d1_0")).toBe(0);
    expect(await sums("c1_1", "d1_1")).toBe(6);
    expect(await sums("p1_1", "dp_1")).toBe(0);
    expect(await privateSeen()).toBe(0);
    expect(await edgeOf(0).plan(accelerated)).toEqual([]);
    expect(await pop.plan(hub)).toEqual([]);
    const seen = await world.cpes[0].run([
      "nft",
      "list",
      "counter",
      "inet",
      "weft",
      "h_saasGroup_7",
    ]);
    expect(seen).toContain("packets 2 ");
    // The space itself is as before.
    expect(await pings(world.hosts[0], "10.0.0.100")).toBe(true);
    expect(await pings(world.hosts[0], "fd57:1:2::100")).toBe(true);
  });

  it("carries TCP both ways, with the POP's address", async () => {
    const script = `
      const server = require("node:net").createServer((one) => one.end(one.remoteAddress));
      server.listen(8080, "${service[0]}");
      setTimeout(() => process.exit(0), 20000);`;
    const serving = world.inet.run([process.execPath, "-e", script], { timeoutMs: 40_000 });
    const ask = () =>
      world.hosts[0]
        .run(["bash", "-c", `exec 3<>/dev/tcp/${service[0]}/8080 && cat <&3`])
        .catch(() => "");
    let seen = "";
    await waitUntil(
      "an answer",
      async () => {
        seen = await ask();
        return seen !== "";
      },
      15_000,
      200,
    );
    expect(seen.replace("::ffff:", "").trim()).toBe(popAddress);
    await serving;
  });

  it("changes nothing for other sites, of the same enterprise or of another one", async () => {
    await countAtProvider();
    for (const at of [1, 2] as const)
      for (const address of all) expect(await pings(world.hosts[at], address, 2)).toBe(true);
    expect(await sums("c2_0", "d2_0", "c3_0", "d3_0")).toBe(8);
    expect(await sums("p1_0", "dp_0", "p1_1", "dp_1")).toBe(0);
  });

  it("blocks hosts of the space that the acceleration does not name", async () => {
    // A device that leads its hosts there nevertheless.
    const [, cpe] = world.cpes;
    const rule = ["to", service[0], "iif", "lan0", "lookup", "999", "priority", "900"];
    await cpe.run([
      "ip",
      "route",
      "add",
      "default",
      "via",
      "10.255.21.0",
      "dev",
      "wl21",
      "table",
      "999",
    ]);
    await cpe.run(["ip", "rule", "add", ...rule]);
    await countAtProvider();
    expect(await pings(world.hosts[1], service[0], 3)).toBe(false);
    expect(await sums("p1_0", "c2_0")).toBe(0);
    await cpe.run(["ip", "rule", "del", ...rule]);
    await cpe.run(["ip", "route", "flush", "table", "999"]);
  });

  it("leads neither to the POP itself, nor into another space, nor to private networks behind the POP", async () => {
    const [cpe] = world.cpes;
    const [host] = world.hosts;
    // The POP answers those who come by its own line.
    expect(await pings(host, popAddress)).toBe(true);
    await world.pop.run(["ip", "route", "add", near, "via", "192.0.2.1"]);
    expect(await pings(world.pop, near)).toBe(true);
    // A host of the other enterprise has this address, and the way to its space is this one.
    await world.pop.run(["ip", "route", "add", "10.0.0.100", "via", "198.18.2.13", "dev", "wx2"]);
    const targets = [popAddress, near, "198.18.2.13", "198.18.1.12"];
    await cpe.run([
      "ip",
      "route",
      "add",
      "default",
      "via",
      "10.255.11.0",
      "dev",
      "wl11",
      "table",
      "999",
    ]);
    for (const target of targets)
      await cpe.run([
        "ip",
        "rule",
        "add",
        "to",
        target,
        "iif",
        "lan0",
        "lookup",
        "999",
        "priority",
        "900",
      ]);
    for (const target of targets) {
      const before = await refusedAtPop();
      expect(await pings(host, target, 3)).toBe(false);
      expect(await refusedAtPop()).toBeGreaterThan(before);
    }
    await cpe.run(["sh", "-c", "while ip rule del priority 900; do :; done 2>/dev/null"]);
    await cpe.run(["ip", "route", "flush", "table", "999"]);
    await world.pop.run(["ip", "route", "del", near]);
    await world.pop.run(["ip", "route", "del", "10.0.0.100"]);
  });

  it("keeps spaces with equal networks apart", async () => {
    // Site three has the LAN of site two, which may leave as well now.
    const both = { ...hub, accelerations: [letsOut(1, networksIn(1)), letsOut(2, lansOf(three))] };
    await pop.apply(both);
    await edgeOf(1).apply({ ...plainTwo, accelerations: [accelerates(two)] });
    await edgeOf(2).apply({ ...plainThree, accelerations: [accelerates(three)] });
    for (const at of [1, 2] as const)
      await waitUntil(
        "the exit",
        async () => (await exitTable(world.cpes[at], "-4")) !== "",
        60_000,
        100,
      );
    await countAtProvider();
    const running = [1, 2].map((at) =>
      world.hosts[at as 1 | 2].run(["ping", "-n", "-i", "0.1", "-c", "20", service[0]]),
    );
    for (const text of await Promise.all(running)) expect(text).toContain(" 20 received");
    expect(await counted("p1_0")).toBe(40);
    await edgeOf(1).apply(plainTwo);
    await edgeOf(2).apply(plainThree);
    await pop.apply(hub);
  });

  it("leaves by the site's own line while the POP is cut, and at the POP again afterwards", async () => {
    const [host] = world.hosts;
    // It goes on with one and the same flow, which was begun at the POP.
    const flow = host.run(["sh", "-c", `ping -n -i 0.2 -c 400 ${service[0]}; true`], {
      timeoutMs: 120_000,
    });
    await dropTunnels(true);
    await awaitExit(false);
    await countAtProvider();
    for (const address of service)
      await waitUntil("the line", () => pings(host, address, 1), 20_000, 50);
    expect(await sums("c1_0", "d1_0")).toBeGreaterThan(0);
    expect(await sums("p1_0", "dp_0")).toBe(0);
    const reports = async () =>
      JSON.stringify(await edgeOf(0).findings(accelerated)).includes("exitCut");
    await waitUntil("it is reported", reports, 20_000, 200);
    await dropTunnels(false);
    await awaitExit(true);
    await countAtProvider();
    for (const address of service) expect(await pings(host, address, 3)).toBe(true);
    expect(await sums("p1_0", "dp_0")).toBeGreaterThanOrEqual(6);
    // Not one packet left by a line with the address of the host.
    expect(await privateSeen()).toBe(0);
    await host.run(["sh", "-c", "kill -INT $(pgrep -x ping)"]);
    await flow;
    await waitUntil("nothing is reported", async () => !(await reports()), 20_000, 200);
  });

  it("comes back after a power cut of the site and of the POP, before any contact", async () => {
    for (const [machine, edge, state, key] of [
      [world.pop, () => pop, hub, popKey],
      [world.cpes[0], () => edgeOf(0), accelerated, one.key],
    ] as const) {
      await edge().boot(state);
      await edge().deliver(state);
      await cutPower(machine);
      const again = await machine.edge(key);
      if (machine === world.pop) pop = again;
      else edges[0] = again;
      expect(await again.boot(state)).toBeGreaterThan(0);
      await awaitExit(true);
      await countAtProvider();
      for (const address of service)
        await waitUntil(address, () => pings(world.hosts[0], address, 1), 30_000, 100);
      expect(await sums("c1_0", "d1_0")).toBe(0);
    }
  });

  it("is removed without a trace, and rolled back when nothing confirms it", async () => {
    await apply(plain, hubPlain);
    const clean = await traces();
    expect(clean).toMatch(/^0\n/);
    await countAtProvider();
    for (const address of service) expect(await pings(world.hosts[0], address, 2)).toBe(true);
    expect(await sums("c1_0", "d1_0")).toBe(4);
    for (const [edge, state] of [
      [pop, hubPlain],
      [edgeOf(0), plain],
    ] as const) {
      await edge.deliver(state);
    }
    await pop.ask("deliver", hub);
    await edgeOf(0).ask("deliver", accelerated);
    await awaitExit(true);
    expect(await traces()).not.toBe(clean);
    await edgeOf(0).ask("miss");
    await pop.ask("miss");
    expect(await traces()).toBe(clean);
  });
});

/** Of the internet as well: names that a group has or has not, by a server of the provider. */
const server = "192.0.2.53";
const named = (...names: string[]): DesiredState => {
  const section = accelerates(one, []);
  const [group] = section.groups;
  return {
    ...plain,
    dns: {
      answers: [],
      servers: [{ domain: "example", address: server }],
      denied: [],
      ranges: [],
    },
    accelerations: [{ ...section, groups: group ? [{ ...group, names }] : [] }],
  };
};

describe("acceleration of names", { timeout: 240_000 }, () => {
  const ask = async (name: string, family: 4 | 6 = 4, at = "10.1.1.1"): Promise<string> => {
    const script = `
      const r = new (require("node:dns").promises.Resolver)({ timeout: 1500, tries: 2 });
      r.setServers(["${at}"]);
      r.resolve${family}("${name}").then((all) => console.log(all.join()), (e) => console.log(e.code));`;
    return (await world.hosts[0].run([process.execPath, "-e", script])).trim();
  };
  const learned = (family: 4 | 6 = 4) =>
    world.cpes[0].run(["nft", "list", "set", "inet", "weft", `d_exit${family}_saasGroup_7`]);
  const asked = async () => {
    await waitUntil("the resolver", async () => (await ask("crm.example")) === service[0], 30_000);
    expect(await ask("crm.example", 6)).toBe(service[1]);
    expect(await ask("other.example")).toBe(neighbor[0]);
    expect(await ask("other.example", 6)).toBe(neighbor[1]);
  };

  beforeAll(async () => {
    await world.inet.run(["ip", "addr", "add", `${server}/32`, "dev", "lo"]);
    await world.inet.run([
      "dnsmasq",
      "--conf-file=/dev/null",
      "--no-resolv",
      "--no-hosts",
      "--user=root",
      "--bind-interfaces",
      `--listen-address=${server}`,
      "--pid-file=/run/names.pid",
      `--host-record=crm.example,${service[0]},${service[1]}`,
      `--host-record=www.sub.example,${service[0]},${service[1]}`,
      `--host-record=other.example,${neighbor[0]},${neighbor[1]}`,
    ]);
    await apply(named("crm.example"), hub);
    await awaitExit(true);
  }, 120_000);

  it("leads the first flow to what a name stands for out at the POP, and a name beside it as before", async () => {
    await asked();
    await countAtProvider();
    for (const address of all) expect(await pings(world.hosts[0], address, 3)).toBe(true);
    expect(await sums("p1_0", "dp_0")).toBe(6);
    expect(await sums("c1_0", "d1_0")).toBe(0);
    expect(await sums("c1_1", "d1_1")).toBe(6);
    expect(await sums("p1_1", "dp_1")).toBe(0);
    expect(await edgeOf(0).plan(named("crm.example"))).toEqual([]);
  });

  it("learns answers of other servers outside and of subdomains", async () => {
    await edgeOf(0).apply(named("*.sub.example"));
    // What was learned for the name before is forgotten.
    await waitUntil("the resolver", async () => (await ask("crm.example")) === service[0], 30_000);
    expect(await learned()).not.toContain(service[0]);
    await countAtProvider();
    expect(await pings(world.hosts[0], service[0], 2)).toBe(true);
    expect(await counted("c1_0")).toBe(2);
    expect(await ask("www.sub.example", 4, server)).toBe(service[0]);
    await countAtProvider();
    expect(await pings(world.hosts[0], service[0], 2)).toBe(true);
    expect(await counted("p1_0")).toBe(2);
    expect(await counted("c1_0")).toBe(0);
  });

  it("leaves by the site's own line while the POP is cut", async () => {
    await dropTunnels(true);
    await awaitExit(false);
    await countAtProvider();
    await waitUntil("the line", () => pings(world.hosts[0], service[0], 1), 20_000, 50);
    expect(await counted("c1_0")).toBeGreaterThan(0);
    await dropTunnels(false);
    await awaitExit(true);
    expect(await privateSeen()).toBe(0);
  });

  it("comes back after a power cut, with the first answer", async () => {
    const state = named("crm.example");
    await edgeOf(0).boot(state);
    await edgeOf(0).deliver(state);
    await cutPower(world.cpes[0]);
    edges[0] = await world.cpes[0].edge(one.key);
    expect(await edgeOf(0).boot(state)).toBeGreaterThan(0);
    await awaitExit(true);
    await asked();
    await countAtProvider();
    for (const address of service)
      await waitUntil(address, () => pings(world.hosts[0], address, 1), 30_000, 100);
    expect(await sums("c1_0", "d1_0")).toBe(0);
  });

  it("is gone with the group", async () => {
    await edgeOf(0).apply(plain);
    expect(await world.cpes[0].run(["nft", "list", "sets"])).not.toContain("d_exit");
    await countAtProvider();
    for (const address of service) expect(await pings(world.hosts[0], address, 2)).toBe(true);
    expect(await sums("c1_0", "d1_0")).toBe(4);
  });
});
