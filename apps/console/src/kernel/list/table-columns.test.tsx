import { holds } from "@weft/contract/permissions.ts";
import { describe, expect, it } from "vitest";
import { copyColumn, nameColumn, numberColumn, stateColumn, textColumn } from "./columns.tsx";
import { besideActions, fitColumns, tableColumns, totalWidth } from "./table-columns.tsx";

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
  }).columns;

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
  /** A text of 40 characters, 320 px without a browser. */
  const long = "x".repeat(40);
  const wide = [
    textColumn<Row>("name", "Name", () => long, { width: 344 }),
    textColumn<Row>("type", "Type", () => "Domain", { width: 96 }),
    stateColumn<Row>("effect", "Effect", () => ({ glyph: "ok", label: "On" }), { width: 200 }),
    { key: "bar", title: "Share", width: 100, cell: () => null },
  ];
  const fitted = (room: number): (number | undefined)[] =>
    fitColumns(wide, rows, room).map(({ width }) => width);

  it("stay as they are where nothing is missing", () => {
    expect(fitted(740)).toEqual([344, 96, 200, 100]);
  });

  it("give what their rows do not need before any text is cut", () => {
    const [name, type, effect, bar] = fitted(650);
    expect([name, bar]).toEqual([344, 100]);
    // "Domain" and "Effect" have the room of their letters.
    expect(type).toBeGreaterThanOrEqual(48 + 24);
    expect(effect).toBeGreaterThanOrEqual(48 + 24);
    expect(totalWidth(fitColumns(wide, rows, 650))).toBeLessThanOrEqual(650);
  });

  it("cut long texts then, and no short one and no title", () => {
    const [name, type, effect, bar] = fitted(560);
    expect(totalWidth(fitColumns(wide, rows, 560))).toBeLessThanOrEqual(560);
    expect(name).toBeLessThan(344);
    expect(name).toBeGreaterThanOrEqual(wide[0]?.narrowest ?? 0);
    expect(type).toBeGreaterThanOrEqual(48 + 24);
    expect(effect).toBeGreaterThanOrEqual(48 + 24);
    expect(bar).toBe(100);
  });

  it("cut nothing where the table scrolls all the same", () => {
    const [name, type] = fitted(300);
    expect(name).toBe(344);
    expect(type).toBeGreaterThanOrEqual(48 + 24);
  });

  it("keep their titles", () => {
    const titled = textColumn<Row>("name", "A long title of a column", (row) => row.name);
    expect(titled.narrowest).toBe(titled.width);
  });

  it("have room for their titles, which their width is too small for", () => {
    const titled = numberColumn<Row>("kept", "Guaranteed Mbit/s", () => 1, { width: 96 });
    const [column] = fitColumns([titled], rows, 1_000);
    expect(column?.width).toBeGreaterThanOrEqual("Guaranteed Mbit/s".length * 8 + 24);
  });

  it("take what others leave for a text that they would cut", () => {
    const cut = textColumn<Row>("name", "Name", () => long, { width: 200 });
    const other = textColumn<Row>("type", "Type", () => "Domain", { width: 200 });
    const widthsIn = (room: number) =>
      fitColumns([cut, other], rows, room).map(({ width }) => width);
    expect(widthsIn(600)).toEqual([344, 200]);
    // "Domain" gives what it does not need first.
    const [first, second] = widthsIn(450);
    expect(first).toBe(344);
    expect(second).toBeLessThanOrEqual(106);
    // A text does not take more than others leave.
    expect(totalWidth(fitColumns([cut, other], rows, 320))).toBeLessThanOrEqual(320);
  });

  it("leave the actions their room", () => {
    const room = 560;
    const { columns: all } = tableColumns({
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

describe("a name that stays in place", () => {
  const listed = [
    textColumn<Row>("level", "Level", () => "Major", { width: 104 }),
    nameColumn<Row>("name", "Name", ({ name }) => ({ text: name }), { width: 400 }),
    textColumn<Row>("owner", "Owner", () => null),
  ];
  const nameIn = (room: number) => {
    const name = besideActions(listed, room)[1];
    return { width: name?.width, pinned: name?.pinned };
  };

  it("has its width where it leaves the actions their room", () => {
    expect(nameIn(504)).toEqual({ width: 400, pinned: "left" });
  });

  it("is narrowed before it covers the actions", () => {
    expect(nameIn(404)).toEqual({ width: 300, pinned: "left" });
  });

  it("is not covered by the actions where both do not fit", () => {
    const fixedIn = (room: number) =>
      tableColumns({
        columns: listed,
        rows,
        actions: () => [{ key: "edit", label: "Edit" }],
        actionsTitle: "Actions",
        sort: null,
        room,
        may: () => true,
      }).columns.map(({ fixed }) => fixed);
    expect(fixedIn(1_000)).toEqual([undefined, "left", undefined, "right"]);
    expect(fixedIn(200)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("scrolls with the others where it would cover them all the same", () => {
    expect(nameIn(200)).toEqual({ width: 400, pinned: undefined });
  });
});

describe("a table without room for all columns", () => {
  const listed = ["one", "two", "three", "four"].map((key) =>
    textColumn<Row>(key, key, () => "x".repeat(10), { width: 120 }),
  );
  const named = [
    listed[0] as (typeof listed)[0],
    ...listed.slice(1),
    nameColumn<Row>("name", "Name", ({ name }) => ({ text: name }), { width: 100 }),
  ];
  const keys = (some: readonly { readonly key: string }[]) => some.map(({ key }) => key);
  const rowActions = ["Configure", "Activate", "Edit"].map((label) => ({ key: label, label }));
  const tableIn = (
    room: number,
    more: {
      readonly folded?: string;
      readonly out?: readonly string[];
      readonly opens?: null;
    } = {},
  ) =>
    tableColumns({
      columns: named,
      rows,
      actions: () => rowActions,
      actionsTitle: "Actions",
      sort: null,
      room,
      may: () => true,
      opens: { width: 40, isThere: false },
      ...(more.opens === null && { opens: undefined }),
      ...(more.folded && { folded: more.folded }),
      ...(more.out && { out: new Set(more.out) }),
    });

  it("leaves out the last ones, and neither the first nor the name", () => {
    expect(keys(tableIn(2_000).leftOut)).toEqual([]);
    const { columns: made, leftOut } = tableIn(600);
    expect(keys(leftOut)).toEqual(["three", "four"]);
    expect(totalWidth(made) + 40).toBeLessThanOrEqual(600);
    expect(keys(tableIn(10).leftOut)).toEqual(["two", "three", "four"]);
  });

  it("keeps the room of what opens a row, in which they are", () => {
    for (let room = 560; room <= 1_000; room += 20) {
      const { columns: made, leftOut } = tableIn(room);
      expect(totalWidth(made) + (leftOut.length > 0 ? 40 : 0)).toBeLessThanOrEqual(room);
    }
  });

  it("leaves out the columns that were left out before: a refresh adds and removes none", () => {
    expect(keys(tableIn(2_000, { out: ["three", "four"] }).leftOut)).toEqual(["three", "four"]);
  });

  it("gives the room that is too little for one to narrower ones after it", () => {
    const address = copyColumn<Row>("address", "Address", () => "2001:db8:1:2:3:4:5:6", {});
    const narrow = textColumn<Row>("mtu", "MTU", () => "1420", { width: 64 });
    const { leftOut } = tableColumns({
      columns: [...named.slice(0, 1), address, narrow],
      rows,
      actionsTitle: "Actions",
      sort: null,
      room: 300,
      may: () => true,
      opens: { width: 40, isThere: false },
    });
    expect(keys(leftOut)).toEqual(["address"]);
  });

  it("folds the actions first where the screen is narrow", () => {
    const folded = tableIn(600, { folded: "More" });
    expect(folded.leftOut.length).toBeLessThan(tableIn(600).leftOut.length);
    const widthOfLast = ({ columns: made }: typeof folded) => Number(made.at(-1)?.width);
    expect(widthOfLast(folded)).toBeLessThan(widthOfLast(tableIn(600)));
    expect(widthOfLast(tableIn(2_000, { folded: "More" }))).toBe(widthOfLast(tableIn(2_000)));
  });

  it("scrolls where no row can open", () => {
    expect(tableIn(300, { opens: null }).leftOut).toEqual([]);
  });

  it("cuts no address that would have had its room", () => {
    const address = copyColumn<Row>("ip", "IP", () => "198.51.100.130", { width: 176 });
    const text = textColumn<Row>("note", "Note", () => "x".repeat(30));
    const [first] = fitColumns([address, text], rows, 200);
    expect(first?.width).toBeGreaterThanOrEqual(14 * 8 + 28 + 24);
  });
});
