import { useEffect, useState } from "react";
import type { List } from "./use-list.ts";

export interface Selection<Row> {
  readonly ids: readonly number[];
  readonly rows: readonly Row[];
  set(ids: readonly number[], rows: readonly Row[]): void;
  clear(): void;
}

/** Chosen rows of a list: they survive paging, but not a changed filter. */
export const useSelection = <Row extends object>(
  rowKey: keyof Row & string,
  list: Pick<List<Row>, "filters" | "rows">,
): Selection<Row> => {
  const [chosen, setChosen] = useState<ReadonlyMap<number, Row>>(new Map());
  const filters = JSON.stringify(list.filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed filter is the reason to run
  useEffect(() => setChosen(new Map()), [filters]);
  // Rows on screen replace what was chosen earlier: their newest values count.
  const fresh = new Map(list.rows.map((row) => [row[rowKey] as number, row]));
  const rows = [...chosen].map(([id, row]) => fresh.get(id) ?? row);
  return {
    ids: [...chosen.keys()],
    rows,
    set: (ids, given) => {
      const known = new Map([
        ...chosen,
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
    clear: () => setChosen(new Map()),
  };
};
