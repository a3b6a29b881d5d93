/** Names that hosts are denied, on real queries: who is denied which, when, by which server, and who is not. */
import { filterPorts, filtersOf } from "@weft/contract/device/v1/name-filters.ts";
import type { NameRule } from "@weft/contract/device/v1/policy.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { askName, type Question } from "../../../test/netns/ask-name.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { createWorld, makeSites, staticState, type World } from "../../../test/netns/world.ts";

const sites = makeSites();
const [, site, elsewhere] = sites;
const own = { 4: "10.0.0.1", 6: "fd57:1:2::1" } as const;
/** A server of the internet, which hosts may ask themselves. */
const foreign = { 4: "192.0.2.53", 6: "2001:db8:1::53" } as const;
const address = "192.0.2.40";
const address6 = "20010db8000900000000000000000040";
/** Hosts with addresses of both families: those of the group, and others. */
const guest = { 4: "10.0.0.100", 6: "fd57:1:2::100" } as const;
const staff = { 4: "10.0.0.101", 6: "fd57:1:2::101" } as const;
const sets = [{ id: 8, members: [guest[4], guest[6]] }];
const dns = {
  answers: [{ domain: "erp.site.example", address: "10.0.0.20" }],
  denied: [],
  ranges: [],
  servers: [{ domain: "example", address: foreign[4] }],
};
const plain = (of: typeof site): DesiredState => ({
  ...staticState(of),
  dns,
});
const given = (policy: Partial<DesiredState["policy"]>, more: object = {}): DesiredState => ({
  ...plain(site),
  policy: { sets, limits: [], ...policy },
  dns: { ...dns, ...more },
});
const rule = (id: number, names: string[], more: Partial<NameRule> = {}): NameRule => ({
  id,
  names,
  sources: null,
  time: null,
  denies: true,
  ...more,
});

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;
let host: NetnsMachine;

const asked = (question: Question, from: NetnsMachine = host) => askName(from, question);
const ask = (name: string, more: Partial<Question> = {}) =>
  asked({ name, server: own[4], from: guest[4], ...more });
/** The code alone. */
const codeOf = async (name: string, more: Partial<Question> = {}): Promise<string> =>
  (await ask(name, more)).split(",")[0] ?? "";
const resolved = "NOERROR";
const denied = "NXDOMAIN";

/** What becomes of a connection to the port of DNS over TLS of the internet. */
const overTls = async (from: string): Promise<string> => {
  const script = `
    const end = (text) => { console.log(text); process.exit(0); };
    setTimeout(() => end("silence"), 2500);
    require("net").connect({ host: "${address}", port: 853, localAddress: "${from}" }, () => end("open"))
      .on("error", (e) => end(e.code));`;
  return (await host.run([process.execPath, "-e", script])).trim();
};
const queries = () => world.inet.run(["cat", "/run/queries"]);
const eventually = async (what: string, holds: () => Promise<boolean>): Promise<void> =>
  waitUntil(what, holds, 30_000, 100);
/** By the clock of the device, in UTC. */
const turnTo = (time: string) => edge.turnClock(Date.parse(`2026-11-23T${time}Z`));
/** Process ids of the resolvers, by their names. */
const pids = async (): Promise<Record<string, string>> => {
  const text = await cpe.run(["sh", "-c", "grep -Hs . /run/weft/names/*.pid || true"]);
  return Object.fromEntries(
    [...text.matchAll(/([^/]+)\.pid:(\d+)$/gm)].map(([, name = "", pid = ""]) => [name, pid]),
  );
};
/** Of the only one. */
const pidOf = async (): Promise<string> => Object.values(await pids())[0] ?? "";

