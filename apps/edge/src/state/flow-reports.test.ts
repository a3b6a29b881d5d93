import { flows, maxFlowMs } from "@weft/contract/device/v1/flow-records.ts";
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { describe, expect, test } from "vitest";
import { FlowRecords } from "#drivers/flows/records.ts";
import { FlowReporter } from "./flow-reports.ts";

type Sent = MessageFromEdge<"flows">;

const started = () => {
  const clock = { now: 0 };
  const records = new FlowRecords(() => clock.now);
  records.follow(["10.1.1.0/24"]);
  const sent: Sent[] = [];
  const link = {
    isConnected: true,
    send: (message: unknown) => {
      if (link.isConnected) sent.push(message as Sent);
      return link.isConnected;
    },
  };
  const random = { bytes: (count: number) => new Uint8Array(count), fraction: () => 0 };
  const reporter = new FlowReporter({ random, machine: { flows: records }, link });
  const add = (count: number) => {
    for (let at = 0; at < count; at += 1)
      records.ended(
        {
          id: String(at),
          protocol: 17,
          source: "10.1.1.100",
          sourcePort: at,
          destination: "192.0.2.1",
          destinationPort: 53,
          inBytes: 100,
          outBytes: 50,
          seconds: 1,
          timeout: null,
        },
        0,
      );
  };
  const ack = () => {
    const { boot = "", sequence = 0 } = sent.at(-1) ?? {};
    reporter.take({ type: "flowsAck", boot, sequence }, clock.now);
  };
  return { clock, records, sent, link, reporter, add, ack };
};

describe("records of flows", () => {
  test("are sent one message at a time, and again until the store has them", () => {
    const { clock, records, sent, reporter, add, ack } = started();
    reporter.report(clock.now);
    expect(sent).toEqual([]);
    add(3);
    reporter.report(clock.now);
    add(1);
    clock.now += 5_000;
    reporter.report(clock.now);
    expect(sent.map(({ items }) => items.length)).toEqual([3]);
    clock.now += 5_000;
    reporter.report(clock.now);
    // The same message, whose flows ended ten seconds earlier by now.
    expect(sent.map(({ sequence, items }) => [sequence, items[0]?.ago])).toEqual([
      [1, 0],
      [1, 10_000],
    ]);
    ack();
    expect(records.size).toBe(1);
    reporter.report(clock.now);
    expect(sent.at(-1)).toMatchObject({ sequence: 2, items: [{ sourcePort: 0 }] });
  });

  test("are sent again on a new connection, and those of another message are not taken for acknowledged", () => {
    const { clock, records, sent, link, reporter, add } = started();
    add(2);
    reporter.report(clock.now);
    link.isConnected = false;
    reporter.report(clock.now);
    link.isConnected = true;
    reporter.forget();
    reporter.report(clock.now);
    expect(sent.map(({ sequence }) => sequence)).toEqual([1, 1]);
    reporter.take({ type: "flowsAck", boot: sent[0]?.boot ?? "", sequence: 9 }, clock.now);
    expect(records.size).toBe(2);
  });

  test("follow one another without a pause while they fill messages", () => {
    const { clock, records, sent, reporter, add, ack } = started();
    add(4_500);
    reporter.report(clock.now);
    ack();
    ack();
    expect(sent.map(({ items }) => items.length)).toEqual([2_000, 2_000]);
    expect(records.size).toBe(500);
  });

  test("are dropped after a month without a controller, which would refuse them and end the connection", () => {
    const { clock, records, sent, link, reporter, add, ack } = started();
    add(2);
    reporter.report(clock.now);
    link.isConnected = false;
    clock.now += maxFlowMs - 1_000;
    add(1);
    clock.now += 2_000;
    link.isConnected = true;
    reporter.forget();
    reporter.report(clock.now);
    expect(sent.at(-1)).toMatchObject({ sequence: 2, dropped: 2, items: [{ ago: 2_000 }] });
    expect(flows.safeParse(sent.at(-1)).error).toBeUndefined();
    ack();
    expect(records.size).toBe(0);
  });
});
