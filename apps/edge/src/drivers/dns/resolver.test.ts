/** Names and addresses for the hosts of a site: real queries and leases, and who gets none. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DnsSection } from "@weft/contract/device/v1/dns.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
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
const plain: DesiredState = {
  ...cpeState(two, popKey, [1, 2]),
  spaces: [{ spaceId: 1, netns: null, networks: ["10.0.0.0/24", "10.1.1.0/24", "fd57:1:1::/64"] }],
};
const own = { v4: "10.0.0.1", v6: "fd57:1:2::1" };
const none: DnsSection = { answers: [], servers: [], denied: [], ranges: [] };
const range = {
  interfaceName: "lan0",
  address: "10.0.0.1/24",
  first: "10.0.0.200",
  last: "10.0.0.201",
};
const exhausted = {
  section: "dns",
  kind: "lan",
  object: "lan0",
  reason: "dhcpExhausted",
  params: { first: range.first, last: range.last },
};
const withDns = (dns: Partial<DnsSection>): DesiredState => ({
  ...plain,
  dns: { ...none, ...dns },
});
const full = withDns({
  answers: [
    { domain: "erp.example.com", address: "10.0.0.20" },
    { domain: "both.example.com", address: "10.0.0.21" },
    { domain: "both.example.com", address: "fd57:1:2::21" },
  ],
  servers: [{ domain: "corp.example", address: "10.1.1.100" }],
  denied: ["bad.example.org"],
  ranges: [range],
});

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;
let host: NetnsMachine;

/** What a resolver says to a host: its records, or the code of its refusal ("ETIMEOUT": silence). */
const ask = async (
  name: string,
  type: "A" | "AAAA" = "A",
  server = own.v4,
  from: NetnsMachine = host,
): Promise<string> => {
  const script = `
    const { Resolver } = require("node:dns").promises;
    const r = new Resolver({ timeout: 1500, tries: 1 });
    r.setServers(["${server.includes(":") ? `[${server}]` : server}"]);
    r.resolve("${name}", "${type}").then(
      (all) => console.log(all.sort().join()), (e) => console.log(e.code));`;
  return (await from.run([process.execPath, "-e", script])).trim();
};

/** What DHCP gives a host; null: no server offers any. */
const lease = async (id: string, name: string): Promise<Record<string, string> | null> => {
  const script = `#!/bin/sh
[ "$reason" = BOUND ] || [ "$reason" = REBOOT ] && env > /run/env-${id}
exit 0
`;
  const config = `send dhcp-client-identifier "${id}"; send host-name "${name}";
    timeout 6; initial-interval 1; backoff-cutoff 1; request subnet-mask, routers, domain-name-servers;`;
  await host.run(["sh", "-c", `cat > /run/script-${id}; chmod 755 /run/script-${id}`], {
    input: script,
  });
  await host.run(["sh", "-c", `cat > /run/conf-${id}`], { input: config });
  await host.run(["rm", "-f", `/run/env-${id}`]);
  const files = ["-cf", `/run/conf-${id}`, "-lf", `/run/leases-${id}`, "-pf", `/run/pid-${id}`];
  const client = `dhclient -4 -1 -sf /run/script-${id} ${files.join(" ")} eth0 >/dev/null 2>&1`;
  // It waits for an offer, and fails without one.
  await host.run(["sh", "-c", `${client}; kill $(cat /run/pid-${id}) || true`], {
    timeoutMs: 20_000,
  });
  const text = await host.run(["cat", `/run/env-${id}`]).catch(() => "");
  return text === ""
    ? null
    : Object.fromEntries(text.split("\n").map((line) => line.split("=") as [string, string]));
};

const pidOf = async (): Promise<string> =>
  (await cpe.run(["cat", "/run/weft/dns/dnsmasq.pid"])).trim();
const sockets = async (): Promise<string[]> =>
  (await cpe.run(["sh", "-c", "ss -Hlntu 'sport = :53' | awk '{print $5}'"])).trim().split("\n");