beforeAll(async () => {
  world = await createWorld(sites);
  cpe = world.cpes[1];
  host = world.hosts[1];
  for (const one of [foreign[4], address])
    await world.inet.run(["ip", "addr", "add", `${one}/32`, "dev", "lo"]);
  await world.inet.run(["ip", "addr", "add", `${foreign[6]}/64`, "dev", "isp1", "nodad"]);
  await host.run(["ip", "addr", "add", `${staff[4]}/24`, "dev", "eth0"]);
  await host.run(["ip", "addr", "add", `${staff[6]}/64`, "dev", "eth0", "nodad"]);
  await world.inet.run([
    "dnsmasq",
    "--conf-file=/dev/null",
    "--no-resolv",
    "--no-hosts",
    "--user=root",
    "--bind-interfaces",
    `--listen-address=${foreign[4]}`,
    `--listen-address=${foreign[6]}`,
    "--log-queries",
    "--pid-file=/run/names.pid",
    "--log-facility=/run/queries",
    "--local-ttl=3600",
    `--address=/example/${address}`,
    "--address=/example/2001:db8:9::40",
  ]);
  const tls = `require("net").createServer((s) => s.on("error", () => {})).listen(853, "${address}")`;
  void world.inet.run([process.execPath, "-e", tls], { timeoutMs: 600_000 }).catch(() => "");
  await eventually(
    "a server of DNS over TLS",
    async () => (await world.inet.run(["ss", "-Hltn", "sport = :853"])) !== "",
  );
  edge = await cpe.edge(site.key);
  const other = await world.cpes[2].edge(elsewhere.key);
  await other.apply(plain(elsewhere));
  await edge.apply(plain(site));
  await eventually("a name", async () => (await codeOf("a.example")) === resolved);
  await eventually(
    "a name by IPv6",
    async () => (await codeOf("a.example", { server: own[6], from: guest[6] })) === resolved,
  );
}, 120_000);
afterAll(() => world?.remove());
beforeEach(async () => {
  await edge.apply(plain(site));
});

