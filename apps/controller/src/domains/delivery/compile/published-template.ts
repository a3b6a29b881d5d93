/** The version of a template that a CPE follows. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { TemplateVersion } from "#domains/delivery/lifecycle/public.ts";
import type { StoredPolicy } from "#domains/policies/schema.ts";

type Trx = Transaction<Database>;

/** The version published to a CPE last, with its rows. */
export interface PublishedTemplate extends TemplateVersion {
  readonly content: StoredPolicy;
}

interface Followed extends PublishedTemplate {
  readonly nodes: readonly number[];
}

/**
 * What CPEs follow, each version once for all of them. A CPE that is left out follows no template, or one that was not
 * published since it came in.
 */
export async function readPublished(
  trx: Trx,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, PublishedTemplate>> {
  const { rows } = await sql<Followed>`
    with followed as (
      select template_id, version, array_agg(node_id) as nodes from router_template_node
      where node_id = any(${[...nodeIds]}::bigint[]) and version is not null group by template_id, version
    )
    select v.template_id as "templateId", v.version, v.content, f.nodes
    from followed f join router_template_version v
      on v.template_id = f.template_id and v.version = f.version`.execute(trx);
  return new Map(
    rows.flatMap(({ nodes, ...template }) => nodes.map((node) => [node, template] as const)),
  );
}
