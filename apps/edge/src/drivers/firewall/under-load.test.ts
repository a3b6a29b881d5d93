/** What passes while rules are loaded again and again, what a hand changed, and the largest state (packets). */
import { setTimeout as sleep } from "node:timers/promises";
import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import type { Argv } from "#drivers/exec.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";

const isFull = process.env.WEFT_BATTERY === "full";
const { site, state: plain } = twoCableSite;
const internet = "192.0.2.1";
/** UDP ports of the internet: what is sent there passes, and what never does. */
const ports = { open: 7_100, denied: 7_200 };

const denial = (id: number, given: Partial<AclRuleState>): AclRuleState => ({
  action: "drop",
  protocol: "udp",
  source: null,
  target: null,
  sourcePort: null,
  mac: null,
  targetPort: `${ports.denied}`,
  object: { family: "xaclrules", id },
  ...given,
});
const withAcl = (...acl: AclRuleState[]): DesiredState => ({
  ...plain,
  firewall: { ...plain.firewall, acl },
});
const first = denial(1, {});
/** Two states that differ in what concerns none of the packets. */
const states = [1_001, 1_002].map((port) => withAcl(first, denial(2, { targetPort: `${port}` })));

const flows = 1_000;
/** Sends from many ports in turn to both, for so long; prints how many datagrams it gave away to each. */
const sender = (ms: number): readonly [string, ...string[]] => [
  process.execPath,
  "-e",
  `
  const dgram = require("dgram");
  const sockets = Array.from({ length: ${flows} }, () => dgram.createSocket("udp4"));
  const sent = { open: 0, denied: 0 };
  const give = (socket, to, port) =>
    socket.send("x", port, "${internet}", (error) => { if (!error) sent[to] += 1; });
  const until = Date.now() + ${ms};
  let at = 0;
  const turn = setInterval(() => {
    if (Date.now() > until) {
      clearInterval(turn);
      setTimeout(() => { console.log(JSON.stringify(sent)); process.exit(0); }, 500);
      return;
    }
    for (let n = 0; n < 10; n += 1, at += 1) {
      const socket = sockets[at % ${flows}];
      give(socket, "open", ${ports.open});
      if (n === 0) give(socket, "denied", ${ports.denied});
    }
  }, 10);`,
];

/** What a hand does, what shows it, and the step that takes it back. */
interface Change {
  readonly what: string;
  readonly hand: Argv;
  readonly show: Argv;
  readonly step: RegExp;
}

let world: World;
let cpe: NetnsMachine;
let host: NetnsMachine;
let edge: NetnsEdge;

/** Packets that came to a port of the internet. */
const arrived = async (name: keyof typeof ports): Promise<number> => {
  const text = await world.inet.run(["nft", "list", "counter", "inet", "seen", name]);
  return Number(/packets (\d+)/.exec(text)?.[1]);
};
const denied = async (): Promise<number> => {
  const text = await cpe.run(["nft", "list", "counter", "inet", "weft", "h_xaclrules_1"]);
  return Number(/packets (\d+)/.exec(text)?.[1]);
};
const lostOf = (text: string): [string | undefined, string | undefined] => {
  const [, sent, answered] = /(\d+) packets transmitted, (\d+) received/.exec(text) ?? [];
  return [sent, answered];
};

setUpTwoCableSite(async (machines) => {
  ({ world, cpe, host } = machines);
  await world.inet.run(["nft", "-f", "-"], {
    input: `table inet seen {
      counter open { }
      counter denied { }
      chain c {
        type filter hook prerouting priority -300;
        udp dport ${ports.open} counter name "open" drop
        udp dport ${ports.denied} counter name "denied" drop
      }
    }\n`,
  });
  edge = await cpe.edge(site.key);
  await edge.apply(states[0] ?? plain);
});

describe("rules that are loaded again and again (P-04)", () => {
  it("lose no packet of a thousand flows, and pass none that is denied", async () => {
    const ms = isFull ? 60_000 : 10_000;
    const sending = host.run(sender(ms), { timeoutMs: ms + 60_000 });
    const pinging = host.run(["ping", "-i", "0.01", "-c", `${ms / 10}`, internet], {
      timeoutMs: ms * 6,
    });
    let isOver = false;
    void sending.finally(() => {
      isOver = true;
    });
    let loads = 0;
    while (!isOver) {
      loads += 1;
      await edge.apply(states[loads % 2] ?? plain);
      await sleep(100);
    }
    const sent = JSON.parse(await sending) as Record<keyof typeof ports, number>;
    const [asked, answered] = lostOf(await pinging);
    expect(loads).toBeGreaterThan(3);
    expect(sent.open).toBeGreaterThan(flows);
    expect({ open: await arrived("open"), denied: await arrived("denied") }).toEqual({
      open: sent.open,
      denied: 0,
    });
    expect(answered).toBe(asked);
    expect(await denied()).toBe(sent.denied);
  }, 240_000);
});

