import { holds } from "@weft/contract/permissions.ts";
import { describe, expect, it } from "vitest";
import { type Column, numberColumn, textColumn } from "./columns.tsx";
import { fitColumns, tableColumns, totalWidth } from "./table-columns.tsx";

interface Row {
  readonly name: string;
}
const columns = [textColumn<Row>("name", "Name", (row) => row.name)];
const rows: readonly Row[] = [{ name: "one" }, { name: "two" }];
const actions = () => [
  { key: "edit", label: "Edit", may: "cpeEdit" as const },
  { key: "claim", label: "Make a claim", may: "cpeActive" as const },
];
const made = (held: readonly string[], shown = rows) =>
  tableColumns({
    columns,
    rows: shown,
    actions,
    actionsTitle: "Actions",
    sort: null,
    may: (code) => holds({ userId: 2, authorities: held }, code),
  });

it("gives actions the room of those that the user may do", () => {
  const all = made(["cpeEdit", "cpeActive"]).at(-1);
  const one = made(["cpeEdit"]).at(-1);
  expect(all?.key).toBe("actions");
  expect(Number(one?.width)).toBeLessThan(Number(all?.width));
});

it("has no column of actions for who may do nothing with any row", () => {
  expect(made([]).map(({ key }) => key)).toEqual(["name"]);
  // Before the rows are there it is not known.
  expect(made([], []).map(({ key }) => key)).toEqual(["name", "actions"]);
});

describe("columns that do not fit", () => {
  const wide = [
    textColumn<Row>("name", "Name", (row) => row.name, { width: 300 }),
    textColumn<Row>("remark", "Remark", (row) => row.name, { width: 200 }),
    numberColumn<Row>("count", "Count", () => 1, { width: 100 }),
  ];
  const widths = (columns: readonly Column<Row>[]) => columns.map(({ width }) => width);

  it("are narrowed where they cut their text, and fit exactly", () => {
    const fitted = fitColumns(wide, 520);
    expect(totalWidth(fitted)).toBeLessThanOrEqual(520);
    expect(totalWidth(fitted)).toBeGreaterThan(515);
    expect(fitted.at(-1)?.width).toBe(100);
    for (const [at, column] of fitted.entries()) {
      expect(column.width).toBeGreaterThanOrEqual(wide[at]?.narrowest ?? 0);
    }
  });

  it("stay as they are where nothing is missing, or where even then they would not fit", () => {
    expect(widths(fitColumns(wide, 600))).toEqual([300, 200, 100]);
    expect(widths(fitColumns(wide, 300))).toEqual([300, 200, 100]);
  });

  it("keep their titles", () => {
    const titled = textColumn<Row>("name", "A long title of a column", (row) => row.name);
    expect(titled.narrowest).toBe(titled.width);
  });

  it("leave the actions their room", () => {
    const room = 560;
    const all = tableColumns({
      columns: wide,
      rows,
      actions: () => [{ key: "edit", label: "Edit" }],
      actionsTitle: "Actions",
      sort: null,
      room,
      may: () => true,
    });
    expect(all.at(-1)?.key).toBe("actions");
    expect(totalWidth(all)).toBeLessThanOrEqual(room);
  });
});
