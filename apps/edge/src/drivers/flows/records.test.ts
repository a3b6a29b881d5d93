import { flowRecord, maxFlowBytes, maxFlowMs } from "@weft/contract/device/v1/flow-records.ts";
import { describe, expect, it } from "vitest";
import { parseAge, parseFlow, type SeenFlow } from "./parse.ts";
import { FlowRecords } from "./records.ts";

const tcp =
  "[DESTROY] ipv4     2 tcp      6 TIME_WAIT src=10.1.1.100 dst=198.51.100.1 sport=41006 dport=443 packets=6 bytes=420 src=198.51.100.1 dst=192.0.2.10 sport=443 dport=41006 packets=5 bytes=5268 [ASSURED] delta-time=121 [start=Sat Nov 28 14:28:44 2026] [stop=Sat Nov 28 14:30:45 2026] id=771214417";
const mapped =
  "ipv4     2 udp      17 29 src=203.0.113.9 dst=192.0.2.10 sport=5000 dport=8080 packets=1 bytes=64 [UNREPLIED] src=10.1.1.100 dst=203.0.113.9 sport=80 dport=5000 packets=0 bytes=0 mark=0 delta-time=2 [start=Sat Nov 28 14:28:44 2026] use=1 id=3";
const ping6 =
  "[DESTROY] ipv6     10 icmpv6   58 src=fd57:1:1::100 dst=fd57:1:1::1 type=128 code=0 id=2929 packets=2 bytes=208 src=fd57:1:1::1 dst=fd57:1:1::100 type=129 code=0 id=2929 packets=2 bytes=208 delta-time=31 id=2685691859";

describe("a line of conntrack", () => {
  it("is a flow with its two ends behind translations, and its bytes in each direction", () => {
    expect(parseFlow(tcp)).toEqual({
      id: "771214417",
      protocol: 6,
      source: "10.1.1.100",
      sourcePort: 41_006,
      destination: "198.51.100.1",
      destinationPort: 443,
      inBytes: 5_268,
      outBytes: 420,
      seconds: 121,
      timeout: "tcp_timeout_time_wait",
    });
    expect(parseFlow(mapped)).toMatchObject({
      source: "203.0.113.9",
      sourcePort: 5_000,
      destination: "10.1.1.100",
      destinationPort: 80,
      timeout: null,
    });
    expect(parseFlow(ping6)).toMatchObject({
      protocol: 58,
      id: "2685691859",
      sourcePort: 0,
      timeout: "icmpv6_timeout",
    });
  });

  it("is none where it is something else, and of one without counters bytes are 0", () => {
    expect(
      parseFlow("conntrack v1.4.7 (conntrack-tools): 3 flow events have been shown."),
    ).toBeNull();
    expect(parseFlow("")).toBeNull();
    const uncounted = tcp.replaceAll(/ (?:packets|bytes)=\d+/g, "");
    expect(parseFlow(uncounted)).toMatchObject({ inBytes: 0, outBytes: 0 });
  });
});

const flowOf = (values: Partial<SeenFlow> = {}): SeenFlow => ({
  id: "1",
  protocol: 6,
  source: "10.1.1.100",
  sourcePort: 1_000,
  destination: "198.51.100.1",
  destinationPort: 443,
  inBytes: 100,
  outBytes: 10,
  seconds: 20,
  timeout: null,
  ...values,
});

const started = () => {
  const clock = { now: 1_000_000 };
  const records = new FlowRecords(() => clock.now);
  records.follow(["10.1.1.0/24", "fd57:1:1::/64"]);
  return { clock, records };
};

/** One look at all flows that go on. */
const goOn = (records: FlowRecords, ...flows: readonly SeenFlow[]): void => {
  const round = records.round();
  for (const flow of flows) if (round.needs(flow.id, flow.seconds)) round.take(flow);
  round.end(true);
};

