import { alarmRule, alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { sql } from "kysely";
import { cpes, pops } from "#domains/devices/public.ts";
import { enterprise } from "#domains/enterprises/public.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal } from "#kernel/database-errors.ts";
import { reference } from "#kernel/reference.ts";
import { refuse } from "#kernel/refuse.ts";
import type { Store, StoredRow } from "#kernel/resource-store.ts";
import { storedVersion } from "#kernel/row-version.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { tableStore } from "#kernel/table-store.ts";

type Strategy = RowOf<typeof alarmStrategy>;

const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);

/** Recipients, rules and active events of policies. */
async function factsOf(ctx: Context, ids: readonly number[]) {
  const { rows } = await sql<Pick<Strategy, "id" | "recipientIds" | "rules" | "active">>`
    select s.id,
      array(select m.receiver_id from alarm_strategy_receiver m where m.strategy_id = s.id
        order by m.receiver_id) as "recipientIds",
      (select count(*) from alarm_rule r where r.strategy_id = s.id) as rules,
      (select count(*) from alarm_event e
        where e.strategy_id = s.id and e.cleared_at is null) as active
    from unnest(${[...ids]}::bigint[]) as s (id)`.execute(ctx.db);
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

async function writeRecipients(
  ctx: Context,
  { id, enterpriseId }: StoredRow,
  recipientIds: readonly number[],
): Promise<void> {
  if (recipientIds.length === 0) return;
  await ctx.db
    .insertInto("alarm_strategy_receiver")
    .values(
      [...new Set(recipientIds)].map((receiver_id) => ({
        enterprise_id: enterpriseId,
        strategy_id: id,
        receiver_id,
      })),
    )
    .execute()
    .catch((error: unknown) => {
      const constraints = { alarm_strategy_receiver_known: { field: "recipientIds" } };
      throw asRefusal(error, constraints, { recipientIds: recipientIds.join(",") }) ?? error;
    });
}

/** Where a policy is, and its version, before anything of it is written. */
async function lockPlace(ctx: Context, id: number) {
  const row = await ctx.db
    .selectFrom("alarm_strategy")
    .select(["enterprise_id", "row_version"])
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? refuse("notFound");
}

const isSameSet = (one: readonly number[], other: readonly number[]): boolean =>
  new Set([...one, ...other]).size === one.length && new Set(other).size === one.length;

/** The row with the version that it has by its recipients. */
async function asStored(ctx: Context, row: StoredRow, old: number | null): Promise<StoredRow> {
  const now = await storedVersion(ctx, "alarm_strategy", row.id);
  return { ...row, versions: { old, new: now } };
}

/** A store of policies that keeps the recipients beside the row. */
function withRecipients(store: Store<typeof alarmStrategy>): Store<typeof alarmStrategy> {
  const reported = (row: StoredRow, before: number[] | null, now: number[] | null): StoredRow => ({
    ...row,
    old: row.old && { ...row.old, recipientIds: before ?? [] },
    new: row.new && { ...row.new, recipientIds: now ?? [] },
  });
  const before = async (ctx: Context, ids: readonly number[]) => {
    const facts = await factsOf(ctx, ids);
    return (id: number): number[] => facts.get(id)?.recipientIds ?? [];
  };
  return {
    ...store,
    async add(ctx, draft) {
      const row = await store.add(ctx, draft);
      await writeRecipients(ctx, row, draft.recipientIds);
      return reported(await asStored(ctx, row, null), null, draft.recipientIds);
    },
    async edit(ctx, id, draft) {
      const place = await lockPlace(ctx, id);
      const recipients = (await before(ctx, [id]))(id);
      const stays = place.enterprise_id === draft.groupid;
      if (stays && isSameSet(recipients, draft.recipientIds)) {
        return reported(await store.edit(ctx, id, draft), recipients, draft.recipientIds);
      }
      // First: the policy may move to another enterprise, and they do not.
      await ctx.db.deleteFrom("alarm_strategy_receiver").where("strategy_id", "=", id).execute();
      const row = await store.edit(ctx, id, draft);
      await writeRecipients(ctx, row, draft.recipientIds);
      const stored = await asStored(ctx, row, place.row_version);
      return reported(stored, recipients, draft.recipientIds);
    },
    async remove(ctx, ids, inside) {
      const recipients = await before(ctx, ids);
      const rows = await store.remove(ctx, ids, inside);
      return rows.map((row) => reported(row, recipients(row.id), null));
    },
  };
}

/** Policies with what they watch and whom they notify; those that an enterprise above shares as well. */
export const alarmStrategyStore = withRecipients(
  tableStore(alarmStrategy, {
    table: "alarm_strategy",
    columns: {
      id: "id",
      name: "name",
      groupid: "enterprise_id",
      share: "share",
      enable: "enabled",
      recipientIds: null,
      remark: "remark",
      createTime: "created_at",
    },
    members: {
      cpeIds: { table: "alarm_strategy_node", of: cpes, from: "scope" },
      popIds: { table: "alarm_strategy_pop", of: pops, from: "readable", isOrdered: true },
    },
    names: { enterpriseName: enterprise("groupid") },
    owner: { enterprise: "groupid" },
    filters: { name: "contains", groupid: "equal" },
    constraints: { alarm_strategy_name: { field: "name" } },
    shared: true,
    async complete(ctx, rows) {
      const ids = idsOf(rows);
      const facts = await factsOf(ctx, ids);
      return ids.map((id) => facts.get(id) ?? { recipientIds: [], rules: 0, active: 0 });
    },
  }),
);

/** Shows a policy of the caller's to those below, or no longer. */
export async function shareStrategy(ctx: Context, id: number, share: boolean): Promise<void> {
  const old = await ctx.db
    .selectFrom("alarm_strategy")
    .select(["enterprise_id", "name", "share"])
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .forUpdate()
    .executeTakeFirst();
  if (!old) return refuse("notFound");
  await ctx.db
    .updateTable("alarm_strategy")
    .set({ share, updated_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
  await ctx.audit({
    resource: "alarmStrategy",
    rowId: id,
    enterpriseId: old.enterprise_id,
    old: { name: old.name, share: old.share },
    new: { name: old.name, share },
  });
}

/** Rules of a policy; of a shared one they are read by those below. */
export const alarmRuleStore = tableStore(alarmRule, {
  table: "alarm_rule",
  columns: {
    id: "id",
    strategyId: "strategy_id",
    metric: "metric",
    compareType: "compare_type",
    threshold: "threshold",
    hysteresis: "hysteresis",
    duration: "duration_s",
    recovery: "recovery_s",
    level: "level",
    enable: "enabled",
  },
  owner: { row: "strategyId", of: reference("alarm_strategy") },
  shared: true,
});
