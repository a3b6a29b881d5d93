import { healthTones } from "@weft/contract/domains/devices/health.ts";
import type { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import { alarmLevels } from "@weft/contract/domains/notifications/enums.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { isUp } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

type Workplace = OutputOf<typeof workplace>;

/** Rows that a card has room for. */
const shown = 10;
const maxRollouts = 5;
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

/**
 * Open alarms by severity: what the list of alarms shows of them, without what is put off or planned.
 * @param of only those of these enterprises; null: all in scope
 */
export async function countAlarms(
  ctx: Context,
  of: readonly number[] | null = null,
): Promise<Workplace["alarms"]> {
  const among = of === null ? sql`true` : sql`e.enterprise_id = any(${[...of]}::bigint[])`;
  const { rows } = await sql<Workplace["alarms"][number]>`
    select v.level, count(e.id) as open, count(e.id) filter (where e.handled_at is null) as waiting
    from unnest(${[...alarmLevels]}::smallint[]) as v (level)
      left join alarm_event e on e.level = v.level and e.cleared_at is null
        and greatest(e.snoozed_until, e.maintenance_until, '-infinity') <= now()
        and ${among} and ${inCallerScope(ctx, "e.enterprise_id", "e.created_by")}
    group by v.level order by v.level`.execute(ctx.db);
  return rows;
}

/** Templates that are going out, those that wait for a decision first. */
export async function listRollouts(ctx: Context): Promise<Workplace["rollouts"]> {
  const { rows } = await sql<Workplace["rollouts"][number]>`
    select r.template_id as "templateId", t.name, r.version, r.state, r.wave, r.waves,
      (select count(*) from template_rollout_node n
        where n.rollout_id = r.id and n.outcome in ('observed', 'passed')) as done,
      (select count(*) from template_rollout_node n where n.rollout_id = r.id) as cpes
    from template_rollout r join router_template t on t.id = r.template_id
    where r.state in ('running', 'waiting', 'halted')
      and ${inCallerScope(ctx, "r.enterprise_id", "r.created_by")}
    order by r.state = 'running', r.since desc, r.id limit ${maxRollouts}`.execute(ctx.db);
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

/** Direct customers with all sites below them, those with most trouble first, then the one nearest to its limit. */
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
    order by (sites.tones ->> 'bad')::int desc, (sites.tones ->> 'warn')::int desc,
      coalesce((select balance from weft.last_posting(e.id, e.parent_id)), 0)
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
