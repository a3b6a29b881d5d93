import type { effectivePolicy } from "@weft/contract/domains/delivery/effective-policy.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { type Pools, scopedSnapshot } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { type ReadView, readView } from "#domains/delivery/compile/public.ts";
import { isConfirmed } from "#domains/policies/policy-finding/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { effectiveLists, type KnownFinding } from "./effective-lists.ts";

type Effective = OutputOf<typeof effectivePolicy>;

/**
 * A node as a compile reads it: a template of an enterprise above is out of the caller's sight and acts all the
 * same. Whose node it is must have been checked before.
 */
export function readNodeView(pools: Pools<Database>, nodeId: number): Promise<ReadView | null> {
  const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
  return scopedSnapshot(pools.worker, scope, (trx) => readView(trx, nodeId));
}

/** What acts on a node of the caller's; of a template above the caller learns what the devices do. */
export async function findEffective(
  ctx: Context,
  nodeId: number,
  view: ReadView | null,
): Promise<Effective> {
  if (!view) return refuse("notFound");
  const known = await readKnown(ctx, nodeId);
  const { template } = view;
  return {
    template: template ? await named(ctx, template) : null,
    isConfirmed: known.isConfirmed,
    lists: effectiveLists(view, known),
  };
}

/** Empty: a template of an enterprise above. */
async function named(
  ctx: Context,
  { templateId, version }: { readonly templateId: number; readonly version: number },
): Promise<NonNullable<Effective["template"]>> {
  const row = await ctx.db
    .selectFrom("router_template")
    .select("name")
    .where("id", "=", templateId)
    .executeTakeFirst();
  return { templateId, version, name: row?.name ?? "" };
}

interface Found extends KnownFinding {
  readonly key: string;
}

async function readKnown(ctx: Context, nodeId: number) {
  const [{ rows: observed }, { rows: confirmed }] = await Promise.all([
    sql<Found>`
      select family || ' ' || level || ' ' || object_id as key, effect, reason, params
      from policy_finding where node_id = ${nodeId}`.execute(ctx.db),
    sql<{ is: boolean }>`
      select ${isConfirmed} as is from node n where n.id = ${nodeId}`.execute(ctx.db),
  ]);
  return {
    isConfirmed: confirmed[0]?.is ?? false,
    findings: new Map(observed.map(({ key, ...finding }) => [key, finding])),
  };
}