describe("records of flows", () => {
  it("are kept of hosts of the site, whichever end they are, and of nothing else", () => {
    const { records } = started();
    records.ended(flowOf(), 0);
    records.ended(flowOf({ source: "10.9.0.1", destination: "10.1.1.7" }), 0);
    records.ended(flowOf({ source: "fd57:1:1::7", destination: "2001:db8::1" }), 0);
    records.ended(flowOf({ source: "192.0.2.10", destination: "198.51.100.1" }), 0);
    records.ended(flowOf({ source: "fd57:1:2::7", destination: "2001:db8::1" }), 0);
    expect(records.first(10).map(({ source }) => source)).toEqual([
      "10.1.1.100",
      "10.9.0.1",
      "fd57:1:1::7",
    ]);
  });

  it("end with the last packet, however long the kernel keeps the entry", () => {
    const { clock, records } = started();
    records.ended(flowOf({ seconds: 121 }), 120_000);
    clock.now += 5_000;
    expect(records.first(1)).toMatchObject([{ durationMs: 1_000, ago: 125_000 }]);
  });

  it("of a flow that goes on are cut, each with what was moved since the one before", () => {
    const { clock, records } = started();
    goOn(records, flowOf({ seconds: 299 }));
    expect(records.size).toBe(0);
    goOn(records, flowOf({ seconds: 300 }));
    clock.now += 300_000;
    goOn(records, flowOf({ seconds: 600 }));
    expect(records.size).toBe(1);
    goOn(records, flowOf({ seconds: 600, inBytes: 150 }));
    clock.now += 1_000;
    records.ended(flowOf({ seconds: 601, inBytes: 150, outBytes: 15 }), 0);
    expect(records.first(9).map((one) => [one.inBytes, one.outBytes, one.durationMs])).toEqual([
      [100, 10, 300_000],
      [50, 0, 300_000],
      [0, 5, 1_000],
    ]);
  });

  it("of a flow that ends while all are listed have its bytes once", () => {
    const { records } = started();
    const round = records.round();
    records.ended(flowOf({ seconds: 300 }), 0);
    // The list is older than the end.
    round.take(flowOf({ seconds: 300 }));
    round.take(flowOf({ id: "2", sourcePort: 2, seconds: 300 }));
    round.end(true);
    records.ended(flowOf({ id: "2", sourcePort: 2, seconds: 301, inBytes: 130 }), 0);
    expect(records.first(9).map((one) => [one.sourcePort, one.inBytes])).toEqual([
      [1_000, 100],
      [2, 100],
      [2, 30],
    ]);
  });

  it("are not made of flows that the kernel still reports after recording has ended", () => {
    const { records } = started();
    const round = records.round();
    records.ended(flowOf(), 0);
    records.stop();
    records.ended(flowOf({ id: "2" }), 0);
    round.take(flowOf({ id: "3", seconds: 300 }));
    round.end(true);
    expect(records.size).toBe(1);
  });

  it("know which flows that go on need to be read, by their age alone", () => {
    const { records } = started();
    expect(parseAge(mapped)).toEqual({ id: "3", seconds: 2 });
    expect(
      parseAge("conntrack v1.4.7 (conntrack-tools): 1 flow entries have been shown."),
    ).toBeNull();
    goOn(records, flowOf({ id: "7", seconds: 400 }));
    const round = records.round();
    expect([round.needs("3", 299), round.needs("3", 300), round.needs("7", 1)]).toEqual([
      false,
      true,
      true,
    ]);
    // Not all were given: what has a record is remembered.
    round.end(false);
    expect(records.round().needs("7", 1)).toBe(true);
  });

  it("wait in their order, and the oldest are dropped when there are too many", () => {
    const { records } = started();
    for (let port = 0; port < 20_003; port += 1) records.ended(flowOf({ sourcePort: port }), 0);
    expect([records.size, records.dropped]).toEqual([20_000, 3]);
    const { dropped } = records;
    const read = records.first(10);
    expect(read[0]?.sourcePort).toBe(3);
    // Four of those that were read are dropped while they are on their way.
    for (let port = 0; port < 4; port += 1) records.ended(flowOf({ sourcePort: 30_000 + port }), 0);
    records.forget(read.length, dropped);
    expect(records.first(1)[0]?.sourcePort).toBe(13);
    // A host that scans all ports while there is no controller, and what was read before it.
    const before = records.dropped;
    const count = records.first(10).length;
    for (let port = 0; port < 60_000; port += 1) records.ended(flowOf({ sourcePort: port }), 0);
    records.forget(count, before);
    expect([records.size, records.dropped]).toEqual([20_000, before + 59_994]);
    expect(records.first(1)[0]?.sourcePort).toBe(40_000);
    expect(records.first(20_000).at(-1)?.sourcePort).toBe(59_999);
  });

  it("fit the message schema, whatever the kernel reports of a flow", () => {
    const { clock, records } = started();
    // A flow from before the program, or from before the clock of the device was set: 54 years.
    goOn(records, flowOf({ seconds: 1_700_000_000 }));
    records.ended(
      flowOf({ id: "2", seconds: 40 * 86_400, inBytes: Number("18446744073709551615") }),
      0,
    );
    records.ended(flowOf({ id: "3", source: "fd57:1:1::7", destination: "::198.51.100.1" }), 0);
    records.ended(flowOf({ id: "4", source: "fd57:1:1::7", destination: "::ffff:192.0.2.1" }), 0);
    const found = records.first(9);
    expect(found.map((one) => [one.durationMs, one.inBytes])).toEqual([
      [maxFlowMs, 100],
      [maxFlowMs, maxFlowBytes],
      [20_000, 100],
      [20_000, 100],
    ]);
    for (const one of found) expect(flowRecord.safeParse(one).error).toBeUndefined();
    // A month without a controller.
    clock.now += maxFlowMs - 1_000;
    records.ended(flowOf({ id: "5", sourcePort: 5 }), 2_000);
    clock.now += 1_001;
    expect(records.first(9)).toMatchObject([{ sourcePort: 5, ago: 3_001 }]);
    expect([records.size, records.dropped]).toEqual([1, 4]);
  });
});
