/** What the loop knows of templates: the version that a CPE follows. */
import type { Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { TemplateVersion } from "#domains/delivery/lifecycle/public.ts";
import type { StoredPolicy } from "#domains/policies/schema.ts";

type Trx = Transaction<Database>;

/** The version published to a CPE last, with its rows. */
export interface PublishedTemplate extends TemplateVersion {
  readonly content: StoredPolicy;
}

/** What a CPE follows; null: no template, or one that was not published since the CPE came in. */
export async function readPublished(trx: Trx, nodeId: number): Promise<PublishedTemplate | null> {
  const row = await trx
    .selectFrom("router_template_node as m")
    .innerJoin("router_template_version as v", (join) =>
      join.onRef("v.template_id", "=", "m.template_id").onRef("v.version", "=", "m.version"),
    )
    .select(["v.template_id", "v.version", "v.content"])
    .where("m.node_id", "=", nodeId)
    .executeTakeFirst();
  return row ? { templateId: row.template_id, version: row.version, content: row.content } : null;
}
