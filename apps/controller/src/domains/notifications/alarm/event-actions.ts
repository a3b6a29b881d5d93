/** What people do with active alarms: acknowledge, own, snooze; each for many at a time. */
import {
  type alarmEventHandle,
  type alarmEventOwn,
  type alarmEventOwners,
  type alarmEventSnooze,
  maxSnoozeDays,
} from "@weft/contract/domains/notifications/alarm-event.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";

type Event = Pick<
  Selectable<Database["alarm_event"]>,
  | "id"
  | "enterprise_id"
  | "node_id"
  | "node_name"
  | "item"
  | "handled_at"
  | "owner_name"
  | "owner_id"
  | "snoozed_until"
>;

const dayMs = 86_400_000;
const maxOwners = 100;

/** Locks the events. Refuses if one of them is not the caller's to see. */
async function lockEvents(ctx: Context, ids: readonly number[]): Promise<Event[]> {
  const unique = [...new Set(ids)];
  const events = await ctx.db
    .selectFrom("alarm_event")
    .select(["id", "enterprise_id", "node_id", "node_name", "item", "handled_at"])
    .select(["owner_name", "owner_id", "snoozed_until"])
    .where(sql<SqlBool>`id = any(${unique}::bigint[])`)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .orderBy("id")
    .forUpdate()
    .execute();
  return events.length === unique.length ? events : refuse("notFound");
}

const idsOf = (events: readonly Event[]): number[] => events.map(({ id }) => id);

/** Notes of each event what changed. */
const audit = (
  ctx: Context,
  events: readonly Event[],
  changeOf: (event: Event) => { readonly old: object; readonly new: object },
): Promise<void> =>
  ctx.audit(
    ...events.map((event) => {
      const { old, new: changed } = changeOf(event);
      const name = event.node_name;
      return {
        resource: "alarmEvent",
        rowId: event.id,
        enterpriseId: event.enterprise_id,
        old: { name, ...old },
        new: { name, ...changed },
      };
    }),
  );

/** Records who acknowledges events; one that was acknowledged keeps its first author. */
export async function handleEvents(
  ctx: Context,
  { ids, remark }: InputOf<typeof alarmEventHandle>,
): Promise<void> {
  const events = await lockEvents(ctx, ids);
  await ctx.db
    .updateTable("alarm_event")
    .set({
      handled_at: sql<Date>`now()`,
      handled_by: ctx.caller.loginName,
      handle_remark: remark,
    })
    .where(sql<SqlBool>`id = any(${idsOf(events)}::bigint[])`)
    .where("handled_at", "is", null)
    .execute();
  await audit(ctx, events, ({ handled_at }) => ({
    old: { handled: handled_at !== null },
    new: { handled: true, remark },
  }));
}

/** A user may own what his enterprise sees: the event is of it, or of one below it. */
async function requireOwner(ctx: Context, userId: number, events: readonly Event[]) {
  const owner = await ctx.db
    .selectFrom("sys_user")
    .select(["id", "login_name", "enterprise_id"])
    .where("id", "=", userId)
    .where("enabled", "=", true)
    .where((eb) =>
      eb.or([
        eb("id", "=", ctx.caller.userId),
        sql<SqlBool>`${inCallerScope(ctx, "enterprise_id", "created_by")}`,
      ]),
    )
    .executeTakeFirst();
  if (!owner) return refuseField("ownerId", "unknown");
  const enterprises = [...new Set(events.map(({ enterprise_id }) => enterprise_id))];
  const { rows } = await sql<{ sees: boolean }>`
    select bool_and(${owner.enterprise_id} = any(weft.above(array[e.id]))) as sees
    from unnest(${enterprises}::bigint[]) as e (id)`.execute(ctx.db);
  return rows[0]?.sees ? owner : refuseField("ownerId", "unknown");
}

/** Assigns events, or releases them. */
export async function ownEvents(
  ctx: Context,
  { ids, ownerId }: InputOf<typeof alarmEventOwn>,
): Promise<void> {
  const events = await lockEvents(ctx, ids);
  const owner = ownerId === null ? null : await requireOwner(ctx, ownerId, events);
  await ctx.db
    .updateTable("alarm_event")
    .set({ owner_id: owner?.id ?? null, owner_name: owner?.login_name ?? "" })
    .where(sql<SqlBool>`id = any(${idsOf(events)}::bigint[])`)
    .execute();
  await audit(ctx, events, ({ owner_id, owner_name }) => ({
    old: { ownerId: owner_id === null ? "" : owner_name },
    new: { ownerId: owner?.login_name ?? "" },
  }));
}

/** Users who may own alarms, by name. */
export async function listOwners(
  ctx: Context,
  { name }: InputOf<typeof alarmEventOwners>,
): Promise<OutputOf<typeof alarmEventOwners>> {
  const rows = await ctx.db
    .selectFrom("sys_user")
    .select(["id", "login_name as loginName", "name"])
    .where("enabled", "=", true)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .where(
      name === null
        ? sql<SqlBool>`true`
        : sql<SqlBool>`(${contains(sql.ref("login_name"), name)} or ${contains(sql.ref("name"), name)})`,
    )
    .orderBy("login_name")
    .limit(maxOwners)
    .execute();
  return rows;
}

/** Puts events off, or takes them back. */
export async function snoozeEvents(
  ctx: Context,
  { ids, until, remark, snoozeKey }: InputOf<typeof alarmEventSnooze>,
): Promise<void> {
  if (until !== null) {
    const ahead = until.getTime() - Date.now();
    if (ahead <= 0 || ahead > maxSnoozeDays * dayMs) refuseField("until", "outOfRange");
  }
  const events = await lockEvents(ctx, ids);
  await ctx.db
    .updateTable("alarm_event")
    .set({
      snoozed_until: until,
      snooze_note: until === null ? "" : remark,
      snooze_scope: until === null ? null : ctx.caller.enterpriseId,
      snooze_key:
        until === null ? null : sql<string>`coalesce(${snoozeKey}, 'i:' || node_id || '/' || item)`,
    })
    .where(sql<SqlBool>`id = any(${idsOf(events)}::bigint[])`)
    .where("cleared_at", "is", null)
    .execute();
  await audit(ctx, events, ({ snoozed_until }) => ({
    old: { until: snoozed_until },
    new: { until, remark },
  }));
}
