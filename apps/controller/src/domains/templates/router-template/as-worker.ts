import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";

/** An operator's call, or the worker. */
export type Acting = Pick<Context, "db" | "audit" | "change"> & { readonly userId: number };

/**
 * What work of the controller itself writes besides its rows: of no user.
 * @param action that the change rows have as their cause
 * @param actionOf what the operation log calls it, by what is recorded
 */
export const asWorker = (
  db: Transaction<Database>,
  action: string,
  actionOf: (recorded: object | null) => string = () => action,
): Acting => ({
  db,
  userId: 0,
  async audit(...entries) {
    const values = entries.map((entry) => ({
      enterprise_id: entry.enterpriseId,
      user_id: 0,
      login_name: "system",
      action: actionOf(entry.new),
      resource: entry.resource,
      row_id: entry.rowId,
      address: "",
      request_id: "",
      old_value: entry.old && JSON.stringify(entry.old),
      new_value: entry.new && JSON.stringify(entry.new),
    }));
    await db.insertInto("audit").values(values).execute();
  },
  async change(...changes) {
    const values = changes.flatMap(({ enterpriseId, nodeIds = [] }) =>
      nodeIds.length === 0
        ? []
        : {
            enterprise_id: enterpriseId,
            cause: `system: ${action}`,
            created_by: 0,
            node_ids: sql<number[]>`${[...nodeIds]}::bigint[]`,
            space_ids: sql<number[]>`'{}'::bigint[]`,
          },
    );
    if (values.length > 0) await db.insertInto("change").values(values).execute();
  },
});
