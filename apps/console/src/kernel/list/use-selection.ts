import { useState } from "react";
import type { List } from "./use-list.ts";

export interface Selection<Row> {
  readonly ids: readonly number[];
  readonly rows: readonly Row[];
  /** Every row that matches the filters is meant, on all pages. */
  readonly isAll: boolean;
  setAll(): void;
  set(ids: readonly number[], rows: readonly Row[]): void;
  clear(): void;
}

/** Selected rows of a list: they survive paging, but not a changed filter. */
export const useSelection = <Row extends object>(
  rowKey: keyof Row & string,
  list: Pick<List<Row>, "filters" | "rows">,
): Selection<Row> => {
  const filters = JSON.stringify(list.filters);
  const none = { filters, isAll: false, byId: new Map<number, Row>() };
  const [last, setLast] = useState(none);
  // While rendering, not in an effect: rows of other filters are not drawn as selected even once.
  if (last.filters !== filters) setLast(none);
  // Rows on screen replace what was selected earlier: their newest values count.
  const fresh = new Map(list.rows.map((row) => [row[rowKey] as number, row]));
  const rows = [...last.byId].map(([id, row]) => fresh.get(id) ?? row);
  return {
    ids: [...last.byId.keys()],
    rows,
    isAll: last.isAll,
    setAll: () => setLast((before) => ({ ...before, isAll: true })),
    set: (ids, given) => {
      const known = new Map(last.byId);
      for (const row of given) known.set(row[rowKey] as number, row);
      const byId = new Map(
        ids.flatMap((id) => {
          const row = known.get(id);
          return row ? [[id, row] as const] : [];
        }),
      );
      // Deselecting a row keeps the others that are marked.
      setLast({ filters, isAll: false, byId });
    },
    clear: () => setLast(none),
  };
};
