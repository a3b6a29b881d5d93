import { holds } from "@weft/contract/permissions.ts";
import { expect, it } from "vitest";
import { textColumn } from "./columns.tsx";
import { tableColumns } from "./table-columns.tsx";

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
