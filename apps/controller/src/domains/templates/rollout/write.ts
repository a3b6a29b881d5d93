/** Which version the CPEs of a rollout follow. Used by the steps of the worker and by calls of operators. */
import type { MemberOutcome } from "@weft/contract/domains/templates/rollout.ts";
import { sql } from "kysely";
import { cancelIssueTasks, openIssueTasks } from "#domains/delivery/lifecycle/public.ts";
import type { Acting } from "#domains/templates/router-template/public.ts";
import type { StoredObservation } from "#domains/templates/schema.ts";
import type { Assessment, Member, Seen } from "./member.ts";
import type { RolloutRow } from "./observe.ts";

export interface Named extends RolloutRow {
  readonly template_name: string;
}

const asStored = ({
  online,
  links,
  loss,
  findings,
  failure = null,
}: StoredObservation): StoredObservation => ({
  online,
  links,
  loss,
  findings,
  failure,
});

/** Entry of the operation log for a change of a rollout. */
export async function record(
  acting: Acting,
  rollout: Named,
  old: object | null,
  now: object,
): Promise<void> {
  const { template_name: templateName, version } = rollout;
  await acting.audit({
    resource: "routerTemplate",
    rowId: rollout.template_id,
    old: old && { templateName, version, ...old },
    new: { templateName, version, ...now },
    enterpriseId: rollout.enterprise_id,
  });
}

interface Followed {
  readonly node_id: number;
  readonly node_enterprise_id: number;
  readonly version: number | null;
}

/**
 * These CPEs follow the version from now on; what they are like at this moment is what they are held to. Where it was
 * tried before, that is what they were like then: the first time may have cost what is compared.
 */
export async function startMembers(
  acting: Acting,
  rollout: Named,
  members: readonly Member[],
): Promise<void> {
  const { db } = acting;
  const ids = members.map(({ nodeId }) => nodeId);
  const { rows: before } = await sql<Followed>`
    with before as (
      select node_id, version from router_template_node
      where template_id = ${rollout.template_id} and node_id = any(${ids}::bigint[])
      order by node_id for update)
    update router_template_node m set version = ${rollout.version} from before b
    where m.node_id = b.node_id
    returning m.node_id, m.node_enterprise_id, b.version`.execute(db);
  const started = before.map(({ node_id }) => node_id);
  await cancelIssueTasks(db, started);
  await openIssueTasks(db, before, {
    templateId: rollout.template_id,
    version: rollout.version,
    name: rollout.template_name,
    createdBy: acting.userId,
  });
  const baselines = new Map(
    members.map(({ nodeId, seen }): readonly [number, StoredObservation] => [
      nodeId,
      { ...asStored(seen), findings: seen.findingsBefore, linkIds: seen.linkIds },
    ]),
  );
  const rows = before.map(({ node_id, version }) => ({
    node_id,
    version,
    baseline: baselines.get(node_id) ?? null,
  }));
  await sql`
    update template_rollout_node r set started_at = now(), version_before = s.version,
      baseline = case when (r.baseline ->> 'online')::boolean then r.baseline else s.baseline end,
      observed = s.baseline - 'linkIds', outcome = 'underway', held_by = null,
      steady_since = null, awaited_ms = 0, suspects = '{}', failure = null, compared = null
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as s (node_id bigint, version integer, baseline jsonb)
    where r.rollout_id = ${rollout.id} and r.node_id = s.node_id`.execute(db);
  await record(acting, rollout, null, { wave: rollout.wave, cpeIds: started });
  await acting.change({ enterpriseId: rollout.enterprise_id, nodeIds: started });
}

/**
 * CPEs that the rollout has reached follow their previous version again, with a task for it.
 * @param wave those of this wave, and those of the waves before it that have not passed; absent: all
 */
export async function returnMembers(
  acting: Acting,
  rollout: Named,
  wave?: number,
): Promise<number[]> {
  const { db } = acting;
  const ofWave =
    wave === undefined
      ? sql``
      : sql`and (r.wave = ${wave} or r.wave < ${wave} and r.outcome <> 'passed')`;
  const { rows: back } = await sql<Followed>`
    update router_template_node m set version = r.version_before from template_rollout_node r
    where r.rollout_id = ${rollout.id} and r.node_id = m.node_id and r.started_at is not null
      and m.template_id = ${rollout.template_id} and m.version = ${rollout.version} ${ofWave}
    returning m.node_id, m.node_enterprise_id, m.version`.execute(db);
  const ids = back.map(({ node_id }) => node_id);
  await cancelIssueTasks(db, ids);
  for (const [version, members] of Map.groupBy(back, (one) => one.version)) {
    if (version === null) continue;
    await openIssueTasks(db, members, {
      templateId: rollout.template_id,
      version,
      createdBy: acting.userId,
      name: rollout.template_name,
    });
  }
  await db
    .updateTable("template_rollout_node")
    .set({ outcome: "rolledBack" satisfies MemberOutcome, held_by: null })
    .set({ steady_since: null, suspects: "{}" })
    .where("rollout_id", "=", rollout.id)
    .where(sql<boolean>`node_id = any(${ids}::bigint[])`)
    .execute();
  await acting.change({ enterpriseId: rollout.enterprise_id, nodeIds: ids });
  return ids;
}

/** Keeps what was found about CPEs; rows of which it is known already are not written. */
export async function keepAssessments(
  { db }: Pick<Acting, "db">,
  rolloutId: number,
  assessed: readonly Assessment[],
  seen: ReadonlyMap<number, Seen>,
): Promise<void> {
  const rows = assessed.map(
    ({ nodeId, outcome, heldBy, steadySince, suspects, failure, awaitedMs, firstFindings }) => {
      const observed = seen.get(nodeId);
      return {
        awaited_ms: awaitedMs,
        first_findings: firstFindings,
        node_id: nodeId,
        outcome,
        held_by: heldBy,
        suspects,
        failure,
        observed: observed ? asStored(observed) : null,
        steady_since: steadySince === null ? null : new Date(steadySince).toISOString(),
      };
    },
  );
  if (rows.length === 0) return;
  await sql`
    update template_rollout_node r set outcome = s.outcome, held_by = s.held_by,
      suspects = s.suspects, failure = s.failure, observed = s.observed,
      steady_since = s.steady_since, awaited_ms = s.awaited_ms,
      baseline = case when s.first_findings is null or r.baseline -> 'findings' <> 'null'
        then r.baseline else jsonb_set(r.baseline, '{findings}', s.first_findings) end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (node_id bigint, outcome text,
      held_by text, suspects jsonb, failure jsonb, observed jsonb, steady_since timestamptz,
      awaited_ms integer, first_findings jsonb)
    where r.rollout_id = ${rolloutId} and r.node_id = s.node_id
      and ((r.outcome, r.held_by, r.suspects, r.failure, r.observed, r.steady_since, r.awaited_ms)
        is distinct from (s.outcome, s.held_by, s.suspects, s.failure, s.observed, s.steady_since,
          s.awaited_ms) or s.first_findings is not null and r.baseline -> 'findings' = 'null')`.execute(
    db,
  );
}
