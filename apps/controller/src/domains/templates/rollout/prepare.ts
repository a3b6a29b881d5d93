/** What of a version will not act on CPEs, before their waves start. */
import { sql } from "kysely";
import type { Logger } from "pino";
import { inScope, type Pools, scopedSnapshot } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { failureOf, type NodePreview, previewNode } from "#domains/delivery/publish/public.ts";
import type { StoredExpectation } from "#domains/templates/schema.ts";
import type { RolloutRow } from "./observe.ts";
import { objectKey } from "./progress.ts";

/** Rows of the version are the worker's to read, and a preview gives itself the scope of its node. */
const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;

/** Ms of one turn, of which the time between two observations has several (assess.ts, gapMs). */
const maxTurnMs = 3_000;

/**
 * Keeps what of the version will not act on CPEs, as its preview shows it. Each is previewed for itself: one that
 * cannot be is kept as such, with the reason, and the others go on.
 */
export async function prepare(
  pools: Pools<Database>,
  { id, template_id: templateId, version }: Pick<RolloutRow, "id" | "template_id" | "version">,
  nodeIds: readonly number[],
  logger: Logger,
): Promise<void> {
  const { content } = await inScope(pools.worker, scope, (trx) =>
    trx
      .selectFrom("router_template_version")
      .select("content")
      .where("template_id", "=", templateId)
      .where("version", "=", version)
      .executeTakeFirstOrThrow(),
  );
  const began = performance.now();
  const expected: { node_id: number; expected: StoredExpectation }[] = [];
  for (const nodeId of nodeIds) {
    // While it previews nothing is observed: the rest is for the next turn.
    if (performance.now() - began > maxTurnMs) break;
    const preview = () =>
      scopedSnapshot(pools.worker, scope, (trx) =>
        previewNode(trx, nodeId, { templateId, version, content }),
      );
    const failed = (error: unknown): void =>
      logger.warn({ err: error, rollout: id, node: nodeId }, "a CPE of a rollout has no preview");
    expected.push({ node_id: nodeId, expected: await expectationOf(preview, failed) });
  }
  await sql`
    update template_rollout_node r
    set expected = s.expected || jsonb_build_object('at',
      (extract(epoch from clock_timestamp()) * 1000)::bigint)
    from jsonb_to_recordset(${JSON.stringify(expected)}::jsonb) as s (node_id bigint, expected jsonb)
    where r.rollout_id = ${id} and r.node_id = s.node_id
      and (r.expected is null or r.started_at is null)
      -- One that was halted meanwhile is previewed when it goes on: until then it would show what is old.
      and exists (select from template_rollout o where o.id = r.rollout_id and o.state = 'running')`.execute(
    pools.worker.db,
  );
}

/**
 * What will not act on a CPE.
 * @param failed receives the error of a preview that failed, which is part of the answer as a reason for users
 */
export async function expectationOf(
  preview: () => Promise<NodePreview | null>,
  failed: (error: unknown) => void,
): Promise<StoredExpectation> {
  try {
    const nodePreview = await preview();
    const objects = (nodePreview?.unmet?.rows ?? []).flatMap(({ family, objectId, effect }) =>
      effect === "cannot" ? [objectKey(family, objectId)] : [],
    );
    return { isKnown: nodePreview?.isKnown ?? false, objects };
  } catch (error) {
    failed(error);
    return { isKnown: false, objects: [], failure: failureOf(error) };
  }
}
