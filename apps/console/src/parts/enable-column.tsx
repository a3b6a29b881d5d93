import type { Translate } from "#client/texts.ts";
import { type Column, stateColumn } from "#kernel/list/columns.tsx";

/** Whether a row is in use, by its field `enable` (section 4). */
export const enableColumn = <Row extends { readonly enable?: unknown }>(
  t: Pick<Translate, "code" | "field">,
): Column<Row> =>
  stateColumn(
    "enable",
    t.field("enable"),
    (row) => ({
      glyph: row.enable === true ? "ok" : "disabled",
      label: t.code("enable", row.enable === true),
    }),
    { width: 112 },
  );
