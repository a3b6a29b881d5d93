/** Active alarms of the caller's scope, as groups by cause. */
import type { alarmEventGroups } from "@weft/contract/domains/notifications/alarm-event.ts";
import type { AlarmView } from "@weft/contract/domains/notifications/enums.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { readPaths } from "#domains/notifications/root-causes/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { eventSentence, type Reported } from "./event-text.ts";
import { type ActiveAlarm, type AlarmGroup, groupAlarms } from "./inbox.ts";

type Query = InputOf<typeof alarmEventGroups>;
type Row = ResultOf<typeof alarmEventGroups>["rows"][number];

/** Alarms that one page groups; of more, the most urgent. */
const maxAlarms = 5_000;
const maxNotes = 3;

const isSnoozed = sql<SqlBool>`coalesce(e.snoozed_until > now(), false)`;
const isPlanned = sql<SqlBool>`coalesce(e.maintenance_until > now(), false)`;

/** Which active events a view shows; each is in exactly one. Planned work comes before a snooze. */
export const inView: Readonly<Record<AlarmView, RawBuilder<SqlBool>>> = {
  active: sql`(e.cleared_at is null and not ${isSnoozed} and not ${isPlanned})`,
  snoozed: sql`(e.cleared_at is null and ${isSnoozed} and not ${isPlanned})`,
  maintenance: sql`(e.cleared_at is null and ${isPlanned})`,
};

interface Loaded extends ActiveAlarm, Omit<Reported, "level" | "metric"> {
  readonly item: string;
  readonly subject: string | null;
  readonly handled: boolean;
  readonly ownerId: number | null;
  readonly ownerName: string;
  readonly until: Date | null;
  readonly note: string;
}

/** Alarms of a view with the ways that they are about. */
async function loadAlarms(ctx: Context, view: AlarmView): Promise<Loaded[]> {
  const { rows } = await sql<Loaded>`
    with picked as materialized (
      select e.* from alarm_event e
      where ${inView[view]} and ${inCallerScope(ctx, "e.enterprise_id", "e.created_by")}
      order by e.level, e.opened_at desc, e.id desc limit ${maxAlarms}
    )
    select e.id, e.level, e.metric, e.item, e.subject, e.node_kind, e.node_name, e.item_name, e.value,
      coalesce(s.id, e.node_id) as "nodeId", coalesce(s.kind, e.node_kind) as "nodeKind",
      coalesce(s.name, e.node_name) as "nodeName", g.id as "enterpriseId",
      coalesce(g.name, '') as "enterpriseName", e.opened_at as "openedAt",
      e.handled_at is not null as handled, e.owner_id as "ownerId", e.owner_name as "ownerName",
      ${view === "maintenance" ? sql`e.maintenance_until` : sql`e.snoozed_until`} as until,
      e.snooze_note as note,
      coalesce((
        select jsonb_agg(w) from (
          select jsonb_build_object('siteId', i.node_id, 'isp', i.isp) as w
          from line i where e.metric = 'line' and i.node_id = e.node_id
            and i.interface_name = e.item
          union all
          select jsonb_build_object('siteId', o.id, 'isp', coalesce(i.isp, ''),
            'popId', case when p.kind = 'pop' then p.id end)
          from (values (l.a_node_id, l.a_slot, l.b_node_id), (l.b_node_id, l.b_slot, l.a_node_id))
            as x (node_id, slot, peer_id)
          join node o on o.id = x.node_id and o.kind = 'cpe'
          left join node p on p.id = x.peer_id
          left join line i on i.node_id = x.node_id and i.slot = x.slot
        ) ways), '[]') as ways
    from picked e
    left join link l on e.metric in ('link', 'delay', 'jitter', 'loss')
      and l.id = case when e.metric in ('link', 'delay', 'jitter', 'loss') and e.item ~ '^[0-9]+$'
        then e.item::bigint end
    left join node s on s.kind = 'cpe' and e.node_kind = 'pop' and s.id in (l.a_node_id, l.b_node_id)
    left join node n on n.id = coalesce(s.id, e.node_id)
    left join enterprise g on g.id = coalesce(n.enterprise_id, e.enterprise_id)
    order by e.level, e.opened_at desc, e.id desc`.execute(ctx.db);
  return rows;
}

