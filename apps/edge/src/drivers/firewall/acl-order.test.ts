/**
 * Hundreds of rules that are found by maps let through what they would in their order: random rules in a namespace, and
 * thousands of datagrams among addresses of its own.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import { hitCounter } from "@weft/contract/device/v1/hit-counter.ts";
import { covers, networkOf, parsePrefix } from "@weft/contract/rules/address.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRun } from "#drivers/exec.ts";
import { evaluation } from "./acl.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-acl-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Mulberry32: the same numbers in every run. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const addresses = {
  4: Array.from({ length: 32 }, (_, at) => `10.0.${at & 3}.${1 + at * 7}`),
  6: Array.from({ length: 8 }, (_, at) => `fd57:${at & 1}::${(1 + at * 7).toString(16)}`),
};
const all = [...addresses[4], ...addresses[6]];
const firstPort = 10_000;
const packetCount = 4_000;

interface Packet {
  readonly source: string;
  readonly target: string;
  /** Of the target; no other packet has it. */
  readonly port: number;
}

/** Rules that deny addresses, a long run with one end each, and others before, between and behind. */
function rulesOf(seed: number, length: number): AclRuleState[] {
  const number = numbersOf(seed);
  const pick = <One>(from: readonly One[]): One => from[number(from.length)] as One;
  const network = (): string => {
    const address = pick(all);
    const lengths = address.includes(":") ? [128, 128, 126, 64] : [32, 32, 32, 30, 28, 26, 24];
    return networkOf(`${address}/${number(60) === 0 ? 0 : pick(lengths)}`);
  };
  const plain = { sourcePort: null, mac: null } as const;
  const end = pick(["source", "target"] as const);
  const other = end === "source" ? "target" : "source";
  const kinds = {
    denied: () => ({
      action: "drop",
      protocol: "any",
      targetPort: null,
      [pick([end, other])]: network(),
    }),
    found: () => ({ [end]: network(), ...ported() }),
    other: () => ({ ...(number(2) === 0 && { [other]: network() }), ...ported() }),
  };
  const ported = () => {
    const from = firstPort + number(packetCount);
    return {
      action: pick(["accept", "drop"]),
      protocol: "udp",
      targetPort: `${from}-${from + number(400)}`,
    };
  };
  const blocks = [
    ["other", 3],
    ["denied", 8],
    ["found", 20],
    ["denied", 3],
    ["found", length],
    ["other", 10],
    ["denied", 6],
    ["found", 70],
    ["other", 20],
  ] as const;
  let id = 0;
  return blocks.flatMap(([kind, count]) =>
    Array.from({ length: count }, () => {
      id += 1;
      const object = { family: "xaclrules", id } as const;
      return { source: null, target: null, ...plain, ...kinds[kind](), object } as AclRuleState;
    }),
  );
}

const packetsOf = (seed: number): Packet[] => {
  const number = numbersOf(seed + 1_000);
  return Array.from({ length: packetCount }, (_, at) => {
    const own = number(5) === 0 ? addresses[6] : addresses[4];
    const [source = "", target = ""] = [own[number(own.length)], own[number(own.length)]];
    return { source, target, port: firstPort + at };
  });
};

const isIn = (network: string | null, address: string): boolean => {
  const outer = parsePrefix(network ?? "");
  const inner = parsePrefix(`${address}/${address.includes(":") ? 128 : 32}`);
  return network === null || (outer !== null && inner !== null && covers(outer, inner));
};

/** The first rule that fits. */
const ruleFor = (rules: readonly AclRuleState[], { source, target, port }: Packet) =>
  rules.find((rule) => {
    const [from = 0, to = 0] = rule.targetPort?.split("-").map(Number) ?? [0, 65_535];
    return isIn(rule.source, source) && isIn(rule.target, target) && from <= port && port <= to;
  });

const deniesAddress = ({ action, protocol, source, target }: AclRuleState): boolean =>
  action === "drop" && protocol === "any" && (source === null) !== (target === null);

/** Of rules one after the other that deny addresses, one about the source counts before one about the target. */
function asMaps(rules: readonly AclRuleState[]): AclRuleState[] {
  const ordered: AclRuleState[] = [];
  let run: AclRuleState[] = [];
  const end = (): void => {
    const isMap = run.length >= 4;
    ordered.push(...(isMap ? run.filter(({ source }) => source !== null) : run));
    ordered.push(...(isMap ? run.filter(({ source }) => source === null) : []));
    run = [];
  };
  for (const rule of rules) {
    if (deniesAddress(rule)) run.push(rule);
    else {
      end();
      ordered.push(rule);
    }
  }
  end();
  return ordered;
}

