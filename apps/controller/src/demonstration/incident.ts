/** Writes what was recorded of the trouble of this morning: the change that began it, its configuration, its alarms. */
import { setTimeout as sleep } from "node:timers/promises";
import { classLimits } from "@weft/contract/domains/devices/link-quality.ts";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { dateBack } from "#domains/delivery/lifecycle/public.ts";
import { incident } from "./fleet.ts";

type Trx = Transaction<Database>;

interface Options {
  /** The site. */
  readonly nodeId: number;
  readonly signal: AbortSignal;
  /** Ms that its health gets to say so. */
  readonly patienceMs?: number;
}

const requestId = "demonstration-incident";
const pollMs = 500;

const ago = (minutes: number) => sql`now() - ${minutes}::int * interval '1 minute'`;

/** The entries of the operation log of the change: the lines have what they were set to since they were made. */
async function writeChange(trx: Trx, nodeId: number): Promise<void> {
  const before = JSON.stringify({ upBandwidth: incident.upBandwidthBefore });
  await sql`
    insert into audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value,
      new_value, address, request_id, at)
    select a.enterprise_id, a.user_id, a.login_name, 'line.edit', 'line', a.row_id,
      a.new_value || ${before}::jsonb, a.new_value, a.address, ${requestId}, ${ago(incident.minutes + 4)}
    from audit a where a.node_id = ${nodeId} and a.action = 'line.add' order by a.id`.execute(trx);
}

/** The configuration that the site runs came of that change. */
function dateDelivery(trx: Trx, nodeId: number): Promise<void> {
  const at = new Date(Date.now() - (incident.minutes + 3) * 60_000);
  const causes = [{ cause: "admin: line.edit", requestId, own: true, others: 0, spaces: [] }];
  return dateBack(trx, nodeId, at, causes);
}

/** Its links have lost packets ever since: what was measured of the last minutes, and since when they are poor. */
async function writeQuality(trx: Trx, nodeId: number): Promise<void> {
  await sql`
    update link_status s set past_loss = array_fill(s.loss_percent, array[5]),
      past_rtt = array_fill(s.rtt_ms, array[5]), past_jitter = array_fill(s.jitter_ms, array[5])
    from link l where l.id = s.link_id and ${nodeId} in (l.a_node_id, l.b_node_id)
      and s.loss_percent is not null`.execute(trx);
  const limit = classLimits.realtime.loss;
  await sql`
    insert into link_quality (link_id, enterprise_id, metric, value, over, since)
    select l.id, l.enterprise_id, 'loss', round(s.loss_percent::numeric, 1), ${limit}, ${ago(incident.minutes)}
    from link l join link_status s on s.link_id = l.id
    where ${nodeId} in (l.a_node_id, l.b_node_id) and s.loss_percent > ${limit}
    on conflict (link_id) do update set since = excluded.since`.execute(trx);
}

/** Alarms of the links since then: the rules that watch loss find them open, and keep them open. */
async function writeAlarms(trx: Trx, nodeId: number): Promise<void> {
  const found = sql`
    from link l join node n on n.id = l.a_node_id join node p on p.id = l.b_node_id
      join alarm_rule r on r.metric = 'loss' join alarm_strategy s on s.id = r.strategy_id
      join link_status k on k.link_id = l.id and k.loss_percent > r.threshold
    where l.a_node_id = ${nodeId}`;
  await sql`
    insert into alarm_watch (rule_id, node_id, item, enterprise_id, phase, since, seen, at)
    select r.id, n.id, l.id::text, s.enterprise_id, 'open', ${ago(incident.minutes)}, 0, now()
    ${found} on conflict (rule_id, node_id, item) do update set phase = 'open', since = excluded.since`.execute(
    trx,
  );
  await sql`
    insert into alarm_event (enterprise_id, created_by, strategy_id, strategy_name, rule_id, metric,
      level, compare_type, threshold, node_id, node_kind, node_name, item, item_name, value, relies,
      opened_at, last_at, raised_at, open_notified, places)
    select s.enterprise_id, n.created_by, s.id, s.name, r.id, r.metric, r.level, r.compare_type,
      r.threshold, n.id, n.kind, n.name, l.id::text, n.name || ' - ' || p.name, k.loss_percent, '{}',
      ${ago(incident.minutes - 1)}, now(), ${ago(incident.minutes - 1)}, true,
      weft.alarm_places(n.id, s.enterprise_id, l.id::text, r.metric, '{}')
    ${found} on conflict (rule_id, node_id, item) where cleared_at is null
      do update set opened_at = excluded.opened_at, raised_at = excluded.raised_at`.execute(trx);
}

/** Since when the site is in trouble, once its health says that it is. */
async function moveHealth(
  db: Kysely<Database>,
  { nodeId, signal, ...rest }: Options,
): Promise<void> {
  const end = performance.now() + (rest.patienceMs ?? 20_000);
  while (performance.now() < end) {
    const { rows } = await sql`
      update node_health set since = ${ago(incident.minutes)}
      where node_id = ${nodeId} and tone = 'warn' returning node_id`.execute(db);
    if (rows.length > 0) return;
    await sleep(pollMs, undefined, { signal });
  }
}

/** Writes it for the site, whose links are measured by now. */
export async function writeIncident(db: Kysely<Database>, options: Options): Promise<void> {
  const { nodeId } = options;
  await db.transaction().execute(async (trx) => {
    await writeChange(trx, nodeId);
    await dateDelivery(trx, nodeId);
    await writeQuality(trx, nodeId);
    await writeAlarms(trx, nodeId);
  });
  await moveHealth(db, options);
}