describe("a rule that denies names", { timeout: 120_000 }, () => {
  it("denies the name itself, in all types, by both families and both protocols", async () => {
    await edge.apply(given({ nameRules: [rule(1, ["games.example"])] }));
    await eventually("the rule", async () => (await codeOf("games.example")) === denied);
    for (const type of ["A", "AAAA", "HTTPS"] as const)
      for (const family of [4, 6] as const)
        for (const overTcp of [false, true]) {
          const more = { type, overTcp, server: own[family], from: staff[family] };
          expect([type, family, overTcp, await codeOf("games.example", more)]).toEqual([
            type,
            family,
            overTcp,
            denied,
          ]);
        }
    expect(await codeOf("GAMES.example")).toBe(denied);
  });

  it("denies no name below it, beside it, or with its letters in it", async () => {
    await edge.apply(given({ nameRules: [rule(1, ["games.example", "*.video.example"])] }));
    await eventually("the rule", async () => (await codeOf("games.example")) === denied);
    for (const name of ["www.games.example", "mygames.example", "games.site.example"])
      expect([name, await codeOf(name)]).toEqual([name, resolved]);
    expect(await codeOf("video.example")).toBe(resolved);
    expect(await codeOf("a.b.video.example")).toBe(denied);
    expect(await codeOf("myvideo.example")).toBe(resolved);
  });

  it("leaves what the site's resolver answers itself, for a minute at most at the host", async () => {
    await edge.apply(given({ nameRules: [rule(1, ["games.example"])] }));
    await eventually("the rule", async () => (await codeOf("games.example")) === denied);
    expect(await ask("erp.site.example")).toMatch(/^NOERROR, 10\.0\.0\.20 for \d+$/);
    expect(await ask("a.example")).toBe(`NOERROR, ${address} for 60`);
    expect(await ask("a.example", { type: "AAAA" })).toBe(`NOERROR, ${address6} for 60`);
  });

  it("acts on hosts of its source alone, in both families", async () => {
    await edge.apply(given({ nameRules: [rule(1, ["games.example"], { sources: 8 })] }));
    await eventually("the rule", async () => (await codeOf("games.example")) === denied);
    for (const family of [4, 6] as const) {
      const by = (from: string) => codeOf("games.example", { server: own[family], from });
      expect(await by(guest[family])).toBe(denied);
      expect(await by(staff[family])).toBe(resolved);
    }
  });

  it("does not act where a rule before it allows the name, for whom it allows it", async () => {
    const exception = rule(1, ["www.games.example"], { sources: 8, denies: false });
    const all = rule(2, ["games.example", "*.games.example"]);
    await edge.apply(given({ nameRules: [exception, all] }));
    await eventually("the rules", async () => (await codeOf("games.example")) === denied);
    expect(await codeOf("www.games.example")).toBe(resolved);
    expect(await codeOf("a.www.games.example")).toBe(denied);
    expect(await codeOf("www.games.example", { from: staff[4] })).toBe(denied);
    // The other way round, the first one decides as well.
    await edge.apply(given({ nameRules: [all, exception] }));
    await eventually(
      "the rules in their other order",
      async () => (await codeOf("www.games.example")) === denied,
    );
  });

  it("filters the queries of its hosts to servers of the internet, and no queries of other hosts", async () => {
    await edge.apply(given({ nameRules: [rule(1, ["games.example"], { sources: 8 })] }));
    await cpe.run(["ip", "addr", "replace", "2001:db8:1::20/64", "dev", "wan1", "nodad"]);
    for (const family of [4, 6] as const) {
      const by = (from: string, name = "games.example") =>
        codeOf(name, { server: foreign[family], from });
      await eventually("the rule", async () => (await by(guest[family])) === denied);
      expect(await by(guest[family], "a.example")).toBe(resolved);
      expect(await by(staff[family])).toBe(resolved);
    }
    expect(await overTls(guest[4])).toBe("ECONNREFUSED");
    expect(await overTls(staff[4])).toBe("open");
    const before = (await queries()).length;
    expect(await codeOf("z.example", { server: foreign[4], from: staff[4] })).toBe(resolved);
    // By the WAN link, from no resolver of the site.
    expect((await queries()).slice(before)).toContain("query[A] z.example from 198.51.100.20");
  });

  it("filters the queries of its hosts to any address of the device in the LAN, also of a delegated prefix", async () => {
    await edge.apply(given({ nameRules: [rule(1, ["games.example"], { sources: 8 })] }));
    await eventually("the rule", async () => (await codeOf("games.example")) === denied);
    await cpe.run(["ip", "addr", "replace", "2001:db8:77::1/64", "dev", "lan0", "nodad"]);
    const by = (from: string) => codeOf("games.example", { server: "2001:db8:77::1", from });
    await eventually("its resolver there", async () => (await by(staff[6])) === resolved);
    expect(await by(guest[6])).toBe(denied);
    await cpe.run(["ip", "addr", "del", "2001:db8:77::1/64", "dev", "lan0"]);
  });

  it("refuses an address of which the group is not known, and answers it where all hosts are meant", async () => {
    const linkLocal = async (at: NetnsMachine, name: string) =>
      /fe80::[0-9a-f:]+/.exec(await at.run(["ip", "-6", "addr", "show", "dev", name]))?.[0] ?? "";
    const question = {
      name: "games.example",
      server: `${await linkLocal(cpe, "lan0")}%eth0`,
      from: `${await linkLocal(host, "eth0")}%eth0`,
    };
    const asks = async () => (await asked(question)).split(",")[0];
    await eventually("the device by it", async () => (await asks()) === resolved);
    const ofGroup = rule(1, ["games.example"], { sources: 8 });
    for (const nameRules of [[ofGroup], [ofGroup, rule(2, ["video.example"])]]) {
      await edge.apply(given({ nameRules }));
      await eventually("the rule", async () => (await codeOf("games.example")) === denied);
      expect(await asks()).toBe("EACCES");
      expect(await asked({ ...question, from: guest[6] })).toBe(denied);
    }
    await edge.apply(given({ nameRules: [rule(2, ["games.example"])] }));
    await eventually("the rule", async () => (await asks()) === denied);
  });

  it("cannot be passed by a resolver of other hosts", async () => {
    await edge.apply(given({ nameRules: [rule(1, ["games.example"], { sources: 8 })] }));
    await eventually("the rule", async () => (await codeOf("games.example")) === denied);
    const [name = ""] = Object.keys(await pids());
    for (const port of [Number(name.split("-")[1]), filterPorts.first, filterPorts.last])
      for (const from of [guest[4], staff[4]])
        expect(await codeOf("games.example", { port, from })).toBe("silence");
  });

  it("acts in its time, by the clock of the site", async () => {
    const times = [{ id: 3, weekdays: [], start: "20:00", end: "21:00" }];
    const nameRules = [
      rule(1, ["games.example"], { sources: 8, time: 3 }),
      rule(2, ["video.example"], { sources: 8 }),
    ];
    // 20:00 in Shanghai is 12:00 in UTC.
    await turnTo("11:59:30");
    await edge.apply(given({ nameRules, times, timeZone: "Asia/Shanghai" }));
    await eventually("the other rule", async () => (await codeOf("video.example")) === denied);
    expect(await codeOf("games.example")).toBe(resolved);
    await turnTo("12:00:00");
    await eventually("its time", async () => (await codeOf("games.example")) === denied);
    await turnTo("13:00:00");
    await eventually(
      "the end of its time",
      async () => (await codeOf("games.example")) === resolved,
    );
    // Hosts that nothing is denied now ask whom they like.
    await edge.apply(given({ nameRules: nameRules.slice(0, 1), times, timeZone: "Asia/Shanghai" }));
    expect(await overTls(guest[4])).toBe("open");
    await turnTo("12:30:00");
    const byForeign = () => codeOf("games.example", { server: foreign[4] });
    await eventually("its time again", async () => (await byForeign()) === denied);
    expect(await overTls(guest[4])).toBe("ECONNREFUSED");
    await turnTo("13:00:00");
    await eventually("its end", async () => (await byForeign()) === resolved);
    expect(await overTls(guest[4])).toBe("open");
  });

  it("is of its site alone", async () => {
    await edge.apply(given({ nameRules: [rule(1, ["games.example"])] }));
    await eventually("the rule", async () => (await codeOf("games.example")) === denied);
    const question = { name: "games.example", server: own[4] };
    expect(await asked(question, world.hosts[2])).toContain(resolved);
  });

  it("denies hosts of the blacklist before any rule allows them", async () => {
    const allowed = rule(1, ["bad.example", "good.example"], { denies: false });
    await edge.apply(given({ nameRules: [allowed] }, { deniedHosts: ["bad.example"] }));
    await eventually("the blacklist", async () => (await codeOf("bad.example")) === denied);
    expect(await codeOf("www.bad.example")).toBe(resolved);
    expect(await codeOf("good.example")).toBe(resolved);
  });

  it("follows an ACL that keeps a host from asking outside", async () => {
    const blocked = {
      action: "drop" as const,
      protocol: "any" as const,
      source: `${guest[4]}/32`,
      target: null,
      sourcePort: null,
      targetPort: null,
      mac: null,
    };
    const state = given({ nameRules: [rule(1, ["games.example"])] });
    await edge.apply({ ...state, firewall: { ...state.firewall, acl: [blocked] } });
    await eventually("the rule", async () => (await codeOf("games.example")) === denied);
    expect(await codeOf("a.example", { server: foreign[4] })).toBe("silence");
    expect(await codeOf("a.example", { server: foreign[4], from: staff[4] })).toBe(resolved);
    expect(await codeOf("a.example")).toBe(resolved);
  });
});

