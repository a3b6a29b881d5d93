/** What a template is made of: the tables whose rows an issue freezes. */
import { type RawBuilder, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { policyTables } from "#domains/policies/schema.ts";
import type { TemplateContent } from "#domains/templates/schema.ts";
import type { Context } from "#kernel/api.ts";

/** Tables with the columns id, template_id, created_by and created_at; rows of nodes have no template. */
type ContentTable = {
  [Table in keyof Database]: Database[Table] extends { template_id: unknown } ? Table : never;
}[keyof Database];

/**
 * Tables of template content. A family of policies appends its own, and finds its rows in
 * `NodeView.template.content` under the same names when a state is compiled.
 */
const templateContent: readonly ContentTable[] = Object.values(policyTables);

/** Columns that are about the row, not about what it asks for. */
const bookkeeping = [
  "enterprise_id",
  "template_id",
  "node_id",
  "owner",
  "created_by",
  "created_at",
  "updated_at",
];

/** All rows of a template now, each table's by id: equal drafts freeze into equal versions. */
export async function readDraftContent(
  ctx: Pick<Context, "db">,
  templateId: number,
): Promise<TemplateContent> {
  if (templateContent.length === 0) return {};
  const parts = templateContent.map(
    (table): RawBuilder<unknown> => sql`
      select ${sql.lit(table)} as name, coalesce(
        jsonb_agg(to_jsonb(r) - ${bookkeeping}::text[] order by r.id), '[]') as rows
      from ${sql.table(table)} r where r.template_id = ${templateId}`,
  );
  const { rows } = await sql<{ name: string; rows: TemplateContent[string] }>`
    ${sql.join(parts, sql` union all `)}`.execute(ctx.db);
  return Object.fromEntries(rows.map(({ name, rows: own }) => [name, own]));
}
