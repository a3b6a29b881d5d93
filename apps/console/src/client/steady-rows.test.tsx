import { describe, expect, test } from "vitest";
import { steadyOrder } from "./steady-rows.ts";

const rowsOf = (...ids: number[]) => ids.map((id) => ({ id }));
const orderOf = (shown: number[], ...ids: number[]) =>
  steadyOrder(shown, rowsOf(...ids)).map(({ id }) => id);

describe("the order of rows on a screen", () => {
  test("those that changed places stay", () => {
    expect(orderOf([1, 2, 3], 3, 1, 2)).toEqual([1, 2, 3]);
  });

  test("a removed row disappears and the others stay", () => {
    expect(orderOf([1, 2, 3], 3, 1)).toEqual([1, 3]);
  });

  test("a new one comes after the one that it follows", () => {
    expect(orderOf([1, 2, 3], 9, 1, 2, 3)).toEqual([9, 1, 2, 3]);
    expect(orderOf([1, 2, 3], 3, 8, 9, 1, 2)).toEqual([1, 2, 3, 8, 9]);
  });

  test("the values are those of the answer", () => {
    const rows = [
      { id: 2, name: "new" },
      { id: 1, name: "old" },
    ];
    expect(steadyOrder([1, 2], rows)).toEqual([rows[1], rows[0]]);
  });
});
