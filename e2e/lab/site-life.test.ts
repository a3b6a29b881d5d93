/** What a site goes through after it was set up: roll-backs, a provider that renumbers, its removal. */
import { stateGoBack, stateRelease } from "@weft/contract/domains/delivery/history.ts";
import { cpe, cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import {
  type CpeConfig,
  cpeCfgAdd,
  cpeItemNames,
} from "@weft/contract/domains/devices/cpe-config.ts";
import { dnsEntry } from "@weft/contract/domains/devices/dns-entry.ts";
import { xModeOf } from "@weft/contract/domains/devices/enums.ts";
import { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import { nodeSummary } from "@weft/contract/domains/policies/policy-finding.ts";
import { policyRoute } from "@weft/contract/domains/policies/policy-route.ts";
import { portMapping } from "@weft/contract/domains/policies/port-mapping.ts";
import { timeGroup } from "@weft/contract/domains/policies/time-group.ts";
import { renumber } from "@weft/lab/dhcp-server.ts";
import { mustExec } from "@weft/lab/enter.ts";
import { plug, unplug } from "@weft/lab/faults.ts";
import { confirmed, stateOf } from "@weft/lab/operator.ts";
import { ping } from "@weft/lab/ping.ts";
import { joinSitePair, type SitePair } from "@weft/lab/site-pair.ts";
import { logged, spawn } from "@weft/lab/spawn.ts";
import { defaultLab, type LabSpec, nodeOf } from "@weft/lab/spec.ts";
import { eventually, startWorld, type World } from "@weft/lab/world.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listings, ownTable, type Stock, takeStock } from "./stock.ts";

const hostB = { v4: "10.1.2.100", v6: "fd00:1:2::100" };
/** A second address of host B, which no rule names. */
const free = "10.1.2.101";
const service = "100.64.9.10";

/** Carrier B, whose clients ask every few seconds whether their lease still holds. */
const quickLeases = (spec: LabSpec): LabSpec => ({
  ...spec,
  networks: spec.networks.map((network) =>
    network.dhcp ? { ...network, dhcp: { ...network.dhcp, renewSeconds: 3 } } : network,
  ),
});

describe("a site that is joined to another", () => {
  let world: World;
  let pair: SitePair;
  /** What cpe2 was before it was enrolled. */
  let stock: Stock;

  beforeAll(async () => {
    world = await startWorld(quickLeases(defaultLab()));
    await mustExec(world.lab, "cpe2", ["nft", "-f", "-"], { input: ownTable });
    const ownRoute = ["100.64.77.0/24", "via", "198.51.100.1"];
    await mustExec(world.lab, "cpe2", ["ip", "route", "add", ...ownRoute]);
    stock = await takeStock(world, "cpe2");
    pair = await joinSitePair(world);
    await mustExec(world.lab, "hostb", ["ip", "addr", "add", `${free}/24`, "dev", "eth0"]);
    for (const id of [pair.pop, pair.cpe1, pair.cpe2]) await confirmed(world.call, id);
  }, 180_000);

  afterAll(() => world?.close(), 30_000);

  const answersOf = async (address: string): Promise<number> =>
    (await ping(world.lab, "hosta", address, { count: 3, intervalMs: 50 })).received;
  const reaches = (address: string) =>
    eventually(async () => (await answersOf(address)) === 3, `host A reaches ${address}`);
  const answers = async () => [
    await answersOf(hostB.v4),
    await answersOf(hostB.v6),
    await answersOf(free),
  ];

  /** Blocks host B at cpe1: by an ACL rule in IPv4, and by the blacklist in IPv6. */
  const block = async (): Promise<void> => {
    await world.call(aclRule.ops.add, {
      nCpeID: pair.cpe1,
      nEnable: true,
      nSection: 1,
      sort: 0,
      name: "no-host-B",
      action: 0,
      protocol: "any",
      srcIp: null,
      dstIp: `${hostB.v4}/32`,
      srcPort: null,
      dstPort: null,
      remark: "",
    });
    await world.call(blacklist.ops.add, {
      groupid: pair.groupid,
      type: "ip",
      value: hostB.v6,
      cpeIds: [pair.cpe1],
      enable: true,
      remark: "",
    });
  };

  const isHeldAt = (serial: number) =>
    eventually(async () => {
      const { heldAt, desired, runningSerial, compiling } = await stateOf(world.call, pair.cpe1);
      const isRun = desired?.outcome === "confirmed" && desired.serial === runningSerial;
      return heldAt?.serial === serial && isRun && !compiling;
    }, `cpe1 is held at ${serial}`);

  test("stays closed by ACL rules and blacklist after a rollback to a past configuration", async () => {
    await reaches(hostB.v6);
    expect(await answers()).toEqual([3, 3, 3]);
    const open = await confirmed(world.call, pair.cpe1);
    await block();
    const closed = await confirmed(world.call, pair.cpe1);
    expect(await answers()).toEqual([0, 0, 3]);
    await world.call(staticRoute.ops.add, {
      nCpeID: pair.cpe1,
      nEnable: true,
      destination: "10.9.0.0/16",
      nextHop: "10.1.1.100",
      metric: 1,
      announce: false,
      remark: "",
    });
    await confirmed(world.call, pair.cpe1);
    const routes = () => mustExec(world.lab, "cpe1", ["ip", "route", "show", "10.9.0.0/16"]);
    expect(await routes()).toContain("10.1.1.100");
    // From before the last edit, and from before the site was closed at all.
    for (const serial of [closed, open]) {
      await world.call(stateGoBack, { id: pair.cpe1, serial });
      await isHeldAt(serial);
      expect(await routes()).toBe("");
      expect(await answers()).toEqual([0, 0, 3]);
    }
    await world.call(stateRelease, { id: pair.cpe1 });
    await confirmed(world.call, pair.cpe1);
    expect(await answers()).toEqual([0, 0, 3]);
  }, 120_000);

  const outside = "198.51.100.11";
  /** What a server says to a machine of the lab that connects to it; empty: nothing. */
  const greeting = async (at: string, host: string, port: number): Promise<string> => {
    const script = `
      const end = (text) => { console.log(text); process.exit(0); };
      require("net").connect(${port}, "${host}")
        .on("data", (data) => end(String(data))).on("error", () => end(""));
      setTimeout(() => end(""), 1500);`;
    return (await mustExec(world.lab, at, [process.execPath, "-e", script])).trim();
  };
  /** What host A answers the internet at a port of cpe1's first line. */
  const answerAt = (port: number) => greeting("saas", outside, port);
  /** The address that a server of the internet sees host A by. */
  const seenAs = () => greeting("hosta", service, 4432);

  test("forwards a port mapping from the internet, and reports why another one is not applied", async () => {
    const { add, remove } = portMapping.manage.resource.ops;
    if (!add || !remove) throw new Error("port mappings are added and removed");
    const server = `require("net").createServer((s) => s.on("error", () => {}).end(s.remoteAddress)).listen(4430, "0.0.0.0")`;
    const running = await spawn(world.lab, "hosta", [process.execPath, "-e", server]);
    const owner = { cpeId: pair.cpe1, popId: null };
    const mapped = async (externalPort: string, internalIp: string): Promise<number> => {
      const { data } = await world.call(add, {
        ...owner,
        protocol: "tcp",
        externalPort,
        internalIp,
        internalPort: "4430",
        lineId: null,
        enable: true,
        remark: "",
      });
      return data.id;
    };
    expect(await answerAt(4443)).toBe("");
    const ids = [await mapped("4443", "10.1.1.100"), await mapped("4444", hostB.v4)];
    await eventually(async () => (await answerAt(4443)) === service, "host A answers the internet");
    const asked = { ...owner, family: portMapping.name, ids };
    const acts = { id: ids[0], acts: 1, cannot: 0 };
    const why = [{ reason: "notInLan", params: { host: hostB.v4 }, nodes: 1 }];
    await eventually(
      async () => (await world.call(nodeSummary, asked)).data[0]?.acts === 1,
      "acts",
    );
    expect((await world.call(nodeSummary, asked)).data).toMatchObject([
      acts,
      { id: ids[1], acts: 0, cannot: 1, reasons: why },
    ]);
    expect(await answerAt(4444)).toBe("");
    await world.call(remove, { ...owner, ids });
    await confirmed(world.call, pair.cpe1);
    expect(await answerAt(4443)).toBe("");
    await running.stop();
  }, 60_000);

  /** "22:00" as clocks of a zone show it, some hours from now. */
  const clockIn = (timeZone: string, hours: number): string =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hourCycle: "h23",
      hour: "2-digit",
      minute: "2-digit",
    }).format(Date.now() + hours * 3_600_000);

  test("leaves by the WAN link of a policy route, in its time by the clock of the site", async () => {
    const server = `require("net").createServer((s) => s.on("error", () => {}).end(s.remoteAddress)).listen(4432, "0.0.0.0")`;
    const running = await spawn(world.lab, "saas", [process.execPath, "-e", server]);
    const owner = { cpeId: pair.cpe1, popId: null };
    const [group, route] = [timeGroup, policyRoute].map(({ manage }) => manage.resource.ops);
    if (!group?.add || !group.remove || !route?.add || !route.remove)
      throw new Error("both are added and removed");
    const far = "America/Los_Angeles";
    const { data: time } = await world.call(group.add, {
      ...owner,
      name: "office",
      remark: "",
      weekdays: [],
      startTime: clockIn(far, -1),
      endTime: clockIn(far, 1),
    });
    const { data: added } = await world.call(route.add, {
      ...owner,
      name: "second",
      remark: "",
      enable: true,
      sort: 1,
      timeId: time.id,
      srcIpgroupId: null,
      dstIpgroupId: null,
      appgroupId: null,
      nextHop: null,
      deny: false,
      lineGroup: 2,
      natType: 1,
      ttlIncrement: 0,
      natLbextra: 0,
    });
    await confirmed(world.call, pair.cpe1);
    // It is another time in Shanghai.
    expect(await seenAs()).toBe(outside);
    const { data: row } = await world.call(cpeFindById, { id: pair.cpe1 });
    await world.call(cpe.ops.edit, { ...row, timezone: far } as never);
    const second = /inet ([\d.]+)/.exec(
      await mustExec(world.lab, "cpe1", ["ip", "-4", "-o", "addr", "show", "dev", "wan2"]),
    )?.[1];
    await eventually(async () => (await seenAs()) === second, "host A leaves by the second link");
    await world.call(route.remove, { ...owner, ids: [added.id] });
    await world.call(group.remove, { ...owner, ids: [time.id] });
    await eventually(async () => (await seenAs()) === outside, "host A leaves by the first link");
    await running.stop();
  }, 60_000);

  /** What cpe1's resolver says to host A: an address, or the code of a refusal. */
  const resolved = async (name: string): Promise<string> => {
    const script = `
      const r = new (require("node:dns").promises.Resolver)({ timeout: 1500, tries: 1 });
      r.setServers(["10.1.1.1"]);
      r.resolve4("${name}").then((all) => console.log(all.join()), (e) => console.log(e.code));`;
    return (await mustExec(world.lab, "hosta", [process.execPath, "-e", script])).trim();
  };
  /** What DHCP gives host A; empty: nothing. It keeps the address that it has. */
  const offered = async (): Promise<string> => {
    const script = `
      cd $(mktemp -d)
      printf '#!/bin/sh\\n[ "$reason" != BOUND ] || printf "%%s %%s %%s" "$new_ip_address" "$new_routers" "$new_domain_name_servers" > %s/given\\n' "$PWD" > event
      printf 'timeout 5; initial-interval 1; backoff-cutoff 1; send host-name "till-7"; request subnet-mask, routers, domain-name-servers;' > conf
      chmod 755 event
      dhclient -4 -1 -sf $PWD/event -cf $PWD/conf -lf $PWD/leases -pf $PWD/pid eth0 >/dev/null 2>&1
      kill $(cat pid) 2>/dev/null
      cat given 2>/dev/null || true`;
    return (await mustExec(world.lab, "hosta", ["sh", "-c", script])).trim();
  };
  const configure = (items: Partial<CpeConfig>) =>
    world.call(cpeCfgAdd, {
      ...Object.fromEntries(cpeItemNames.map((name) => [name, null])),
      cpeId: pair.cpe1,
      ...items,
    } as never);

  const lanOf = async (nCpeID: number) => {
    const page = { page: 1, limit: 10, orderByColumn: null, isAsc: null };
    const { data } = await world.call(lanSection.ops.list, { nCpeID, ...page });
    const [section] = data;
    if (!section) throw new Error(`CPE ${nCpeID} has no LAN section`);
    return section;
  };

  test("gives the hosts of its LAN names and addresses, and nothing when that is removed", async () => {
    const entry = await world.call(dnsEntry.ops.add, {
      nCpeID: pair.cpe1,
      nEnable: true,
      nType: 0,
      domain: "erp.example.com",
      address: "10.1.1.20",
      remark: "",
    });
    const denied = await world.call(blacklist.ops.add, {
      groupid: pair.groupid,
      type: "domain",
      value: "bad.example.org",
      cpeIds: [pair.cpe1],
      enable: true,
      remark: "",
    });
    await configure({ nDynamicdhcp: true });
    await eventually(async () => (await resolved("erp.example.com")) === "10.1.1.20", "an answer");
    await confirmed(world.call, pair.cpe1);
    expect(await resolved("x.bad.example.org")).toBe("ENOTFOUND");
    expect(await offered()).toMatch(/^10\.1\.1\.(12[89]|1[3-9]\d|2\d\d) 10\.1\.1\.1 10\.1\.1\.1$/);
    const listed = async () => (await world.call(cpeLeases, { id: pair.cpe1 })).data.items;
    await eventually(async () => (await listed())[0]?.name === "till-7", "the lease is listed");
    const range = { dhcpStart: "10.1.1.50", dhcpEnd: "10.1.1.59" };
    await world.call(lanSection.ops.edit, { ...(await lanOf(pair.cpe1)), ...range });
    await confirmed(world.call, pair.cpe1);
    expect(await offered()).toMatch(/^10\.1\.1\.5\d 10\.1\.1\.1 10\.1\.1\.1$/);
    const none = { dhcpStart: null, dhcpEnd: null };
    await world.call(lanSection.ops.edit, { ...(await lanOf(pair.cpe1)), ...none });
    await confirmed(world.call, pair.cpe1);
    expect(await offered()).toMatch(/^10\.1\.1\.(12[89]|1[3-9]\d|2\d\d) /);
    await world.call(dnsEntry.ops.remove, { ids: [entry.data.id] });
    await world.call(blacklist.ops.remove, { ids: [denied.data.id] });
    await configure({ nDynamicdhcp: false });
    await confirmed(world.call, pair.cpe1);
    await eventually(async () => (await listed()).length === 0, "no lease is listed");
    expect(await offered()).toBe("");
    const programs = await mustExec(world.lab, "cpe1", listings.programs);
    expect(programs).not.toContain("dnsmasq");
  }, 90_000);

  /** Pings of host B that host A gets with this source. */
  const fromB = async (source: string): Promise<number> => {
    const input = `add table ip seen
delete table ip seen
table ip seen {
  chain c {
    type filter hook input priority 0;
    ip saddr ${source} icmp type echo-request counter
  }
}
`;
    await mustExec(world.lab, "hosta", ["nft", "-f", "-"], { input });
    await ping(world.lab, "hostb", "10.1.1.100", { count: 3, intervalMs: 50 });
    const text = await mustExec(world.lab, "hosta", ["nft", "list", "table", "ip", "seen"]);
    return Number(/counter packets (\d+)/.exec(text)?.[1]);
  };

  test("carries the space only, beside the gateway of its LAN, and with NAT by its own address", async () => {
    await reaches(service);
    for (const [xMode, source] of [
      [xModeOf.bypassRoute, hostB.v4],
      [xModeOf.bypassNat, "10.1.1.1"],
    ] as const) {
      await configure({ xMode });
      await confirmed(world.call, pair.cpe1);
      expect([await answersOf(free), await answersOf(service)]).toEqual([3, 0]);
      expect(await fromB(source)).toBe(3);
    }
    await configure({ xMode: xModeOf.gateway });
    await confirmed(world.call, pair.cpe1);
    await reaches(service);
    expect(await fromB("10.1.1.1")).toBe(0);
    await mustExec(world.lab, "hosta", ["nft", "delete", "table", "ip", "seen"]);
  }, 60_000);

  /** Drops and counts at the provider what still comes from an address. */
  const countFrom = async (address: string): Promise<() => Promise<number>> => {
    const chain = (hook: string, match: string) =>
      `chain ${hook} {\ntype filter hook ${hook} priority 0;\nip saddr ${address} ${match} counter drop\n}`;
    // Renewals go to the provider itself.
    const chains = [chain("forward", ""), chain("input", "udp dport != 67")];
    const input = `table ip gone {\n${chains.join("\n")}\n}\n`;
    await mustExec(world.lab, "inet", ["nft", "-f", "-"], { input });
    return async () => {
      const text = await mustExec(world.lab, "inet", ["nft", "list", "table", "ip", "gone"]);
      const counts = [...text.matchAll(/counter packets (\d+)/g)].map(([, count]) => Number(count));
      expect(counts).toHaveLength(2);
      return counts.reduce((sum, count) => sum + count);
    };
  };

  /** Cables of the other line are out, and the provider of wan2 gives it another network. */
  const renumberWan2 = async (old: string, next: string): Promise<() => Promise<number>> => {
    const { lab } = world;
    const port = nodeOf(lab.spec, "cpe1").ports.find(({ name }) => name === "wan2");
    await unplug(lab, "cpe1", "wan1");
    await reaches(free);
    await eventually(async () => (await stateOf(world.call, pair.cpe1)).online, "cpe1 is online");
    // Hosts have the internet by the line that is left.
    await reaches(service);
    const seen = await countFrom(old);
    await renumber(lab, "brb", {
      bridgeAddress: "192.0.2.1/24",
      dhcp: {
        from: "192.0.2.100",
        to: "192.0.2.150",
        gateway: "192.0.2.1",
        dns: service,
        leaseSeconds: 120,
      },
      leases: { [port?.mac ?? ""]: next },
    });
    return seen;
  };

  const currentIp = async (slot: number): Promise<string | null | undefined> => {
    const all = { nodeId: pair.cpe1, page: 1, limit: 4, orderByColumn: null, isAsc: null };
    const { data } = await world.call(line.ops.list, all);
    return data.find((one) => one.slot === slot)?.currentIp;
  };

  test("comes back by a lease of another network on its only line, before any deadline of a link", async () => {
    const { lab } = world;
    const [old, next] = ["203.0.113.11", "192.0.2.11"];
    const seen = await renumberWan2(old, next);
    // By its effect: what the DHCP client writes down is the edge's own affair.
    const addressesOfLine = () =>
      mustExec(lab, "cpe1", ["ip", "-o", "-4", "address", "show", "dev", "wan2"]);
    await eventually(async () => (await addressesOfLine()).includes(next), "the new lease");
    const from = performance.now();
    const isConnected = async () =>
      (
        await mustExec(lab, "cpe1", ["ss", "-tnH", "state", "established", "dport", "=", "8443"])
      ).includes(next);
    const hasPing = async () => (await ping(lab, "hosta", free, { count: 1 })).received === 1;
    const isShown = async () => (await currentIp(2)) === `${next}/24`;
    const after = async (read: () => Promise<boolean>, what: string): Promise<number> => {
      // A second on an idle machine. Without the news of the lease it takes minutes: deadlines of TCP and of links.
      await eventually(read, what, 60_000);
      return Math.round(performance.now() - from);
    };
    const [connected, overlay, shown] = await Promise.all([
      after(isConnected, "a connection from the new address"),
      after(hasPing, "the overlay by the new address"),
      after(isShown, "the new address in the console"),
    ]);
    console.log(`after the lease: connected ${connected}, overlay ${overlay}, shown ${shown} ms`);
    const before = await seen();
    const running = await ping(lab, "hosta", free, { intervalMs: 50, durationMs: 3_000 });
    expect(running.received).toBe(running.sent);
    expect(await seen()).toBe(before);
    const { addresses, routes, rules, tables } = await takeStock(world, "cpe1");
    expect([addresses, routes, rules, tables].flat().filter((one) => one.includes(old))).toEqual(
      [],
    );
    await plug(lab, "cpe1", "wan1");
  }, 180_000);

  test("leaves its machine as its owner had it when it is removed", async () => {
    const edge = world.edges.get("cpe2");
    if (!edge) throw new Error("no edge on cpe2");
    await world.call(netSpace.ops.remove, { ids: [pair.space] });
    await confirmed(world.call, pair.cpe2);
    const taken = await takeStock(world, "cpe2");
    for (const kind of ["rules", "tables", "forwarding", "filters", "programs", "links"] as const)
      expect(taken[kind], kind).not.toEqual(stock[kind]);
    await world.call(cpe.ops.remove, { ids: [pair.cpe2] });
    await logged(edge, /the machine is restored/, 30_000);
    await edge.stop();
    // The kernel looks for doubles of an address that it was just given.
    const isChecked = async () =>
      !(await mustExec(world.lab, "cpe2", ["ip", "addr"])).includes("tentative");
    await eventually(isChecked, "addresses without a double");
    expect(await takeStock(world, "cpe2")).toEqual(stock);
    expect(stock.tables.join()).toContain("dport 9999");
    expect(stock.routes.join()).toContain("100.64.77.0/24");
  }, 120_000);
});
