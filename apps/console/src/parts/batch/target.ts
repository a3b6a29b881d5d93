import type { List } from "#kernel/list/use-list.ts";
import type { Selection } from "#kernel/list/use-selection.ts";

/** The rows that an action on many is meant for. */
export interface Target {
  /** As far as is known when it is asked; of all rows that match it may be another by then. */
  readonly count: number;
  /** How the call names them: ids, or `all` with the filters of the list. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Selected rows, or all that match what the list is filtered by. */
export const targetOf = (
  selection: Pick<Selection<never>, "ids" | "isAll">,
  list: Pick<List<never>, "filters" | "count">,
): Target => {
  const off = Object.fromEntries(Object.keys(list.filters).map((name) => [name, null]));
  return selection.isAll
    ? { count: list.count ?? 0, input: { ids: [], all: true, ...list.filters } }
    : { count: selection.ids.length, input: { ids: [...selection.ids], all: false, ...off } };
};
