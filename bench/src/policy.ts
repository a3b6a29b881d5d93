/**
 * What the rules of a site cost: packets and new flows that pass them, the device that takes them over, and the same
 * device while nothing changes. A CPE in the lab with so many ACL rules, and a second machine beside it that only
 * masquerades, on the same cables.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { cpeCfgAdd, cpeItemNames } from "@weft/contract/domains/devices/cpe-config.ts";
import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import { ipBatch, mustExec } from "@weft/lab/enter.ts";
import type { Lab } from "@weft/lab/lab.ts";
import { addEnterprise, addSite, confirmed, enrol } from "@weft/lab/operator.ts";
import { defaultLab } from "@weft/lab/spec.ts";
import { startWorld, type World } from "@weft/lab/world.ts";
import { isMachineBusy } from "./idle.ts";
import { cpuSeconds } from "./process-usage.ts";
import { type Result, ratioResult } from "./report.ts";
import { alternate, median, summarise } from "./rounds.ts";

/** Rules of the site at which packets are measured; none of them is about these packets. */
const sizes = [10, 100, 1_000, 10_000] as const;
const [fewest, , , most] = sizes;
/** Router of carrier A, one hop behind both machines. */
const target = "198.51.100.1";
const seconds = 3;
/** Packets on their way at the same time. */
const window = 64;
/** Flows that are new, each one datagram. */
const newFlows = 20_000;
const firstPort = 20_000;
const idleSeconds = 60;
const edits = 5;
const settleMs = 240_000;

interface Site {
  readonly world: World;
  readonly cpe: number;
  /** Process of the edge program of the CPE. */
  readonly edge: number;
}

/** Forwards as the CPE does, with connection tracking and masquerade, and nothing else. */
async function configureBareRouter(lab: Lab): Promise<void> {
  await ipBatch(lab, "cpe2", [
    "addr replace 10.1.2.1/24 dev lan1",
    "link set dev lan1 up",
    "route replace default via 198.51.100.1",
  ]);
  await mustExec(lab, "cpe2", ["sysctl", "-q", "-w", "net.ipv4.ip_forward=1"]);
  await mustExec(lab, "cpe2", ["nft", "-f", "-"], {
    input: `table ip bare {
      chain post { type nat hook postrouting priority srcnat; oifname "wan1" masquerade; }
    }\n`,
  });
}

/** Counts the datagrams of new flows where they arrive; nobody answers them. */
async function countArriving(lab: Lab): Promise<void> {
  await mustExec(lab, "inet", ["nft", "-f", "-"], {
    input: `table inet seen {
      counter flows { }
      chain c {
        type filter hook prerouting priority -300;
        ip daddr ${target} udp dport >= ${firstPort} counter name "flows" drop
      }
    }\n`,
  });
}

