/** Rules of the ACL and flows that run already, by real packets of both families and of both directions. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
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
const far = { v4: "10.0.0.100", v6: "fd57:1:2::100" };
const near = { v4: "10.1.1.100", v6: "fd57:1:1::100" };
const plain = cpeState(one, popKey, [1]);
const rule = (given: Partial<AclRuleState>): AclRuleState => ({
  action: "drop",
  protocol: "any",
  source: null,
  target: null,
  sourcePort: null,
  targetPort: null,
  mac: null,
  ...given,
});
const withAcl = (...acl: AclRuleState[]): DesiredState => ({
  ...plain,
  firewall: { ...plain.firewall, acl },
});
const unrelated = rule({ source: "192.0.2.0/24" });

/** What arrives at the far host by its destination port, and what comes back by its source port. */
const seen = (side: "dport" | "sport", ports: readonly string[]): string =>
  `table inet seen {
    ${ports.map((name) => `counter ${name} { }`).join("\n")}
    chain c { type filter hook input priority -300;
    ${ports.map((name) => `${name[0] === "t" ? "tcp" : "udp"} ${side} ${name.slice(2)} meta nfproto ipv${name[1]} counter name ${name}`).join("\n")}
    }
  }
`;
/** Protocol, family, port: TCP of two ports, and UDP that nothing answers. */
const flows = ["t47001", "t47002", "t67001", "u47001", "u47002", "u67001"];

/** A byte of each flow every 20 ms; those of TCP are answered. */
const traffic = `
  const net = require("net"), dgram = require("dgram");
  for (const name of ${JSON.stringify(flows)}) {
    const host = name[1] === "4" ? "${far.v4}" : "${far.v6}";
    const port = Number(name.slice(2));
    if (name[0] === "t") {
      const s = net.connect({ host, port });
      s.on("error", () => {}).on("data", () => {});
      setInterval(() => s.write("x"), 20);
    } else {
      const s = dgram.createSocket("udp" + name[1]);
      setInterval(() => s.send("x", port, host), 20);
    }
  }`;

let world: World;
let edge: NetnsEdge;
let host: NetnsMachine;
let beyond: NetnsMachine;

const packets = async (at: NetnsMachine): Promise<Record<string, number>> => {
  const text = await at.run(["nft", "-j", "list", "counters", "table", "inet", "seen"]);
  const { nftables } = JSON.parse(text) as {
    nftables: { counter?: { name: string; packets: number } }[];
  };
  return Object.fromEntries(
    nftables.flatMap(({ counter }) => (counter ? [[counter.name, counter.packets]] : [])),
  );
};
/**
 * Sends flows of UDP of both families until the file `end` is there, to a port that answers and to one that does not.
 * Says how many packets of each flow it sent, and how many answers came.
 */
const steady = (end: string): string => `
  const dgram = require("dgram"), { existsSync } = require("fs");
  let answers = 0;
  const flows = [];
  for (const [family, host] of [[4, "${far.v4}"], [6, "${far.v6}"]])
    for (const port of [7201, 7202]) {
      const s = dgram.createSocket("udp" + family);
      s.on("message", () => { answers += 1; });
      flows.push(() => s.send("x", port, host));
    }
  let sent = 0;
  const timer = setInterval(() => {
    for (const send of flows) send();
    sent += 1;
    if (!existsSync("${end}")) return;
    clearInterval(timer);
    setTimeout(() => { console.log(JSON.stringify({ sent, answers })); process.exit(0); }, 2_000);
  }, 10);`;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Flows that something of arrives within this time. */
const alive = async (at: NetnsMachine, ms = 400): Promise<string[]> => {
  const before = await packets(at);
  await pause(ms);
  const after = await packets(at);
  return flows.filter((name) => (after[name] ?? 0) > (before[name] ?? 0));
};
/** Waits until these are the flows that arrive: a reading alone takes a second on a slow machine. */
const arriving = (at: NetnsMachine, names: readonly string[]) =>
  expect
    .poll(() => alive(at), { timeout: 60_000, interval: 10 })
    .toEqual(flows.filter((name) => names.includes(name)));

const macOfHost = async (): Promise<string> => {
  const text = await host.run(["ip", "-j", "link", "show", "eth0"]);
  return (JSON.parse(text) as [{ address: string }])[0].address;
};

