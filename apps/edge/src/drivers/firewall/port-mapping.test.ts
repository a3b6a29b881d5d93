/** Port mappings on real flows: from the internet by both lines, from the LAN itself, and what stays closed. */
import type { PortMapping } from "@weft/contract/device/v1/policy.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import { cpeState, newKey, type World } from "../../../test/netns/world.ts";

const { site } = twoCableSite;
const plain = cpeState(site, newKey(), [1, 2]);
const inside = "10.0.0.100";
const lineAddress = "198.51.100.20";
/** Of the internet, in the network of neither line. */
const client = "192.0.2.1";

const map = (given: Partial<PortMapping>): PortMapping => ({
  id: 1,
  protocol: "tcp",
  outside: "8443",
  host: inside,
  inside: "443",
  slot: null,
  ...given,
});
const withMaps = (...portMaps: PortMapping[]): DesiredState => ({
  ...plain,
  policy: { sets: [], limits: [], portMaps },
});
const all = withMaps(
  map({ id: 1 }),
  map({ id: 2, outside: "8000-8003", inside: "9000-9003", slot: 1 }),
  map({ id: 3, protocol: "both", outside: "9001", inside: "9001" }),
  map({ id: 4, protocol: "udp", outside: "51000-52000", inside: "9002" }),
);

/** Answers with its own port and the address that it sees. */
const servers = `
  const net = require("net"), dgram = require("dgram");
  for (const port of [443, 9000, 9001, 9002, 9003]) {
    net.createServer((s) => {
      s.on("error", () => {}).write(port + " " + s.remoteAddress.replace("::ffff:", "") + "\\n");
      s.on("data", (data) => {
        s.write(data);
        if (!String(data).startsWith("push")) return;
        const timer = setInterval(() => s.write("p"), 20);
        s.on("close", () => clearInterval(timer));
      });
    }).listen(port, "::");
    const u = dgram.createSocket("udp4");
    u.on("message", (_, from) => u.send(port + " " + from.address, from.port, from.address));
    u.bind(port);
  }`;
/** Prints what a server says at first, or the error. */
const ask = (to: string, port: number, from: string, udp: boolean): string => {
  const answered = "const end = (text) => { console.log(text); process.exit(0); };";
  const late = `setTimeout(() => end("silence"), 5000);`;
  return udp
    ? `${answered} ${late} const s = require("dgram").createSocket("udp4");
       s.on("message", (data) => end(String(data)));
       s.bind(0, "${from}", () => s.send("x", ${port}, "${to}"));`
    : `${answered} ${late} require("net").connect({ host: "${to}", port: ${port}, localAddress: "${from}" })
       .on("data", (data) => end(String(data).trim())).on("error", (e) => end(e.code));`;
};

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;
let host: NetnsMachine;
let leased = "";

const tcp = async (port: number, to = lineAddress): Promise<string> =>
  (await world.inet.run([process.execPath, "-e", ask(to, port, client, false)])).trim();
const udp = async (port: number, to = lineAddress): Promise<string> =>
  (await world.inet.run([process.execPath, "-e", ask(to, port, client, true)])).trim();
const neighbour = "10.0.0.101";
const fromLan = async (port: number, to = lineAddress): Promise<string> =>
  (await host.run([process.execPath, "-e", ask(to, port, neighbour, false)])).trim();
const counted = async (id: number): Promise<number> => {
  const name = `h_routerPortmapping_${id}`;
  const text = await cpe.run(["nft", "list", "counter", "inet", "weft", name]);
  return Number(/packets (\d+)/.exec(text)?.[1]);
};

setUpTwoCableSite(async (machines) => {
  ({ world, cpe, host } = machines);
  edge = await cpe.edge(site.key);
  await edge.apply(plain);
  await host.run(["ip", "addr", "add", `${neighbour}/24`, "dev", "eth0"]);
  void host.run([process.execPath, "-e", servers], { timeoutMs: 300_000 }).catch(() => "");
  await waitUntil(
    "an address of the second line",
    async () => {
      const text = await cpe.run(["ip", "-4", "-o", "addr", "show", "dev", "wan2"]);
      leased = /inet ([\d.]+)/.exec(text)?.[1] ?? "";
      return leased !== "";
    },
    20_000,
    100,
  );
  await waitUntil(
    "the servers",
    async () => (await host.run(["ss", "-Hltn", "sport = :9003"])).trim() !== "",
    10_000,
    100,
  );
  // The second line of the device, and which way what it sends comes.
  await world.inet.run(["nft", "-f", "-"], {
    input: `table inet seen {
      counter first { }
      counter second { }
      chain c { type filter hook prerouting priority -300;
        iifname "isp1" ip daddr ${client} counter name first
        iifname "isp2" ip daddr ${client} counter name second
      }
    }
    `,
  });
});

