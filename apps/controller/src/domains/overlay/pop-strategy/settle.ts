/** A write of a strategy or a group has the links settled of every space with sites that it decides about. */
import type { popGroup, popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import type { Store, StoredRow, WrittenRow } from "#kernel/resource-store.ts";

/** Strategies that a written row is about, as it was and as it is. */
type StrategiesOf = (row: WrittenRow) => number[];

async function touched(ctx: Context, row: StoredRow, strategies: StrategiesOf): Promise<StoredRow> {
  // Enterprises that use a strategy, and spaces with sites of theirs, may be out of the caller's sight.
  const { rows } = await sql<{ id: number }>`
    select id from weft.spaces_of_choices(${strategies(row)}::bigint[], '{}') as one (id)`.execute(
    ctx.db,
  );
  return rows.length === 0 ? row : { ...row, touches: { spaceIds: rows.map(({ id }) => id) } };
}

/** No enterprise uses a strategy that is being added. */
const settling = <R extends AnyResource>(store: Store<R>, strategies: StrategiesOf): Store<R> => ({
  ...store,
  edit: async (ctx, id, draft) => touched(ctx, await store.edit(ctx, id, draft), strategies),
  remove: async (ctx, ids, inside) => {
    const rows = await store.remove(ctx, ids, inside);
    return Promise.all(rows.map((row) => touched(ctx, row, strategies)));
  },
});

export const settlingStrategies = (store: Store<typeof popStrategy>) =>
  settling(store, ({ id }) => [id]);

const strategiesOfGroup: StrategiesOf = ({ old, new: now }) =>
  [old, now].flatMap((state) =>
    state && "strategyId" in state ? [state.strategyId as number] : [],
  );

export const settlingGroups = (store: Store<typeof popGroup>): Store<typeof popGroup> => ({
  ...settling(store, strategiesOfGroup),
  add: async (ctx, draft) => touched(ctx, await store.add(ctx, draft), strategiesOfGroup),
});