beforeAll(async () => {
  world = await createWorld(sites);
  [host, beyond] = world.hosts;
  const pop = await world.pop.edge(popKey);
  edge = await world.cpes[0].edge(one.key);
  const other = await world.cpes[1].edge(two.key);
  await pop.apply(
    popState(
      [
        { site: one, slots: [1] },
        { site: two, slots: [1] },
      ],
      popKey,
    ),
  );
  await edge.apply(withAcl(unrelated));
  await other.apply(cpeState(two, popKey, [1]));
  for (const address of Object.values(far))
    await waitUntil(address, () => pings(host, address, 1), 60_000, 100);
  await beyond.run(["nft", "-f", "-"], { input: seen("dport", flows) });
  await host.run(["nft", "-f", "-"], { input: seen("sport", flows) });
  const listen = `for (const port of [7001, 7002])
      require("net").createServer((s) => s.on("error", () => {}).pipe(s)).listen(port, "::");
    const s = require("dgram").createSocket("udp6");
    s.on("message", (m, { port, address }) => s.send(m, port, address)).bind(7201, "::")`;
  void beyond.run([process.execPath, "-e", listen], { timeoutMs: 600_000 }).catch(() => "");
  await waitUntil(
    "the server",
    async () => (await beyond.run(["ss", "-Hltn"])).includes(":7002"),
    60_000,
    100,
  );
  void host.run([process.execPath, "-e", traffic], { timeoutMs: 600_000 }).catch(() => "");
  const all = async () => (await alive(beyond)).length === flows.length;
  await waitUntil("all flows", all, 60_000, 10);
}, 300_000);

afterAll(async () => {
  await world?.remove();
}, 60_000);

test("a new rule ends the flows that it denies, and no other", async () => {
  await edge.apply(withAcl(unrelated, rule({ protocol: "udp", targetPort: "7001" })));
  await arriving(beyond, ["t47001", "t47002", "t67001", "u47002"]);
  await edge.apply(
    withAcl(unrelated, rule({ protocol: "tcp", source: "10.1.1.0/24", targetPort: "7001" })),
  );
  await arriving(beyond, ["t47002", "t67001", "u47001", "u47002", "u67001"]);
  await edge.apply(withAcl(unrelated, rule({ source: "fd57:1:1::/64" })));
  await arriving(beyond, ["t47001", "t47002", "u47001", "u47002"]);
  await edge.apply(withAcl(unrelated));
  // TCP of the IPv4 flow comes back by itself: no reset ended it.
  await expect.poll(() => alive(beyond), { timeout: 60_000 }).toEqual(flows);
}, 300_000);

test("answers of a flow that is allowed pass a rule against the other direction", async () => {
  await edge.apply(
    withAcl(
      rule({ source: `${far.v4}/32`, target: `${near.v4}/32` }),
      rule({ source: `${far.v6}/128`, target: `${near.v6}/128` }),
    ),
  );
  await arriving(host, ["t47001", "t47002", "t67001"]);
  expect(await pings(beyond, near.v4, 1)).toBe(false);
  expect(await pings(host, far.v4, 1)).toBe(true);
}, 300_000);

test("flows that rest through seven changes of the rules are evaluated by the eighth", async () => {
  // More than one run of the tool changes.
  const ports = "7100-7699";
  const denied = rule({ protocol: "udp", source: "10.1.1.0/24", targetPort: ports });
  const each = `
    const s = require("dgram").createSocket("udp4");
    let port = 7100;
    s.bind(5100, () => {
      const timer = setInterval(() => {
        for (let n = 0; n < 10; n += 1) s.send("x", port++, "${far.v4}");
        if (port < 7700) return;
        clearInterval(timer);
        setTimeout(() => process.exit(0), 100);
      }, 5);
    });`;
  const send = () => host.run([process.execPath, "-e", each]);
  await beyond.run(["nft", "-f", "-"], {
    input: `table inet rest { counter n { }
      chain c { type filter hook input priority -300; udp dport ${ports} counter name n; }
    }
`,
  });
  const count = async () =>
    Number(
      /packets (\d+)/.exec(await beyond.run(["nft", "list", "counter", "inet", "rest", "n"]))?.[1],
    );
  const resting = async () =>
    (await world.cpes[0].run(["conntrack", "-L", "-p", "udp", "--sport", "5100"]))
      .trim()
      .split("\n");
  await edge.apply(withAcl(unrelated));
  await send();
  await expect.poll(count, { timeout: 60_000 }).toBe(600);
  for (let change = 1; change <= 6; change += 1)
    await edge.apply(withAcl(rule({ source: `192.0.2.${change}/32` })));
  // The seventh change has the number of the generation that let the flows through.
  await edge.apply(withAcl(denied));
  expect(await resting()).toHaveLength(600);
  await send();
  await arriving(beyond, flows);
  expect(await count()).toBe(600);
}, 300_000);

