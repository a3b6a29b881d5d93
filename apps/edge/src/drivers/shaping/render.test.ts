/** What queues leave the device's own packets: what leads to the controller must pass whatever rate somebody saved. */
import { markMask } from "@weft/contract/device/v1/mark.ts";
import { expect, test } from "vitest";
import { rateName } from "#drivers/without-refused.ts";
import { lineQueues, type Queues, redirectLine, treeQueues } from "./render.ts";

/** kbit/s that the class of the device's own packets is sure of, and that it may take. */
const ownOf = ({ handle, batch }: Queues): number[] => {
  const own = batch.find((line) => line.includes(` classid ${handle}5 `)) ?? "";
  return (/rate (\d+)kbit ceil (\d+)kbit/.exec(own) ?? []).slice(1).map(Number);
};
const names = { rate: [rateName("up")], ofLeaf: () => [], ofCircuit: () => [] };
const tree = (rate: number | null) =>
  ownOf(treeQueues("up", { rate, leaves: [], circuits: [] }, true, names, "site"));
const line = (rate: number) => ownOf(lineQueues("wan1", rate, true, "site"));

test("of a device's rate its own packets have 256 kbit/s however small it is", () => {
  expect([1, 64, 300].map(tree)).toEqual([
    [256, 256],
    [256, 256],
    [256, 256],
  ]);
  expect(tree(8_000)).toEqual([400, 4_000]);
});

test("of a WAN link's rate they have 64 kbit/s, and never more than it carries", () => {
  expect([1, 64, 100].map(line)).toEqual([
    [1, 1],
    [57, 57],
    [64, 64],
  ]);
  expect(line(8_000)).toEqual([400, 4_000]);
});

test("of what a POP lets through of small packets they are sure, and the rest has what that leaves", () => {
  const { batch } = lineQueues("wan1", 8_000, true, "pop");
  expect(batch.join("\n")).toMatch(/classid 9:5 htb prio 0 rate 4000kbit ceil 4000kbit/);
  expect(batch.join("\n")).toMatch(/classid 9:10 htb prio 1 rate 4000kbit ceil 8000kbit/);
  const whole = treeQueues("up", { rate: 8_000, leaves: [], circuits: [] }, true, names, "pop");
  expect(ownOf(whole)).toEqual([4_000, 4_000]);
});

interface Packet {
  readonly bytes: number;
  readonly mark: number;
  readonly isTagged: boolean;
}

/** Runs the instructions of a filter (classic BPF, as far as the filters use it) on a packet. */
const matches = (filter: string, { bytes, mark, isTagged }: Packet): boolean => {
  const [, text = ""] = /bytecode "\d+,([^"]+)"/.exec(filter) ?? [];
  const instructions = text.split(",").map((one) => one.split(" ").map(Number));
  const loaded = new Map([
    [4_294_963_220, mark],
    [4_294_963_248, Number(isTagged)],
  ]);
  let value = 0;
  for (let at = 0; at < instructions.length; at += 1) {
    const [code, onTrue = 0, onFalse = 0, given = 0] = instructions[at] ?? [];
    if (code === 6) return given !== 0;
    else if (code === 128) value = bytes;
    else if (code === 32) value = loaded.get(given) ?? Number.NaN;
    else if (code === 84) value = (value & given) >>> 0;
    else if (code === 21) at += value === given ? onTrue : onFalse;
    else if (code === 37) at += value > given ? onTrue : onFalse;
    else if (code === 69) at += (value & given) !== 0 ? onTrue : onFalse;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error("a filter without an end");
};

test("frames that VLANs of a card send are in the queues of their own interfaces alone", () => {
  const packets = [100, 1_500].flatMap((bytes) =>
    [0, markMask("control"), markMask("outer")].map((mark) => ({ bytes, mark })),
  );
  const redirect = (sparesTunnels: boolean) =>
    redirectLine({ device: "wan1", to: "wup", about: [], sparesTunnels });
  const ofLine = lineQueues("wan1", 8_000, true, "site").batch.filter((line) =>
    line.startsWith("filter "),
  );
  const [small = "", ofVlans = ""] = ofLine;
  expect(ofVlans).toMatch(/ classid 9:0$/);
  for (const { bytes, mark } of packets) {
    const isOuter = mark === markMask("outer");
    const isFirst = bytes === 100 || mark === markMask("control");
    const plain = { bytes, mark, isTagged: false };
    const filters = [redirect(false), redirect(true), small, ofVlans];
    expect(filters.map((filter) => matches(filter, plain))).toEqual([
      true,
      !isOuter,
      isFirst,
      false,
    ]);
    const tagged = { ...plain, isTagged: true };
    expect(filters.map((filter) => matches(filter, tagged))).toEqual([false, false, false, true]);
  }
});
