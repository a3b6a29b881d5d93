import { expect, test } from "vitest";
import { tableColumns } from "#kernel/list/table-columns.tsx";
import { changeColumns } from "./change-table.tsx";
import type { RecordTexts } from "./record-texts.ts";

/** px that a dialog of 720 has inside. */
const inDialog = 672;

test("the old value of a field and the new one stand beside each other in a dialog", () => {
  const texts = ((key: string) => key) as unknown as RecordTexts;
  const { columns, leftOut } = tableColumns({
    columns: changeColumns(texts),
    rows: [],
    actionsTitle: "",
    may: () => true,
    room: inDialog,
    opens: { width: 40, isThere: false },
    sort: null,
    sortable: undefined,
  });
  expect(leftOut).toEqual([]);
  expect(columns).toHaveLength(3);
});
