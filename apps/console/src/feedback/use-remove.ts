import type { AnyResource, RowOf } from "@weft/contract/kernel/resource.ts";
import type { ReactNode } from "react";
import { useTexts } from "#client/texts.ts";
import { useActs } from "./carried-out.tsx";
import { useConfirm } from "./confirm.tsx";
import { useAction } from "./use-action.ts";

/** More than this many rows at once: their number must be typed. */
const manyRows = 20;

type Rows<Row> = readonly [Row, ...Row[]];

interface RemovalTexts<Row> {
  title(rows: Rows<Row>): string;
  /** What stops, for whom, what stays. */
  body(rows: Rows<Row>): ReactNode;
  /** The button; "Remove" by default. */
  readonly ok?: string;
  /** The text to type first; null: none is required. */
  typed?(rows: Rows<Row>): string | null;
  readonly touches?: readonly string[];
  readonly done?: string;
  /** The resource's fields of that name: whose rows are meant. */
  readonly inside?: object;
}

/** Removes rows of a resource after asking by name. True: they are gone. */
export const useRemove = <R extends AnyResource>(
  resource: R,
  texts: RemovalTexts<RowOf<R>>,
): ((rows: readonly RowOf<R>[]) => Promise<boolean>) => {
  const confirm = useConfirm();
  const t = useTexts();
  const acts = useActs();
  const { act } = useAction(resource.ops.remove, {
    ...(texts.touches && { touches: texts.touches }),
    // Like the text after a save: it says what devices do.
    ...(texts.done !== undefined && acts(resource.name) && { done: texts.done }),
  });
  return async (rows) => {
    const [first, ...more] = rows;
    if (first === undefined) return false;
    const all: Rows<RowOf<R>> = [first, ...more];
    const typed = rows.length > manyRows ? String(rows.length) : texts.typed?.(all);
    const isMeant = await confirm({
      title: texts.title(all),
      body: texts.body(all),
      ok: texts.ok ?? t("act.remove"),
      danger: true,
      typed,
    });
    if (!isMeant) return false;
    const ids = rows.map((row) => (row as Record<string, unknown>)[resource.id] as number);
    return (await act({ ids, ...texts.inside })) !== null;
  };
};
