/** DNS controls on real queries and packets: who is asked, by which WAN link, and where connections to answers go. */
import type { DnsControl } from "@weft/contract/device/v1/dns.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { seenFrom, serveSources } from "../../../test/netns/seen-source.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";

const {
  site,
  addresses: [first, second],
  state: plain,
} = twoCableSite;
const answered = "192.0.2.40";
const other = "192.0.2.41";
const [server6, answered6] = ["2001:db8:9::53", "2001:db8:9::40"];
const own6 = (slot: number) => `2001:db8:${slot}::20`;
const today = () => ((new Date().getUTCDay() + 6) % 7) + 1;
const control = (given: Partial<DnsControl> = {}): DnsControl => ({
  id: 7,
  names: ["crm.example"],
  servers: ["192.0.2.53", "192.0.2.54"],
  slot: 2,
  weekdays: [],
  routes: true,
  ...given,
});
const withControls = (...controls: DnsControl[]): DesiredState => ({
  ...plain,
  dns: {
    answers: [{ domain: "own.example", address: "10.0.0.20" }],
    servers: [],
    denied: [],
    ranges: [],
    controls,
    timeZone: "UTC",
  },
});

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;
let host: NetnsMachine;

const ask = async (name: string, server = "10.0.0.1", family = 4): Promise<string> => {
  const script = `
    const r = new (require("node:dns").promises.Resolver)({ timeout: 1500, tries: 1 });
    r.setServers(["${server}"]);
    r.resolve${family}("${name}").then((all) => console.log(all.length > 9 ? all.length : all.join()), (e) => console.log(e.code));`;
  return (await host.run([process.execPath, "-e", script])).trim();
};
const serve = (address: string, ...records: string[]) =>
  world.inet.run([
    ...(["dnsmasq", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--user=root"] as const),
    "--bind-interfaces",
    `--listen-address=${address}`,
    "--log-queries=extra",
    `--pid-file=/run/names-${address}.pid`,
    `--log-facility=/run/queries-${address}`,
    ...records,
  ]);
const queries = (address: string) => world.inet.run(["cat", `/run/queries-${address}`]);
const seen = (to: string) => seenFrom(host, "10.0.0.100", to);

setUpTwoCableSite(async (machines) => {
  ({ world, cpe, host } = machines);
  for (const one of ["192.0.2.53", "192.0.2.54", "192.0.2.55", answered, other])
    await world.inet.run(["ip", "addr", "add", `${one}/32`, "dev", "lo"]);
  for (const slot of [1, 2])
    await world.inet.run([
      "ip",
      "addr",
      "add",
      `2001:db8:${slot}::1/64`,
      "dev",
      `isp${slot}`,
      "nodad",
    ]);
  for (const one of [server6, answered6])
    await world.inet.run(["ip", "addr", "add", `${one}/128`, "dev", "lo"]);
  const many = Array.from(
    { length: 100 },
    (_, at) => `--host-record=many.crm.example,192.0.2.${at + 100}`,
  );
  await serve(
    "192.0.2.53",
    `--host-record=crm.example,${answered}`,
    "--cname=www.crm.example,crm.example",
    ...many,
  );
  await serve("192.0.2.54", `--address=/crm.example/${answered}`);
  await serve(
    "192.0.2.55",
    `--address=/crm.example/${other}`,
    `--address=/sibling.example/${other}`,
  );
  await serveSources(world.inet, answered);
  edge = await cpe.edge(site.key);
  await edge.apply(
    withControls(
      control(),
      control({ id: 8, names: null, servers: ["192.0.2.55"], slot: null, routes: false }),
    ),
  );
});

describe("a DNS control", { timeout: 60_000 }, () => {
  it("resolves its names over its WAN link and routes connections to the answers over it", async () => {
    expect(await ask("crm.example")).toBe(answered);
    expect(await queries("192.0.2.53")).toContain(`${second}/`);
    expect(await seen(answered)).toBe(second);
  });

  it("leaves the name beside it and its address alone", async () => {
    expect(await ask("sibling.example")).toBe(other);
    expect(await queries("192.0.2.53")).not.toContain("sibling.example");
    expect(await seen(other)).toBe(first);
    expect(await ask("own.example")).toBe("10.0.0.20");
  });

  it("follows aliases, and takes answers of a hundred addresses", async () => {
    expect(await ask("www.crm.example")).toBe(answered);
    expect(await ask("many.crm.example")).toBe("100");
    const learned = await cpe.run(["nft", "list", "set", "inet", "weft", "d_dns4_7"]);
    expect(learned.match(/192\.0\.2\.\d+/g)).toHaveLength(101);
  });

  it("applies to hosts that use another server outside", async () => {
    expect(await ask("crm.example", "192.0.2.55")).toBe(answered);
  });

  it("uses the second server while the first is down", async () => {
    const pid = (await world.inet.run(["cat", "/run/names-192.0.2.53.pid"])).trim();
    await world.inet.run(["kill", "-STOP", pid]);
    await waitUntil(
      "the second server",
      async () => (await ask("a.crm.example")) === answered,
      20_000,
      200,
    );
    expect(await queries("192.0.2.54")).toContain("a.crm.example");
    await world.inet.run(["kill", "-CONT", pid]);
    await waitUntil(
      "the first server",
      async () => {
        await ask("back.crm.example");
        return (await queries("192.0.2.53")).includes("back.crm.example");
      },
      20_000,
      200,
    );
  });

  it("is back before any examination when dnsmasq is killed, with what was learned", async () => {
    const pid = (await cpe.run(["cat", "/run/weft/dns/dnsmasq.pid"])).trim();
    await cpe.run(["kill", "-9", pid]);
    await waitUntil(
      "the resolver",
      async () =>
        (await cpe.run(["sh", "-c", "cat /run/weft/dns/dnsmasq.pid || true"])).trim() !== pid,
      10_000,
      20,
    );
    expect(await seen(answered)).toBe(second);
  });

  it("acts on IPv6 as well, by a WAN link that has it", async () => {
    await serve(server6, `--address=/six.example/${answered6}`);
    const state = withControls(control({ names: ["six.example"], servers: [server6] }));
    const lines = state.underlay.lines.map(({ slot, interfaceName }) => ({
      ...({ slot, interfaceName, addressing: "static" } as const),
      ip: `${own6(slot)}/64`,
      gateway: `2001:db8:${slot}::1`,
    }));
    await edge.apply({ ...state, underlay: { ...state.underlay, lines } });
    const seen6 = () => seenFrom(host, "fd57:1:2::100", answered6);
    // The kernel looks for doubles of new addresses, and a link without one cannot ask.
    const isChecked = async () => (await cpe.run(["ip", "-6", "addr", "show", "tentative"])) === "";
    await waitUntil("addresses without a double", isChecked, 10_000, 50);
    expect(await seen6()).toBe(own6(1));
    let asked = 0;
    const isByLink = async () => {
      asked += 1;
      expect(await ask(`${asked}.six.example`, "10.0.0.1", 6)).toBe(answered6);
      return (await queries(server6)).includes(`${own6(2)}/`);
    };
    await waitUntil("the WAN link", isByLink, 10_000, 200);
    expect(await seen6()).toBe(own6(2));
  });

  it("gives no answer to a host that uses another server outside and may not send to it", async () => {
    const given = withControls(control());
    const blocked = {
      ...({ action: "drop", protocol: "any", source: "10.0.0.100/32", target: null } as const),
      sourcePort: null,
      targetPort: null,
      mac: null,
    };
    await edge.apply({ ...given, firewall: { ...given.firewall, acl: [blocked] } });
    expect(await ask("crm.example", "192.0.2.55")).toBe("ETIMEOUT");
    const lans = given.underlay.lans.map((lan) => ({ ...lan, direct: false }));
    await edge.apply({ ...given, underlay: { ...given.underlay, lans } });
    expect(await ask("crm.example", "192.0.2.55")).toBe("ETIMEOUT");
    await edge.apply(given);
    expect(await ask("crm.example", "192.0.2.55")).toBe(answered);
  });

  it("leaves hosts without names while the resolver cannot run, which is a finding", async () => {
    await edge.apply(plain);
    const taking = `for (const one of ["10.0.0.1"]) require("dgram").createSocket("udp4").bind(53, one); setInterval(() => {}, 1e6)`;
    const pid = (
      await cpe.run(["sh", "-c", `${process.execPath} -e '${taking}' >/dev/null 2>&1 & printf $!`])
    ).trim();
    const isTaken = async () =>
      (await cpe.run(["ss", "-Hlnu", "sport = :53"])).includes("10.0.0.1");
    await waitUntil("another program at the port", isTaken, 10_000, 50);
    await edge.apply(withControls(control()));
    expect(await edge.findings(withControls(control()))).toMatchObject([
      { section: "dns", kind: "resolver", object: "dnsmasq", reason: "noNames" },
    ]);
    expect(await ask("crm.example", "192.0.2.54")).toMatch(/ECONNREFUSED|ETIMEOUT/);
    await cpe.run(["kill", pid]);
    const isBack = async () => (await ask("crm.example", "192.0.2.54")) === answered;
    await waitUntil("names", isBack, 20_000, 200);
    expect(await edge.findings(withControls(control()))).toEqual([]);
  });

  it("does nothing on another day, and leaves nothing when it is removed", async () => {
    const tomorrow = (today() % 7) + 1;
    await edge.apply(
      withControls(
        control({ weekdays: [tomorrow] }),
        control({ id: 8, names: null, servers: ["192.0.2.55"], slot: null, routes: false }),
      ),
    );
    expect(await ask("crm.example")).toBe(other);
    expect(await seen(answered)).toBe(first);
    await edge.apply(plain);
    expect(await cpe.run(["nft", "list", "ruleset"])).not.toMatch(
      /d_dns|c_resolver|routerDnscontrol/,
    );
    expect(await edge.plan(plain)).toEqual([]);
  });
});