describe("the resolver that denies names", { timeout: 120_000 }, () => {
  const state = given({ nameRules: [rule(1, ["games.example"], { sources: 8 })] });

  it("is started again when it dies, and its hosts get no other answer meanwhile", async () => {
    await edge.apply(state);
    const pid = await pidOf();
    await cpe.run(["kill", "-9", pid]);
    await eventually("another program", async () => !["", pid].includes(await pidOf()));
    await eventually("the rule", async () => (await codeOf("games.example")) === denied);
    const [object] = Object.keys(await pids());
    expect(await edge.ask("repairs")).toContainEqual({ part: "dns", object });
    expect(await edge.plan(state)).toEqual([]);
  });

  it("goes on with other names and other hosts, and while other classes come and go", async () => {
    await edge.apply(state);
    await eventually("the rule", async () => (await codeOf("games.example")) === denied);
    const [own] = Object.entries(await pids());
    const named = (names: string[], members: string[] = [guest[4], guest[6]]) => ({
      sets: [
        { id: 8, members },
        { id: 9, members: ["10.0.0.150"] },
      ],
      nameRules: [rule(1, names, { sources: 8 })],
    });
    const more = given(named(["games.example", "more.example"]));
    const others = {
      ...named(["more.example"]),
      nameRules: [
        rule(5, ["x.example"], { sources: 9 }),
        rule(1, ["more.example"], { sources: 8 }),
      ],
    };
    await edge.apply(more);
    await eventually("another name", async () => (await codeOf("more.example")) === denied);
    await edge.apply(given(others));
    await eventually("a name less", async () => (await codeOf("games.example")) === resolved);
    expect(await codeOf("more.example")).toBe(denied);
    expect(Object.entries(await pids())).toContainEqual(own);
    const moved = given(named(["more.example"], [staff[4]]));
    await edge.apply(moved);
    expect(await codeOf("more.example", { from: staff[4] })).toBe(denied);
    expect(await codeOf("more.example")).toBe(resolved);
    expect(Object.entries(await pids())).toEqual([own]);
    expect(await edge.plan(moved)).toEqual([]);
  });

  it("is there before hosts are sent to it, and until none is", async () => {
    const steps = async (of: DesiredState) =>
      (await edge.plan(of)).flatMap((text) => /\b(deny|load|end) /.exec(text)?.[1] ?? []);
    expect(await steps(state)).toEqual(["deny", "load"]);
    await edge.apply(state);
    expect(await steps(plain(site))).toEqual(["load", "end"]);
  });

  it("denies again after a power cut", async () => {
    await edge.apply(state);
    edge.kill();
    await cpe.run(["kill", "-9", await pidOf()]);
    await cpe.run(["nft", "flush", "ruleset"]);
    await cpe.run(["sh", "-c", "rm -rf /run/weft/names /run/weft/daemons/names-*"]);
    edge = await cpe.edge(site.key);
    await edge.apply(state);
    await eventually("the rule", async () => (await codeOf("games.example")) === denied);
    expect(await codeOf("games.example", { from: staff[4] })).toBe(resolved);
  });

  it("leaves its hosts alone without names while its port is taken, which is a finding", async () => {
    const port = filtersOf(state)[0]?.port;
    const taking = `require("dgram").createSocket("udp4").bind(${port}, "10.0.0.1"); setInterval(() => {}, 1e6)`;
    const pid = (
      await cpe.run(["sh", "-c", `${process.execPath} -e '${taking}' >/dev/null 2>&1 & printf $!`])
    ).trim();
    const isTaken = async () => (await cpe.run(["ss", "-Hlnu", `sport = :${port}`])) !== "";
    await eventually("another program at the port", isTaken);
    await edge.apply(state);
    expect(await edge.plan(state)).toEqual([]);
    expect(await edge.findings(state)).toMatchObject([
      { section: "dns", kind: "resolver", object: "names", reason: "noFilter" },
    ]);
    expect(await codeOf("a.example")).not.toBe(resolved);
    expect(await codeOf("games.example", { from: staff[4] })).toBe(resolved);
    await cpe.run(["kill", pid]);
    await eventually("names", async () => (await codeOf("a.example")) === resolved);
    expect(await codeOf("games.example")).toBe(denied);
    expect(await edge.findings(state)).toEqual([]);
  });

  it("denies a name that dnsmasq does not take in the letters that it is written in", async () => {
    const [wrong, name] = ["XN--A.bad.example", "xn--a.bad.example"];
    await edge.apply(given({ nameRules: [rule(1, [wrong, "games.example"])] }));
    const isDenied = async (host: string) => (await codeOf(host)) === denied;
    await eventually("the rule", async () => (await isDenied(name)) && isDenied("games.example"));
    expect(await codeOf("bad.example")).toBe(resolved);
    await edge.apply(given({ nameRules: [rule(1, ["games.example"])] }, { deniedHosts: [wrong] }));
    await eventually("the entry", async () => (await isDenied(name)) && isDenied("games.example"));
    await edge.apply(given({ nameRules: [rule(1, ["games.example"])] }));
    await eventually("none", async () => (await codeOf(name)) === resolved);
  });

  it("leaves no process, no file and no rule behind", async () => {
    const sources = given({
      nameRules: [rule(1, ["games.example"], { sources: 8 }), rule(2, ["video.example"])],
    });
    await edge.apply(sources);
    await eventually("the first class", async () => (await codeOf("games.example")) === denied);
    await eventually(
      "all other hosts",
      async () => (await codeOf("video.example", { from: staff[4] })) === denied,
    );
    expect(await codeOf("games.example", { from: staff[4] })).toBe(resolved);
    const ran = Object.values(await pids());
    expect(ran).toHaveLength(2);
    await edge.apply(plain(site));
    expect(await edge.plan(plain(site))).toEqual([]);
    for (const pid of ran) await expect(cpe.run(["kill", "-0", pid])).rejects.toThrow();
    await expect(cpe.run(["ls", "/run/weft/names"])).rejects.toThrow();
    expect(await cpe.run(["nft", "list", "ruleset"])).not.toMatch(/_names|53\d\d/);
    await eventually("the name", async () => (await codeOf("games.example")) === resolved);
  });
});