/** A server that knows two names, as a provider's or an enterprise's own. */
const serveNames = (machine: NetnsMachine, listen: string, names: Record<string, string>) =>
  machine.run([
    ...(["dnsmasq", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--user=root"] as const),
    "--bind-interfaces",
    `--listen-address=${listen}`,
    "--log-queries",
    `--pid-file=/run/names.pid`,
    "--log-facility=/run/queries",
    ...Object.entries(names).map(([name, address]) => `--address=/${name}/${address}`),
  ]);

beforeAll(async () => {
  world = await createWorld(sites);
  [, cpe] = world.cpes;
  [, host] = world.hosts;
  await world.inet.run(["sh", "-c", "kill $(cat /run/dnsmasq.pid)"]);
  const provider = ["--port=0", "--no-ping", "--interface=isp2", "--bind-dynamic", "--user=root"];
  await world.inet.run([
    ...(["dnsmasq", "--conf-file=/dev/null", ...provider] as const),
    "--dhcp-range=203.0.113.100,203.0.113.150,255.255.255.0,2m",
    "--dhcp-option=option:dns-server,203.0.113.1",
    "--dhcp-leasefile=/run/leases2",
    "--pid-file=/run/dnsmasq.pid",
  ]);
  await serveNames(world.inet, "203.0.113.1", { "www.example.net": "198.51.100.77" });
  await serveNames(world.hosts[0], "10.1.1.100", { "corp.example": "10.1.1.30" });
  const pop = await world.pop.edge(popKey);
  const far = await world.cpes[0].edge(one.key);
  edge = await cpe.edge(two.key);
  const popDoc = popState(
    [
      { site: one, slots: [1] },
      { site: two, slots: [1, 2] },
    ],
    popKey,
  );
  await pop.apply(popDoc);
  await far.apply(cpeState(one, popKey, [1]));
  await edge.apply(full);
  await Promise.all([edge.settled(full), pop.settled(popDoc)]);
}, 120_000);
afterAll(() => world?.remove());

describe("names", { timeout: 60_000 }, () => {
  it("answers a name and all below it, in the families that it has, over both", async () => {
    expect(await ask("erp.example.com")).toBe("10.0.0.20");
    expect(await ask("a.b.erp.example.com")).toBe("10.0.0.20");
    expect(await ask("erp.example.com", "AAAA")).toBe("ENODATA");
    // An address of IPv6 answers no one before its duplicate address detection is over (RFC 4862, 5.4).
    await waitUntil(
      "an answer by IPv6",
      async () => (await ask("both.example.com", "AAAA", own.v6)) === "fd57:1:2::21",
      10_000,
      100,
    );
    expect(await ask("both.example.com", "A", own.v6)).toBe("10.0.0.21");
    expect(await ask("bad.example.org")).toBe("ENOTFOUND");
    expect(await ask("x.bad.example.org", "AAAA")).toBe("ENOTFOUND");
  });

  it("resolves other names at the line's servers and a name at its own server, also in the space", async () => {
    await waitUntil(
      "the servers of the line's lease",
      async () => (await ask("www.example.net")) === "198.51.100.77",
      10_000,
      100,
    );
    await waitUntil(
      "a server behind another site",
      async () => (await ask("db.corp.example")) === "10.1.1.30",
      10_000,
      100,
    );
    const seen = await world.hosts[0].run(["cat", "/run/queries"]);
    expect(seen).toContain("db.corp.example from 10.0.0.1");
    const beside = await world.inet.run(["cat", "/run/queries"]);
    expect(beside).not.toContain("corp.example");
    expect(beside).not.toContain("erp.example.com");
  });

  it("answers no one on a line, in the space or on the device itself", async () => {
    await world.inet.run(["ip", "route", "add", "10.0.0.0/24", "via", "198.51.100.20"]);
    expect(await ask("erp.example.com", "A", "198.51.100.20", world.inet)).toBe("ETIMEOUT");
    expect(await ask("erp.example.com", "A", own.v4, world.inet)).toBe("ETIMEOUT");
    expect(await ask("erp.example.com", "A", own.v4, world.hosts[0])).toBe("ETIMEOUT");
    const all = await sockets();
    expect(all).toContain("10.0.0.1:53");
    const lan = /^(10\.0\.0\.1|\[fd57:1:2::1\]|\[fe80::[0-9a-f:]+\]%lan0):53$/;
    expect(all.filter((one) => !lan.test(one))).toEqual([]);
  });
});

describe("addresses", { timeout: 60_000 }, () => {
  it("gives hosts one of the range, with the device as router and resolver, until none is left", async () => {
    const given = [];
    for (const id of ["a", "b"]) {
      expect(await edge.findings(full)).toEqual([]);
      given.push(await lease(id, `host-${id}`));
    }
    const [first] = given;
    expect(first).toMatchObject({
      new_subnet_mask: "255.255.255.0",
      new_routers: own.v4,
      new_domain_name_servers: own.v4,
    });
    expect(given.map((one) => one?.new_ip_address).sort()).toEqual(["10.0.0.200", "10.0.0.201"]);
    expect(await lease("c", "host-c")).toBeNull();
    expect(await edge.findings(full)).toEqual([exhausted]);
  });

  it("is no longer exhausted when the range has room for further hosts", async () => {
    const wider = withDns({ ...full.dns, ranges: [{ ...range, last: "10.0.0.202" }] });
    await edge.apply(wider);
    await waitUntil(
      "no finding about the range",
      async () => (await edge.findings(wider)).length === 0,
      60_000,
      200,
    );
    await edge.apply(full);
  });

  it("is served by a range with fewer addresses than the one before has leases", async () => {
    const stored = () => readFileSync(join(cpe.dataDir, "dns/leases"), "utf8").match(/^\d.*$/gm);
    const small = withDns({
      answers: full.dns?.answers ?? [],
      ranges: [{ ...range, last: range.first }],
    });
    expect(stored()).toHaveLength(2);
    await edge.apply(small);
    const params = { first: range.first, last: range.first };
    expect(await edge.findings(small)).toEqual([{ ...exhausted, params }]);
    expect(await ask("erp.example.com")).toBe("10.0.0.20");
    expect(stored()).toEqual([expect.stringContaining(` ${range.first} `)]);
    await edge.apply(full);
  });

  it("gives no address without a range", async () => {
    const names = withDns({ answers: full.dns?.answers ?? [] });
    await edge.apply(names);
    expect(await ask("erp.example.com")).toBe("10.0.0.20");
    expect(await lease("a", "host-a")).toBeNull();
    expect(existsSync(join(cpe.dataDir, "dns"))).toBe(false);
    await edge.apply(full);
  });
});

describe("reserved addresses", { timeout: 60_000 }, () => {
  const macOf = async (): Promise<string> => {
    const [link] = JSON.parse(await host.run(["ip", "-j", "link", "show", "eth0"]));
    return link.address;
  };
  const reserve = (mac: string, address: string) =>
    withDns({
      answers: full.dns?.answers ?? [],
      ranges: [range],
      reservations: [{ mac, address, name: "printer" }],
    });

  it("go to their host alone, outside of the range too, and the host has its name in DNS", async () => {
    const mac = await macOf();
    await edge.apply(reserve(mac, "10.0.0.50"));
    const given = await lease("printer", "as-it-calls-itself");
    expect(given).toMatchObject({ new_ip_address: "10.0.0.50", new_routers: own.v4 });
    expect(await ask("printer")).toBe("10.0.0.50");
    await host.run(["ip", "link", "set", "eth0", "address", "02:00:00:00:99:01"]);
    expect((await lease("other", "host-o"))?.new_ip_address).toMatch(/^10\.0\.0\.20[01]$/);
    await host.run(["ip", "link", "set", "eth0", "address", mac]);
  });

  it("are kept by a reboot, and move their host when they change", async () => {
    const mac = await macOf();
    const pid = await pidOf();
    edge.kill();
    await cpe.run(["kill", "-9", pid]);
    await cpe.run(["rm", "-rf", "/run/weft/dns", "/run/weft/daemons/dns.json"]);
    edge = await cpe.edge(two.key);
    await edge.apply(reserve(mac, "10.0.0.50"));
    expect(await ask("printer")).toBe("10.0.0.50");
    // In the range: nobody else gets it.
    await edge.apply(reserve(mac, "10.0.0.201"));
    expect(await lease("printer", "x")).toMatchObject({ new_ip_address: "10.0.0.201" });
    expect(await ask("printer")).toBe("10.0.0.201");
  });

  it("end with their reservation", async () => {
    await edge.apply(full);
    expect(await ask("printer")).not.toBe("10.0.0.50");
    expect((await lease("printer", "host-p"))?.new_ip_address).toMatch(/^10\.0\.0\.20[01]$/);
    expect(readFileSync(join(cpe.dataDir, "dns/leases"), "utf8")).not.toContain(" 10.0.0.50 ");
    await cpe.run(["grep", "-c", "dhcp-range", "/run/weft/dns/dnsmasq.conf"]);
    await expect(cpe.run(["grep", "dhcp-host", "/run/weft/dns/dnsmasq.conf"])).rejects.toThrow();
    // Without a range its leases go, which others need now.
    await edge.apply(withDns({ answers: full.dns?.answers ?? [] }));
    await edge.apply(full);
  });
});

describe("the program", { timeout: 60_000 }, () => {
  it("is started again when it dies, and as it should be when its file was changed", async () => {
    const pid = await pidOf();
    await cpe.run(["kill", "-9", pid]);
    await waitUntil(
      "an answer after the crash",
      async () => (await ask("erp.example.com")) === "10.0.0.20",
      10_000,
      100,
    );
    expect(await pidOf()).not.toBe(pid);
    expect(await edge.ask("repairs")).toContainEqual({ part: "dns", object: "dnsmasq" });
    expect(await edge.plan(full)).toEqual([]);
    await cpe.run(["sed", "-i", "$ a address=/x/1.2.3.4", "/run/weft/dns/dnsmasq.conf"]);
    expect(await edge.plan(full)).toEqual(["dns: serve names and addresses to the LANs"]);
    await edge.apply(full);
    expect(await edge.plan(full)).toEqual([]);
  });

  it("knows its leases and names again after a reboot", async () => {
    const before = await lease("a", "host-a");
    expect(before?.new_ip_address).toMatch(/^10\.0\.0\.20/);
    const pid = await pidOf();
    edge.kill();
    await cpe.run(["kill", "-9", pid]);
    await cpe.run(["rm", "-rf", "/run/weft/dns", "/run/weft/daemons/dns.json"]);
    edge = await cpe.edge(two.key);
    await edge.apply(full);
    expect(await ask("erp.example.com")).toBe("10.0.0.20");
    const text = readFileSync(join(cpe.dataDir, "dns/leases"), "utf8");
    expect(text).toContain(`${before?.new_ip_address} host-a`);
  });

  it("is a finding while its port is taken, and the rest of the state acts", async () => {
    await edge.apply(plain);
    const other = `require("dgram").createSocket("udp4").bind(53, "10.0.0.1"); setInterval(() => {}, 1e6)`;
    const pid = (
      await cpe.run(["sh", "-c", `${process.execPath} -e '${other}' >/dev/null 2>&1 & printf $!`])
    ).trim();
    await waitUntil("another server", async () => (await sockets()).includes("10.0.0.1:53"), 5_000);
    await edge.apply(full);
    expect(await edge.plan(full)).toEqual([]);
    expect(await edge.findings(full)).toMatchObject([
      { section: "dns", kind: "resolver", object: "dnsmasq", reason: "noResolver" },
    ]);
    await cpe.run(["kill", pid]);
    await waitUntil(
      "an answer when the port is free",
      async () => (await ask("erp.example.com")) === "10.0.0.20",
      15_000,
      200,
    );
    expect(await edge.findings(full)).toEqual([]);
  });

  it("leaves no process and no file behind", async () => {
    const pid = await pidOf();
    await edge.apply(plain);
    expect(await edge.plan(plain)).toEqual([]);
    await expect(cpe.run(["kill", "-0", pid])).rejects.toThrow();
    await expect(cpe.run(["ls", "/run/weft/dns"])).rejects.toThrow();
    expect(existsSync(join(cpe.dataDir, "dns"))).toBe(false);
    expect(await ask("erp.example.com")).toMatch(/ECONNREFUSED|ETIMEOUT/);
  });
});
