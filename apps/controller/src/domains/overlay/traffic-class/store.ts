import { classesCapability } from "@weft/contract/device/v1/path-classes.ts";
import {
  type ClassLack,
  defaultClasses,
  type TrafficClassDraft,
  type trafficClassGet,
} from "@weft/contract/domains/overlay/traffic-class.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type Insertable, type Selectable, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { unwritten, versionText } from "#kernel/row-version.ts";

type Stored = Selectable<Database["traffic_class"]>;
type Lacking = OutputOf<typeof trafficClassGet>["lacking"][number];

/** The values of a row. */
export type StoredClasses = Omit<Stored, "enterprise_id" | "updated_at" | "row_version">;

export const toDraft = (row: StoredClasses): TrafficClassDraft => ({
  enable: row.enabled,
  realtimeLoss: row.realtime_loss,
  realtimeDelay: row.realtime_delay,
  realtimeJitter: row.realtime_jitter,
  realtimeDscp: row.realtime_dscp,
  transactionalLoss: row.transactional_loss,
  transactionalDelay: row.transactional_delay,
  transactionalJitter: row.transactional_jitter,
  transactionalDscp: row.transactional_dscp,
  bulkLoss: row.bulk_loss,
  bulkDelay: row.bulk_delay,
  bulkJitter: row.bulk_jitter,
  bulkDscp: row.bulk_dscp,
  defaultLoss: row.default_loss,
  defaultDelay: row.default_delay,
  defaultJitter: row.default_jitter,
});

const toRow = (
  draft: TrafficClassDraft,
): Omit<Insertable<Database["traffic_class"]>, "enterprise_id"> => ({
  enabled: draft.enable,
  realtime_loss: draft.realtimeLoss,
  realtime_delay: draft.realtimeDelay,
  realtime_jitter: draft.realtimeJitter,
  realtime_dscp: draft.realtimeDscp,
  transactional_loss: draft.transactionalLoss,
  transactional_delay: draft.transactionalDelay,
  transactional_jitter: draft.transactionalJitter,
  transactional_dscp: draft.transactionalDscp,
  bulk_loss: draft.bulkLoss,
  bulk_delay: draft.bulkDelay,
  bulk_jitter: draft.bulkJitter,
  bulk_dscp: draft.bulkDscp,
  default_loss: draft.defaultLoss,
  default_delay: draft.defaultDelay,
  default_jitter: draft.defaultJitter,
});

/** Classes of an enterprise; the defaults where it has none of its own. */
export async function classesOf(ctx: Context, enterpriseId: number): Promise<TrafficClassDraft> {
  const { rowVersion: _, ...classes } = await versionedClasses(ctx, enterpriseId);
  return classes;
}

/** The same, with their version. */
export async function versionedClasses(
  ctx: Context,
  enterpriseId: number,
): Promise<TrafficClassDraft & { readonly rowVersion: string }> {
  const row = await ctx.db
    .selectFrom("traffic_class")
    .selectAll()
    .where("enterprise_id", "=", enterpriseId)
    .executeTakeFirst();
  return row
    ? { ...toDraft(row), rowVersion: versionText(row.row_version) }
    : { ...defaultClasses, rowVersion: unwritten };
}

/** Writes them whole. */
export async function setClasses(
  ctx: Context,
  enterpriseId: number,
  draft: TrafficClassDraft,
): Promise<void> {
  const values = toRow(draft);
  await ctx.db
    .insertInto("traffic_class")
    .values({ enterprise_id: enterpriseId, ...values })
    .onConflict((conflict) =>
      conflict.column("enterprise_id").doUpdateSet({ ...values, updated_at: sql`now()` }),
    )
    .execute();
}

/** Spaces of an enterprise: the states of all their members follow from its classes. */
export async function spacesOf(ctx: Context, enterpriseId: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom("net_space")
    .select("id")
    .where("enterprise_id", "=", enterpriseId)
    .execute();
  return rows.map(({ id }) => id);
}

interface NodeRow {
  readonly id: number;
  readonly kind: Lacking["nodeKind"];
  readonly name: string;
  readonly reported: boolean;
  readonly capability: { readonly can: boolean; readonly reason: string | null } | null;
}

const lackOf = ({ reported, capability }: NodeRow): ClassLack | null => {
  if (!reported) return "unreported";
  if (capability === null) return "edge";
  return capability.can ? null : "kernel";
};

/** Devices that are named; a page shows that there are more. */
const maxLacking = 20;

/** Devices of the enterprise's spaces, and on which of them classes do not act. */
export async function reachOf(ctx: Context, enterpriseId: number) {
  const { rows } = await sql<NodeRow>`
    select * from weft.class_nodes(${enterpriseId}) order by name, id`.execute(ctx.db);
  const lacking = rows.flatMap((row): Lacking[] => {
    const reason = lackOf(row);
    return reason === null
      ? []
      : [
          {
            nodeId: row.id,
            nodeKind: row.kind,
            nodeName: row.name,
            reason,
            detail: row.capability?.reason ?? "",
          },
        ];
  });
  return { devices: rows.length, lacking: lacking.slice(0, maxLacking) };
}

/** Classes of spaces that have some, by space. */
export async function readClasses(
  trx: Transaction<Database>,
  spaceIds: readonly number[],
): Promise<ReadonlyMap<number, TrafficClassDraft>> {
  if (spaceIds.length === 0) return new Map();
  const { rows } = await sql<{ space_id: number; draft: Stored }>`
    select * from weft.classes_in(${[...spaceIds]}::bigint[])`.execute(trx);
  return new Map(rows.map(({ space_id, draft }) => [space_id, toDraft(draft)]));
}

/** Whether a device chooses a link for each class. */
export const choosesByClass = (
  capabilities: readonly { readonly name: string; readonly can: boolean }[] | null | undefined,
): boolean => capabilities?.some(({ name, can }) => can && name === classesCapability) ?? false;
