import { expect, test } from "vitest";
import { batchesOf, type Weight } from "./marks.ts";

const idsOf = (batches: readonly (readonly { readonly node_id: number }[])[]) =>
  batches.map((batch) => batch.map(({ node_id }) => node_id));
const marksOf = (...ids: readonly number[]) => ids.map((node_id) => ({ node_id }));
const own = (rows: number): Weight => ({ own: rows, spaces: new Map() });
const inSpace = (space: number, rows: number): Weight => ({
  own: 1,
  spaces: new Map([[space, rows]]),
});

test("batches have at most so many nodes, in their order", () => {
  const batches = batchesOf(marksOf(5, 4, 3, 2, 1), new Map(), { nodes: 2, rows: 10 });
  expect(idsOf(batches)).toEqual([[5, 4], [3, 2], [1]]);
  expect(batchesOf([], new Map(), { nodes: 2, rows: 10 })).toEqual([]);
});

test("a node with more rows than fit is a batch of its own", () => {
  const weights = new Map([1, 2, 3, 4].map((id) => [id, own(id === 2 ? 5_000 : 4)]));
  const batches = batchesOf(marksOf(1, 2, 3, 4), weights, { nodes: 200, rows: 10 });
  expect(idsOf(batches)).toEqual([[1], [2], [3, 4]]);
});

test("rows of a space count once for the nodes of a batch that are in it", () => {
  const limits = { nodes: 200, rows: 15 };
  const same = new Map([1, 2, 3].map((id) => [id, inSpace(7, 10)]));
  expect(idsOf(batchesOf(marksOf(1, 2, 3), same, limits))).toEqual([[1, 2, 3]]);
  const others = new Map([1, 2, 3].map((id) => [id, inSpace(id, 10)]));
  expect(idsOf(batchesOf(marksOf(1, 2, 3), others, limits))).toEqual([[1], [2], [3]]);
});
