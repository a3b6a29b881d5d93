import { type Use, usesFindAll } from "@weft/contract/domains/access/uses.ts";
import type { AnyResource, RowOf } from "@weft/contract/kernel/resource.ts";
import { createElement, type ReactNode } from "react";
import { call } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { useConfirm } from "./confirm.tsx";
import { useTakesEffect } from "./device-capabilities.tsx";
import { useAction } from "./use-action.ts";
import { pathOfUse, UsesOfRows } from "./uses-of-rows.tsx";

/** More than this many rows at once: their number must be typed. */
const manyRows = 20;

/** ms that the question waits for what still uses the rows. */
const maxWait = 5_000;

type Rows<Row> = readonly [Row, ...Row[]];

interface RemovalTexts<Row> {
  title(rows: Rows<Row>): string;
  /** What stops, for whom, what stays. */
  body(rows: Rows<Row>): ReactNode;
  /** The button; "Delete" by default. */
  readonly ok?: string;
  /** The text to type first; null: none is required. */
  typed?(rows: Rows<Row>): string | null;
  readonly touches?: readonly string[];
  readonly done?: string;
  /** The resource's fields of that name: whose rows are meant. */
  readonly inside?: object;
  /** Where a row that still uses one of these is edited; null: it has no page. */
  readonly linkOf?: (use: Use) => string | null;
}

/** What forbids the removal. An answer that does not come hinders nothing: the controller refuses as well. */
const readUses = (resource: string, ids: readonly number[]) =>
  call(usesFindAll, { resource, ids: [...ids] }, { withinMs: maxWait }).then(
    ({ data }) => data,
    () => null,
  );

/** Removes rows of a resource after asking by name. True: they are gone. */
export const useRemove = <R extends AnyResource>(
  resource: R,
  texts: RemovalTexts<RowOf<R>>,
): ((rows: readonly RowOf<R>[]) => Promise<boolean>) => {
  const confirm = useConfirm();
  const t = useTexts();
  const acts = useTakesEffect();
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
    const ids = rows.map((row) => (row as Record<string, unknown>)[resource.id] as number);
    const uses = await readUses(resource.name, ids);
    const isBlocked = uses !== null && uses.count > 0;
    const body = isBlocked
      ? (close: () => void) =>
          createElement(UsesOfRows, {
            ...uses,
            linkOf: texts.linkOf ?? pathOfUse,
            onLeave: close,
          })
      : texts.body(all);
    const isMeant = await confirm({
      title: texts.title(all),
      body,
      isBlocked,
      ok: texts.ok ?? t("act.remove"),
      danger: true,
      typed,
    });
    if (!isMeant) return false;
    return (await act({ ids, ...texts.inside })) !== null;
  };
};
