import { expect, it } from "vitest";
import { renderForTest } from "#client/render-for-test.tsx";
import { textColumn } from "./columns.tsx";
import { PlainTable } from "./resource-table.tsx";

interface Row {
  readonly id: number;
}
const columns = [textColumn<Row>("id", "ID", ({ id }) => String(id))];
const waiting = (expected?: number): string =>
  renderForTest(
    <PlainTable
      rows={[]}
      rowKey="id"
      columns={columns}
      isFirstLoad
      {...(expected !== undefined && { expected })}
    />,
    [],
  );

it("takes the place of rows whose number is known before they are there: nothing below them moves", () => {
  // A head and two rows of 40 px.
  expect(waiting(2)).toContain("height:120px");
  expect(waiting(5)).toContain("height:240px");
});

it("has room for some rows where their number is not known", () => {
  expect(waiting()).toContain("min-height:120px");
});
