/** Running rollouts, one step after the other. */
import type { RolloutState } from "@weft/contract/domains/templates/rollout.ts";
import { sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import { inScope, type Pools, scopedSnapshot } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { PublishedTemplate } from "#domains/delivery/compile/public.ts";
import { failureOf, failureWith } from "#domains/delivery/publish/public.ts";
import type { StoredFailure } from "#domains/delivery/schema.ts";
import { type Acting, asWorker } from "#domains/templates/router-template/public.ts";
import type { StoredComparison } from "#domains/templates/schema.ts";
import { type Decision, decide } from "./decide.ts";
import type { Member } from "./member.ts";
import {
  type RolloutRow,
  readMembers,
  readUnprepared,
  toRollout,
  watchedSinceOf,
} from "./observe.ts";
import { prepare } from "./prepare.ts";
import { keepAssessments, type Named, record, returnMembers, startMembers } from "./write.ts";

/* Whether CPEs that cannot be compiled could be with the version that they followed before. */

/** Rows of versions are the worker's to read, and a preview gives itself the scope of its node. */
const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;

interface Before {
  readonly node_id: number;
  readonly failure: StoredFailure | null;
  readonly version: number | null;
  readonly content: PublishedTemplate["content"] | null;
}

/** Keeps how these CPEs would compile without the version. Each is tried for itself. */
async function compare(
  pools: Pools<Database>,
  { id, template_id: templateId }: Pick<RolloutRow, "id" | "template_id">,
  nodeIds: readonly number[],
  logger: Logger,
): Promise<void> {
  const failed = await inScope(pools.worker, scope, async (trx) => {
    const { rows } = await sql<Before>`
      select r.node_id, c.failure, v.version, v.content
      from template_rollout_node r
      join compile_mark c on c.node_id = r.node_id
      left join router_template_version v
        on v.template_id = ${templateId} and v.version = r.version_before
      where r.rollout_id = ${id} and r.node_id = any(${[...nodeIds]}::bigint[])`.execute(trx);
    return rows;
  });
  const rows: { node_id: number; compared: StoredComparison }[] = [];
  for (const { node_id: nodeId, failure, version, content } of failed) {
    if (failure === null) continue;
    const template = version === null || content === null ? null : { templateId, version, content };
    const preview = () =>
      scopedSnapshot(pools.worker, scope, (trx) => failureWith(trx, nodeId, template));
    const without = await preview().catch((error: unknown) => {
      logger.warn(
        { err: error, rollout: id, node: nodeId },
        "a CPE has no preview without a version",
      );
      return failureOf(error);
    });
    rows.push({ node_id: nodeId, compared: { failure, without } });
  }
  if (rows.length === 0) return;
  await sql`
    update template_rollout_node r
    set compared = s.compared || jsonb_build_object('at',
      (extract(epoch from clock_timestamp()) * 1000)::bigint)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (node_id bigint, compared jsonb)
    where r.rollout_id = ${id} and r.node_id = s.node_id and r.started_at is not null`.execute(
    pools.worker.db,
  );
}

type Trx = Transaction<Database>;
type Open = Pick<RolloutRow, "id" | "enterprise_id" | "template_id" | "version">;

export interface Waves {
  /** Takes every running rollout one step on. @returns how many of them moved */
  run(): Promise<number>;
}

/**
 * Any number of controllers may run it: a rollout is one's at a time (its row is locked), and a step is one
 * transaction, so that one which dies in the middle did nothing and the next does it.
 */
export function createWaves(pools: Pools<Database>, logger: Logger): Waves {
  const stepOf = async (open: Open): Promise<boolean> => {
    try {
      return await step(pools, open, logger);
    } catch (error) {
      // The others go on.
      logger.error({ err: error, rollout: open.id }, "step of a rollout failed; it is repeated");
      return false;
    }
  };
  return {
    async run() {
      const open = await pools.worker.db
        .selectFrom("template_rollout")
        .select(["id", "enterprise_id", "template_id", "version"])
        .where("state", "=", "running")
        .orderBy("id")
        .execute();
      let moved = 0;
      for (const one of open) if (await stepOf(one)) moved += 1;
      return moved;
    },
  };
}

const scopeOf = (ids: readonly number[]) =>
  ({ kind: "enterprises", ids: [...ids], userId: null, ownOnly: false }) as const;

async function step(pools: Pools<Database>, open: Open, logger: Logger): Promise<boolean> {
  const decision = await inScope(pools.worker, scopeOf([open.enterprise_id]), async (trx) => {
    const rollout = await lockRunning(trx, open.id);
    if (!rollout) return null;
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx);
    const now = rows[0]?.now.getTime() ?? 0;
    const members = await readMembers(trx, rollout, now);
    const unprepared = await readUnprepared(trx, rollout.id);
    const decision = decide(toRollout(rollout), members, unprepared, now);
    await carryOut(asWorker(trx, action, actionOf), rollout, members, decision);
    await noteObserved(trx, rollout, now);
    return decision;
  });
  if (decision?.kind === "prepare") await prepare(pools, open, decision.nodeIds, logger);
  if (decision?.kind === "compare") await compare(pools, open, decision.nodeIds, logger);
  return decision !== null && decision.kind !== "observe";
}

