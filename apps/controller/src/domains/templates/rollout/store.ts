/** Rollouts as operators see them. */
import type {
  MemberOutcome,
  routerTemplateRolloutList,
  routerTemplateRolloutMembers,
  WaveFailure,
  WaveGate,
  WaveState,
} from "@weft/contract/domains/templates/rollout.ts";
import type { InputOf, OutputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { requireTemplate } from "#domains/templates/router-template/public.ts";
import type { StoredExpectation, StoredObservation } from "#domains/templates/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import type { MemberRow, RolloutRow } from "./observe.ts";

type Shown = OutputOf<typeof routerTemplateRolloutList>[number];

/** CPEs of one wave that have an outcome and a failure in common. */
interface Counted {
  readonly rollout_id: number;
  readonly wave: number;
  readonly outcome: MemberOutcome;
  readonly gate: WaveGate | null;
  readonly cpes: number;
  readonly prepared: number;
  readonly started: Date | null;
}

async function countMembers(ctx: Context, ids: readonly number[]): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select rollout_id, wave, outcome, failure ->> 'gate' as gate, count(*)::int as cpes,
      count(expected)::int as prepared, min(started_at) as started
    from template_rollout_node where rollout_id = any(${[...ids]}::bigint[])
    group by rollout_id, wave, outcome, failure ->> 'gate' order by wave, outcome`.execute(ctx.db);
  return rows;
}

const total = (rows: readonly Counted[], of: "cpes" | "prepared" = "cpes"): number =>
  rows.reduce((sum, row) => sum + row[of], 0);

function stateOf(rollout: RolloutRow, number: number, rows: readonly Counted[]): WaveState {
  const isBack = rows.some(({ outcome }) => outcome === "rolledBack");
  // Of one that passed, CPEs may have come later and be rolled back with the wave that failed.
  if (isBack && (number === rollout.wave || rollout.state === "rolledBack")) return "rolledBack";
  if (number < rollout.wave || rollout.state === "completed") return "passed";
  if (number > rollout.wave || rollout.state === "rolledBack") return "ahead";
  return rollout.state === "waiting" ? "passed" : "underway";
}

const countBy = <Key extends string>(
  rows: readonly Counted[],
  key: (row: Counted) => Key | null,
): Partial<Record<Key, number>> => {
  const groups = Map.groupBy(rows, key);
  groups.delete(null);
  return Object.fromEntries([...groups].map(([name, some]) => [name, total(some)])) as Partial<
    Record<Key, number>
  >;
};

function toShown(row: RolloutRow, templateName: string, counted: readonly Counted[]): Shown {
  const waves = Array.from({ length: row.waves }, (_, at) => {
    const ofWave = counted.filter(({ wave }) => wave === at + 1);
    const times = ofWave.flatMap(({ started }) => started?.getTime() ?? []);
    return {
      number: at + 1,
      state: stateOf(row, at + 1, ofWave),
      cpes: total(ofWave),
      counts: countBy(ofWave, ({ outcome }) => outcome),
      failures: countBy(ofWave, ({ gate }) => gate),
      startTime: times.length > 0 ? new Date(Math.min(...times)) : null,
    };
  });
  return {
    rolloutId: row.id,
    templateId: row.template_id,
    templateName,
    version: row.version,
    state: row.state,
    reason: row.reason,
    isBad: row.is_bad,
    wave: row.wave,
    waves,
    cpes: total(counted),
    prepared: total(counted, "prepared"),
    sizes: row.sizes,
    soak: row.soak_s,
    grace: row.grace_s,
    contactGate: row.contact_gate,
    linkGate: row.link_gate,
    findingGate: row.finding_gate,
    lossLimit: row.loss_limit,
    askEach: row.ask_each,
    since: row.since,
    createTime: row.created_at,
    createBy: row.login_name,
  };
}

/** Rollouts of a template of the caller's. */
export async function listRollouts(
  ctx: Context,
  { templateId, page, limit }: InputOf<typeof routerTemplateRolloutList>,
): Promise<ResultOf<typeof routerTemplateRolloutList>> {
  const { name } = await requireTemplate(ctx, templateId);
  const ofTemplate = ctx.db.selectFrom("template_rollout").where("template_id", "=", templateId);
  const [rows, all] = await Promise.all([
    ofTemplate
      .selectAll()
      .orderBy("id", "desc")
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    ofTemplate.select(sql<number>`count(*)::int`.as("n")).executeTakeFirstOrThrow(),
  ]);
  const counted = Map.groupBy(
    await countMembers(
      ctx,
      rows.map(({ id }) => id),
    ),
    ({ rollout_id }) => rollout_id,
  );
  return { rows: rows.map((row) => toShown(row, name, counted.get(row.id) ?? [])), count: all.n };
}

/** Why the objects of the version are no failure on it. */
const uncheckedOf = (expected: StoredExpectation | null) =>
  expected === null || expected.isKnown
    ? null
    : (expected.failure ?? { code: "noReport" as const, detail: "" });

const toObservation = (stored: StoredObservation | null) =>
  stored && { online: stored.online, links: stored.links, loss: stored.loss };

/** CPEs of a rollout; names of those that the caller does not see are empty. */
export async function listMembers(
  ctx: Context,
  { rolloutId, wave, page, limit }: InputOf<typeof routerTemplateRolloutMembers>,
): Promise<ResultOf<typeof routerTemplateRolloutMembers>> {
  const rollout = await ctx.db
    .selectFrom("template_rollout")
    .select("template_id")
    .where("id", "=", rolloutId)
    .executeTakeFirst();
  await requireTemplate(ctx, (rollout ?? refuse("notFound")).template_id);
  const { rows } = await sql<MemberRow & { name: string | null; all: number }>`
    select m.*, n.name, count(*) over ()::int as all
    from template_rollout_node m left join node n on n.id = m.node_id
    where m.rollout_id = ${rolloutId} and (${wave}::int is null or m.wave = ${wave})
    order by m.failure is null, m.wave, n.name, m.node_id
    limit ${limit} offset ${(page - 1) * limit}`.execute(ctx.db);
  return {
    rows: rows.map((row) => ({
      cpeId: row.node_id,
      cpeName: row.name ?? "",
      wave: row.wave,
      outcome: row.outcome,
      heldBy: row.held_by,
      unchecked: uncheckedOf(row.expected),
      failure: row.failure as WaveFailure | null,
      suspects: Object.keys(row.suspects) as WaveGate[],
      versionBefore: row.version_before,
      startTime: row.started_at,
      steadySince: row.steady_since,
      before: toObservation(row.baseline),
      now: toObservation(row.observed),
    })),
    count: rows[0]?.all ?? 0,
  };
}