describe("what a hand changed (P-10)", () => {
  const state: DesiredState = {
    ...withAcl(first),
    policy: {
      sets: [{ id: 8, members: ["10.0.0.100", "10.0.0.120-10.0.0.130"] }],
      limits: [{ id: 3, set: 8, connections: 100, perSecond: null }],
      routes: [{ id: 4, sources: 8, targets: null, time: null, slots: [2], nat: true }],
    },
    shaping: { up: 50_000, down: 50_000, lines: [{ slot: 1, up: 30_000 }] },
  };

  const chain = ["inet", "weft", "c_acl"] as const;
  const set = ["inet", "weft", "s_ip4_8"] as const;
  const changes: readonly Change[] = [
    {
      what: "a rule",
      step: /^firewall: /,
      hand: ["nft", "flush", "chain", ...chain],
      show: ["nft", "-s", "list", "chain", ...chain],
    },
    {
      what: "an element of a set",
      step: /^firewall: /,
      hand: ["nft", "delete", "element", ...set, "{ 10.0.0.100 }"],
      show: ["nft", "list", "set", ...set],
    },
    {
      what: "a rule of routing",
      step: /^underlay: add rule IPv4 1001 /,
      hand: ["ip", "rule", "del", "pref", "1001"],
      show: ["ip", "rule", "show", "pref", "1001"],
    },
    {
      what: "a queue",
      step: /^shaping: /,
      hand: ["tc", "qdisc", "del", "dev", "wan1", "root"],
      show: ["tc", "qdisc", "show", "dev", "wan1"],
    },
  ];
  it.each(changes)(
    "$what is found, and put back with the counters as they were",
    async (row) => {
      await edge.apply(state);
      expect(await edge.plan(state)).toEqual([]);
      const before = [await denied(), await cpe.run(row.show)];
      await cpe.run(row.hand);
      expect(await cpe.run(row.show)).not.toBe(before[1]);
      const plan = await edge.plan(state);
      expect(plan).toEqual([expect.stringMatching(row.step)]);
      await edge.apply(state);
      expect(await edge.plan(state)).toEqual([]);
      expect([await denied(), await cpe.run(row.show)]).toEqual(before);
    },
    60_000,
  );
});

/** Minutes of loading: only in the campaign. */
const theLargestState = (): void => {
  const { bandwidthTunnels, setMembers } = stateLimits;
  const address = (at: number): string => `10.${20 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`;
  const members = Array.from({ length: setMembers }, (_, at) => address(at * 2));
  const tunnels = Array.from({ length: bandwidthTunnels }, (_, at) => ({
    id: at + 1,
    guaranteed: 10,
    most: 100_000,
    up: true,
    down: true,
    slot: null,
  }));
  const rules = Array.from({ length: stateLimits.aclRules - 1 }, (_, at) =>
    denial(at + 2, { target: `172.16.${at >> 8}.${at & 255}/32`, targetPort: null }),
  );
  const state: DesiredState = {
    ...withAcl(...rules, first),
    policy: {
      sets: [{ id: 8, members: ["10.0.0.200", ...members] }],
      limits: [],
      tunnels,
      bandwidths: tunnels.map(({ id }) => ({
        id,
        tunnel: id,
        hosts: 8,
        app: null,
        time: null,
      })),
    },
    shaping: { up: 500_000, down: 500_000, lines: [] },
  };

  it("is applied, found as it is, changed in one rule and removed", async () => {
    await edge.apply(state);
    expect(await edge.plan(state)).toEqual([]);
    const before = [await denied(), await arrived("open")];
    const sent = JSON.parse(await host.run(sender(2_000), { timeoutMs: 60_000 }));
    expect([await denied(), await arrived("open")]).toEqual([
      Number(before[0]) + sent.denied,
      Number(before[1]) + sent.open,
    ]);
    const edited = withAcl(...rules.slice(1), first);
    await edge.apply({ ...state, firewall: edited.firewall });
    expect(await edge.plan({ ...state, firewall: edited.firewall })).toEqual([]);
    await edge.apply(plain);
    expect(await edge.plan(plain)).toEqual([]);
  }, 300_000);
};
if (isFull) describe("the largest state (P-06)", theLargestState);
