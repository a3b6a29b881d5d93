/** What queues leave the device's own packets: what leads to the controller must pass whatever rate somebody saved. */
import { expect, test } from "vitest";
import { rateName } from "#drivers/without-refused.ts";
import { lineQueues, type Queues, treeQueues } from "./render.ts";

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