test("a blocked hardware address sends nothing: no flow of its own, and no answer", async () => {
  const answers = async () => [
    await pings(beyond, near.v4, 1),
    await pings(beyond, near.v6, 1),
    await pings(beyond, "10.1.1.1", 1),
  ];
  await edge.apply(withAcl(unrelated));
  await arriving(beyond, flows);
  expect(await answers()).toEqual([true, true, true]);
  const object = { family: "blacklist", id: 3 } as const;
  await edge.apply(withAcl(rule({ mac: await macOfHost(), object }), unrelated));
  await arriving(beyond, []);
  expect(await answers()).toEqual([false, false, true]);
  const counter = ["nft", "list", "counter", "inet", "weft", "h_blacklist_3"] as const;
  expect(await world.cpes[0].run(counter)).toMatch(/packets [1-9]/);
  // As a state has it for an edge that does not count.
  await edge.apply(withAcl(rule({ mac: await macOfHost() })));
  await arriving(beyond, []);
  await edge.apply(withAcl(unrelated));
  expect(await answers()).toEqual([true, true, true]);
  await expect.poll(() => alive(beyond), { timeout: 60_000 }).toEqual(flows);
}, 300_000);

test("flows that the rules let through lose no packet, whatever is loaded and whenever the edge starts", async () => {
  const mac = await macOfHost();
  const limits = [{ id: 7, set: null, connections: 1_000, perSecond: 5 }];
  const state = (change: number): DesiredState => ({
    ...withAcl(
      rule({ source: `192.0.2.${change}/32` }),
      // Only the first says why the answers of the host's flows are none of the second's.
      rule({ mac, action: "accept" }),
      rule({ protocol: "udp", targetPort: "7200-7209" }),
    ),
    policy: { sets: [], limits },
  });
  await beyond.run(["nft", "-f", "-"], {
    input: `table inet steady { counter n { }
      chain c { type filter hook input priority -300; udp dport 7201-7202 counter name n; }
    }
`,
  });
  await edge.apply(state(1));
  const generation = async () =>
    /ct mark set .*/.exec(
      await world.cpes[0].run(["nft", "list", "chain", "inet", "weft", "c_evaluate"]),
    )?.[0];
  const folder = mkdtempSync(join(tmpdir(), "weft-flows-"));
  const end = join(folder, "end");
  const sending = host.run([process.execPath, "-e", steady(end)], { timeoutMs: 150_000 });
  const counted = async (): Promise<number> => {
    const text = await beyond.run(["nft", "list", "counter", "inet", "steady", "n"]);
    return Number(/packets (\d+)/.exec(text)?.[1]);
  };
  await expect.poll(counted).toBeGreaterThan(100);
  for (let change = 2; change <= 7; change += 1) {
    await edge.apply(state(change));
    if (change !== 4) continue;
    const before = await generation();
    expect(before).toMatch(/0x[0-9a-f]+/);
    edge = await world.cpes[0].edge(one.key);
    await edge.apply(state(change));
    expect(await generation()).toBe(before);
  }
  writeFileSync(end, "");
  const { sent, answers } = JSON.parse(await sending) as { sent: number; answers: number };
  rmSync(folder, { recursive: true });
  expect(answers).toBe(2 * sent);
  expect(await counted()).toBe(4 * sent);
  const refused = ["nft", "list", "counter", "inet", "weft", "h_routerConnlimit_7"] as const;
  expect(await world.cpes[0].run(refused)).toContain("packets 0 ");
}, 300_000);