describe("a port mapping", { timeout: 240_000 }, () => {
  it("is no way in before it is there", async () => {
    expect(await Promise.all([tcp(8443), udp(9001)])).toEqual(["silence", "silence"]);
  });

  it("maps connections from the internet to its host, which sees the client's address", async () => {
    await edge.apply(all);
    expect(await tcp(8443)).toBe(`443 ${client}`);
    expect([await tcp(9001), await udp(9001)]).toEqual([`9001 ${client}`, `9001 ${client}`]);
    expect(await counted(1)).toBe(1);
    expect(await counted(3)).toBe(2);
    expect(await edge.plan(all)).toEqual([]);
  });

  it("of a range keeps the order of its ports", async () => {
    for (const at of [0, 1, 2, 3]) expect(await tcp(8_000 + at)).toBe(`${9_000 + at} ${client}`);
  });

  it("answers by the line that the flow came in by, also where routing would take the other", async () => {
    const packets = async (name: string) =>
      Number(
        /packets (\d+)/.exec(
          await world.inet.run(["nft", "list", "counter", "inet", "seen", name]),
        )?.[1],
      );
    const before = [await packets("first"), await packets("second")];
    expect(await tcp(8443, leased)).toBe(`443 ${client}`);
    expect(await packets("first")).toBe(before[0]);
    expect(await packets("second")).toBeGreaterThan(before[1] ?? 0);
    // Of one line only.
    expect(await tcp(8000, leased)).toBe("silence");
  });

  it("is reached by the outside address from the LAN as well", async () => {
    expect(await fromLan(8443)).toMatch(/^443 /);
    expect(await fromLan(8443, leased)).toMatch(/^443 /);
    expect(await fromLan(8001)).toMatch(/^9001 /);
    // The device's own address in the LAN is none of a line.
    expect(await fromLan(8443, "10.0.0.1")).toBe("ECONNREFUSED");
  });

  it("leaves other ports closed, and the tunnels' to the tunnels", async () => {
    expect(await Promise.all([tcp(443), tcp(8004), udp(8443)])).toEqual([
      "silence",
      "silence",
      "silence",
    ]);
    const own = plain.firewall.tunnelPorts[0] ?? 0;
    expect(own).toBeGreaterThan(51_000);
    expect(await Promise.all([udp(own), udp(51_900)])).toEqual(["silence", `9002 ${client}`]);
    expect(await counted(4)).toBe(1);
  });

  it("does not override a deny of the ACL", async () => {
    const deny = { action: "drop", protocol: "any", target: null, mac: null } as const;
    const acl = [{ ...deny, source: `${client}/32`, sourcePort: null, targetPort: null }];
    await edge.apply({ ...all, firewall: { ...all.firewall, acl } });
    expect(await tcp(8443)).toBe("silence");
    await edge.apply(all);
    expect(await tcp(8443)).toBe(`443 ${client}`);
  });

  it("keeps its flows over a loss of the table of flows, whatever is denied to hosts and is seen first", async () => {
    const deny = { sources: null, targets: null, time: null, slots: [], nat: false } as const;
    const denied: DesiredState = {
      ...all,
      policy: {
        sets: [],
        limits: [],
        ...all.policy,
        routes: [{ id: 9, ...deny, slots: [], deny: true }],
      },
    };
    await edge.apply(denied);
    await fromLan(7, client);
    const refused = ["nft", "list", "counter", "inet", "weft", "h_routerPolicyroute_9"] as const;
    expect(await cpe.run(refused)).toContain("packets 1 ");
    const holds = [lineAddress, leased].map(
      (to) => `{
        const s = require("net").connect({ host: "${to}", port: 8443, localAddress: "${client}" });
        let count = 0;
        s.write("push");
        s.on("error", (e) => { end = e.code; }).on("data", () => { count += 1; seen["${to}"] = count; });
        setInterval(() => s.write("x"), 20);
      }`,
    );
    const hold = `let end = ""; const seen = {}; ${holds.join("\n")}
      setInterval(() => require("fs").writeFileSync("/run/held", JSON.stringify({ end, seen })), 20);`;
    void world.inet.run([process.execPath, "-e", hold], { timeoutMs: 60_000 }).catch(() => "");
    interface Held {
      readonly end: string;
      readonly seen: Readonly<Record<string, number>>;
    }
    const held = async (): Promise<Held> =>
      JSON.parse(
        await world.inet.run(["cat", "/run/held"]).catch(() => '{ "end": "", "seen": {} }'),
      ) as Held;
    const goesOn = async (): Promise<void> => {
      const before = await held();
      const isOn = async () => {
        const { end, seen } = await held();
        if (end !== "") throw new Error(`the flow ended: ${end}`);
        return [lineAddress, leased].every((to) => (seen[to] ?? 0) > (before.seen[to] ?? 0) + 3);
      };
      await waitUntil("packets of both flows", isOn, 20_000, 50);
    };
    await goesOn();
    for (const [first, rule] of [
      ["the next packet in", `iifname "lan0" tcp sport 443 drop`],
      ["an answer", `iifname { "wan1", "wan2" } tcp dport 8443 drop`],
    ] as const) {
      await cpe.run(["nft", "-f", "-"], {
        input: `table inet silent { counter seen { }; chain c { type filter hook prerouting priority -310;
          ${rule}; }
          chain d { type filter hook prerouting priority -309; tcp sport 443 iifname "lan0" counter name seen; }
        }
`,
      });
      await cpe.run(["conntrack", "-F"]);
      if (first === "an answer")
        await waitUntil(
          first,
          async () =>
            !(await cpe.run(["nft", "list", "counter", "inet", "silent", "seen"])).includes(
              "packets 0 ",
            ),
          20_000,
          50,
        );
      else await new Promise((resolve) => setTimeout(resolve, 200));
      await cpe.run(["nft", "delete", "table", "inet", "silent"]);
      await goesOn();
    }
    // Another generation of the rules, and one that denies the flow.
    const none = { protocol: "any", target: null, mac: null, sourcePort: null, targetPort: null };
    const withAcl = (source: string): DesiredState => ({
      ...denied,
      firewall: {
        ...denied.firewall,
        acl: [{ ...none, protocol: "any", action: "drop", source }],
      },
    });
    await edge.apply(withAcl("203.0.113.0/24"));
    await goesOn();
    await edge.apply(withAcl(`${client}/32`));
    const { seen: last } = await held();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await held()).seen).toEqual(last);
    await edge.apply(all);
  });

  it("ends with its flows when it is taken away, and leaves no trace", async () => {
    const hold = `
      const s = require("net").connect({ host: "${lineAddress}", port: 8443, localAddress: "${client}" });
      let first = true, received = 0;
      s.on("error", () => {}).on("data", () => { if (first) first = false; else received += 1; });
      setInterval(() => s.write("x"), 50);
      setInterval(() => require("fs").writeFileSync("/run/received", String(received)), 50);`;
    void world.inet.run([process.execPath, "-e", hold], { timeoutMs: 60_000 }).catch(() => "");
    const received = async () =>
      Number(await world.inet.run(["cat", "/run/received"]).catch(() => 0));
    await waitUntil("a running flow", async () => (await received()) > 3, 10_000, 50);
    await edge.apply(withMaps(map({ id: 3, outside: "9001", inside: "9001" })));
    const left = await received();
    await edge.apply(plain);
    expect((await received()) - left).toBeLessThanOrEqual(2);
    expect(await Promise.all([tcp(8443), tcp(9001), udp(9001)])).toEqual([
      "silence",
      "silence",
      "silence",
    ]);
    const table = await cpe.run(["nft", "list", "table", "inet", "weft"]);
    for (const name of ["c_dnat", "c_map", "c_answer", "h_routerPortmapping"])
      expect(table).not.toContain(name);
    expect(await edge.plan(plain)).toEqual([]);
  });
});
