import { expect, it } from "vitest";
import { createFlowTable, type FlowCounts, flowTableFindings, refusedIn } from "./flow-table.ts";

it("adds what all cores refused, in hexadecimal", () => {
  const text = `entries  clashres found drop early_drop icmp_error
0000000a  00000000 00000000 00000010 00000001 00000000
0000000a  00000000 00000000 00000002 0000000f 00000000
`;
  expect(refusedIn(text)).toBe(16 + 1 + 2 + 15);
});

it("reports a table that is nearly full, and for ten minutes one that refused a flow", () => {
  let counts: FlowCounts | null = null;
  let now = 0;
  const table = createFlowTable(
    () => counts,
    () => now,
  );
  const at = (seconds: number, used: number, refused: number) => {
    now = seconds * 1_000;
    counts = { used, max: 1_000, refused };
    return table();
  };
  // The kernel follows nothing yet.
  expect(table()).toBeNull();
  // What was refused before the program started is none of its reports.
  expect(at(0, 899, 7)).toBeNull();
  expect(at(10, 900, 7)).toEqual({ used: 900, max: 1_000, refused: 0 });
  expect(at(20, 10, 7)).toBeNull();
  expect(at(30, 10, 9)).toMatchObject({ refused: 2 });
  expect(at(600, 10, 10)).toMatchObject({ refused: 3 });
  expect(at(1_199, 10, 10)).toMatchObject({ refused: 3 });
  expect(at(1_201, 10, 10)).toBeNull();
});

it("gives one finding that stays the same while the table fills", () => {
  const of = (used: number) => flowTableFindings({ used, max: 1_000, refused: used });
  expect(of(950)).toEqual(of(1_000));
  expect(of(950)).toMatchObject([{ reason: "flowTableFull", params: { max: "1000" } }]);
  expect(flowTableFindings(null)).toEqual([]);
});
