import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import pino from "pino";
import { describe, expect, test, vi } from "vitest";
import { FlowIntake, flowRowsOf } from "./flow-intake.ts";
import type { FlowRow } from "./flow-schema.ts";

const logger = pino({ level: "silent" });
const source = { node: 7, enterpriseId: 3 };
const record = {
  ago: 4_000,
  durationMs: 60_000,
  source: "10.1.1.100",
  sourcePort: 41_006,
  destination: "198.51.100.1",
  destinationPort: 443,
  protocol: 6,
  inBytes: 5_268,
  outBytes: 420,
};
const message = (sequence: number, count = 1): MessageFromEdge<"flows"> => ({
  type: "flows",
  boot: "b2Zmc2V0LW9mLWEtYm9vdA",
  sequence,
  dropped: 0,
  items: Array.from({ length: count }, () => record),
});

/** A store that takes what it is given, or nothing; its blocks are written when the test says so. */
const started = () => {
  const blocks: (readonly FlowRow[])[] = [];
  const state = { fails: false, due: [] as (() => void)[] };
  const store = {
    insert: async (rows: readonly FlowRow[]) => {
      if (state.fails) throw new Error("away");
      blocks.push(rows);
    },
  };
  const intake = new FlowIntake(store, logger, (work) => {
    state.due.push(work);
    return () => {
      state.due = state.due.filter((one) => one !== work);
    };
  });
  const pass = () => {
    for (const work of state.due.splice(0)) work();
  };
  return { intake, blocks, state, pass };
};

describe("records of flows on their way into the store", () => {
  test("are of the device that sent them and its enterprise, by the controller's clock", () => {
    expect(flowRowsOf(source, message(1), 1_000_000)).toMatchObject([
      {
        node_id: 7,
        enterprise_id: 3,
        at: 936_000,
        duration_ms: 60_000,
        destination: "198.51.100.1",
        in_bytes: 5_268,
        out_bytes: 420,
      },
    ]);
  });

  test("are written in one block, and acknowledged once they are durable", async () => {
    const { intake, blocks, pass } = started();
    const kept = [intake.keep(source, message(1)), intake.keep({ ...source, node: 8 }, message(1))];
    expect(blocks).toEqual([]);
    pass();
    expect(await Promise.all(kept)).toEqual([true, true]);
    expect(blocks.map(({ length }) => length)).toEqual([2]);
  });

  test("are written once where their acknowledgement was lost, and while they are on their way", async () => {
    const { intake, blocks, pass } = started();
    const first = intake.keep(source, message(1));
    expect(await intake.keep(source, message(1))).toBe(false);
    pass();
    expect(await first).toBe(true);
    expect(await intake.keep(source, message(1))).toBe(true);
    expect(blocks).toHaveLength(1);
  });

  test("of one device wait one message at a time, whatever it sends", async () => {
    const { intake, blocks, pass } = started();
    const first = intake.keep(source, message(1, 2_000));
    for (let sequence = 2; sequence <= 60; sequence += 1)
      expect(await intake.keep(source, message(sequence, 2_000))).toBe(false);
    const other = intake.keep({ ...source, node: 8 }, message(1));
    pass();
    expect(await Promise.all([first, other])).toEqual([true, true]);
    expect(blocks.flat()).toHaveLength(2_001);
  });

  test("stay with the device while the store is away", async () => {
    const { intake, blocks, state, pass } = started();
    state.fails = true;
    const lost = intake.keep(source, message(1));
    pass();
    expect(await lost).toBe(false);
    state.fails = false;
    const again = intake.keep(source, message(1));
    pass();
    expect(await again).toBe(true);
    expect(blocks).toHaveLength(1);
  });

  test("that a device had to drop are logged once for each message that is new", async () => {
    const warn = vi.spyOn(logger, "warn");
    const { intake, pass } = started();
    for (const [sequence, dropped] of [
      [1, 0],
      [2, 5],
      [2, 5],
      [3, 5],
      [4, 12],
    ] as const) {
      const kept = intake.keep(source, { ...message(sequence), dropped });
      pass();
      expect(await kept).toBe(true);
    }
    expect(warn.mock.calls.map(([fields]) => fields)).toEqual([
      { node: 7, dropped: 5 },
      { node: 7, dropped: 7 },
    ]);
    warn.mockRestore();
  });

  test("are refused beyond what may wait", async () => {
    const { intake, blocks } = started();
    const many = Array.from({ length: 50 }, (_, at) =>
      intake.keep({ ...source, node: at + 1 }, message(1, 2_000)),
    );
    expect(await intake.keep({ ...source, node: 99 }, message(1))).toBe(false);
    await intake.close();
    expect(await Promise.all(many)).toEqual(many.map(() => true));
    expect(blocks.flat()).toHaveLength(100_000);
  });
});
