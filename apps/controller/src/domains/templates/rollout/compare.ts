/** Whether CPEs that cannot be compiled could be with the version that they followed before. */
import { sql } from "kysely";
import type { Logger } from "pino";
import { inScope, type Pools, scopedSnapshot } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { PublishedTemplate } from "#domains/delivery/compile/public.ts";
import { failureOf, failureWith } from "#domains/delivery/publish/public.ts";
import type { StoredFailure } from "#domains/delivery/schema.ts";
import type { StoredComparison } from "#domains/templates/schema.ts";
import type { RolloutRow } from "./observe.ts";

/** Rows of versions are the worker's to read, and a preview gives itself the scope of its node. */
const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;

interface Before {
  readonly node_id: number;
  readonly failure: StoredFailure | null;
  readonly version: number | null;
  readonly content: PublishedTemplate["content"] | null;
}

/** Keeps how these CPEs would compile without the version. Each is tried for itself. */
export async function compare(
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
