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
  const [selected, setChosen] = useState<ReadonlyMap<number, Row>>(new Map());
  const [isAll, setAll] = useState(false);
  const clear = (): void => {
    setChosen(new Map());
    setAll(false);
  };
  const filters = JSON.stringify(list.filters);
  const [ofFilters, setOfFilters] = useState(filters);
  // While rendering, not in an effect: rows of other filters are not drawn as selected even once.
  if (ofFilters !== filters) {
    setOfFilters(filters);
    clear();
  }
  // Rows on screen replace what was selected earlier: their newest values count.
  const fresh = new Map(list.rows.map((row) => [row[rowKey] as number, row]));
  const rows = [...selected].map(([id, row]) => fresh.get(id) ?? row);
  return {
    ids: [...selected.keys()],
    rows,
    isAll,
    setAll: () => setAll(true),
    set: (ids, given) => {
      // Deselecting a row keeps the others that are marked.
      setAll(false);
      const known = new Map([
        ...selected,
        ...given.map((row) => [row[rowKey] as number, row] as const),
      ]);
      setChosen(
        new Map(
          ids.flatMap((id) => {
            const row = known.get(id);
            return row ? [[id, row] as const] : [];
          }),
        ),
      );
    },
    clear,
  };
};
