import { useState } from "react";

interface Identified {
  readonly id?: unknown;
}

const idsOf = (rows: readonly Identified[]): unknown[] => rows.map(({ id }) => id);

/**
 * The rows in their current order: rows that are already shown keep their relative positions,
 * and a new row is placed after the row that it follows.
 * @param standing ids in the order shown
 */
export function steadyOrder<Row extends Identified>(
  shown: readonly unknown[],
  rows: readonly Row[],
): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const steady = shown.flatMap((id) => byId.get(id) ?? []);
  const isStanding = new Set(idsOf(steady));
  rows.forEach((row, place) => {
    if (isStanding.has(row.id)) return;
    const before = place === 0 ? -1 : idsOf(steady).indexOf(rows[place - 1]?.id);
    steady.splice(before + 1, 0, row);
  });
  return steady;
}

interface Shown {
  readonly view: string;
  /** null: the next response keeps its own order. */
  readonly ids: readonly unknown[] | null;
  /** When the response with these rows arrived. */
  readonly asOf: number;
}

export interface SteadyRows<Row> {
  readonly rows: readonly Row[];
  /** The response has them in another order. */
  readonly isMoved: boolean;
  /** Applies the order of the response. */
  settle(): void;
  /** Applies the order of the next response. */
  release(): void;
}

interface Answer<Row> {
  readonly rows: readonly Row[] | undefined;
  /** Determines which rows are listed in which order. */
  readonly view: string;
  /** When it arrived: distinguishes one response from the next. */
  readonly asOf: Date | null;
  /** These rows belong to another view and are shown until its own arrive. */
  readonly isOfBefore: boolean;
}

/**
 * Rows that do not move while the user points at one (screens.md: rows never jump). Their
 * values change in place; another view or a refresh by the user applies the new order immediately.
 */
export function useSteadyRows<Row>(answer: Answer<Row>): SteadyRows<Row> {
  const { rows, view, isOfBefore } = answer;
  const asOf = answer.asOf?.getTime() ?? 0;
  const known = (rows ?? []) as readonly (Row & Identified)[];
  const currentIds = rows === undefined || isOfBefore ? null : idsOf(known);
  const [shown, setShown] = useState<Shown>({ view, ids: currentIds, asOf });
  const isFree =
    rows === undefined ||
    isOfBefore ||
    shown.view !== view ||
    (shown.ids === null && shown.asOf !== asOf) ||
    known.some(({ id }) => id === undefined);
  const steady = isFree || shown.ids === null ? known : steadyOrder(shown.ids, known);
  const ids = currentIds && idsOf(steady);
  const isSame =
    shown.view === view &&
    shown.asOf === asOf &&
    (shown.ids === null || ids?.join() === shown.ids.join());
  // During rendering, so that no frame shows the rows in another order.
  if (!isSame) setShown({ view, ids, asOf });
  return {
    rows: steady,
    isMoved: steady.some(({ id }, place) => id !== known[place]?.id),
    settle: () => setShown({ view, ids: idsOf(known), asOf }),
    release: () => setShown({ view, ids: null, asOf }),
  };
}
