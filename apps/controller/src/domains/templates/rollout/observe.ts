/** What the database knows of the CPEs of a rollout. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import { type Selectable, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { isMeasuredUp, isUp } from "#domains/devices/public.ts";
import { readFacts } from "#domains/monitoring/health/public.ts";
import { gapMs } from "./assess.ts";
import type { Member, Rollout, Seen } from "./member.ts";
import { type Delivered, progressOf } from "./progress.ts";

type Trx = Transaction<Database>;
export type RolloutRow = Selectable<Database["template_rollout"]>;
export type MemberRow = Selectable<Database["template_rollout_node"]>;

export const toRollout = (row: RolloutRow): Rollout => ({
  wave: row.wave,
  waves: row.waves,
  askEach: row.ask_each,
  since: row.since.getTime(),
  checkedAt: row.checked_at.getTime(),
  soakMs: row.soak_s * 1_000,
  graceMs: row.grace_s * 1_000,
  contact: row.contact_gate,
  links: row.link_gate,
  findings: row.finding_gate,
  loss: row.loss_limit,
});

/** The newest task of the version on each CPE, the newest state with it, and a compile that failed. */
async function readDelivered(trx: Trx, rollout: RolloutRow, nodeIds: readonly number[]) {
  const { template_id: template, version } = rollout;
  const { rows } = await sql<Delivered>`
    select n.id as node_id, k.status, k.unmet, s.outcome, s.held, s.stopped, s.unreachable,
      s.retries, s.reason, s.delivered_at, f.findings, b.findings as findings_before, c.failure, p.node_id is not null as pinned
    from unnest(${[...nodeIds]}::bigint[]) as n (id)
    left join lateral (
      select t.status, t.unmet from task t
      where t.node_id = n.id and t.type = 'template' and t.template_id = ${template}
        and t.template_version = ${version}
      order by t.id desc limit 1) k on true
    left join lateral (
      select z.outcome, z.held, z.stopped, z.unreachable, z.retries, z.reason, z.delivered_at
      from node_state z
      where z.node_id = n.id and z.template_id = ${template} and z.template_version = ${version}
      order by z.epoch desc, z.serial desc limit 1) s on true
    left join lateral (
      select z.findings from node_state z where z.node_id = n.id and z.outcome = 'confirmed'
      order by z.epoch desc, z.serial desc limit 1) f on true
    left join lateral (
      select z.findings from node_state z where z.node_id = n.id and z.outcome = 'confirmed'
        and (z.template_id, z.template_version) is distinct from
          (${template}::bigint, ${version}::integer)
      order by z.epoch desc, z.serial desc limit 1) b on true
    left join compile_mark c on c.node_id = n.id
    left join (node_pin p join node_state h using (node_id, epoch, serial))
      on p.node_id = n.id and (h.template_id, h.template_version) is distinct from
        (${template}::bigint, ${version}::integer)`.execute(trx);
  return new Map(rows.map((row) => [row.node_id, row]));
}

interface Links {
  readonly node_id: number;
  readonly wanted: number[];
  readonly up: number[];
  readonly stale: boolean;
}

/** Links that CPEs are to have now, and those that are up. */
async function readLinks(trx: Trx, nodeIds: readonly number[]): Promise<Map<number, Links>> {
  const ids = sql`${[...nodeIds]}::bigint[]`;
  const { rows } = await sql<Links>`
    select l.node_id, array_agg(l.id order by l.id) as wanted,
      coalesce(array_agg(l.id order by l.id) filter (where ${isUp("s")}), '{}') as up,
      bool_or(${isUp("s")} and not ${isMeasuredUp("s")}) as stale
    from (select a_node_id as node_id, id from link where a_node_id = any(${ids})
      union all select b_node_id, id from link where b_node_id = any(${ids})) l
    left join link_status s on s.link_id = l.id
    group by l.node_id`.execute(trx);
  return new Map(rows.map((row) => [row.node_id, row]));
}

/** What a device found about its state, as one key each. */
const findingKeys = (findings: readonly Finding[]): string[] =>
  findings.map(({ kind, object, reason }) => `${kind} ${object} ${reason}`);

/** Since when the rollout has been observed without a pause; ms of the epoch. */
export const watchedSinceOf = (
  { checked_at: checkedAt, watched_since: since }: RolloutRow,
  now: number,
): number => (now - checkedAt.getTime() >= gapMs ? now : since.getTime());

/** CPEs of one step whose findings are read. */
const preparedAtOnce = 20;

/** A CPE of which it is not known what will not act is looked at again after this time. */
const previewAgainMs = 60_000;

/**
 * CPEs of which it is not known what of the version will not act on them; the first of them. One whose preview
 * failed, or whose device has reported what it can since, is among them again as long as its wave has not started.
 */
export async function readUnprepared(trx: Trx, rolloutId: number): Promise<number[]> {
  const { rows } = await sql<{ node_id: number }>`
    select r.node_id from template_rollout_node r
    where r.rollout_id = ${rolloutId} and (r.expected is null
      or r.started_at is null and not (r.expected ->> 'isKnown')::boolean
        and to_timestamp(coalesce((r.expected ->> 'at')::float8, 0) / 1000)
          < clock_timestamp() - ${previewAgainMs} * interval '1 ms'
        and (r.expected ? 'failure' or exists (select from node_status s
          where s.node_id = r.node_id and jsonb_array_length(s.capabilities) > 0)))
    order by r.wave, r.node_id limit ${preparedAtOnce}`.execute(trx);
  return rows.map(({ node_id }) => node_id);
}

/** CPEs of the wave that is underway, and those of the waves before it that have not passed, as they are now. */
export async function readMembers(trx: Trx, rollout: RolloutRow, now: number): Promise<Member[]> {
  const rows = await trx
    .selectFrom("template_rollout_node")
    .selectAll()
    .where("rollout_id", "=", rollout.id)
    .where((one) =>
      one.or([
        one("wave", "=", rollout.wave),
        one.and([one("wave", "<", rollout.wave), one("outcome", "!=", "passed")]),
      ]),
    )
    .orderBy("wave")
    .orderBy("node_id")
    .execute();
  const ids = rows.map(({ node_id }) => node_id);
  const facts = new Map((await readFacts(trx, ids)).map((fact) => [fact.id, fact]));
  const delivered = await readDelivered(trx, rollout, ids);
  const links = await readLinks(trx, ids);
  const watchedSince = watchedSinceOf(rollout, now);
  return rows.map((row): Member => {
    const fact = facts.get(row.node_id);
    const delivery = delivered.get(row.node_id);
    const { wanted = [], up = [], stale = false } = links.get(row.node_id) ?? {};
    const linkIds = { wanted, up };
    const seen: Seen = {
      online: fact?.online ?? false,
      links: linkIds.up.length,
      linkIds,
      hasStaleLinks: stale,
      loss: fact?.loss ?? null,
      findings: findingKeys(delivery?.findings ?? []),
      findingsBefore: delivery?.findings_before ? findingKeys(delivery.findings_before) : null,
      progress: progressOf(delivery, watchedSince),
      failure: delivery?.failure ?? null,
    };
    return {
      nodeId: row.node_id,
      wave: row.wave,
      baseline: row.baseline,
      expected: row.expected,
      startedAt: row.started_at?.getTime() ?? null,
      steadySince: row.steady_since?.getTime() ?? null,
      compared: row.compared,
      awaitedMs: row.awaited_ms,
      suspects: row.suspects,
      seen,
    };
  });
}