async function startSite(): Promise<Site> {
  const world = await startWorld(defaultLab());
  try {
    const { lab, call } = world;
    const groupid = await addEnterprise(call, "policy");
    const place = { network: "10.1.1.1/24", network6: "fd00:1:1::1/64" };
    const cpe = await addSite(call, { groupid, device: "cpe1", octet: 11, ...place });
    await enrol(world, "cpe1", cpe);
    await confirmed(call, cpe);
    await configureBareRouter(lab);
    await countArriving(lab);
    for (const host of ["hosta", "hostb"]) {
      const untilAnswered = `until ping -n -c 1 -W 0.5 ${target} >/dev/null; do sleep 0.1; done`;
      await mustExec(lab, host, ["sh", "-c", untilAnswered], { timeout: 60_000 });
    }
    const edge = world.edges.get("cpe1");
    if (!edge) throw new Error("no edge runs in cpe1");
    return { world, cpe, edge: edge.pid };
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** A rule that denies one address, one port of it for two rules of three. */
const ruleOf = (cpe: number, at: number) => ({
  nCpeID: cpe,
  nEnable: true,
  nSection: 1,
  sort: at % 10_000,
  name: `rule-${at}`,
  action: 0 as const,
  protocol: at % 3 === 0 ? ("any" as const) : ("tcp" as const),
  srcIp: null,
  dstIp: `172.16.${at >> 8}.${at & 255}/32`,
  srcPort: null,
  dstPort: at % 3 === 0 ? null : `${1 + (at % 60_000)}`,
  remark: "",
});

/** Adds rules up to so many, sixteen at a time. */
async function addRules({ world, cpe }: Site, from: number, to: number): Promise<void> {
  let next = from;
  const add = async (): Promise<void> => {
    while (next < to) {
      const at = next;
      next += 1;
      await world.call(aclRule.ops.add, ruleOf(cpe, at));
    }
  };
  await Promise.all(Array.from({ length: 16 }, add));
}

/** Whether the rules of the site count. */
async function setRules({ world, cpe }: Site, isOn: boolean): Promise<void> {
  await world.call(cpeCfgAdd, {
    ...Object.fromEntries(cpeItemNames.map((name) => [name, null])),
    cpeId: cpe,
    nXACLEnabled: isOn,
  } as never);
}

/** Packets per second that go through a machine to the carrier's router and come back, of one flow. */
async function packets(lab: Lab, host: string): Promise<number> {
  const flood = ["ping", "-n", "-q", "-f", "-l", `${window}`, "-w", `${seconds}`, "-s", "56"];
  const text = await mustExec(lab, host, [...flood, target], { timeout: 60_000 });
  const [, received, ms] = / (\d+) received.* time (\d+)ms/.exec(text) ?? [];
  if (received === undefined) throw new Error(`no result in: ${text}`);
  return (1_000 * Number(received)) / Number(ms);
}

const arrived = async (lab: Lab): Promise<number> => {
  const text = await mustExec(lab, "inet", ["nft", "list", "counter", "inet", "seen", "flows"]);
  return Number(/packets (\d+)/.exec(text)?.[1]);
};

/** Seconds that a machine needs for so many new flows. @throws Error when some of them do not arrive */
async function flowSeconds(lab: Lab, host: string, socketPort: number): Promise<number> {
  const before = await arrived(lab);
  const send = `
    const socket = require("node:dgram").createSocket("udp4");
    let sent = 0;
    let from;
    // Without a pause the socket's own queue would grow; each turn sends what the kernel takes at once.
    const next = () => {
      for (let at = 0; at < ${window} && sent < ${newFlows}; at++) {
        sent += 1;
        socket.send("x", ${firstPort} + sent, "${target}");
      }
      if (sent < ${newFlows}) return setImmediate(next);
      console.log((performance.now() - from) / 1000);
      socket.close();
    };
    socket.bind(${socketPort}, () => { from = performance.now(); next(); });`;
  const text = await mustExec(lab, host, [process.execPath, "-e", send], { timeout: 240_000 });
  const came = (await arrived(lab)) - before;
  if (came !== newFlows) throw new Error(`${came} of ${newFlows} new flows arrived`);
  return Number(text);
}

/** Gives one rule another port. */
async function editRule({ world, cpe }: Site, at: number): Promise<void> {
  const page = { page: 1, limit: 1, orderByColumn: null, isAsc: null };
  const { data } = await world.call(aclRule.ops.list, { nCpeID: cpe, ...page });
  const [row] = data;
  if (!row) throw new Error("the site has no rule");
  const { nID, name, sort, nSection, dstIp } = row;
  const rule = { ...ruleOf(cpe, 1), name, sort, nSection, dstIp, dstPort: `${100 + at}` };
  await world.call(aclRule.ops.edit, { ...rule, nID });
}

/** From a save to the confirmation of the state with it, and CPU of the device meanwhile. */
async function applied(
  site: Site,
  save: () => Promise<unknown>,
): Promise<{ s: number; cpu: number }> {
  const { world, cpe, edge } = site;
  const cpu = cpuSeconds(edge);
  const from = performance.now();
  await save();
  await confirmed(world.call, cpe, settleMs);
  return { s: (performance.now() - from) / 1_000, cpu: cpuSeconds(edge) - cpu };
}

/** CPU seconds of a device in a minute in which nothing changes: comparing the kernel with the state, reading counters. */
async function idleCpu({ edge }: Site): Promise<number> {
  const before = cpuSeconds(edge);
  await sleep(idleSeconds * 1_000);
  return ((cpuSeconds(edge) - before) * 60) / idleSeconds;
}

const plain = (
  what: string,
  unit: string,
  values: readonly number[],
  goal: Result["goal"],
  isVoid: boolean,
): Result => ({
  bench: "policy",
  what,
  yardstick: { name: "rules", value: most, unit: "" },
  subject: { value: median(values), unit },
  measured: { value: median(values), unit },
  goal,
  spread: [Math.min(...values), Math.max(...values)],
  rounds: values.length,
  isVoid,
});

const count = (rules: number): string => rules.toLocaleString("en-US");

export async function* policy(): AsyncIterable<Result> {
  const isBusy = isMachineBusy();
  const site = await startSite();
  const { lab } = site.world;
  let socketPort = 30_000;
  const flows = async (host: string): Promise<number> => {
    socketPort += 1;
    return newFlows / (await flowSeconds(lab, host, socketPort));
  };
  let few = { flows: 0, idle: 0 };
  try {
    let rules = 0;
    for (const size of sizes) {
      await setRules(site, false);
      await addRules(site, rules, size);
      rules = size;
      await confirmed(site.world.call, site.cpe, settleMs);
      const load = await applied(site, () => setRules(site, true));
      const rounds = await alternate(
        () => packets(lab, "hostb"),
        () => packets(lab, "hosta"),
      );
      const running = summarise(rounds);
      yield ratioResult(
        {
          bench: "policy",
          what: `packets of a flow there and back through a site with ${count(size)} ACL rules`,
          yardstick: "connection tracking and masquerade alone",
          unit: "packets/s",
        },
        { ...running, isVoid: running.isVoid || isBusy },
        rounds.length,
        { atLeast: 0.87 },
      );
      const created = await alternate(
        () => flows("hostb"),
        () => flows("hosta"),
        3,
      );
      const starting = summarise(created);
      yield ratioResult(
        {
          bench: "policy",
          what: `new flows a second through a site with ${count(size)} ACL rules`,
          yardstick: "connection tracking and masquerade alone",
          unit: "flows/s",
        },
        { ...starting, isVoid: starting.isVoid || isBusy },
        created.length,
        null,
      );
      if (size === fewest) few = { flows: starting.subject, idle: await idleCpu(site) };
      if (size !== most) continue;
      const named = { bench: "policy", yardstick: `the same with ${fewest} rules` };
      const byFlow = { yardstick: 1e6 / few.flows, subject: 1e6 / starting.subject };
      yield ratioResult(
        { ...named, what: `a new flow through ${count(most)} ACL rules`, unit: "µs" },
        { ...summarise([byFlow]), isVoid: isBusy },
        1,
        { atMost: 2 },
      );
      yield plain(
        `${count(most)} ACL rules: from the save to confirmed`,
        "s",
        [load.s],
        { atMost: 5 },
        isBusy,
      );
      yield plain(
        `${count(most)} ACL rules taken over: CPU of the device`,
        "s CPU",
        [load.cpu],
        { atMost: 1.5 },
        isBusy,
      );
      const edited: number[] = [];
      for (let at = 0; at < edits; at++)
        edited.push((await applied(site, () => editRule(site, at))).cpu * 1_000);
      yield plain(
        `one of ${count(most)} ACL rules edited: CPU of the device`,
        "ms CPU",
        edited,
        { atMost: 300 },
        isBusy,
      );
      yield ratioResult(
        {
          ...named,
          what: `a minute of a device with ${count(most)} ACL rules in which nothing changes`,
          unit: "s CPU",
        },
        { ...summarise([{ yardstick: few.idle, subject: await idleCpu(site) }]), isVoid: isBusy },
        1,
        { atMost: 2 },
      );
    }
  } finally {
    await site.world.close();
  }
}
