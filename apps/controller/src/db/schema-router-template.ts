/** Types of the tables of router templates (migrations/*-router-template.sql). */
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

type Stamp = ColumnType<Date, Date | undefined, Date>;

/** Rows of a template by the name of their table, as they were when it was issued. */
export type TemplateContent = Readonly<
  Record<string, readonly Readonly<Record<string, unknown>>[]>
>;

interface RouterTemplateTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  name: string;
  remark: string;
  version: Generated<number>;
  created_by: number | null;
  created_at: Stamp;
  updated_at: Stamp;
}

interface RouterTemplateVersionTable {
  enterprise_id: number;
  template_id: number;
  version: number;
  content: ColumnType<TemplateContent, string, never>;
  created_by: number;
  created_at: Stamp;
}

interface RouterTemplateNodeTable {
  node_id: number;
  enterprise_id: number;
  template_id: number;
  node_enterprise_id: number;
  version: number | null;
}

export interface RouterTemplateTables {
  router_template: RouterTemplateTable;
  router_template_version: RouterTemplateVersionTable;
  router_template_node: RouterTemplateNodeTable;
}
