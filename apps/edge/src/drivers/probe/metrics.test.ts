import { describe, expect, it } from "vitest";
import { metricsOf, parseReply, type Reply } from "./metrics.ts";
import { parseBytes, rateBetween } from "./observe.ts";
import { type MeasuredLink, planProbes, probeSets } from "./plan.ts";

/** Replies every 200 ms from 0, without the given numbers. */
const series = (count: number, lost: readonly number[], rtt: (n: number) => number = () => 20) =>
  Array.from(
    { length: count },
    (_, sequence): Reply => ({
      at: sequence * 200 + rtt(sequence),
      sequence,
      rttMs: rtt(sequence),
    }),
  ).filter(({ sequence }) => !lost.includes(sequence));

describe("parseReply", () => {
  it("reads a line of fping -l -D", () => {
    expect(
      parseReply("[1795239694.55689] 10.255.0.1 : [12], 20 bytes, 0.385 ms (0.385 avg, 0% loss)"),
    ).toEqual({
      target: "10.255.0.1",
      reply: { at: 1_795_239_694_556.89, sequence: 12, rttMs: 0.385 },
    });
  });
  it("reads one whose target is shorter than another's", () => {
    const reply = "20 bytes, 0.385 ms (0.385 avg, 0% loss)";
    const padded = `[1795239694.55689] 10.255.0.1    : [0], ${reply}`;
    expect(parseReply(padded)?.target).toBe("10.255.0.1");
    expect(parseReply(`[1795239694.55689] fd57:ff:11:: : [0], ${reply}`)?.target).toBe(
      "fd57:ff:11::",
    );
  });
  it("leaves other lines alone", () => {
    expect(
      parseReply("ICMP Host Unreachable from 10.0.0.1 for ICMP Echo sent to 10.0.0.2"),
    ).toBeNull();
  });
});

describe("metricsOf", () => {
  it.each<[string, Reply[], number, number | null, boolean]>([
    ["all answered", series(50, []), 10_000, 0, true],
    ["five lost in the middle", series(50, [3, 9, 20, 21, 22]), 10_000, 10, true],
    ["silent for 4 s", series(30, []), 10_000, 100 * (20 / 50), false],
    ["nothing in the window", series(10, []), 60_000, 100, false],
    ["never a reply", [], 5_000, 100, false],
    ["just started", [], 800, null, false],
    ["one on its way", series(50, []).slice(0, 49), 9_900, 0, true],
  ])("%s", (_name, replies, now, lossPercent, up) => {
    expect(metricsOf(replies, 0, now)).toMatchObject({ lossPercent, up });
  });
  it("averages, and smooths the differences by a sixteenth (RFC 3550)", () => {
    const steady = metricsOf(series(50, []), 0, 10_000);
    expect(steady).toMatchObject({ rttMs: 20, jitterMs: 0 });
    const swinging = metricsOf(
      series(50, [], (n) => (n % 2 === 0 ? 20 : 30)),
      0,
      10_000,
    );
    expect(swinging.rttMs).toBe(25);
    expect(swinging.jitterMs).toBeGreaterThan(9);
    expect(swinging.jitterMs).toBeLessThan(10);
  });
});

describe("rateBetween", () => {
  it.each([
    [undefined, { inRate: null, outRate: null }],
    [
      { at: 0, rx: 0, tx: 0 },
      { inRate: 4_000, outRate: 8_000 },
    ],
    [
      { at: 0, rx: 9_000, tx: 0 },
      { inRate: null, outRate: 8_000 },
    ],
  ])("from %j", (before, rates) => {
    expect(rateBetween(before, { at: 2_000, rx: 1_000, tx: 2_000 })).toEqual(rates);
  });
});

describe("planProbes", () => {
  const link = (id: number, netns: string | null, probe: boolean): MeasuredLink => ({
    id,
    interfaceName: `wl${id}`,
    netns,
    target: `10.255.${id}.0`,
    target6: id === 2 ? null : `fd57:ff:${id}::`,
    probe,
    mtu: 1_380,
  });
  const part = [
    link(2, null, true),
    link(1, null, true),
    link(3, "weft-s1", true),
    link(4, null, false),
  ];
  it("wants one process for each namespace, with both families of a link that carries them", () => {
    expect(probeSets(part)).toEqual([
      { netns: null, targets: ["10.255.1.0", "10.255.2.0", "fd57:ff:1::"] },
      { netns: "weft-s1", targets: ["10.255.3.0", "fd57:ff:3::"] },
    ]);
  });
  it("has nothing to do when they run, and something when one died", () => {
    const running = probeSets(part);
    expect(planProbes(part, { links: part, running })).toEqual([]);
    expect(planProbes(part, { links: part, running: running.slice(1) })).toHaveLength(1);
    expect(planProbes(part, { links: part.slice(1), running })).toHaveLength(1);
  });
});

it("bytes of each interface are read as proc(5) lays them out", () => {
  const columns = "bytes packets errs drop fifo frame compressed multicast";
  const text = [
    "Inter-| Receive | Transmit",
    ` name |${columns}|${columns}`,
    "    lo:     220       3 0 0 0 0 0 0      220       3 0 0 0 0 0 0",
    "   wl1:123456789     99 0 0 0 0 0 0     4321      21 0 0 0 0 0 0",
    "",
  ].join("\n");
  expect([...parseBytes(text)]).toEqual([
    ["lo", { rx: 220, tx: 220 }],
    ["wl1", { rx: 123_456_789, tx: 4_321 }],
  ]);
});