/** Null: another process works on it, or it does not run any more. */
async function lockRunning(trx: Trx, id: number): Promise<Named | null> {
  const { rows } = await sql<Named>`
    select r.*, t.name as template_name
    from template_rollout r join router_template t on t.id = r.template_id
    where r.id = ${id} and r.state = 'running' for update of r skip locked`.execute(trx);
  return rows[0] ?? null;
}

const action = "routerTemplateRollout.step";

/** What the operation log calls it: a wave that failed is no progress. */
const actionOf = (recorded: object | null): string => {
  const state = recorded && "state" in recorded ? recorded.state : null;
  if (state === "waiting") return "routerTemplateRollout.askForWave";
  if (state === "completed") return "routerTemplateRollout.completeWaves";
  return state === "halted" ? "routerTemplateRollout.failWave" : action;
};

async function carryOut(
  acting: Acting,
  rollout: Named,
  members: readonly Member[],
  decision: Decision,
): Promise<void> {
  if (decision.kind === "start") {
    const due = new Set(decision.nodeIds);
    await startMembers(
      acting,
      rollout,
      members.filter(({ nodeId }) => due.has(nodeId)),
    );
  }
  if (decision.kind === "fail") await fail(acting, rollout);
  if ("assessed" in decision) {
    const seen = new Map(members.map((member) => [member.nodeId, member.seen]));
    // Of a wave that failed, what its CPEs failed by; that they were rolled back is written already.
    await keepAssessments(acting, rollout.id, assessedOf(decision), seen);
  }
  if (decision.kind === "ask") await enter(acting, rollout, "waiting");
  if (decision.kind === "complete") await complete(acting, rollout);
  if (decision.kind === "advance") {
    await acting.db
      .updateTable("template_rollout")
      .set({ wave: rollout.wave + 1, since: sql`now()` })
      .where("id", "=", rollout.id)
      .execute();
  }
}

async function noteObserved(trx: Trx, rollout: Named, now: number): Promise<void> {
  await trx
    .updateTable("template_rollout")
    .set({
      checked_at: sql`clock_timestamp()`,
      watched_since: new Date(watchedSinceOf(rollout, now)),
    })
    .where("id", "=", rollout.id)
    .execute();
}

const assessedOf = (decision: Extract<Decision, { assessed: unknown }>) =>
  decision.kind === "fail"
    ? decision.assessed.map((assessment) => ({
        ...assessment,
        outcome: "rolledBack" as const,
        heldBy: null,
        steadySince: null,
        suspects: {},
      }))
    : decision.assessed;

async function enter(acting: Acting, rollout: Named, state: RolloutState): Promise<void> {
  await acting.db
    .updateTable("template_rollout")
    .set({ state, since: sql`now()` })
    .where("id", "=", rollout.id)
    .execute();
  await record(acting, rollout, { state: rollout.state }, { state, wave: rollout.wave });
}

/** Where the version was seen on no CPE, the rollout says so: that is no success. */
async function complete(acting: Acting, rollout: Named): Promise<void> {
  const { rows } = await sql<{ unseen: boolean }>`
    select count(*) > 0 and count(*) filter (where outcome = 'passed') = 0 as unseen
    from template_rollout_node where rollout_id = ${rollout.id}`.execute(acting.db);
  const reason = rows[0]?.unseen ? "unseen" : null;
  await acting.db
    .updateTable("template_rollout")
    .set({ state: "completed", reason, since: sql`now()` })
    .where("id", "=", rollout.id)
    .execute();
  const { state, wave } = rollout;
  await record(acting, rollout, { state }, { state: "completed", wave, ...(reason && { reason }) });
}

/** What is observed is rolled back, nothing more goes out, and the version is marked as bad. */
async function fail(acting: Acting, rollout: Named): Promise<void> {
  const cpeIds = await returnMembers(acting, rollout, rollout.wave);
  await acting.db
    .updateTable("template_rollout")
    .set({ state: "halted", reason: "gate", is_bad: true, since: sql`now()` })
    .where("id", "=", rollout.id)
    .execute();
  const { state, wave } = rollout;
  await record(acting, rollout, { state }, { state: "halted", wave, isBad: true, cpeIds });
}
