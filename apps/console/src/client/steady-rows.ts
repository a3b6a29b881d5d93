import { useState } from "react";

interface Identified {
  readonly id?: unknown;
}

const idsOf = (rows: readonly Identified[]): unknown[] => rows.map(({ id }) => id);

/**
 * The rows in their present order: those that are there already keep their relative places,
 * a new one comes after the one that it follows.
 * @param standing ids, from the first on
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
  /** null: the next answer keeps its own order. */
  readonly ids: readonly unknown[] | null;
  /** When the answer came that they are of. */
  readonly asOf: number;
}

export interface SteadyRows<Row> {
  readonly rows: readonly Row[];
  /** The answer has them in another order. */
  readonly isMoved: boolean;
  /** Takes the order of the answer. */
  settle(): void;
  /** Takes the order of the next answer. */
  release(): void;
}

interface Answer<Row> {
  readonly rows: readonly Row[] | undefined;
  /** What decides which rows come in which order. */
  readonly view: string;
  /** When it came: distinguishes one answer from the next. */
  readonly asOf: Date | null;
  /** These rows are those of another view, shown until its own come. */
  readonly isOfBefore: boolean;
}

/**
 * Rows that do not change places while the user aims at one (screens.md: rows never jump). Their
 * values change in place; another view or an asked-for refresh takes the new order immediately.
 */
export function useSteadyRows<Row>(answer: Answer<Row>): SteadyRows<Row> {
  const { rows, view, isOfBefore } = answer;
  const asOf = answer.asOf?.getTime() ?? 0;
  const known = (rows ?? []) as readonly (Row & Identified)[];
  const own = rows === undefined || isOfBefore ? null : idsOf(known);
  const [shown, setShown] = useState<Shown>({ view, ids: own, asOf });
  const isFree =
    rows === undefined ||
    isOfBefore ||
    shown.view !== view ||
    (shown.ids === null && shown.asOf !== asOf) ||
    known.some(({ id }) => id === undefined);
  const steady = isFree || shown.ids === null ? known : steadyOrder(shown.ids, known);
  const ids = own && idsOf(steady);
  const isSame =
    shown.view === view &&
    shown.asOf === asOf &&
    (shown.ids === null || ids?.join() === shown.ids.join());
  // While rendering, so that no frame shows the rows in another order.
  if (!isSame) setShown({ view, ids, asOf });
  return {
    rows: steady,
    isMoved: steady.some(({ id }, place) => id !== known[place]?.id),
    settle: () => setShown({ view, ids: idsOf(known), asOf }),
    release: () => setShown({ view, ids: null, asOf }),
  };
}