/** Devices that the controller knows from contact. */
async function countSeen(ctx: Context): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from node n join node_status s on s.node_id = n.id
    where n.kind = 'cpe' and s.last_seen is not null
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/** Links are bad as the alarms say, not as they are measured: an alarm lasts until it has recovered. */
function badBy(alarms: readonly Loaded[]) {
  const of = (...metrics: readonly string[]): Loaded[] =>
    alarms.filter(({ metric }) => metrics.includes(metric));
  const down = of("link").map(({ item }) => item);
  const poor = of("delay", "jitter", "loss").map(({ item }) => item);
  const lines = of("line").flatMap(({ subject }) => subject ?? []);
  const nodes = of("node").map(({ nodeId }) => nodeId);
  const isDown = sql<SqlBool>`(l.id = any(${down}::bigint[])
    or e.node_id = any(${nodes}::bigint[]) or e.peer_id = any(${nodes}::bigint[])
    or coalesce('l:' || e.node_id || '/' || i.interface_name = any(${lines}::text[]), false))`;
  return {
    down: isDown,
    poor: sql<SqlBool>`(l.id = any(${poor}::bigint[]) and not ${isDown})`,
    sites: sql`select unnest(${[...new Set(alarms.map(({ nodeId }) => nodeId))]}::bigint[])`,
  };
}

const matches =
  (ctx: Context, { name, level, handled, owner }: Query) =>
  (alarm: Loaded): boolean =>
    (name === null || alarm.nodeName.toLowerCase().includes(name.toLowerCase())) &&
    (level === null || alarm.level === level) &&
    (handled === null || alarm.handled === handled) &&
    (owner !== "mine" || alarm.ownerId === ctx.caller.userId) &&
    (owner !== "none" || alarm.ownerId === null);

const distinct = (values: readonly string[]): string[] =>
  [...new Set(values)].filter((value) => value !== "");

function toRow({ id, cause, level, alarms, snoozeKey }: AlarmGroup<Loaded>, language: 0 | 1): Row {
  const [first] = alarms;
  const owner = first?.ownerId ?? null;
  const until = alarms.flatMap((alarm) => alarm.until ?? []);
  return {
    ...cause,
    id,
    level,
    snoozeKey,
    content: first ? eventSentence(first)[language] : "",
    alarmIds: alarms.map((alarm) => alarm.id),
    waiting: alarms.filter(({ handled }) => !handled).length,
    owners: distinct(alarms.map((alarm) => (alarm.ownerId === null ? "" : alarm.ownerName))),
    ownerId: alarms.every(({ ownerId }) => ownerId === owner) ? owner : null,
    until: until.length > 0 ? new Date(Math.max(...until.map(Number))) : null,
    notes: distinct(alarms.map(({ note }) => note)).slice(0, maxNotes),
  };
}

/**
 * A page of groups of one view. A group is listed with all its alarms if one of them is what was asked for: what was
 * asked for makes no cause smaller.
 */
export async function listGroups(
  ctx: Context,
  query: Query,
): Promise<ResultOf<typeof alarmEventGroups>> {
  const alarms = await loadAlarms(ctx, query.view ?? "active");
  if (alarms.length === 0) return { rows: [], count: 0 };
  const [paths, seen] = await Promise.all([readPaths(ctx, badBy(alarms)), countSeen(ctx)]);
  const isMatch = matches(ctx, query);
  const groups = groupAlarms(alarms, { ...paths, seen }).filter((alarmGroup) =>
    alarmGroup.alarms.some(isMatch),
  );
  const from = (query.page - 1) * query.limit;
  const language = ctx.caller.language === "zh_cn" ? 0 : 1;
  const rows = groups.slice(from, from + query.limit).map((group) => toRow(group, language));
  return { rows, count: groups.length };
}
