import { healthTones } from "@weft/contract/domains/devices/health.ts";
import type { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { isUp } from "#domains/overlay/link/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

type Workplace = OutputOf<typeof workplace>;

/** Rows that a card has room for. */
const shown = 10;
/** Nodes whose traffic one chart adds up. */
const maxNodes = 5_000;

const nodeScope = (ctx: Context) => inCallerScope(ctx, "n.enterprise_id", "n.created_by");

/** Counts of nodes by tone, of a statement in which \`h\` is their health; one without is unknown. */
const tones = () =>
  sql`jsonb_build_object(${sql.join(
    healthTones.map(
      (tone) =>
        sql`${sql.lit(tone)}, count(n.id) filter (where coalesce(h.tone, 'unknown') = ${tone})`,
    ),
  )})`;

/** States of all that the caller sees, in one statement. POPs include shared ones. */
export async function countStates(ctx: Context): Promise<Workplace["counts"]> {
  const { rows } = await sql<Workplace["counts"]>`
    select
      (select count(*) from enterprise where ${inCallerScope(ctx, "id")}) as enterprise,
      cpes.*, pops.*, links.*,
      (select count(*) from net_space
       where ${inCallerScope(ctx, "enterprise_id", "created_by")}) as "netSpace"
    from
      (select count(*) as cpe, count(*) filter (where s.online) as "cpeOnline",
         count(*) filter (where s.last_seen is null and s.online is not true) as "cpeUnseen",
         ${tones()} as "cpeTones"
       from node n left join node_status s on s.node_id = n.id
         left join node_health h on h.node_id = n.id
       where n.kind = 'cpe' and ${nodeScope(ctx)}) cpes,
      (select count(*) as pop, count(*) filter (where s.online) as "popOnline",
         ${tones()} as "popTones"
       from node n left join node_status s on s.node_id = n.id
         left join node_health h on h.node_id = n.id where n.kind = 'pop') pops,
      (select count(*) as link, count(*) filter (where ${isUp("s")}) as "linkUp"
       from link l left join link_status s on s.link_id = l.id
       where ${inCallerScope(ctx, "l.enterprise_id")}) links`.execute(ctx.db);
  const [counts] = rows;
  if (!counts) throw new Error("a select of counts gave no row");
  return counts;
}

type Alarm = Workplace["alarms"][number];

/**
 * What needs a person, the worst kind first and of a kind the newest. A node that was never seen
 * waits for its device and is no trouble; one that is disabled is so by intent.
 */
export async function listAttention(ctx: Context): Promise<{ alarms: Alarm[]; attention: number }> {
  const { rows } = await sql<Alarm & { n: number }>`
    with found as (
      select 1 as rank, case n.kind when 'cpe' then 'cpeOffline' else 'popOffline' end as kind,
        n.id, n.name, n.enterprise_id, s.last_seen as since
      from node n join node_status s on s.node_id = n.id
      where n.enabled and not s.online and s.last_seen is not null
        and (n.kind = 'pop' or ${nodeScope(ctx)})
      union all
      select 2, 'linkDown', l.id, a.name || ' - ' || b.name, l.enterprise_id, s.changed_at
      from link l join link_status s on s.link_id = l.id
        join node a on a.id = l.a_node_id join node b on b.id = l.b_node_id
        join node_status sa on sa.node_id = a.id and sa.online
        join node_status sb on sb.node_id = b.id and sb.online
      where not s.up and ${inCallerScope(ctx, "l.enterprise_id")}
      union all
      select 3, 'expired', n.id, n.name, n.enterprise_id, n.expire_at
      from node n where n.expire_at < now() and ${nodeScope(ctx)}
      union all
      select 4, case when last.held then 'held' else 'blocked' end, n.id, n.name,
        n.enterprise_id, last.created_at
      from node n cross join lateral (
        select t.outcome, t.held, t.created_at from node_state t where t.node_id = n.id
        order by t.epoch desc, t.serial desc limit 1) last
      where (last.held or last.outcome in ('refused', 'failed', 'reverted')) and ${nodeScope(ctx)}
      union all
      select 5, 'drift', n.id, n.name, n.enterprise_id, s.drift_since
      from node n join node_status s on s.node_id = n.id
      where s.online and s.drift_steps > 0 and ${nodeScope(ctx)}
      union all
      select 6, 'enrolment', n.id, n.name, n.enterprise_id, i.created_at
      from node_identity i join node n on n.id = i.node_id
      where i.state = 'pending' and ${nodeScope(ctx)}
    )
    select f.kind, f.id, f.name, coalesce(e.name, '') as "enterpriseName", f.since,
      count(*) over () as n
    from found f left join enterprise e on e.id = f.enterprise_id
    order by f.rank, f.since desc nulls last, f.id limit ${shown}`.execute(ctx.db);
  return {
    alarms: rows.map(({ n: _, ...alarm }) => alarm),
    attention: rows[0]?.n ?? 0,
  };
}

/** What ends within this many days, the next first; what has ended needs attention instead. */
export async function listExpiring(ctx: Context, days: number): Promise<Workplace["expiring"]> {
  const soon = sql`between now() and now() + make_interval(days => ${days}::int)`;
  const { rows } = await sql<Workplace["expiring"][number]>`
    select n.kind, n.id, n.name, n.expire_at as "expireTime" from node n
    where n.expire_at ${soon} and ${nodeScope(ctx)}
    union all
    select 'enterprise', e.id, e.name, e.end_at from enterprise e
    where e.end_at ${soon} and ${inCallerScope(ctx, "e.id")}
    order by 4, 2 limit ${shown}`.execute(ctx.db);
  return rows;
}

/** Deliveries that are not done, and those that failed within a day. */
export async function countTasks(ctx: Context): Promise<Workplace["tasks"]> {
  const { rows } = await sql<Workplace["tasks"]>`
    select count(*) filter (where t.status = 0) as waiting,
      count(*) filter (where t.status = 4) as pulled,
      count(*) filter (where t.status = 2 and t.created_at > now() - interval '1 day') as failed
    from task t join node n on n.id = t.node_id
    where (t.status in (0, 4) or t.created_at > now() - interval '1 day')
      and ${nodeScope(ctx)}`.execute(ctx.db);
  return rows[0] ?? { waiting: 0, pulled: 0, failed: 0 };
}

/** Direct customers with all sites below them, the one nearest to its limit first. */
export async function listCustomers(ctx: Context): Promise<Workplace["customers"]> {
  const { rows } = await sql<Workplace["customers"][number]>`
    select e.id as groupid, e.name, e.credit_limit as "creditLimit",
      coalesce((select balance from weft.last_posting(e.id, e.parent_id)), 0) as balance,
      sites.*
    from enterprise e cross join lateral (
      with recursive below as (
        select e.id union all
        select c.id from enterprise c join below b on c.parent_id = b.id)
      select count(n.id) as cpe, count(n.id) filter (where s.online) as "cpeOnline", ${tones()} as tones
      from node n left join node_status s on s.node_id = n.id
        left join node_health h on h.node_id = n.id
      where n.enterprise_id in (select id from below) and n.kind = 'cpe') sites
    where e.parent_id = ${ctx.caller.enterpriseId} and ${inCallerScope(ctx, "e.id")}
    order by coalesce((select balance from weft.last_posting(e.id, e.parent_id)), 0)
      + e.credit_limit, e.name, e.id limit ${shown}`.execute(ctx.db);
  return rows;
}

/** What the caller's own enterprise has, and how far it may go. */
export async function ownCredit(ctx: Context): Promise<{ balance: number; creditLimit: number }> {
  const { rows } = await sql<{ balance: number; creditLimit: number }>`
    select e.credit_limit as "creditLimit",
      coalesce((select balance from weft.last_posting(e.id, coalesce(e.parent_id, e.id))), 0)
        as balance
    from enterprise e where e.id = ${ctx.caller.enterpriseId}`.execute(ctx.db);
  return rows[0] ?? { balance: 0, creditLimit: 0 };
}

/** Ids of the CPEs whose traffic is the caller's to see. */
export async function trafficNodes(ctx: Context): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select n.id from node n join node_status s on s.node_id = n.id and s.last_seen is not null
    where n.kind = 'cpe' and ${nodeScope(ctx)} order by n.id limit ${maxNodes}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}