test("a denial ends a connection of which the device saw an answer first", async () => {
  const pushes = `require("net").createServer((s) => {
      s.on("error", () => {}).on("data", () => {});
      setInterval(() => s.write("x"), 20);
    }).listen(7300, "${far.v4}");`;
  const takes = `
    const end = (text) => { console.log(text); process.exit(0); };
    setTimeout(() => end("lasts"), 40_000);
    const s = require("net").connect({ host: "${far.v4}", port: 7300 });
    s.on("data", () => {}).on("error", (e) => end(e.code));
    setInterval(() => s.write("x"), 20);`;
  const denial = { id: 9, sources: null, targets: null, time: null, slots: [], nat: false };
  const denied: DesiredState = {
    ...withAcl(unrelated),
    policy: { sets: [], limits: [], routes: [{ ...denial, deny: true }] },
  };
  const [cpe] = world.cpes;
  const flow = (...from: string[]) => cpe.run(["conntrack", "-L", "-p", "tcp", ...from]);
  await edge.apply(withAcl(unrelated));
  void beyond.run([process.execPath, "-e", pushes], { timeoutMs: 120_000 }).catch(() => "");
  const listens = async () => (await beyond.run(["ss", "-Hltn"])).includes(":7300");
  await waitUntil("the server", listens, 10_000, 100);
  const taken = host.run([process.execPath, "-e", takes], { timeoutMs: 60_000 });
  const isOpen = async () => (await flow("--dport", "7300")).includes("ESTABLISHED");
  await waitUntil("the connection", isOpen, 20_000, 50);
  // As if the table had been lost while the host was silent.
  await cpe.run(["nft", "-f", "-"], {
    input: `table inet silent { chain c { type filter hook prerouting priority -310;
      iifname "lan0" tcp dport 7300 drop; }
    }
`,
  });
  await cpe.run(["conntrack", "-F"]);
  const isReversed = async () => (await flow("--sport", "7300")) !== "";
  await waitUntil("an answer", isReversed, 20_000, 50);
  await cpe.run(["nft", "delete", "table", "inet", "silent"]);
  await edge.apply(denied);
  expect((await taken).trim()).toBe("ECONNRESET");
}, 300_000);

/** A quarter of a million flows cost a slow machine a minute (`npm run test:full -- battery`). */
const isFull = process.env.WEFT_BATTERY === "full";

if (isFull)
  test("a full table of flows ends none that is answered, and is reported", async () => {
    const [cpe] = world.cpes;
    const state = withAcl(unrelated);
    const reported = async () =>
      ((await edge.ask("validate", state)) as readonly Finding[]).map(({ reason }) => reason);
    const read = async (name: string) =>
      Number(await cpe.run(["cat", `/proc/sys/net/netfilter/nf_conntrack_${name}`]));
    await edge.apply(state);
    await expect.poll(() => alive(beyond), { timeout: 60_000 }).toEqual(flows);
    expect(await reported()).not.toContain("flowTableFull");
    await cpe.run(["sysctl", "-q", "-w", "net.netfilter.nf_conntrack_udp_timeout=600"]);
    await beyond.run(["nft", "-f", "-"], {
      input: `table inet flood { chain c { type filter hook prerouting priority -400;
        udp dport >= 10000 drop; }
      }
`,
    });
    const max = await read("max");
    // A socket has a source port of its own, and takes 50,000 others to send to.
    const flood = `
      let socket;
      const burst = (sent) => {
        if (sent > ${max} * 1.2) return setTimeout(() => process.exit(0), 500);
        if (sent % 50_000 === 0) socket = require("dgram").createSocket("udp4");
        for (let n = 0; n < 100; n += 1) socket.send("x", 10_000 + ((sent + n) % 50_000), "${far.v4}");
        setTimeout(burst, 1, sent + 100);
      };
      burst(0);`;
    await host.run([process.execPath, "-e", flood], { timeoutMs: 300_000 });
    expect(await read("count")).toBeGreaterThan(0.95 * max);
    await expect
      .poll(() => alive(beyond), { timeout: 60_000 })
      .toEqual(expect.arrayContaining(["t47001", "t47002", "t67001"]));
    expect(await edge.plan(state)).toEqual([]);
    expect(await reported()).toContain("flowTableFull");
    await cpe.run(["conntrack", "-F"]);
  }, 600_000);
