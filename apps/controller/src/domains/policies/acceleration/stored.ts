import type { acceleratedObjects } from "@weft/contract/device/v1/acceleration.ts";
import type { DestinationKind } from "@weft/contract/domains/policies/destination-enums.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context, HandlerContext } from "#kernel/api.ts";

/** A group of destinations that is on, in one of the spaces of its enterprise's CPEs. */
export interface StoredAcceleration {
  readonly object: (typeof acceleratedObjects)[number];
  readonly id: number;
  readonly kind: DestinationKind;
  readonly name: string;
  /** Where its flows leave; null: at any POP. */
  readonly popId: number | null;
  readonly members: readonly string[];
  /** CPEs of its enterprise in the space. */
  readonly cpeIds: readonly number[];
}

interface Row {
  readonly space_id: number;
  readonly object: StoredAcceleration["object"];
  readonly id: number;
  readonly kind: DestinationKind;
  readonly name: string;
  readonly pop_id: number | null;
  readonly members: string[];
  readonly cpe_ids: number[];
}

/** By space, in the order in which they are tried. */
export async function readAccelerations(
  trx: Transaction<Database>,
  spaceIds: readonly number[],
): Promise<ReadonlyMap<number, readonly StoredAcceleration[]>> {
  if (spaceIds.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select * from weft.accelerations_in(${[...spaceIds]}::bigint[])`.execute(trx);
  const bySpace = Map.groupBy(rows, ({ space_id }) => space_id);
  return new Map(
    [...bySpace].map(([space, some]) => [
      space,
      some.map(({ object, id, kind, name, pop_id, members, cpe_ids }) => ({
        object,
        id,
        kind,
        name,
        popId: pop_id,
        members,
        cpeIds: cpe_ids,
      })),
    ]),
  );
}

/** Leaves a change for the CPEs of enterprises and the POPs that let them out. */
export async function notifyAccelerated(
  ctx: HandlerContext,
  enterpriseIds: readonly number[],
): Promise<void> {
  if (enterpriseIds.length === 0) return;
  const { rows } = await sql<{ enterprise_id: number; node_ids: number[] }>`
    select * from weft.acceleration_nodes(${[...enterpriseIds]}::bigint[])`.execute(ctx.db);
  for (const { enterprise_id, node_ids } of rows)
    await ctx.change({ enterpriseId: enterprise_id, nodeIds: node_ids });
}

/** Enterprises of rows that are about to change or go. */
export async function ownersOf(
  ctx: Context,
  table: "saas_group" | "xwan_speed" | "xwan_speed_define",
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom(table)
    .select("enterprise_id")
    .distinct()
    .where("id", "in", [...ids])
    .execute();
  return rows.map(({ enterprise_id }) => enterprise_id);
}