const sender = (packets: readonly Packet[]): string => `
  const dgram = require("dgram");
  const packets = ${JSON.stringify(packets.map(({ source, target, port }) => [source, target, port]))};
  const sockets = new Map();
  const bound = (source) => new Promise((resolve) => {
    const socket = dgram.createSocket("udp" + (source.includes(":") ? 6 : 4));
    socket.bind(0, source, () => resolve(socket));
  });
  (async () => {
    for (const source of new Set(packets.map(([one]) => one))) sockets.set(source, await bound(source));
    // A datagram that a rule drops where it is sent fails with EPERM.
    for (const [source, target, port] of packets)
      await new Promise((resolve) => sockets.get(source).send("x", port, target, resolve));
    for (const socket of sockets.values()) socket.close();
  })();`;

/** Target ports of the datagrams that were let through, and hits of objects. */
async function sent(rules: readonly AclRuleState[], packets: readonly Packet[]) {
  const { head, declared, chains } = evaluation(rules, []);
  const table = [
    ...head,
    "table inet weft {",
    "set got { type inet_service; flags dynamic; size 65535; }",
    ...declared,
    ...chains,
    "chain out { type filter hook output priority 0; meta l4proto udp jump c_acl; }",
    `chain in { type filter hook input priority 0; udp dport >= ${firstPort} add @got { udp dport }; }`,
    "}",
  ];
  const [rulesFile, sendFile] = [join(folder, "rules.nft"), join(folder, "send.cjs")];
  writeFileSync(rulesFile, `${table.join("\n")}\n`);
  writeFileSync(sendFile, sender(packets));
  const script = [
    "ip link set lo up",
    ...all.map((one) => `ip addr add ${one} dev lo ${one.includes(":") ? "nodad" : ""}`),
    `nft -f ${rulesFile}`,
    `${process.execPath} ${sendFile}`,
    "nft -j list table inet weft",
  ];
  const text = await createRun()(["unshare", "--net", "sh", "-ec", script.join("\n")], {
    timeoutMs: 120_000,
  });
  const { nftables } = JSON.parse(text) as {
    nftables: {
      set?: { name: string; elem?: number[] };
      counter?: { name: string; packets: number };
      chain?: { name: string };
    }[];
  };
  return {
    ports: nftables.find(({ set }) => set?.name === "got")?.set?.elem?.toSorted() ?? [],
    hits: new Map(
      nftables.flatMap(({ counter }) =>
        counter ? [[counter.name, counter.packets] as const] : [],
      ),
    ),
    chains: nftables.flatMap(({ chain }) => (chain ? [chain.name] : [])),
  };
}

test.each([
  [1, 100],
  [2, 100],
  [3, 400],
  [4, 400],
  [5, 1_000],
  [6, 1_000],
])(
  "the first of hundreds of rules that fits a datagram decides, by rules of seed %i with a run of %i",
  async (seed, length) => {
    const rules = rulesOf(seed, length);
    const packets = packetsOf(seed);
    const found = await sent(rules, packets);
    const decided = packets.map((packet) => ({ packet, rule: ruleFor(rules, packet) }));
    const passed = decided.filter(({ rule }) => rule?.action !== "drop");
    expect(found.ports).toEqual(passed.map(({ packet }) => packet.port).toSorted());
    expect(found.chains.some((name) => name.startsWith("c_acl_4_"))).toBe(true);
    // Both verdicts, and rules in front of the run, in it and behind it, decide about many of them.
    expect(passed.length).toBeGreaterThan(packetCount / 20);
    expect(passed.length).toBeLessThan(packetCount * 0.95);
    const decisive = new Set(decided.flatMap(({ rule }) => rule?.object?.id ?? []));
    expect(decisive.size).toBeGreaterThan(30);
    const inMaps = asMaps(rules);
    const hits = new Map<string, number>();
    for (const packet of packets) {
      const object = ruleFor(inMaps, packet)?.object;
      const name = object ? hitCounter(object.family, object.id) : "";
      hits.set(name, (hits.get(name) ?? 0) + 1);
    }
    for (const [name, count] of found.hits)
      expect([name, count]).toEqual([name, hits.get(name) ?? 0]);
  },
  120_000,
);
