import type { Context } from "#kernel/api.ts";

/** A node that something of an enterprise is to use. */
interface Used {
  readonly id: number;
  readonly enterprise_id: number;
}

/**
 * An enterprise may read the POPs of others that its spaces and circuits use, until nothing of it names them
 * (shared-pops.sql). @param pops those of the enterprise itself are left out
 */
export async function sharePops(
  ctx: Context,
  enterpriseId: number,
  pops: readonly Used[],
): Promise<void> {
  const foreign = pops
    .filter(({ enterprise_id }) => enterprise_id !== enterpriseId)
    // In one order: two calls that begin to use the same POPs do not wait for each other.
    .sort((a, b) => a.id - b.id);
  if (foreign.length === 0) return;
  await ctx.db
    .insertInto("share")
    .values(
      foreign.map(({ id }) => ({
        enterprise_id: enterpriseId,
        kind: "pop" as const,
        row_id: id,
        created_by: ctx.caller.userId,
      })),
    )
    // Written, not left alone: whoever withdraws it at this moment waits for this call.
    .onConflict((conflict) =>
      conflict
        .columns(["enterprise_id", "kind", "row_id"])
        .doUpdateSet((values) => ({ row_id: values.ref("excluded.row_id") })),
    )
    .execute();
}
